"""Constant folding: operators on Python constants are done now, if they raise nothing.

Only numbers and texts of Python itself: what NumPy does may depend on its error state when the graph runs.

    >>> from ..graph import Graph, Node, Value
    >>> from ..ops import table
    >>> from ..types import INT
    >>> x, y, z = (Value(name, INT) for name in "xyz")
    >>> product = Node(table.get("multiply"), (6, 7), outputs=(y,))
    >>> graph = Graph("answer", [x], [product, Node(table.get("add"), (x, y), outputs=(z,))], (z,))
    >>> print(graph)
    graph answer(x: int) -> int
      y: int = multiply(6, 7)
      z: int = add(x, y)
      return z
    >>> print(fold_constants(graph))
    graph answer(x: int) -> int
      z: int = add(x, 42)
      return z
"""

from __future__ import annotations

from typing import Any

from ..graph import Graph, Node
from .rewriting import Rewriting

_OPS = frozenset((
    "add", "subtract", "multiply", "divide", "floor_divide", "remainder", "bitwise_and", "bitwise_or",
    "bitwise_xor", "less", "less_equal", "equal", "not_equal", "greater", "greater_equal", "negative",
    "positive", "invert", "not", "truth",
))  # fmt: skip
_SCALARS = (bool, int, float, str)
LARGEST = 4096
"""How many bits or letters a folded constant may have."""


def fold_constants(graph: Graph) -> Graph:
    """The graph without operators on constants."""
    return _Folding().graph(graph)


class _Folding(Rewriting):
    def node(self, node: Node, into: list[Node]) -> None:
        node = self.rewritten(node)
        if node.op.name in _OPS and not node.kwargs and len(node.outputs) == 1 and node.op.region is None:
            folded = _folded(node)
            if folded:
                self.replacements[node.outputs[0]] = folded[0]
                return
        into.append(node)


def _folded(node: Node) -> tuple[Any, ...]:
    """The result of an operator on constants; nothing if it has other operands, or raises, or is large."""
    for arg in node.args:
        if type(arg) not in _SCALARS or _size(arg) > LARGEST:
            return ()
    if node.op.name in ("multiply", "remainder") and any(type(arg) is str for arg in node.args):
        return ()
    assert node.op.function is not None
    try:
        result = node.op.function(*node.args)
    except Exception:  # it raises when it runs
        return ()
    return (result,) if type(result) in _SCALARS and _size(result) <= LARGEST else ()


def _size(constant: Any) -> int:
    if type(constant) is int:
        return constant.bit_length()
    return len(constant) if type(constant) is str else 0
