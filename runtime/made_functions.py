"""Functions that the traced code makes and that are needed when the graph runs: keys of ``sort``, items of
lists, results.

A function that captures nothing of the trace goes into the graph as it is. One that captures symbols is
traced on arguments of unknown types into a graph of its own, whose further inputs are what it captures; a
node then makes, when the graph runs, a Python function around the program of that graph (:mod:`.making`).

A made function holds what its variables held when it was made; Python looks when it is called. So a variable
that is assigned again later, by whomever, has to live in a cell that both hold (:mod:`.cells`): the first
trace that finds this out has the text converted anew with that variable in a cell, and begins again.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator
from types import CellType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any

from autograph.convert import is_converted, is_converted_code, keep_in_cells, stars_as_parameters
from autograph.errors import CapturedSymbolError
from autograph.operators import Undefined

from . import hidden, recursion, suspending
from .assumptions import Restart
from .control_flow import Part, same, substitute
from .graph import Graph, Location, Op, Operand, Value
from .later import trace_later
from .location import user_frame
from .making import Maker, copy_of, parameters, starred
from .operands import RawOperand, has_symbols
from .ops.rules import always
from .tensor import Tensor
from .types import UNKNOWN, Instance

if TYPE_CHECKING:
    from .tracing import Tracer

_NATIVE = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def called(tracer: Tracer, function: Any) -> Any:
    """A function for an op that calls it and does nothing else with it."""
    if type(function) is FunctionType:
        return RawOperand(to_operand(tracer, function, kept=False))
    return function


def to_operand(tracer: Tracer, function: FunctionType, kept: bool = True) -> Operand:
    """The operand for a Python function, which may be ``kept`` by the run.

    Raises:
        CapturedSymbolError: it captures what the run cannot give it.
    """
    if not is_converted(function):
        return function
    known = tracer.made_functions.get(id(function))
    if known is not None and any(block is known[1] for block in tracer.stack):
        return known[0]
    for owner, name, cell in hidden.assigning(function):
        if id(cell) not in tracer.outer_cells:
            hidden.keep(owner, name)
            why = f"it assigns {name!r} of the function around it"
            raise refusal(tracer, function, why, "let it return values")
    _note(tracer, function)
    _keep_what_ended(tracer, function)
    _suspend_generators(tracer, function)
    if kept and len(tracer.stack) > 1 and id(function) not in tracer.making:
        _keep_from_around(function)
    depends = captures_symbols(function) or _knows_functions(function)
    value = (_make if depends else _copy)(tracer, function)
    tracer.made_functions[id(function)] = (value, tracer.block, function)
    return value


def _keep_what_ended(tracer: Tracer, function: FunctionType) -> None:
    """Keep in cells the variables that hold what a part that has ended made: the function left it."""
    for owner, name, _, held in _all_variables(function, set()):
        if type(held) is Tensor and held._ag_tracer is tracer and held._ag_block not in tracer.stack:
            hidden.keep(owner, name)


def _suspend_generators(tracer: Tracer, function: FunctionType) -> None:
    """A generator that a function knows goes on when the function is called: it is a value of the graph."""
    held = [each for *_, each in _all_variables(function, set())]
    held += [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    for each in held:
        suspending.needed(tracer, each)


def _keep_from_around(function: FunctionType) -> None:
    """A part needs a function that was made around it: it is made there, once, if a variable holds it."""
    frame = user_frame()
    while frame is not None:
        code = frame.f_code
        if code.co_freevars and is_converted_code(code):
            seen = frame.f_locals
            for name in code.co_freevars:
                if seen.get(name) is function and keep_in_cells(code, name):
                    raise Restart
        frame = frame.f_back


def _copy(tracer: Tracer, function: FunctionType) -> Value:
    """Record the node that makes a function that needs nothing of the graph: another one in each run."""
    op = _op(function, lambda attributes: copy_of(function, attributes))
    return tracer.record_value(op, (_attributes(function),))


def _op(function: FunctionType, make: Any) -> Op:
    name = function.__name__.replace("<lambda>", "lambda")
    return Op(
        f"function {name}",
        make,
        "call",
        f"make_{name}",
        infer=always(Instance(FunctionType)),
        reads=False,
        result="alias",
        total=lambda *parts: True,
    )


def _attributes(function: FunctionType) -> dict[str, Any]:
    return {name: held for name, held in function.__dict__.items() if name not in _OURS}


_OURS = ("__static_names__", "__autograph_generator__")


def of_now(
    args: tuple[Any, ...], kwargs: dict[str, Any] | None
) -> tuple[tuple[Any, ...], dict[str, Any] | None]:
    """The arguments of an op that calls a function and forgets it: with the function as it is now."""
    args = tuple(_lent(arg) if type(arg) is FunctionType else arg for arg in args)
    if kwargs:
        kwargs = {key: _lent(arg) if type(arg) is FunctionType else arg for key, arg in kwargs.items()}
    return args, kwargs


def _lent(function: FunctionType) -> Any:
    """The function for an op that nobody can get it back from."""
    frozen = _frozen(function)
    return frozen if captures_symbols(frozen) or any(hidden.cells_of(frozen)) else RawOperand(frozen)


def _frozen(function: FunctionType, seen: tuple[FunctionType, ...] = ()) -> FunctionType:
    """The function with variables of its own, which nothing assigns again."""
    if not is_made_here(function) or function in seen or any(hidden.cells_of(function)):
        return function
    cells = []
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        held = hidden.contents(cell, name)
        if type(held) is FunctionType:
            held = _frozen(held, (*seen, function))
        cells.append(CellType() if type(held) is Undefined else CellType(held))
    return copy_of(function, function.__dict__, tuple(cells))


def _note(tracer: Tracer, function: FunctionType) -> None:
    """Remember what the variables and attributes of a function hold that the run is given."""
    tracer.captured.append(_Captured(tracer, function))


class _Captured:
    """A function that the run is given, as it was then."""

    def __init__(self, tracer: Tracer, function: FunctionType) -> None:
        self.tracer = tracer
        self.function = function
        self.location = tracer.location()
        self.variables = [*_all_variables(function, set())]
        self.attributes = dict(function.__dict__)

    def changed(self) -> Iterator[tuple[FunctionType, str]]:
        """The variables that are not as they were, with the functions that know them."""
        for owner, name, cell, held in self.variables:
            if id(cell) in self.tracer.left_behind or not same(hidden.contents(cell, name), held):
                yield owner, name

    def check(self) -> None:
        """Refuse, or have kept in a cell, what is not as it was."""
        for owner, name in self.changed():
            hidden.keep(owner, name)
            why = f"{name!r} is assigned again after it"
            raise refusal(self.tracer, self.function, why, "give it as a default", self.location)
        now = self.function.__dict__
        if list(now) != list(self.attributes) or not all(same(now[k], v) for k, v in self.attributes.items()):
            hidden.keep(self.function, self.function.__code__.co_name)
            why = "its attributes are assigned after it"
            raise refusal(self.tracer, self.function, why, "keep the values elsewhere", self.location)


def check_captured(tracer: Tracer) -> None:
    """At the end of the trace: no variable that a function was made with has been assigned again."""
    every = [*tracer.captured, *tracer.lazy.values()]
    kept = [keep_in_cells(owner.__code__, name) for each in every for owner, name in each.changed()]
    if any(kept):  # all at once, as the trace begins anew
        raise Restart
    for captured in every:
        captured.check()


def call_later(tracer: Tracer, function: FunctionType, iterator: Value) -> FunctionType:
    """The function to be given to ``map`` and ``filter``, which call it when the iterator is gone through."""
    if not is_made_here(function):
        return function
    tracer.lazy[iterator] = _Captured(tracer, function)
    return _frozen(function)


def gone_through(tracer: Tracer, args: tuple[Operand, ...], to_the_end: bool = True) -> None:
    """An op goes through its arguments: what an iterator among them calls is as it was."""
    for arg in args:
        if type(arg) is Value and arg in tracer.lazy:
            tracer.lazy[arg].check()
            if to_the_end and arg.producer in tracer.block.nodes:  # not in a part, which may never run
                del tracer.lazy[arg]
                tracer.generators.exhausted.add(arg)


def captures_symbols(function: FunctionType, seen: tuple[Any, ...] = ()) -> bool:
    """Whether a function knows values of the graph: by its variables, its defaults, or functions that it
    knows."""
    if has_symbols((function.__defaults__, function.__kwdefaults__)):
        return True
    for _, _, held in _variables(function):
        if has_symbols(held):
            return True
        if type(held) is FunctionType and held not in seen and captures_symbols(held, (*seen, function)):
            return True
    return False


def _knows_functions(function: FunctionType) -> bool:
    """Whether a variable holds a function of the trace, which is another one in each run, or this one."""
    held = (hidden.contents(cell, "") for cell in function.__closure__ or ())
    return any(type(each) is FunctionType and is_converted(each) for each in held)


def is_made_here(function: FunctionType) -> bool:
    return is_converted(function) and bool(
        function.__closure__ or function.__defaults__ or function.__kwdefaults__
    )


def _variables(function: FunctionType) -> Iterator[tuple[str, CellType, Any]]:
    """The variables of enclosing functions that a function reads, with what they hold now."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        held = hidden.contents(cell, name)
        if held is not function:
            yield name, cell, held


