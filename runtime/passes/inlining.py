"""Inlining: a call becomes the nodes of the graph that it calls, where that graph is small or called once.

A graph that calls itself, directly or through others, stays.  So does one that is called from several places
and holds more than :data:`SMALL` nodes: it becomes a function of the NumPy program.

    >>> from ..graph import Graph, Node, Value
    >>> from ..ops import table
    >>> from ..types import INT
    >>> x, y, z, a, b = (Value(name, INT) for name in "xyzab")
    >>> double = Graph("double", [a], [Node(table.get("add"), (a, a), outputs=(b,))], (b,))
    >>> calls = [Node(table.CALL, (x,), outputs=(y,), parts=(double,))]
    >>> calls.append(Node(table.CALL, (y,), outputs=(z,), parts=(double,)))
    >>> print(inline_calls(Graph("f", [x], calls, (z,))))
    graph f(x: int) -> int
      b: int = add(x, x)
      b: int = add(b, b)
      return b
"""

from __future__ import annotations

from ..graph import Graph, Location, Node, Operand, Value, levels, nested, own_nodes
from .rewriting import Rewriting

SMALL = 16
"""A graph with no more nodes than this, those of its parts included, is put wherever it is called."""


def inline_calls(graph: Graph) -> Graph:
    """The graph with small graphs, and those that are called once, in place of their calls."""
    calls = graph.find("call")
    return _Inlining(calls).graph(graph) if calls else graph


class _Inlining(Rewriting):
    """Copies graphs from the inside out: what a callee calls is put in place first."""

    def __init__(self, calls: list[Node]) -> None:
        super().__init__()
        self._count: dict[Graph, int] = {}
        for node in calls:
            self._count[node.parts[0]] = self._count.get(node.parts[0], 0) + 1

    def node(self, node: Node, into: list[Node]) -> None:
        if node.op.name != "call" or node.parts[0].calls_itself():
            into.append(self.rewritten(node))
            return
        callee = node.parts[0]
        args = self.operand(node.args)
        if self._count[callee] == 1:
            self.replacements.update(zip(callee.inputs, args, strict=True))
            copy = self.graph(callee)
            _place_within(copy, node.location)
        else:
            copy = self.graph(callee)
            if sum(1 for _ in copy.walk()) > SMALL or not _is_closed(copy):
                into.append(self.rewritten(node))
                return
            copy = _Fresh(dict(zip(callee.inputs, args, strict=True))).graph(copy)
            _place_within(copy, node.location)
        into += copy.nodes
        self.replacements.update(zip(node.outputs, copy.results, strict=True))


def _place_within(copy: Graph, call: Location | None) -> None:
    """Note in all places of a copied graph that ``call`` is what leads to them."""
    for node in own_nodes(copy.nodes):
        if node.location is not None and call is not None:
            node.location = nested([*levels(call), *levels(node.location)])


def _is_closed(callee: Graph) -> bool:
    """Whether no graph that it calls uses a value of it."""
    own = set(callee.inputs)
    for node in callee.walk():
        own.update(node.outputs)
        if node.op.name != "call":
            own.update(value for part in node.parts for value in part.inputs)
    inner = (node.parts[0] for node in callee.walk() if node.op.name == "call")
    return all(own.isdisjoint(graph.free_values()) for graph in inner)


class _Fresh(Rewriting):
    """Copies a graph that has been copied already once more, with new values for what it makes."""

    def __init__(self, arguments: dict[Value, Operand]) -> None:
        super().__init__()
        self.replacements = arguments

    def node(self, node: Node, into: list[Node]) -> None:
        if node.op.name == "call":
            copy = Node(
                node.op,
                self.operand(node.args),
                parts=node.parts,
                location=node.location,
                guarded=node.guarded,
            )
        else:
            for part in node.parts:
                self.replacements.update((value, Value(value.name, value.type)) for value in part.inputs)
            copy = self.rewritten(node)
            for part in copy.parts:
                part.inputs = [self.replacements[value] for value in part.inputs]
        copy.outputs = tuple([Value(value.name, value.type, copy) for value in node.outputs])
        self.replacements.update(zip(node.outputs, copy.outputs, strict=True))
        into.append(copy)
