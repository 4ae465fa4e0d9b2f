"""Generators of the traced code: those that run while tracing, and those that the graph makes.

A generator of a converted function runs while tracing, as Python's own, as long as no data decides in it and
it is gone through where it was made.  Otherwise the trace begins anew with a form of the function around it
in which ``yield`` is an operator (``autograph.convert.with_generators``).  A call of the generator is then a
node that makes a Python generator when the graph runs.  Its body is a graph of its own, with ``yield`` nodes,
written as a Python generator function; so whatever goes through it, sends into it, closes it or lets go of it
does what it does to the plain one.

What the body uses from around belongs to the node.  The body runs while other code does, so all that is
outside is read when it is needed, and a list or dict that it uses lives in the graph.
"""

from __future__ import annotations

import dis
import functools
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import CodeType, FunctionType, GeneratorType
from typing import TYPE_CHECKING, Any

from autograph.convert import GENERATOR, left_alone, with_generators
from autograph.errors import CapturedSymbolError, ConversionError

from . import exceptions, hidden, made_functions, suspending
from .aliasing import WORLD
from .backends.numpy_code import compile_graph
from .control_flow import substitute
from .effects import add_control_edges, iterates
from .graph import Graph, Location, Node, Op, Operand, Value, values_in
from .later import trace_later
from .location import instruction_at, user_frame
from .operands import RawOperand
from .ops import table
from .passes import optimise
from .tensor import Tensor
from .types import UNKNOWN, Instance

if TYPE_CHECKING:
    from .assumptions import Restart
    from .tracing import Tracer


@dataclass(slots=True)
class Generators:
    """What one trace knows about its generators."""

    native: dict[int, tuple[Any, Graph]] = field(default_factory=dict)
    """Those that run while tracing, with the block that each was made in."""
    bodies: list[tuple[FunctionType, _Maker, list[Node]]] = field(default_factory=list)
    """The generators whose bodies are being traced, innermost last, with the nodes that make them inside."""
    frames: list[Graph] = field(default_factory=list)
    """The blocks in which the open calls of the user's functions began."""
    dropped: list[Value] = field(default_factory=list)
    """Those of the graph that the traced code has let go of since the last node."""
    exhausted: set[Value] = field(default_factory=set)
    """Those that surely came to their end."""


# While tracing ---------------------------------------------------------------------------------------------


def note(tracer: Tracer, generator: GeneratorType[Any, Any, Any]) -> None:
    """A generator that runs while tracing is seen.

    Raises:
        Restart: it was made in another part than it is used in.
    """
    known = tracer.generators.native.setdefault(id(generator), (generator, tracer.block))
    if known[1] is not tracer.block:
        found = suspending.learn(tracer, generator.gi_code)
        if found is not None:
            raise found


def as_value(tracer: Tracer, generator: GeneratorType[Any, Any, Any]) -> None:
    """A generator that runs while tracing is needed when the graph runs.

    Raises:
        Restart: from the next trace on, it is a value of the graph.
    """
    found = suspending.learn(tracer, generator.gi_code)
    if found is not None:
        raise found


# When the graph runs ---------------------------------------------------------------------------------------

YIELD = table.define(
    Op("yield", syntax="statement", result="alias", region="outside", writes=("*",), stores=True)
)
YIELD_FROM = table.define(
    Op("yield_from", syntax="statement", result="alias", region="outside", writes=("*",), stores=True)
)


def mark(function: FunctionType) -> FunctionType:
    """Note that this function's yields are operators."""
    function.__autograph_generator__ = True  # type: ignore[attr-defined]
    return function


def is_marked(function: FunctionType) -> bool:
    """Whether its yields are operators, so that calling it makes a generator."""
    return hasattr(function, "__autograph_generator__")


RELEASE = table.define(
    Op("release", lambda generator: None, "statement", region="outside", writes=("*",), stores=True)
)
"""The code lets go of a generator, which does what is left to be done: ``finally``, the end of ``with``."""


@dataclass(slots=True)
class Holder:
    """What lives as long as the traced code holds on to a generator of the graph."""

    generators: Generators
    value: Value

    def __del__(self) -> None:
        if self.value not in self.generators.exhausted:
            self.generators.dropped.append(self.value)


