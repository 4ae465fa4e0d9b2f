"""The walk that passes share: a graph is copied node by node, with some values replaced by other operands.

Values are shared between the old and the new graph, nodes are not; the old graph stays as it is.  Control
edges are left behind, as they follow from what remains (see ``effects.py``).
"""

from __future__ import annotations

from collections.abc import Iterable

from ..graph import Graph, Node, Operand, Value, map_values


class Rewriting:
    """Copies a graph.  A pass overrides :meth:`node`."""

    def __init__(self) -> None:
        self.replacements: dict[Value, Operand] = {}
        self._copies: dict[Graph, Graph] = {}

    def graph(self, graph: Graph) -> Graph:
        """The copy of a graph or part; a graph that calls itself is copied once."""
        copy = self._copies.get(graph)
        if copy is not None:
            return copy
        copy = self._copies[graph] = Graph(
            graph.name, list(graph.inputs), [], (), graph.location, graph.completes
        )
        self.nodes(graph.nodes, copy)
        if copy.completes:
            copy.results = tuple(self.operand(result) for result in graph.results)
        return copy

    def nodes(self, nodes: Iterable[Node], into: Graph) -> None:
        """Copy nodes to the end of a graph, up to one after which nothing runs."""
        for node in nodes:
            self.node(node, into.nodes)
            if not into.completes and into.nodes and into.nodes[-1].op.name == "raise":
                return

    def node(self, node: Node, into: list[Node]) -> None:
        """Copy one node: append to ``into``, or note what its outputs are replaced by."""
        into.append(self.rewritten(node))

    def rewritten(self, node: Node) -> Node:
        """A copy of the node with its parts copied and its operands replaced."""
        parts = tuple([self.graph(part) for part in node.parts]) if node.parts else ()
        args, kwargs = node.args, node.kwargs
        if self.replacements:
            args = self.operand(args)
            kwargs = self.operand(kwargs) if kwargs else kwargs
        return Node(
            node.op, args, kwargs, node.outputs, parts, node.stop, node.location, guarded=node.guarded
        )

    def operand(self, operand: Operand) -> Operand:
        """The operand after all replacements so far."""
        return map_values(operand, self._replacement) if self.replacements else operand

    def _replacement(self, value: Value) -> Operand:
        return self.replacements.get(value, value)
