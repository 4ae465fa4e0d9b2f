"""``and``, ``or``, ``not``, chained comparison, ``is``, ``in`` and the conditional expression become
operators.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.operators.expressions import COMPARISONS
from autograph.passes.context import Context
from autograph.passes.walrus import own_walrus
from autograph.tree import (
    Transformer,
    at,
    call,
    constant,
    has_suspension,
    load,
    operator,
    thunk,
)


def logic(tree: Any, context: Context) -> Any:
    """Let operators decide wherever Python would ask for a truth value inside an expression.

    >>> print(gast.unparse(logic(gast.parse("y = 0 < x <= 2 and not f(x)"), Context())))
    y = ag.and_(ag.and_(0 < x, lambda: x <= 2), lambda: ag.not_(f(x)))
    >>> print(gast.unparse(logic(gast.parse("y = a if c in d else f(b)"), Context())))
    y = ag.if_exp(ag.contains(d, c), lambda: a, lambda: f(b))
    >>> print(gast.unparse(logic(gast.parse("y = (a, b) < (1, 2) or a < b"), Context())))
    y = ag.or_(ag.compare((a, b), '<', (1, 2)), lambda: a < b)
    """
    return _Logic(context).visit(tree)


def movable(node: Any) -> bool:
    """Whether ``node`` means the same inside a lambda: no ``yield``, no ``await``, no ``:=`` of this scope.

    >>> movable(gast.parse("(y := 1)").body[0].value)
    False
    """
    return not has_suspension(node) and not own_walrus(node)


def simple(node: Any) -> bool:
    """A name or a constant: evaluating it twice or later makes no difference to anyone.

    >>> simple(gast.parse("a").body[0].value), simple(gast.parse("a()").body[0].value)
    (True, False)
    """
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.operand, gast.Constant)
    return isinstance(node, (gast.Name, gast.Constant))


def _quiet(node: Any) -> bool:
    while isinstance(node, gast.Attribute):
        node = node.value
    if isinstance(node, (gast.Tuple, gast.List, gast.Set)):
        return all(simple(element) for element in node.elts)
    return simple(node)


SYMBOLS = dict(zip((gast.Lt, gast.LtE, gast.Eq, gast.NotEq, gast.Gt, gast.GtE), COMPARISONS, strict=True))


class _Logic(Transformer):
    def __init__(self, context: Context) -> None:
        self.context = context

    def op(self, name: str, *args: Any, keywords: Any = ()) -> Any:
        return operator(self.context.ag, name, args, keywords)

    def visit_BoolOp(self, node: Any) -> Any:
        native = getattr(node, "static", False) or not all(movable(value) for value in node.values[1:])
        self.generic_visit(node)
        if native:
            return node
        first, *rest = node.values
        name = "and_" if isinstance(node.op, gast.And) else "or_"
        return self.op(name, first, *(at(thunk(value), value) for value in rest))

    def visit_UnaryOp(self, node: Any) -> Any:
        self.generic_visit(node)
        if isinstance(node.op, gast.Not) and not getattr(node, "static", False):
            return self.op("not_", node.operand)
        return node

    def visit_IfExp(self, node: Any) -> Any:
        native = getattr(node.test, "static", False) or not (movable(node.body) and movable(node.orelse))
        self.generic_visit(node)
        if native:
            return node
        return self.op(
            "if_exp", node.test, at(thunk(node.body), node.body), at(thunk(node.orelse), node.orelse)
        )

    def visit_Compare(self, node: Any) -> Any:
        native = getattr(node, "static", False) or not all(movable(right) for right in node.comparators[1:])
        self.generic_visit(node)
        if native:
            return node
        return self.chain(node.left, list(node.ops), list(node.comparators), node)

    def chain(self, left: Any, ops: list[Any], rights: list[Any], origin: Any) -> Any:
        """``left op right op right ...``: each operand is evaluated once, and only when it is needed."""
        if len(ops) == 1:
            return self.comparison(left, ops[0], rights[0], origin)
        middle = rights[0]
        if simple(middle):
            later = self.chain(at(_copy(middle), middle), ops[1:], rights[1:], origin)
            return at(
                self.op("and_", self.comparison(left, ops[0], middle, origin), at(thunk(later), origin)),
                origin,
            )
        names = [self.context.fresh("left"), self.context.fresh("middle")]
        later = self.chain(load(names[1]), ops[1:], rights[1:], origin)
        first = self.comparison(load(names[0]), ops[0], load(names[1]), origin)
        once = thunk(self.op("and_", first, at(thunk(later), origin)), names)
        result = call(once, [left, middle])
        result.operator = "chain"
        return at(result, origin)

    def comparison(self, left: Any, op: Any, right: Any, origin: Any) -> Any:
        if isinstance(op, (gast.Is, gast.IsNot)):
            new = self.op("is_" if isinstance(op, gast.Is) else "is_not", left, right)
        elif isinstance(op, (gast.In, gast.NotIn)):
            name = "contains" if isinstance(op, gast.In) else "not_contains"
            if isinstance(left, gast.Constant) or (_quiet(left) and _quiet(right)):
                new = self.op(name, right, left)
            else:
                new = self.op(name, keywords=[("item", left), ("container", right)])
        elif self.context.stage_comparisons or _computed_tuple(left) or _computed_tuple(right):
            new = self.op("compare", left, constant(SYMBOLS[type(op)]), right)
        else:
            new = gast.Compare(left=left, ops=[op], comparators=[right])
        return at(new, origin)


def _computed_tuple(node: Any) -> bool:
    """Whether this is a tuple display with more than constants in it: Python compares its items at once.

    >>> [_computed_tuple(gast.parse(text).body[0].value) for text in ("(1, 2)", "(a, 2)", "((1, a), 2)", "a")]
    [False, True, True, False]
    """
    if not isinstance(node, gast.Tuple):
        return False
    return any(
        _computed_tuple(each) or not isinstance(each, (gast.Constant, gast.Tuple)) for each in node.elts
    )


def _copy(node: Any) -> Any:
    """A second node for a name or constant."""
    if isinstance(node, gast.UnaryOp):
        return gast.UnaryOp(op=node.op, operand=_copy(node.operand))
    if isinstance(node, gast.Name):
        return load(node.id)
    return gast.Constant(value=node.value, kind=node.kind)
