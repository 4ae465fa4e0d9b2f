"""Functions that the traced code makes and that are needed when the graph runs: keys of ``sort``, items of
lists, results.

A function that captures nothing of the trace goes into the graph as it is. One that captures symbols is
traced on arguments of unknown types into a graph of its own, whose further inputs are what it captures; a
node then makes, when the graph runs, a Python function around the program of that graph.

A made function holds what its variables held when it was made; Python looks when it is called. So a
variable that is assigned again later is refused, as are functions that assign variables of enclosing ones.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from types import CellType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any

from autograph.convert import is_converted
from autograph.errors import CapturedSymbolError
from autograph.operators import Undefined

from . import hidden
from .control_flow import same, substitute, trace_part
from .effects import add_control_edges
from .graph import Graph, Op, Operand, Value
from .operands import RawOperand, has_symbols
from .tensor import Tensor
from .types import UNKNOWN

if TYPE_CHECKING:
    from .graph import Location
    from .tracing import Tracer

_NATIVE = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def to_operand(tracer: Tracer, function: FunctionType) -> Operand:
    """The operand for a Python function.

    Raises:
        CapturedSymbolError: it captures what the run cannot give it.
    """
    if not _is_made_here(function):
        return function
    if any(hidden.cells_of(function)):
        raise _refusal(
            tracer, function, "it assigns variables of the function around it", "let it return values"
        )
    tracer.captured.append((function, tracer.location(), [*_all_variables(function, set())]))
    if not captures_symbols(function):
        return function
    known = tracer.made_functions.get(id(function))
    if known is not None and any(block is known[1] for block in tracer.stack):
        return known[0]
    value = _make(tracer, function)
    tracer.made_functions[id(function)] = (value, tracer.block, function)
    return value


def of_now(
    args: tuple[Any, ...], kwargs: dict[str, Any] | None
) -> tuple[tuple[Any, ...], dict[str, Any] | None]:
    """The arguments of an op that calls a function and forgets it: with the function as it is now."""
    args = tuple(_frozen(arg) if type(arg) is FunctionType else arg for arg in args)
    if kwargs:
        kwargs = {key: _frozen(arg) if type(arg) is FunctionType else arg for key, arg in kwargs.items()}
    return args, kwargs


def _frozen(function: FunctionType, seen: tuple[FunctionType, ...] = ()) -> FunctionType:
    """The function with variables of its own, which nothing assigns again."""
    if not _is_made_here(function) or function in seen or any(hidden.cells_of(function)):
        return function
    cells = []
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        held = hidden.contents(cell, name)
        if type(held) is FunctionType:
            held = _frozen(held, (*seen, function))
        cells.append(CellType() if type(held) is Undefined else CellType(held))
    copy = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, tuple(cells)
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__dict__.update(function.__dict__)
    copy.__qualname__ = function.__qualname__
    return copy


def check_captured(tracer: Tracer) -> None:
    """At the end of the trace: no variable that a function was made with has been assigned again."""
    for kept in (*tracer.captured, *tracer.lazy.values()):
        _check(tracer, *kept)


def call_later(tracer: Tracer, function: FunctionType, iterator: Value) -> FunctionType:
    """The function to be given to ``map`` and ``filter``, which call it when the iterator is gone through."""
    if not _is_made_here(function):
        return function
    tracer.lazy[iterator] = (function, tracer.location(), [*_all_variables(function, set())])
    return _frozen(function)


def gone_through(tracer: Tracer, args: tuple[Operand, ...]) -> None:
    """An op goes through its arguments: what an iterator among them calls is as it was."""
    for arg in args:
        if type(arg) is Value and arg in tracer.lazy:
            _check(tracer, *tracer.lazy.pop(arg))


def _check(tracer: Tracer, function: FunctionType, location: Location, variables: list[Any]) -> None:
    for name, cell, held in variables:
        if not same(hidden.contents(cell, name), held):
            why = f"{name!r} is assigned again after it"
            raise _refusal(tracer, function, why, "give it as a default", location)


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


def _is_made_here(function: FunctionType) -> bool:
    return is_converted(function) and bool(
        function.__closure__ or function.__defaults__ or function.__kwdefaults__
    )


def _variables(function: FunctionType) -> Iterator[tuple[str, CellType, Any]]:
    """The variables of enclosing functions that a function reads, with what they hold now."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        held = hidden.contents(cell, name)
        if held is not function:
            yield name, cell, held