def _all_variables(
    function: FunctionType, seen: set[int]
) -> Iterator[tuple[FunctionType, str, CellType, Any]]:
    """Those of a function, and of the functions that it knows, each with who knows it."""
    seen.add(id(function))
    for name, cell, held in _variables(function):
        yield function, name, cell, held
        if type(held) is FunctionType and is_converted(held) and id(held) not in seen:
            yield from _all_variables(held, seen)


def refusal(
    tracer: Tracer, function: FunctionType, why: str, fix: str, location: Location | None = None
) -> CapturedSymbolError:
    error = tracer.error(
        CapturedSymbolError,
        f"the function {function.__name__!r} is needed when the graph runs",
        why=why,
        fix=fix,
        location=location,
    )
    assert isinstance(error, CapturedSymbolError)
    return error


def _make(tracer: Tracer, function: FunctionType) -> Value:
    """Trace the function and record the node that makes it."""
    if id(function) in tracer.making:
        raise _calls_itself(tracer, function)
    code = function.__code__
    if any(other.__code__ is code for other in tracer.making.values()):
        _stop_unfolding(tracer)
    suspended = suspending.learn(tracer, code) if code.co_flags & inspect.CO_GENERATOR else None
    if suspended is not None:
        raise suspended
    if code.co_flags & _NATIVE:
        why = "it is asynchronous and captures values of the trace"
        raise refusal(tracer, function, why, "write it without async")
    for name in starred(code):  # what the call gives there is nothing that tracing can go through
        hidden.keep(function, name)
    names = parameters(code)
    graph = Graph(function.__name__, location=Location(code.co_filename, code.co_firstlineno, code.co_name))
    tracer.making[id(function)] = function
    try:
        done = _trace(tracer, function, graph, names)
        if done.changes:  # of its own variables, which are others the next time, or of those around
            again = _trace(tracer, function, graph, names)
            around = {key: each for key, each in again.changes.items() if key in done.changes}
            if around:
                raise hidden.refuse(tracer, around, f"the made function {function.__name__!r}")
            done = again
    finally:
        del tracer.making[id(function)]
    if graph.completes:
        graph.results = (done.result,)
    captured = list(dict.fromkeys(graph.free_values()))
    inner = {value: Value(value.name, value.type) for value in captured}
    graph.inputs = [*inner.values(), *graph.inputs]
    substitute(graph, inner)
    op = _op(function, Maker(graph, function, len(captured)))
    defaults, keywords = function.__defaults__ or (), function.__kwdefaults__ or {}
    known = tuple(map(RawOperand, captured))
    return tracer.record_value(op, (known, defaults, keywords, _attributes(function)))