def hold(tracer: Tracer, value: Value) -> Any:
    """The symbol for a generator that may have something to clean up: see when the code lets go of it.

    In a part of a staged statement a variable may live on, and only the run knows for how long.
    """
    tensor = Tensor(value, tracer.block, tracer)
    frames = tracer.generators.frames
    if (frames and frames[-1] is tracer.block) or not _is_assigned():
        tensor._ag_holder = Holder(tracer.generators, value)
    elif len(frames) > 1:
        raise tracer.error(
            CapturedSymbolError,
            "a generator with a try or with is kept in a variable inside a staged part",
            why="when it is let go of, and does what is left to be done, depends on which parts run",
            fix="go through it where it is made",
        )
    return tensor


def _is_assigned() -> bool:
    """Whether the call that runs now is the value of an assignment."""
    frame = user_frame()
    if frame is None:
        return False
    here = instruction_at(frame)
    instructions = iter(dis.get_instructions(frame.f_code))
    for instruction in instructions:
        if instruction.offset == here:
            return next(instructions).opname.startswith("STORE")
    return False


def release(tracer: Tracer, result: Operand) -> None:
    """Record that the code has let go of generators, unless they are in what a block gives."""
    dropped, tracer.generators.dropped = tracer.generators.dropped, []
    given = set(values_in(result))
    for value in dropped:
        if value not in given and value.producer in tracer.block.nodes:
            tracer.record_value(RELEASE, (RawOperand(value),))


def cleans_up(graph: Graph) -> bool:
    """Whether a generator with this body may do something when it is let go of."""
    return any(
        node.op.name in ("try", "with", "yield_from")
        or (node.op.name == "for" and not _is_plain(node.args[0]))
        for node in graph.walk()
    )


def _is_plain(iterable: Operand) -> bool:
    return type(iterable) is not Value or iterates(iterable.type)


def of_outside(tracer: Tracer, function: FunctionType) -> FunctionType | None:
    """The form of a generator function of outside whose yields are operators; None for what runs as it is."""
    code = function.__code__
    if not code.co_flags & inspect.CO_GENERATOR or function is tracer.root:
        return None
    if left_alone(function, tracer.also) != GENERATOR:
        return None
    if ("plain generator", code) in tracer.assumptions.dynamic:
        return None
    inside = tracer.assumptions.generators.get(code, frozenset())
    try:
        return with_generators(function, inside | {(code.co_name, code.co_firstlineno)})
    except ConversionError:
        return None


def leave(tracer: Tracer, function: FunctionType) -> Restart:
    """A generator function of outside cannot be staged: from the next trace on it runs as it is."""
    return tracer.assumptions.learn(("plain generator", function.__code__))


def called(tracer: Tracer, value: Value) -> Any:
    """The symbol for a generator of a function that is not converted."""
    value.type = Instance(GeneratorType)
    return hold(tracer, value)


