"""Recursion whose depth depends on data: a call node to the graph of the function.

Calls of the user's functions are traced through, so each becomes part of the graph of its caller.  When a
call is met inside an open call of the same function with the same signature, tracing through would never end:
the function gets a graph of its own instead (learnt by a restart), and every call with that signature becomes
a ``call`` node.  What such a call gives has no known type, as it depends on itself.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from types import FunctionType
from typing import TYPE_CHECKING, Any

from autograph.convert import is_converted

from . import hidden
from .containers import TracedContainer
from .control_flow import leaf_type, leaves_of, lower_state, rebuild, structure_of, trace_part
from .exceptions import deliberate
from .graph import Graph, Node, Value
from .operands import Traced, has_symbols
from .ops import table
from .tensor import Tensor
from .types import UNKNOWN, Array, Instance, Optional, Tuple, Type, type_of

if TYPE_CHECKING:
    from .tracing import Tracer

OFTEN = 64
"""A function that calls itself more often than this in one trace has symbolic numbers: the calls may branch.
"""
GENERALISE = 4
"""From this depth on, the sizes of arrays and tuples are free in the signatures of recursive calls."""

DEEP = 24
"""A recursion with symbols that comes to this depth has numbers and texts that it knows as symbols too;
one in a staged part does so at ``GENERALISE``, as its calls branch.
"""


CALLED_BY_RUN = "called by the run"
"""What is learnt of a function whose calls make functions that call it, without end."""


def is_called_by_run(tracer: Tracer, function: Any) -> bool:
    """Whether calls of a function in bodies that run later are left to the run, as they would never end."""
    return bool(tracer.making) and (CALLED_BY_RUN, function.__code__) in tracer.assumptions.dynamic


@dataclass(slots=True)
class Calls:
    """The calls that are open, innermost last, and the graphs of recursive functions."""

    open: list[tuple[tuple[Any, ...], Graph]] = field(default_factory=list)
    """The function of each and what tells it from other calls; the block that it is made in."""
    graphs: dict[Hashable, Graph] = field(default_factory=dict)
    entered: dict[Any, int] = field(default_factory=dict)
    """How often each function was traced through inside a call of itself."""


def call(tracer: Tracer, function: Any, converted: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a converted function of the user's: through it, or as a call node when it is recursive."""
    calls = tracer.calls
    blocks = [block for (other, *_), block in calls.open if other is function]
    depth = len(blocks)
    decided = depth > 0 and blocks[-1] is not tracer.block  # by a test or loop of the run
    if depth >= GENERALISE:
        args = tuple([_as_value(tracer, arg) for arg in args])
        kwargs = {name: _as_value(tracer, arg) for name, arg in kwargs.items()}
    flat = [leaf for arg in (*args, *kwargs.values()) for leaf in leaves_of(arg)]
    numbers = ("numbers of", function.__code__)
    dynamic = tracer.assumptions.dynamic
    if depth and numbers in dynamic:
        flat = [_symbolic(tracer, leaf) for leaf in flat]
    elif depth >= (GENERALISE if decided else DEEP):
        if (decided or any(type(leaf) is Tensor for leaf in flat)) and any(map(_is_literal, flat)):
            raise tracer.assumptions.learn(numbers)
    if depth >= GENERALISE:
        flat = [_generalised(tracer, leaf) for leaf in flat]
    shapes = (*(structure(arg) for arg in args), *((name, structure(arg)) for name, arg in kwargs.items()))
    key = (function, shapes, *(_identity(leaf) for leaf in flat))
    learnt = ("recursive", function.__code__, shapes, *(_kind(leaf) for leaf in flat))
    if learnt in dynamic:
        return _call_node(tracer, key, function, converted, args, kwargs, flat)
    is_open = any(key == other for other, _ in calls.open)
    if is_open and (decided or any(type(leaf) is Tensor for leaf in flat)):
        raise tracer.assumptions.learn(learnt)
    if depth:
        calls.entered[function] = calls.entered.get(function, 0) + 1
        if calls.entered[function] > OFTEN and any(map(_is_literal, flat)) and numbers not in dynamic:
            raise tracer.assumptions.learn(numbers)
    calls.open.append((key, tracer.block))
    try:
        return converted(*args, **kwargs)
    except TypeError as error:
        if error.__traceback__ is not None and error.__traceback__.tb_next is None:
            deliberate(error)  # the arguments do not bind
        raise
    finally:
        calls.open.pop()


def structure(arg: Any) -> Hashable:
    """How tuples nest in an argument, hashable."""
    return tuple(structure(item) for item in arg) if type(arg) is tuple else None


def _identity(leaf: Any) -> Hashable:
    """What tells one call from another in this trace: the type of a symbol, anything else itself."""
    kind = _kind(leaf)
    return ("same", id(leaf)) if isinstance(kind, type) else kind


