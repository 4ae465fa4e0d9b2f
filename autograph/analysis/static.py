"""Tests that can never depend on data: such an ``if`` stays as it is."""

from __future__ import annotations

from typing import Any

import gast

_PREDICATES = {"isinstance", "issubclass", "callable", "hasattr"}
_NAMES = {"TYPE_CHECKING", "__debug__"}


def is_static(test: Any, steady: set[str], shadowed: set[str]) -> bool:
    """Whether ``test`` is made only of constants, type questions, and ``is None`` on parameters never
    rebound.

    Args:
        test: an expression.
        steady: the parameters of the function that it never rebinds.
        shadowed: names that do not mean the builtins here.

    >>> parse = lambda text: gast.parse(text).body[0].value
    >>> is_static(parse("x is None or not isinstance(y, int)"), {"x"}, set())
    True
    >>> is_static(parse("x is None and x > 0"), {"x"}, set())
    False
    """
    if isinstance(test, gast.Constant):
        return True
    if isinstance(test, gast.Name):
        return test.id in _NAMES
    if isinstance(test, gast.Attribute):
        return bool(test.attr == "TYPE_CHECKING")
    if isinstance(test, gast.BoolOp):
        return all(is_static(value, steady, shadowed) for value in test.values)
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return is_static(test.operand, steady, shadowed)
    if isinstance(test, gast.Call) and isinstance(test.func, gast.Name):
        return test.func.id in _PREDICATES and test.func.id not in shadowed
    if isinstance(test, gast.Compare):
        operands = [test.left, *test.comparators]
        if all(isinstance(operand, gast.Constant) for operand in operands):
            return True
        return (
            len(operands) == 2
            and isinstance(test.ops[0], (gast.Is, gast.IsNot))
            and isinstance(test.left, gast.Name)
            and test.left.id in steady
            and isinstance(operands[1], gast.Constant)
            and operands[1].value is None
        )
    return False
