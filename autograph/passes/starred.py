"""Targets with a star: ``a, *b = items`` becomes ``a, b = ag.unpack_star(items, 1, 0)``.

So the number of items may be one that only the run knows.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.passes.context import Context
from autograph.tree import Transformer, assign, at, constant, load, operator, store


def starred(tree: Any, context: Context) -> Any:
    """Lower the starred targets of assignments, loops and ``with``.

    >>> print(gast.unparse(starred(gast.parse("a, *b, c = items"), Context())))
    a, b, c = ag.unpack_star(items, 1, 1)
    >>> print(gast.unparse(starred(gast.parse("for a, *b in items: f(a, b)"), Context())).strip())
    for item in items:
        a, b = ag.unpack_star(item, 1, 0)
        f(a, b)
    >>> print(gast.unparse(starred(gast.parse("a, (b, *c), d = items"), Context())))
    a, part, part_1 = items
    b, c = ag.unpack_star(part, 1, 0)
    d = part_1
    """
    return _Starred(context).visit(tree)


class _Starred(Transformer):
    def __init__(self, context: Context) -> None:
        self.context = context

    def visit_FunctionDef(self, node: Any) -> Any:
        return node if getattr(node, "generator", False) else super().visit_FunctionDef(node)

    def visit_AsyncFunctionDef(self, node: Any) -> Any:
        return node

    def generic_visit(self, node: Any) -> Any:
        return node if isinstance(node, gast.expr) else super().generic_visit(node)

    def visit_Assign(self, node: Any) -> Any:
        if not any(map(_has_star, node.targets)) or (len(node.targets) == 1 and _is_plain(node)):
            return node
        if len(node.targets) == 1:
            return self.unpack(node.targets[0], node.value)
        held = self.context.fresh("held")
        new = [assign(held, node.value)]
        for target in node.targets:
            new += self.unpack(target, load(held))
        return new

    def visit_For(self, node: Any) -> Any:
        self.generic_visit(node)
        if _has_star(node.target):
            node.target, first = self.aside(node.target, "item")
            node.body = [*first, *node.body]
        return node

    def visit_With(self, node: Any) -> Any:
        self.generic_visit(node)
        last = node.items[-1]
        if last.optional_vars is not None and _has_star(last.optional_vars):
            last.optional_vars, first = self.aside(last.optional_vars, "value")
            node.body = [*first, *node.body]
        return node

    def aside(self, target: Any, name: str) -> tuple[Any, list[Any]]:
        """A plain name in place of the target, and the statements that unpack it."""
        name = self.context.fresh(name)
        return at(store(name), target), [at(s, target) for s in self.unpack(target, load(name))]

    def unpack(self, target: Any, value: Any) -> list[Any]:
        """``target = value`` in Python's order: all items are taken before the first is stored."""
        if not _has_star(target):
            return [gast.Assign(targets=[target], value=value, type_comment=None)]
        elements = list(target.elts)
        star = next((k for k, each in enumerate(elements) if isinstance(each, gast.Starred)), None)
        if star is not None:
            elements[star] = elements[star].value
            counts = [constant(star), constant(len(elements) - star - 1)]
            value = operator(self.context.ag, "unpack_star", [value, *counts])
        after: list[Any] = []
        for k, element in enumerate(elements):
            if after or _has_star(element):  # what stands behind it is stored after it
                name = self.context.fresh("part")
                after += self.unpack(element, load(name))
                elements[k] = at(store(name), element)
        target.elts = elements
        return [gast.Assign(targets=[target], value=value, type_comment=None), *after]


def _has_star(target: Any) -> bool:
    if not isinstance(target, (gast.Tuple, gast.List)):
        return False
    return any(isinstance(each, gast.Starred) or _has_star(each) for each in target.elts)


def _is_plain(node: Any) -> bool:
    """Whether both sides are written out, so that Python itself knows which item goes where."""
    if not isinstance(node.value, (gast.Tuple, gast.List)):
        return False
    inner = any(_has_star(getattr(each, "value", each)) for each in node.targets[0].elts)
    return not inner and not any(isinstance(each, gast.Starred) for each in node.value.elts)