def _all_variables(function: FunctionType, seen: set[int]) -> Iterator[tuple[str, CellType, Any]]:
    """Those of a function, and of the functions that it knows."""
    seen.add(id(function))
    for name, cell, held in _variables(function):
        yield name, cell, held
        if type(held) is FunctionType and is_converted(held) and id(held) not in seen:
            yield from _all_variables(held, seen)


def _refusal(
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
    code = function.__code__
    flags = code.co_flags
    if flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | _NATIVE) or id(function) in tracer.making:
        why = "it calls itself, is a generator or takes *args, and captures values of the trace"
        raise _refusal(tracer, function, why, "give it what it uses as arguments")
    graph = Graph(function.__name__, location=tracer.location())
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]

    def run() -> Operand:
        tensors = [Tensor(tracer.input(name, UNKNOWN, graph), graph, tracer) for name in names]
        positional, named = tensors[: code.co_argcount], names[code.co_argcount :]
        keywords = dict(zip(named, tensors[len(positional) :], strict=True))
        return tracer.lower(tracer.call(function, tuple(positional), keywords))

    tracer.making.add(id(function))
    protected, tracer.protected = tracer.protected, []
    watches, tracer.watches = tracer.watches, []
    try:
        done = trace_part(tracer, graph.name, run, graph)
    finally:
        tracer.making.discard(id(function))
        tracer.protected, tracer.watches = protected, watches
    if done.changes:
        raise _refusal(
            tracer, function, "variables of enclosing functions change in it", "let it return values"
        )
    if graph.completes:
        graph.results = (done.result,)
    captured = list(dict.fromkeys(graph.free_values()))
    inner = {value: Value(value.name, value.type) for value in captured}
    graph.inputs = [*inner.values(), *graph.inputs]
    substitute(graph, inner)
    op = Op(
        f"function {function.__name__}".replace("<lambda>", "lambda"),
        _Maker(graph, function, len(captured)),
        "call",
        f"make_{function.__name__}".replace("<lambda>", "lambda"),
        reads=False,
        result="alias",
        stores=False,
    )
    defaults = tuple(function.__defaults__ or ())
    keywords = dict(function.__kwdefaults__ or {})
    return tracer.record_value(op, (tuple(map(RawOperand, captured)), defaults, keywords))


class _Maker:
    """What makes the function when the graph runs: of the captured values, and of the defaults."""

    def __init__(self, graph: Graph, function: FunctionType, count: int) -> None:
        self.graph = graph
        self.count = count
        self.names = graph_names = [value.name for value in graph.inputs[count:]]
        self.positional = graph_names[: function.__code__.co_argcount]
        self.only = function.__code__.co_posonlyargcount
        self.__name__ = function.__name__
        self.qualname = function.__qualname__
        self.compiled: Callable[..., Any] | None = None

    def program(self) -> Callable[..., Any]:
        """The program of the graph, compiled when it is needed first."""
        if self.compiled is None:
            from .backends.numpy_code import compile_graph
            from .passes import optimise

            add_control_edges(self.graph)
            self.compiled = compile_graph(optimise(self.graph)).function
        return self.compiled

    def __call__(self, captured: tuple[Any, ...], defaults: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        program = functools.partial(self.program(), *captured)
        names, positional = self.names, self.positional
        parameters = [
            *(
                f"{name}=_defaults[{k}]" if k >= 0 else name
                for k, name in _numbered(positional, len(defaults))
            ),
            *(["*"] if len(names) > len(positional) else []),
            *(
                f"{name}=_keywords[{name!r}]" if name in keywords else name
                for name in names[len(positional) :]
            ),
        ]
        if self.only:
            parameters.insert(self.only, "/")
        text = f"lambda {', '.join(parameters)}: _program({', '.join(names)})"
        made = eval(text, {"_program": program, "_defaults": defaults, "_keywords": keywords})
        made.__name__, made.__qualname__ = self.__name__, self.qualname
        return made


def _numbered(names: list[str], count: int) -> Iterator[tuple[int, str]]:
    """Each name with the place of its default, or with a negative number."""
    for k, name in enumerate(names):
        yield k - (len(names) - count), name


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
    if known and not has_symbols((function.args, function.keywords)):
        return function
    return tracer.record_value(_PARTIAL, (function.func, *function.args), function.keywords)


def calls_back(op: Op, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> bool:
    """Whether an op calls a Python function that it is given, which may do anything."""
    if op.name not in _CALLING:
        return False
    return any(_is_python(each) for each in (*args, *kwargs.values()))


def _is_python(operand: Operand) -> bool:
    if type(operand) is Value:
        return operand.producer is not None and isinstance(operand.producer.op.function, _Maker)
    return isinstance(operand, FunctionType | MethodType | functools.partial)