def _trace(tracer: Tracer, function: FunctionType, graph: Graph, names: tuple[str, ...]) -> Part:
    """Trace the body on arguments of unknown types: the function may be called at any time, by anybody."""
    count = function.__code__.co_argcount
    body = stars_as_parameters(function)
    graph.inputs, graph.nodes, graph.completes = [], [], True

    def run() -> Operand:
        tensors = [Tensor(tracer.input(name, UNKNOWN, graph), graph, tracer) for name in names]
        keywords = dict(zip(names[count:], tensors[count:], strict=True))
        return tracer.lower(tracer.call(body, tuple(tensors[:count]), keywords))

    return trace_later(tracer, graph, run)


def _stop_unfolding(tracer: Tracer) -> None:
    """A function is made in the body of one like it, and so on: what it calls is called when the graph runs.
    """
    for maker in tracer.making.values():
        for owner, name, _, held in _all_variables(maker, set()):
            if type(held) is FunctionType and is_converted(held):
                hidden.keep(owner, name)
    for (called, *_), _ in tracer.calls.open:
        if not is_converted(called) and not recursion.is_called_by_run(tracer, called):
            raise tracer.assumptions.learn((recursion.CALLED_BY_RUN, called.__code__))


def _calls_itself(tracer: Tracer, function: FunctionType) -> CapturedSymbolError:
    """A function is needed while it is made: the variable that it is found in has to live in a cell."""
    for user in tracer.making.values():
        for name, cell in zip(user.__code__.co_freevars, user.__closure__ or (), strict=True):
            if hidden.contents(cell, name) is function:
                hidden.keep(user, name)
    return refusal(tracer, function, "it needs itself as a value", "give it as an argument")


EAGER = frozenset({"sorted", "min", "max", "list_sort"})
"""Ops that call a function that they are given, and then forget it."""
THROUGH = EAGER | {
    "list",
    "tuple",
    "set",
    "sum",
    "any",
    "all",
    "dict",
    "frozenset",
    "list_extend",
    "str_join",
}
"""Ops that go through an iterator to its end, or as far as it will ever be gone through."""
_CALLING = EAGER | {"map", "filter"}
_PARTIAL = Op(
    "functools.partial", functools.partial, "call", "functools.partial", result="alias", reads=False
)


def partial_to_operand(tracer: Tracer, function: functools.partial[Any]) -> Operand:
    """The operand for a ``partial``: made when the graph runs where it holds symbols."""
    known = type(function.func) is not FunctionType or not captures_symbols(function.func)
    for each in (function.func, *function.args, *function.keywords.values()):
        suspending.needed(tracer, each)
    if known and not has_symbols((function.args, function.keywords)):
        return function
    return tracer.record_value(_PARTIAL, (function.func, *function.args), function.keywords)


def calls_back(op: Op, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> bool:
    """Whether an op calls a Python function that it is given, which may do anything."""
    if op.name not in _CALLING:
        return False
    given = args[:1] if op.name in ("map", "filter") else (kwargs.get("key"),)
    return any(isinstance(each, Value | FunctionType | MethodType | functools.partial) for each in given)
