"""What becomes of floating-point errors: NumPy warns of them, or somebody wants more.

``np.errstate`` and filters of ``warnings`` may make exceptions of them, or calls of a function of the
user's.  A trace made while that is so orders and keeps every operation that may be one; whether it is
so is guarded.  Warnings alone are not kept in order, and an operation that nobody needs may give none.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from . import paths

if TYPE_CHECKING:
    from .guards import Constants, Guards

_handling: Any = getattr(np._core.umath, "_extobj_contextvar", None) if hasattr(np, "_core") else None
"""Where NumPy keeps how they are treated now; without it they are asked for by name."""

_LENIENT = frozenset({"warn", "ignore"})


def is_strict() -> bool:
    """Whether floating-point errors do more now than to warn."""
    if not _LENIENT.issuperset(np.geterr().values()):
        return True
    return any(
        action == "error" and issubclass(RuntimeWarning, kind) for action, _, kind, *_ in warnings.filters
    )


def guard(guards: Guards, strict: bool) -> None:
    """Rely on floating-point errors being treated as they are now."""
    seen = "make more than warnings" if strict else "make warnings"
    filters = list(warnings.filters)
    handling = None if _handling is None else _handling.get()

    def code(v: str, c: Constants) -> str:
        slow = f"{v}() is {strict}"
        if handling is None:
            return slow
        now = f"{c.add(_handling)}.get() is {c.add(handling)}"  # most often nothing was touched at all
        return f"({now} and {c.add(warnings)}.filters == {c.add(filters)} or {slow})"

    def test(v: Any) -> bool:
        return bool(v() is strict)

    place = paths.Constant("floating-point errors", "floating-point errors", is_strict)
    guards.add(place, seen, "names", test, code)
