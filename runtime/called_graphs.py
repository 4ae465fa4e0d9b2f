"""Staged functions that are called while tracing: one graph for each function and signature, and call nodes.

    outer graph ── call ──► graph of the callee ◄── call ── another part of the outer graph

The *signature* of a call is what its trace depends on: types of symbols, static values, how tuples, lists and
dicts nest, and which objects of outside are given.  Calls with equal signatures share one graph, which is
traced once; the optimiser puts small graphs, and those that are called once, back in place
(``passes/inlining.py``).

A graph is shared only where a call node surely does what tracing through the call would do.  Everything else
is traced through, as calls of plain functions are:

    calls of itself                       ``recursion.py`` has graphs for them
    iterators, exceptions, functions      what the trace knows about them would be lost, or change unseen
    that the trace made; its lists and
    dicts, if not only looked at
    a callee that needs a value, is       the caller may know the value, or be refused at its own line
    refused, or never completes
    variables of enclosing functions      they are state of the caller (``hidden.py``)
    Variables that it makes               only a first call may

The callee is traced as if its caller were not there: it may use what is outside, and what is in the graph
itself, but no value of the part that it is called in, as the next call may be in another part.
"""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.convert import is_converted
from autograph.errors import SignatureError, StagingError
from autograph.operators import Undefined

from . import arguments, containers, demands, outer_containers, outer_objects, signature
from .assumptions import NotShared, Restart
from .control_flow import trace_part
from .graph import Graph, Location, Node, Operand, Value
from .operands import Traced
from .ops import table
from .tensor import Tensor
from .types import NONE, UNKNOWN, Array, Python, Scalar, Type

if TYPE_CHECKING:
    from .function import Function
    from .tracing import Tracer


@dataclass(slots=True)
class Called:
    """The graphs of called functions, and where the trace is among them."""

    graphs: dict[Hashable, list[Shared]] = field(default_factory=dict)
    inputs: set[Value] = field(default_factory=set)
    """The inputs of all of them."""
    scope: Hashable = None
    """The signature of the call that is traced now, which tells its loops and lists from those of others."""
    straight: bool = True
    """Whether the innermost graph is called once in each run."""
    depth: int = 1
    """How many blocks are open in its straight part."""
    guarded: bool = False
    """Whether it is called in a ``try`` or ``with``."""