def start(tracer: Tracer, function: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of such a function: the node that makes the generator."""
    for owner, name, cell in hidden.assigning(function):
        if id(cell) not in tracer.outer_cells:
            hidden.keep(owner, name)
            raise _refusal(tracer, function, f"it assigns {name!r} of the function around it")
    signature = inspect.signature(function)
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:
        try:
            function(*args, **kwargs)
        except TypeError as error:
            raise exceptions.deliberate(error.with_traceback(None)) from None
        raise
    bound.apply_defaults()
    again = ("generator again", function.__code__)
    for other, maker, nodes in tracer.generators.bodies:
        if other.__code__ is function.__code__:
            if again not in tracer.assumptions.dynamic:
                raise tracer.assumptions.learn(again)
            value = _record(tracer, maker, (), tuple(bound.arguments.values()))
            assert value.producer is not None
            nodes.append(value.producer)
            return Tensor(value, tracer.block, tracer)
    if again in tracer.assumptions.dynamic:
        return _trace(tracer, function, bound)
    return _trace(tracer, function, bound, args, kwargs)


def _trace(
    tracer: Tracer,
    function: FunctionType,
    bound: inspect.BoundArguments,
    args: tuple[Any, ...] | None = None,
    kwargs: dict[str, Any] | None = None,
) -> Any:
    """Trace the body on these arguments, or, where it calls itself, on arguments of any type."""
    code = function.__code__
    graph = Graph(function.__name__, location=Location(code.co_filename, code.co_firstlineno, code.co_name))
    maker = _Maker(graph, function)
    given: tuple[Any, ...] = ()

    if args is None or kwargs is None:
        parameters = inspect.signature(function).parameters.values()
        if any(each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) for each in parameters):
            raise _refusal(tracer, function, "it calls itself and takes stars")
        given = tuple(bound.arguments.values())
        inputs = [Tensor(tracer.input(name, UNKNOWN, graph), graph, tracer) for name in bound.arguments]
        positional = [each.kind is not each.KEYWORD_ONLY for each in parameters]
        args = tuple(each for each, first in zip(inputs, positional, strict=True) if first)
        kwargs = dict(list(zip(bound.arguments, inputs, strict=True))[len(args) :])

    def run() -> Operand:
        return tracer.lower(function(*args, **kwargs))

    nodes: list[Node] = []
    tracer.generators.bodies.append((function, maker, nodes))
    inputs_, counts = list(graph.inputs), dict(tracer.counts)
    done = trace_later(tracer, graph, run)
    if done.changes:  # of its own variables, which are others the next time, or of those around
        graph.inputs, graph.nodes, graph.completes, tracer.counts = inputs_, [], True, counts
        nodes.clear()
        first, done = done, trace_later(tracer, graph, run)
        around = {key: each for key, each in done.changes.items() if key in first.changes}
        if around:
            raise hidden.refuse(tracer, around, f"the generator {function.__name__!r}")
    tracer.generators.bodies.pop()
    if graph.completes:
        graph.results = (done.result,)
    captured = list(dict.fromkeys(graph.free_values()))
    for node in nodes:  # it makes generators of the same body, which know the same
        node.args = (tuple(captured), node.args[1])
    inner = {value: Value(value.name, value.type) for value in captured}
    graph.inputs = [*inner.values(), *graph.inputs]
    substitute(graph, inner)
    value = _record(tracer, maker, tuple(map(RawOperand, captured)), given)
    made_functions.call_later(tracer, function, value)
    return hold(tracer, value) if cleans_up(graph) else Tensor(value, tracer.block, tracer)


def _record(tracer: Tracer, maker: _Maker, captured: tuple[Any, ...], given: tuple[Any, ...]) -> Value:
    value = tracer.record_value(maker.op, (captured, given))
    value.type = Instance(GeneratorType)
    return value


def _refusal(tracer: Tracer, function: FunctionType, why: str) -> CapturedSymbolError:
    error = tracer.error(
        CapturedSymbolError,
        f"the generator {function.__name__!r} cannot be staged",
        why=why,
        fix="make a list in a plain function, or define the generator outside the staged one",
    )
    assert isinstance(error, CapturedSymbolError)
    return error


class _Maker:
    """What makes a generator when the graph runs: of the values from around, and of the arguments."""

    def __init__(self, graph: Graph, function: FunctionType) -> None:
        self.graph = graph
        self.name = "<genexpr>" if function.__name__.startswith("generate") else function.__name__
        self.qualname = function.__qualname__
        self.compiled: Callable[..., Iterator[Any]] | None = None
        self.op = Op(
            f"generator {self.name}",
            self,
            "call",
            f"make_{function.__name__}",
            writes=("*",),
            stores=True,
            result="alias",
            region="outside",
        )

    def program(self) -> Callable[..., Iterator[Any]]:
        """The program of the body, compiled when it is needed first."""
        if self.compiled is None:
            graph = self.graph
            add_control_edges(graph, dict.fromkeys(graph.inputs, WORLD))  # they may be anything
            made = compile_graph(optimise(graph)).function
            code: CodeType = made.__code__
            self.compiled = (
                made if code.co_flags & inspect.CO_GENERATOR else functools.partial(_at_once, made)
            )
        return self.compiled

    def __call__(self, captured: tuple[Any, ...], given: tuple[Any, ...]) -> Any:
        made: Any = self.program()(*captured, *given)
        made.__name__, made.__qualname__ = self.name, self.qualname
        return made


def _at_once(program: Callable[..., Any], *args: Any) -> Any:
    """A generator that never yields: what it does, it does when it is asked for its first item."""
    return program(*args)
    yield
