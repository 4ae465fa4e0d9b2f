"""The rows of ``math``: Python numbers in, Python numbers out."""

from __future__ import annotations

import math
from typing import Any

from ..types import BOOL, FLOAT, INT, Tuple, Type, is_number
from . import table
from .rules import Unclear, always, as_type, rule


@rule
def same_number_type(iterable: Any, *, start: Any = 1) -> Type:
    """``prod``: depends on what is in the iterable."""
    raise Unclear


@rule
def rounded_type(number: Any) -> Type:
    """``floor``, ``ceil``, ``trunc``: ints of numbers; objects have their own."""
    if is_number(as_type(number)):
        return INT
    kind = as_type(number)
    dtype = getattr(kind, "dtype", None)
    if dtype is not None and dtype.kind in "f":
        return INT
    raise Unclear


_RESULTS: dict[Type, tuple[str, ...]] = {
    FLOAT: ("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "copysign", "cos", "cosh",
            "degrees", "dist", "erf", "erfc", "exp", "exp2", "expm1", "fabs", "fma", "fmod", "fsum",
            "gamma", "hypot", "ldexp", "lgamma", "log", "log10", "log1p", "log2", "nextafter", "pow",
            "radians", "remainder", "sin", "sinh", "sqrt", "tan", "tanh", "ulp"),
    INT: ("comb", "factorial", "gcd", "isqrt", "lcm", "perm"),
    BOOL: ("isclose", "isfinite", "isinf", "isnan"),
    Tuple((FLOAT, INT)): ("frexp",),
    Tuple((FLOAT, FLOAT)): ("modf",),
}  # fmt: skip

_TOTAL = (
    "atan",
    "asinh",
    "copysign",
    "degrees",
    "erf",
    "erfc",
    "fabs",
    "isfinite",
    "isinf",
    "isnan",
    "radians",
    "tanh",
    "atan2",
    "cbrt",
    "nextafter",
)


def on_floats(*args: Any, **kwargs: Any) -> bool:
    """Whether all operands are Python floats, which these functions take without exception."""
    return not kwargs and all(as_type(each) == FLOAT for each in args)


for _kind, _names in _RESULTS.items():
    for _name in _names:
        if hasattr(math, _name):
            table.call(
                getattr(math, _name),
                f"math.{_name}",
                infer=always(_kind),
                total=on_floats if _name in _TOTAL else None,
            )

for _name in ("floor", "ceil", "trunc"):
    table.call(getattr(math, _name), f"math.{_name}", infer=rounded_type)

table.call(math.prod, "math.prod", infer=same_number_type)
if hasattr(math, "sumprod"):
    table.call(math.sumprod, "math.sumprod", infer=same_number_type)