@dataclass(frozen=True, slots=True)
class Shared:
    """The graph of a callee, and what the caller makes of its results."""

    graph: Graph
    result: Any
    unsure: bool
    """Whether something unknown had run before it."""
    straight: bool
    sure: frozenset[Hashable]
    """What of outside it takes to be unchanged since the call began."""
    forgets: bool
    """Whether something unknown runs in it."""

    def fits(self, tracer: Tracer) -> bool:
        """Whether what it relies on still holds where the trace is now."""
        outside = tracer.outside
        if self.unsure != outside.unsure or (self.sure and not (self.straight and tracer.straight)):
            return False
        return self.sure.isdisjoint(outside.written)


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A static value in a signature: told by ``key``, kept alive by ``value``."""

    key: Hashable
    value: Any = field(compare=False, hash=False)


@dataclass(frozen=True, slots=True)
class _Symbol:
    """One of the symbols that the call gives, in order."""

    number: int
    type: Type = UNKNOWN


@dataclass(frozen=True, slots=True)
class _Output:
    """One of the outputs of the call node, in order."""

    number: int


@dataclass(frozen=True, slots=True)
class _Nest:
    """A tuple, a named tuple, a list or dict that nobody else has, a bound method."""

    cls: Any
    items: tuple[Any, ...]
    keys: tuple[Any, ...] = ()
    mark: int = 0
    """Tells one list of the trace from another; 0 for one that nobody else has."""
    lent: bool = False
    """Whether the caller keeps it, so that the callee may only look at it."""


def call(
    tracer: Tracer,
    staged: Function[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    through: Callable[[tuple[Any, ...], dict[str, Any]], Any],
) -> Any:
    """Call a staged function: by a call node to its graph, or ``through`` it."""
    also = tracer.also
    tracer.also = tuple(dict.fromkeys((*also, *staged._options.convert)))
    try:
        return _call(tracer, staged, args, kwargs, through)
    finally:
        tracer.also = also


def _call(
    tracer: Tracer,
    staged: Function[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    through: Callable[[tuple[Any, ...], dict[str, Any]], Any],
) -> Any:
    function = staged.python_function
    named = {**dict(zip(staged._parameters, args, strict=False)), **kwargs}
    _make_static(tracer, staged, named)
    specs = _specified(tracer, staged, named)
    if tracer.watches or any(other is function for (other, *_), _ in tracer.calls.open):
        return through(args, kwargs)
    symbols: list[Tensor] = []
    try:
        given = _Arguments(tracer, symbols, specs).of((args, tuple(kwargs.values())))
    except NotShared:
        return through(args, kwargs)
    guarded = bool(tracer.protected) or tracer.called.guarded
    key = (staged, given, tuple(kwargs), guarded)
    refused = ("traced through", hash(key))
    if refused in tracer.assumptions.dynamic:
        return through(args, kwargs)
    shared = next((each for each in tracer.called.graphs.get(key, ()) if each.fits(tracer)), None)
    if shared is None:
        try:
            shared = _trace(tracer, staged, key, given, symbols, through, tuple(kwargs))
        except (NotShared, StagingError):
            tracer.assumptions.dynamic.add(refused)
            return through(args, kwargs)
        tracer.called.graphs.setdefault(key, []).append(shared)
        tracer.inner[staged] = tracer.inner.get(staged, 0) + 1
    return _call_node(tracer, shared, symbols)


def _call_node(tracer: Tracer, shared: Shared, symbols: list[Tensor]) -> Any:
    graph = shared.graph
    if not graph.nodes:
        return _Results(tracer, symbols, graph.results).of(shared.result)
    node = Node(
        table.CALL,
        tuple([tracer.lower_tensor(symbol) for symbol in symbols]),
        parts=(graph,),
        location=tracer.location(),
    )
    node.outputs = tuple([
        Value("result", result.type if type(result) is Value else NONE, node) for result in graph.results
    ])  # fmt: skip
    tracer.add(node)
    if shared.forgets:
        tracer.outside.forget()
    return _Results(tracer, symbols, node.outputs).of(shared.result)


# The options of the callee ---------------------------------------------------------------------------------


def _make_static(tracer: Tracer, staged: Function[..., Any], named: dict[str, Any]) -> None:
    """What ``static_argnames`` names is static for the caller too, where it is an argument of its own."""
    for name in staged._static_argnames:
        arg = named.get(name)
        why = f"it as the static argument {name!r} of {staged.__name__}"
        if type(arg) is Tensor and demands.make_static(tracer, arg._ag_value, why):
            raise Restart


def _specified(tracer: Tracer, staged: Function[..., Any], named: dict[str, Any]) -> dict[Value, Type]:
    """The types that ``input_signature`` gives to symbols.

    Raises:
        SignatureError: a type does not fit; each is listed.
    """
    found: dict[Value, Type] = {}
    wrong: list[str] = []
    for name, spec in zip(staged._parameters, staged._specs, strict=False):
        arg = named.get(name)
        key = _key(arg) if name in named else None
        if key is not None and not signature.fits(key, spec):
            wrong += signature.differences(spec, key, name)
        elif type(arg) is Tensor and spec[0] == "array":
            found[arg._ag_value] = arguments.type_of_key(spec, None)
    if wrong:
        raise tracer.error(
            SignatureError,
            f"these arguments do not fit the input_signature of {staged.__name__}",
            why="\n       ".join(wrong),
            fix="give what the signature says, or leave sizes free in it with None",
        )
    return found


def _key(arg: Any) -> signature.Key | None:
    """The key of an argument, as far as the trace knows it."""
    if type(arg) is not Tensor:
        return signature.key_of(arg) if type(arg) in _BY_TEXT else None
    kind = arg._ag_value.type
    if isinstance(kind, Array):
        known = kind.shape is not None and all(type(size) is int for size in kind.shape)
        return ("array", kind.dtype, kind.shape) if known and kind.dtype is not None else None
    if isinstance(kind, Scalar):
        return ("scalar", kind.dtype)
    return ("number", kind.kind) if isinstance(kind, Python) else None


# Tracing the callee ----------------------------------------------------------------------------------------


def _trace(
    tracer: Tracer,
    staged: Function[..., Any],
    key: Hashable,
    given: _Nest,
    symbols: list[Tensor],
    through: Callable[[tuple[Any, ...], dict[str, Any]], Any],
    names: tuple[str, ...],
) -> Shared:
    """The graph of a callee.

    Raises:
        NotShared: it has to be traced through.
        StagingError: it is refused, perhaps only without what its caller knows.
    """
    code = staged.python_function.__code__
    graph = Graph(staged.__name__, location=Location(code.co_filename, code.co_firstlineno, code.co_name))
    outside = tracer.outside
    before = (outside.unsure, set(outside.written), outside.creates, len(tracer.captured), outside.forgotten)
    sure = len(outside.sure)
    made, lazy = dict(tracer.made_functions), dict(tracer.lazy)
    try:
        with _alone(tracer, key):
            parameters = code.co_varnames[: code.co_argcount]
            inner = _inputs(tracer, parameters, given, symbols, names, graph)
            args, values = _Results(tracer, inner, ()).of(given)
            done = trace_part(
                tracer,
                graph.name,
                lambda: _left(tracer, inner, through(args, dict(zip(names, values, strict=True)))),
                graph,
            )
            if not graph.completes or done.changes or outside.creates != before[2]:
                raise NotShared
    except (NotShared, StagingError):
        outside.unsure, outside.written, outside.creates = before[0], before[1], before[2]
        del tracer.captured[before[3] :]
        tracer.made_functions, tracer.lazy = made, lazy
        raise
    graph.results, result = done.result
    return Shared(
        graph,
        result,
        before[0],
        tracer.straight,
        frozenset(outside.sure[sure:]),
        outside.forgotten != before[4],
    )


@contextlib.contextmanager
def _alone(tracer: Tracer, key: Hashable) -> Iterator[None]:
    """Inside the ``with`` block the trace is in the callee; nothing around the call is known there."""
    called = tracer.called
    around = (called.scope, called.straight, called.depth, called.guarded)
    stack, counts, protected = tracer.stack, tracer.counts, tracer.protected
    called.straight, called.depth = tracer.straight, 2
    called.guarded = bool(protected) or called.guarded
    called.scope = hash((called.scope, key))
    tracer.stack, tracer.counts, tracer.protected = [tracer.graph], {}, []
    try:
        yield
    finally:
        tracer.stack, tracer.counts, tracer.protected = stack, counts, protected
        called.scope, called.straight, called.depth, called.guarded = around


def _inputs(
    tracer: Tracer,
    parameters: tuple[str, ...],
    given: _Nest,
    symbols: list[Tensor],
    names: tuple[str, ...],
    graph: Graph,
) -> list[Tensor]:
    """The inputs of the callee, one a symbol, under the names of its parameters."""
    args, values = given.items
    found: dict[int, str] = {}
    for name, item in (*zip(parameters, args.items, strict=False), *zip(names, values.items, strict=True)):
        inside = list(_symbols(item))
        for k, symbol in enumerate(inside):
            found[symbol.number] = name if len(inside) == 1 else f"{name}_{k}"
    kinds = {symbol.number: symbol.type for symbol in _symbols(given)}
    inner = []
    for number in range(len(symbols)):
        value = tracer.input(found.get(number, "argument"), kinds[number], graph)
        tracer.called.inputs.add(value)
        inner.append(Tensor(value, graph, tracer))
    return inner


def _symbols(item: Any) -> Iterator[_Symbol]:
    if type(item) is _Symbol:
        yield item
    elif type(item) is _Nest:
        for each in item.items:
            yield from _symbols(each)


# Signatures and results ------------------------------------------------------------------------------------

_BY_TEXT = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), range)
_BY_IDENTITY = (
    type, BuiltinFunctionType, ModuleType, np.dtype, np.ufunc, enum.Enum, frozenset, type(NotImplemented),
)  # fmt: skip


def _static(tracer: Tracer, item: Any) -> _Leaf:
    """A static value, or an object of outside."""
    kind = type(item)
    if kind in _BY_TEXT or (isinstance(item, np.generic) and kind is not np.void):
        return _Leaf((kind, repr(item)), item)
    if isinstance(item, outer_objects.OuterObject | outer_containers.OuterContainer):
        return _Leaf(("at", object.__getattribute__(item, "path").key), item)
    if isinstance(item, Traced | Undefined):
        raise NotShared
    if kind is FunctionType and not is_converted(item):
        return _Leaf(("same", id(item)), item)
    if isinstance(item, _BY_IDENTITY) or hasattr(kind, "get_concrete_function"):
        return _Leaf(("same", id(item)), item)
    raise NotShared


@dataclass(slots=True)
class _Arguments:
    """From the arguments of a call to its signature; collects the symbols among them."""

    tracer: Tracer
    symbols: list[Tensor]
    specs: dict[Value, Type]
    """What ``input_signature`` says that symbols are."""
    _lists: dict[int, int] = field(default_factory=dict)
    _open: list[int] = field(default_factory=list)

    def of(self, item: Any) -> Any:
        """The signature of an argument."""
        kind = type(item)
        if kind is Tensor:
            symbol = self.tracer.defined(item)
            value = self.tracer.lower_tensor(symbol)
            if value in self.tracer.lazy:
                raise NotShared
            self.symbols.append(symbol)
            return _Symbol(len(self.symbols) - 1, self.specs.get(value, value.type))
        if kind is tuple or kind is list or (isinstance(item, tuple) and hasattr(item, "_fields")):
            return _Nest(kind, tuple(map(self.of, item)))
        if kind is dict:
            return _Nest(kind, tuple(map(self.of, item.values())), tuple(map(self.key, item)))
        if kind is MethodType:
            return _Nest(kind, (self.of(item.__func__), self.of(item.__self__)))
        if isinstance(item, containers.TracedContainer):
            return self._lent(item)
        return _static(self.tracer, item)

    def _lent(self, item: containers.TracedContainer) -> Any:
        """The signature of a list or dict that the trace made."""
        if item.tensor is not None:
            return self.of(item.tensor)
        if id(item) in self._open:  # it contains itself
            raise NotShared
        self._open.append(id(item))
        held = item.held
        keys = tuple(map(self.key, held)) if item.cls is dict else ()
        items = tuple(map(self.of, held.values() if item.cls is dict else held))
        self._open.pop()
        mark = self._lists.setdefault(id(item), len(self._lists) + 1)
        return _Nest(item.cls, items, keys, mark, lent=True)

    def key(self, key: Any) -> _Leaf:
        """A key of a dict that was written as an argument."""
        return _static(self.tracer, key)


def _left(tracer: Tracer, inner: list[Tensor], result: Any) -> tuple[tuple[Operand, ...], Any]:
    """The results of a callee's graph, and how its caller puts together what the call gives."""
    inputs = {symbol._ag_value: number for number, symbol in enumerate(inner)}
    outputs: dict[Value, int] = {}
    open_lists: list[int] = []

    def of(item: Any) -> Any:
        kind = type(item)
        if isinstance(item, containers.TracedContainer) and item.tensor is not None:
            item, kind = item.tensor, Tensor
        if kind is Tensor:
            value = tracer.lower_tensor(item)
            if value in inputs:
                return _Symbol(inputs[value])
            if value in tracer.lazy:
                raise NotShared
            return _Output(outputs.setdefault(value, len(outputs)))
        if kind is tuple or (isinstance(item, tuple) and hasattr(item, "_fields")):
            return _Nest(kind, tuple(map(of, item)))
        if isinstance(item, containers.TracedContainer):
            if item.lent or id(item) in open_lists:
                raise NotShared
            open_lists.append(id(item))
            if isinstance(item, containers.TracedList):
                found = _Nest(list, tuple(map(of, item.held)), mark=id(item))
            else:
                keys = tuple([_static(tracer, key) for key in item.held])
                found = _Nest(dict, tuple(map(of, item.held.values())), keys, mark=id(item))
            open_lists.pop()
            return found
        return _static(tracer, item)

    template = of(result)
    return tuple(outputs) or (None,), template