def _kind(leaf: Any) -> Hashable:
    """The same, as far as it holds when the trace begins anew."""
    if type(leaf) is Tensor:
        return leaf_type(leaf)
    if isinstance(leaf, int | float | complex | str | bytes | type(None)):
        return (type(leaf), repr(leaf))
    kind: type = type(leaf)
    return kind


def _as_value(tracer: Tracer, arg: Any) -> Any:
    """A tuple, or a container that the trace made, as a value of the graph, so that a recursion over ever
    longer ones has one signature.
    """
    if isinstance(arg, TracedContainer):
        return arg.to_tensor()
    return tracer.tensor_of(tracer.lower(arg), UNKNOWN) if type(arg) is tuple else arg


def _generalised(tracer: Tracer, leaf: Any) -> Any:
    """The leaf with free sizes, so that a recursion over ever smaller arrays has one signature; as a value
    of the graph if it is a function that the trace made."""
    if type(leaf) is Tensor:
        kind = leaf._ag_value.type
        if isinstance(kind, Array) and kind.shape is not None and any(d is not None for d in kind.shape):
            value = tracer.record_value(table.get("identity"), (leaf,))
            value.type = Array(kind.dtype, (None,) * len(kind.shape))
            return Tensor(value, tracer.block, tracer)
    elif type(leaf) is FunctionType and is_converted(leaf):  # made anew on each level
        return tracer.tensor_of(tracer.lower(leaf), Instance(FunctionType))
    return leaf


def _is_literal(leaf: Any) -> bool:
    return type(leaf) in (int, float, complex, str, bytes)


def _symbolic(tracer: Tracer, leaf: Any) -> Any:
    """A number or text as a value of the graph: a recursion over ever other ones has one signature."""
    return tracer.tensor_of(leaf, type_of(leaf)) if _is_literal(leaf) else leaf


def _call_node(
    tracer: Tracer,
    key: Hashable,
    function: Any,
    converted: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    flat: list[Any],
) -> Any:
    location = tracer.location()
    graph = tracer.calls.graphs.get(key)
    if graph is None:
        graph = Graph(function.__name__, location=location)
        tracer.calls.graphs[key] = graph
        tracer.sync()  # what a try around this call keeps is written here, not by the callee
        _trace_callee(tracer, graph, converted, args, kwargs, flat)
    assigned = list(hidden.cells_of(converted))
    operands = [tracer.lower(leaf) for leaf in flat if _is_input(leaf)]
    operands += [lower_state(tracer, hidden.contents(cell, name)) for name, cell in assigned]
    node = Node(table.CALL, tuple(operands), parts=(graph,), location=location)
    output = Value(function.__name__, UNKNOWN, node)
    node.outputs = (output,)
    tracer.add(node)
    if not assigned:
        return tracer.wrap(output)
    result, *changed = tracer.unpack(output, Tuple((UNKNOWN, *(Optional(UNKNOWN) for _ in assigned))))
    for (_, cell), item in zip(assigned, changed, strict=True):
        hidden.put(cell, item)
    return result


def _is_input(leaf: Any) -> bool:
    """Whether a leaf of the arguments is handed over when the graph runs."""
    return type(leaf) is Tensor or (isinstance(leaf, Traced) and has_symbols(leaf) and not leaf.is_outside())


def _trace_callee(
    tracer: Tracer,
    graph: Graph,
    converted: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    flat: list[Any],
) -> None:
    """Trace the body of a recursive function into its own graph."""
    leaves = []
    named = [*zip(converted.__code__.co_varnames, args, strict=False), *kwargs.items()]
    names = [name for name, arg in named for _ in leaves_of(arg)]
    names += ["argument"] * (len(flat) - len(names))
    for name, leaf in zip(names, flat, strict=True):
        if _is_input(leaf):
            kind: Type = leaf_type(leaf) or UNKNOWN
            value = tracer.input(name, kind, graph)
            leaves.append(Tensor(value, graph, tracer))
        else:
            leaves.append(leaf)
    every = rebuild([structure_of(arg) for arg in (*args, *kwargs.values())], leaves)
    inner_args = every[: len(args)]
    inner_kwargs = dict(zip(kwargs, every[len(args) :], strict=True))
    assigned = list(hidden.cells_of(converted))
    outside = [hidden.contents(cell, name) for name, cell in assigned]

    def run() -> Any:
        for name, cell in assigned:
            hidden.put(cell, Tensor(tracer.input(name, Optional(UNKNOWN), graph), graph, tracer))
        result = tracer.lower(converted(*inner_args, **inner_kwargs))
        left = [lower_state(tracer, hidden.contents(cell, name)) for name, cell in assigned]
        return (result, *left) if assigned else result

    done = trace_part(tracer, graph.name, run, graph)
    for (_, cell), held in zip(assigned, outside, strict=True):
        hidden.put(cell, held)
    others = {
        key: each for key, each in done.changes.items() if all(each.cell is not cell for _, cell in assigned)
    }
    if others:
        raise hidden.refuse(tracer, others, f"the recursive function {graph.name!r}")
    if graph.completes:
        graph.results = (done.result,)
