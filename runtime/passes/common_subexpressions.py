"""Common subexpressions: what has been computed already is not computed again.

An op is left out when the same op on the same operands has surely run before, its result is immutable, it
touches nothing outside, and no memory that it reads may have changed in between.  Of the values that become
one, at most one may be where its identity shows (``y is z``, ``return y, z``): what is only computed with
cannot be told from another of the same value.

    >>> from ..graph import Graph, Node, Value
    >>> from ..ops import table
    >>> from ..types import INT
    >>> n, a, b, c = (Value(name, INT) for name in "nabc")
    >>> nodes = [Node(table.get("remainder"), (n, 7), outputs=(each,)) for each in (a, b)]
    >>> graph = Graph("f", [n], [*nodes, Node(table.get("add"), (a, b), outputs=(c,))], (c,))
    >>> print(merge_common(graph))
    graph f(n: int) -> int
      a: int = remainder(n, 7)
      c: int = add(a, a)
      return c
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Hashable
from typing import Any

import numpy as np

from ..aliasing import is_flat, refers, touches_memory
from ..effects import is_floating
from ..graph import Graph, Node, Op, Operand, Value, values_in
from ..types import List, Python, Scalar
from .rewriting import Rewriting


def merge_common(graph: Graph) -> Graph:
    """The graph with repeated computations merged."""
    return _Merging(graph).graph(graph)


class _Merging(Rewriting):
    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self._shown = _shown(graph)
        """Values, and what others were replaced by, whose identity shows."""
        self._known: ChainMap[Hashable, Value] = ChainMap()
        self._epoch = 0
        """Changes whenever memory may have changed."""
        self._epochs = 0

    def graph(self, graph: Graph) -> Graph:
        """What a part computes is known only inside."""
        outer = self._known
        self._known = outer.new_child()
        copy = super().graph(graph)
        self._known = outer
        return copy

    def node(self, node: Node, into: list[Node]) -> None:
        if node.parts:
            self._structured(node, into)
            return
        node = self.rewritten(node)
        op = node.op
        if op.writes or op.region not in (None, "output", "random"):
            self._change()
        elif op.region is None and len(node.outputs) == 1 and _may_merge(node):
            key = self._key(node)
            found = self._known.get(key)
            output = node.outputs[0]
            if found is not None and not (output in self._shown and found in self._shown):
                self.replacements[output] = found
                if output in self._shown:
                    self._shown.add(found)
                return
            self._known[key] = output
        into.append(node)

    def _structured(self, node: Node, into: list[Node]) -> None:
        """Arms start with what is known before; a loop that changes memory does so before each of its
        iterations."""
        changes = any(changes_memory(inner) for part in node.parts for inner in part.walk())
        if node.op.name == "if":
            before = self._epoch
            parts = []
            for part in node.parts:
                self._epoch = before
                parts.append(self.graph(part))
            self._epoch = before
            node = self._with_parts(node, tuple(parts))
        elif node.op.name == "call":
            known, self._known = self._known, ChainMap()
            self._change()
            node = self.rewritten(node)
            self._known = known
            changes = True
        else:
            if changes:
                self._change()
            node = self.rewritten(node)
        if changes:
            self._change()
        into.append(node)

    def _with_parts(self, node: Node, parts: tuple[Graph, ...]) -> Node:
        args: tuple[Any, ...] = self.operand(node.args)
        return Node(
            node.op, args, node.kwargs, node.outputs, parts, node.stop, node.location, guarded=node.guarded
        )

    def _change(self) -> None:
        self._epochs += 1
        self._epoch = self._epochs

    def _key(self, node: Node) -> Hashable:
        reads = touches_memory(node.args) or touches_memory(node.kwargs)
        return (node.op, _operand_key(node.args), _operand_key(node.kwargs), self._epoch if reads else None)


def _may_merge(node: Node) -> bool:
    """Whether nobody can tell two of them from one: no new object, no error that somebody handles."""
    return not refers(node.outputs[0].type) and not (node.guarded and is_floating(node))


def _shown(graph: Graph) -> set[Value]:
    """The values that are used where it could be told which object they are."""
    shown = set(values_in(graph.results))
    for node in graph.walk():
        for part in node.parts:
            shown.update(values_in(part.results))
        if node.op.name == "if":
            continue
        if not _only_computes(node):
            shown.update(node.operands())
        elif node.op.name not in _ITEMS:  # what is inside a tuple is compared by identity first
            for operand in (*node.args, *node.kwargs.values()):
                if type(operand) is not Value:
                    shown.update(values_in(operand))
    return shown


def _only_computes(node: Node) -> bool:
    """Whether the node looks at nothing but the numbers, and gives or keeps none of its operands."""
    op = node.op
    if op.name in _ITEMS:
        base = node.args[0]
        return type(base) is Value and (
            is_flat(base.type) or (op.name == "get_item" and isinstance(base.type, List))
        )
    if op.name in _BY_IDENTITY or not (
        op.syntax in ("binary", "unary", "compare", "inplace") or isinstance(op.function, np.ufunc)
    ):
        return False
    return all(isinstance(each.type, Python | Scalar) or is_flat(each.type) for each in node.operands())


_ITEMS = ("get_item", "set_item")
_BY_IDENTITY = frozenset({"is", "is_not", "contains", "positive"})
"""Operators that tell which object an operand is, or may give the operand itself."""


def changes_memory(node: Node) -> bool:
    """Whether a node, apart from its parts, may change memory that others read."""
    op: Op = node.op
    return bool(op.writes) or op.region not in (None, "output", "random") or op.name == "call"


def _operand_key(operand: Operand) -> Hashable:
    """Equal only for operands that nothing can tell apart."""
    kind = type(operand)
    if kind is Value:
        return operand  # type: ignore[no-any-return]
    if kind is int or kind is str or kind is bool:
        return kind, operand
    if kind is tuple or kind is list:
        return kind, *map(_operand_key, operand)
    if kind is dict:
        return kind, *((_operand_key(key), _operand_key(item)) for key, item in operand.items())
    if kind is slice:
        return kind, _operand_key(operand.start), _operand_key(operand.stop), _operand_key(operand.step)
    if kind is float:
        return kind, operand.hex()
    return kind, id(operand)