class _Results:
    """From a signature, or from what a call gives, to what the traced code sees."""

    def __init__(self, tracer: Tracer, symbols: list[Tensor], outputs: tuple[Value, ...]) -> None:
        self.tracer = tracer
        self.symbols = symbols
        self.outputs = outputs
        self._seen: dict[int, Any] = {}
        self._made: dict[int, Any] = {}

    def of(self, item: Any) -> Any:
        """The value that a part of the template stands for."""
        if type(item) is _Leaf:
            return item.value
        if type(item) is _Symbol:
            return self.symbols[item.number]
        if type(item) is _Output:
            return self._output(item.number)
        if item.mark and item.mark in self._made:
            return self._made[item.mark]
        items = [self.of(each) for each in item.items]
        if item.lent:
            return self._lent(item, items)
        if item.cls is tuple:
            return tuple(items)
        if item.cls is list:
            found = containers.new_list(self.tracer, items) if item.mark else items
        elif item.cls is dict:
            held = dict(zip([key.value for key in item.keys], items, strict=True))
            found = containers.new_dict(self.tracer, held) if item.mark else held
        else:
            return item.cls(*items)
        self._made[item.mark] = found
        return found

    def _lent(self, item: _Nest, items: list[Any]) -> Any:
        """What the callee sees of a list or dict of its caller."""
        key = self.tracer.occurrence("lent", item.mark)
        if key in self.tracer.assumptions.dynamic:
            raise NotShared
        found: Any
        if item.cls is list:
            found = containers.TracedList(self.tracer, items, key, lent=True)
        else:
            held = dict(zip([key.value for key in item.keys], items, strict=True))
            found = containers.TracedDict(self.tracer, held, key, lent=True)
        self._made[item.mark] = found
        return found

    def _output(self, number: int) -> Any:
        if number not in self._seen:
            self._seen[number] = self.tracer.wrap(self.outputs[number])
        return self._seen[number]
