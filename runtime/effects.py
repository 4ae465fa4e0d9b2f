"""Automatic control dependencies: edges that make every topological order give the observable run of the
plain code.

Values are references, and ops really change memory, so operands alone do not say enough.  Each node reads and
writes *regions*: pieces of memory (the owners of :mod:`.aliasing`), standard output, random numbers, the
outside, and the possibility of an exception.  Of two nodes that touch the same region, one of them writing,
the later one waits.

    memory      read and written as the op says; an iterator is written when it is read; the attributes of one
                object are one piece of memory, and so are the items of one array, which views may overlap
    name        one name outside: written by an op that stores, else read
    outside     writes output, random numbers and all memory that code outside can reach
    exception   written by a node that may raise (or never end), read by one whose effect is visible outside:
                exceptions stay in order, and nothing shows that the plain run would not have reached

A node with parts has the effects of its parts.  ``Node.after`` gets the transitive reduction: an edge is left
out when operands and other edges imply it (A. V. Aho, M. R. Garey, J. D. Ullman, "The transitive reduction of
a directed graph", 1972; on a DAG it is unique).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping

from .aliasing import PointsTo, holder, touches_memory, written
from .graph import Graph, Node, Operand, Value, map_values
from .types import Array, Dict, List, Python, Scalar, Tuple, Type
from .types import Iterator as IteratorType

EXCEPTION = 1
OUTPUT = 2
RANDOM = 4
_MEMORY = 3
"""The bit of the first owner of memory."""

Effects = tuple[int, int]
"""The regions that are read, and those that are written, as bits."""


def add_control_edges(graph: Graph, aliases: Mapping[Value, Hashable] | None = None) -> Graph:
    """Set ``Node.after`` on every node of ``graph`` and its parts; earlier edges are forgotten.

    Args:
        graph: a whole function's graph; it is changed and returned.
        aliases: inputs with the same key may share memory, with the key ``WORLD`` with all that is outside
        too;
            an input without key shares with none.
    """
    regions = Regions(graph, aliases)
    entered: set[Graph] = set()
    waiting = [graph]
    while waiting:
        part = waiting.pop()
        if part not in entered:
            entered.add(part)
            _order(part, [regions.of(node) for node in part.nodes])
            waiting += [inner for node in part.nodes for inner in node.parts]
    return graph


class Regions:
    """The effects of every node."""

    def __init__(self, graph: Graph, aliases: Mapping[Value, Hashable] | None) -> None:
        self._memory = PointsTo(graph, aliases)
        self._own: dict[Node, Effects] = {}
        self._guarded = {
            inner
            for node in graph.walk()
            if node.op.name in ("try", "with")
            for part in node.parts
            for inner in part.walk()
        }
        self._iterators = self._memory.iterators << _MEMORY
        self._outside = (self._memory.outside << _MEMORY) | OUTPUT | RANDOM
        for name in self._memory.names.values():
            self._outside |= name << _MEMORY

    def of(self, node: Node) -> Effects:
        """What a node reads and writes, its parts included."""
        reads, writes = self._alone(node)
        for part in node.parts:
            for inner in part.walk():
                more = self._alone(inner)
                reads |= more[0]
                writes |= more[1]
        return reads, writes

    def _alone(self, node: Node) -> Effects:
        effects = self._own.get(node)
        if effects is None:
            effects = self._own[node] = self._visible(
                *(self._structured(node) if node.parts else self._op(node)), node in self._guarded
            )
        return effects

    def _visible(self, reads: int, writes: int, guarded: bool) -> Effects:
        """What shows outside, or to a handler, must not happen before an exception that comes first."""
        visible = writes if guarded else writes & self._outside
        return (reads | EXCEPTION, writes) if visible else (reads, writes)

    def _op(self, node: Node) -> Effects:
        op = node.op
        reads = writes = 0
        if op.reads or op.writes:
            reads = self._contents((node.args, tuple(node.kwargs.values())) if node.kwargs else node.args)
            reads |= holder(node) << _MEMORY
        if op.writes:
            writes |= holder(node) << _MEMORY
            for operand in written(node):
                writes |= self._memory.owners(operand) << _MEMORY
        writes |= reads & self._iterators
        if op.region == "output":
            writes |= OUTPUT
        elif op.region == "random":
            writes |= RANDOM
        elif op.region == "outside":
            writes |= self._outside
        elif op.region is not None:
            name = self._memory.names[op.region] << _MEMORY
            if op.stores:
                writes |= name
            else:
                reads |= name
        if not is_total(node):
            writes |= EXCEPTION
        return reads, writes

    def _structured(self, node: Node) -> Effects:
        """What the node itself does: look at its test or iterable, perhaps never end."""
        name = node.op.name
        if name == "call":
            return 0, EXCEPTION if node.parts[0].calls_itself() else 0  # how deep depends on data
        if name == "try":
            return 0, EXCEPTION
        if name == "with":
            return self._outside, EXCEPTION | self._outside
        tested = node.parts[0].results[:1] if name == "while" else node.args[:1]
        reads = self._contents(tested)
        writes = 0 if name == "if" else EXCEPTION
        if name == "for":
            writes |= reads & self._iterators
        for operand in tested:
            kind = operand.type if type(operand) is Value else None
            if kind is not None and not (iterates(kind) if name == "for" else has_plain_truth(kind)):
                writes |= EXCEPTION if isinstance(kind, Array) else EXCEPTION | self._outside
        return reads, writes

    def _contents(self, operand: Operand) -> int:
        owners = self._memory.owners(operand)
        return self._memory.reach(owners) << _MEMORY if owners else 0


def has_plain_truth(kind: Type) -> bool:
    """Whether ``if`` on a value of this type raises nothing and runs no code of the user's."""
    return isinstance(kind, Python | List | Dict | Tuple) or (
        isinstance(kind, Scalar) and kind.dtype.kind in "biufc"
    )


