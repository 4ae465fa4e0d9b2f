"""Stop flags: inside a loop the flag that ends it is false, or the loop would have ended.

>>> from ..graph import Graph, Node, Value
>>> from ..ops import table
>>> from ..types import BOOL, INT, Iterator
>>> items, item = Value("items", Iterator(INT)), Value("i", INT)
>>> stop, last = Value("stop", BOOL), Value("last", BOOL)
>>> body = Graph("body", [item, stop], [], (stop,))
>>> loop = Node(table.FOR, (items, False), outputs=(last,), parts=(body,), stop=0)
>>> print(settle_stop_flags(Graph("f", [items], [loop], (last,))))
graph f(items: iterator[int]) -> bool
  last: bool = for i: int in items carry (stop: bool = False)
    yield False
    break if False
  return last
"""

from __future__ import annotations

from ..graph import Graph, Node
from ..types import BOOL
from .rewriting import Rewriting


def settle_stop_flags(graph: Graph) -> Graph:
    """The graph with the stop flag of each loop known inside it."""
    return _Settling().graph(graph)


class _Settling(Rewriting):
    def node(self, node: Node, into: list[Node]) -> None:
        if node.stop is not None:
            for part in node.parts:
                flag = part.inputs[node.stop + (node.op.name == "for")]
                if flag.type == BOOL:
                    self.replacements[flag] = False
        into.append(self.rewritten(node))
