"""Branch pruning: an ``if`` whose test is a constant becomes the arm that runs.

>>> from ..graph import Graph, Node, Value
>>> from ..ops import table
>>> from ..types import INT
>>> x, y, z = (Value(name, INT) for name in "xyz")
>>> then = Graph("then", [], [Node(table.get("add"), (x, 1), outputs=(y,))], (y,))
>>> branch = Node(table.IF, (True,), outputs=(z,), parts=(then, Graph("else", results=(0,))))
>>> graph = Graph("f", [x], [branch], (z,))
>>> print(graph)
graph f(x: int) -> int
  z: int = if True
  then
    y: int = add(x, 1)
    yield y
  else
    yield 0
  return z
>>> print(prune_branches(graph))
graph f(x: int) -> int
  y: int = add(x, 1)
  return y
"""

from __future__ import annotations

from ..graph import Graph, Node
from .rewriting import Rewriting

_CONSTANTS = (bool, int, float, str, type(None))


def prune_branches(graph: Graph) -> Graph:
    """The graph without arms that never run, and without loops whose test is false from the start."""
    return _Pruning().graph(graph)


class _Pruning(Rewriting):
    def graph(self, graph: Graph) -> Graph:
        """The copy ends where a pruned arm never completes."""
        copy = super().graph(graph)
        if copy.completes and copy.nodes and copy.nodes[-1].op.name == "raise":
            copy.completes, copy.results = False, ()
        return copy

    def nodes(self, nodes: list[Node], into: Graph) -> None:  # type: ignore[override]
        """As in any copy, but a pruned arm may end the graph early."""
        for node in nodes:
            self.node(node, into.nodes)
            if into.nodes and _never_completes(into.nodes[-1]):
                into.completes = False
                return

    def node(self, node: Node, into: list[Node]) -> None:
        if node.op.name == "if":
            test = self.operand(node.args[0])
            if type(test) in _CONSTANTS:
                arm = self.graph(node.parts[0 if test else 1])
                into += arm.nodes
                if arm.completes and arm.results:
                    self.replacements.update(zip(node.outputs, arm.results, strict=True))
                return
        elif node.op.name == "while":
            test_part = node.parts[0]
            if not test_part.nodes and test_part.results == (False,):
                self.replacements.update(zip(node.outputs, self.operand(node.args), strict=True))
                return
        into.append(self.rewritten(node))


def _never_completes(node: Node) -> bool:
    return node.op.name == "raise" or (
        node.op.name == "if" and not any(part.completes for part in node.parts)
    )