def iterates(kind: Type) -> bool:
    """Whether ``for`` over a value of this type runs no code of the user's."""
    return isinstance(kind, Array | Python | Scalar | List | Dict | Tuple | IteratorType)


def _order(graph: Graph, effects: list[Effects]) -> None:
    """Set ``after`` on the nodes of one graph, given what they read and write."""
    nodes = graph.nodes
    producers: dict[Value, int] = {}
    before: list[int] = []
    """For each node all nodes that come before it in every order, as bits."""
    writers: dict[int, int] = {}
    readers: dict[int, list[int]] = {}
    changing = 0
    for _, writes in effects:
        changing |= writes
    for index, (node, (reads, writes)) in enumerate(zip(nodes, effects, strict=True)):
        covered = 0
        for value in node.uses() if node.parts else node.operands():
            producer = producers.get(value)
            if producer is not None and not covered >> producer & 1:
                covered |= before[producer] | 1 << producer
        reads &= changing
        if reads or writes:
            waits = _waits(index, reads, writes, writers, readers)
            after: list[Node] = []
            for earlier in sorted(waits, reverse=True):
                if not covered >> earlier & 1:
                    after.append(nodes[earlier])
                    covered |= before[earlier] | 1 << earlier
            node.after = tuple(reversed(after))
        else:
            node.after = ()
        before.append(covered)
        for value in node.outputs:
            producers[value] = index


def _waits(
    index: int, reads: int, writes: int, writers: dict[int, int], readers: dict[int, list[int]]
) -> set[int]:
    """The earlier nodes that conflict directly with this one, which is entered as the latest to touch its
    regions."""
    waits: set[int] = set()
    waiting = writes
    while waiting:
        region = waiting & -waiting
        waiting ^= region
        writer = writers.get(region)
        if writer is not None:
            waits.add(writer)
        waits.update(readers.pop(region, ()))
        writers[region] = index
    waiting = reads & ~writes
    while waiting:
        region = waiting & -waiting
        waiting ^= region
        writer = writers.get(region)
        if writer is not None:
            waits.add(writer)
        readers.setdefault(region, []).append(index)
    return waits


# What a single node may do


def is_total(node: Node) -> bool:
    """Whether a node without parts surely never raises."""
    total = node.op.total
    if node.guarded and is_floating(node):
        return False
    if total is None:
        return node.op.name == "unpack" and _fits(node)
    if node.kwargs:
        return _holds(total, node)
    key: list[Hashable] = [total]
    for arg in node.args:
        kind = type(arg)
        if kind is Value:
            key.append(arg.type)
        elif kind in _KEYS:
            key.append((kind, arg))
        else:
            return _holds(total, node)
    known = tuple(key)
    found = _totals.get(known)
    if found is None:
        if len(_totals) > 4096:
            _totals.clear()
        found = _totals[known] = _holds(total, node)
    return found


def _holds(total: Callable[..., bool], node: Node) -> bool:
    try:
        return bool(total(*map_values(node.args, _type), **map_values(node.kwargs, _type)))
    except TypeError:  # these are no arguments of the op, which says so when it runs
        return False


_COPYING = frozenset({"get_item", "len"})
"""Ops that look at numbers and do nothing with them."""


def is_floating(node: Node) -> bool:
    """Whether a node computes with numbers of NumPy, so that it may meet a floating-point error."""
    if not node.op.reads or node.op.name in _COPYING:
        return False
    return any(isinstance(value.type, Array | Scalar) for value in node.operands())


_totals: dict[Hashable, bool] = {}
"""What :func:`is_total` found, by predicate and operands."""
_KEYS = (int, float, bool, str, type(None))


def _fits(node: Node) -> bool:
    """Whether ``unpack`` gets a tuple of just the length it wants."""
    (items,) = node.args
    if type(items) is Value:
        return isinstance(items.type, Tuple) and len(items.type.items) == len(node.outputs)
    return type(items) in (tuple, list) and len(items) == len(node.outputs)


def is_pure(node: Node) -> bool:
    """Whether leaving the node out changes nothing when nobody wants its outputs: total, and without
    effects."""
    return not node.op.writes and node.op.region is None and not node.parts and is_total(node)


def is_free(node: Node) -> bool:
    """Whether a pure node depends on no memory, so that it may run at any time after its operands are
    there."""
    return not touches_memory(node.args) and not touches_memory(node.kwargs)


def _type(value: Value) -> Type:
    return value.type


# Orders


def draw_order(graph: Graph, generator: random.Random) -> list[Node]:
    """A random topological order of the nodes of ``graph`` (not of its parts) under data and control
    edges."""
    producers = {value: node for node in graph.nodes for value in node.outputs}
    waiting: dict[Node, int] = {}
    followers: dict[Node, list[Node]] = {}
    ready: list[Node] = []
    for node in graph.nodes:
        before = dict.fromkeys(producers[value] for value in node.uses() if value in producers)
        before.update(dict.fromkeys(node.after))
        waiting[node] = len(before)
        for each in before:
            followers.setdefault(each, []).append(node)
        if not before:
            ready.append(node)
    order: list[Node] = []
    while ready:
        place = generator.randrange(len(ready))
        ready[place], ready[-1] = ready[-1], ready[place]
        node = ready.pop()
        order.append(node)
        for each in followers.get(node, ()):
            waiting[each] -= 1
            if not waiting[each]:
                ready.append(each)
    return order
