"""``run_eagerly``: staged functions do as the plain ones for a while, for a debugger or a comparison."""

from __future__ import annotations

import weakref
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .function import Function

_functions: weakref.WeakSet[Function[..., Any]] = weakref.WeakSet()
"""Every staged function, so that switching costs the calls nothing."""
_eager = False


def register(function: Function[..., Any]) -> None:
    """Have a new function follow the switch."""
    _functions.add(function)


def is_eager() -> bool:
    """Whether staged functions run their plain code."""
    return _eager


class run_eagerly:
    """Switch graphs off (or on again, with False): at once, and for a ``with`` block when used as one.

    >>> from autograph.runtime.function import function
    >>> @function
    ... def double(x):
    ...     return x + x
    >>> with run_eagerly():
    ...     double(2), double.trace_count
    (4, 0)
    """

    def __init__(self, eagerly: bool = True) -> None:
        self._before = _eager
        _switch(eagerly)

    def __enter__(self) -> run_eagerly:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _switch(self._before)


def _switch(eagerly: bool) -> None:
    global _eager
    _eager = bool(eagerly)
    for function in list(_functions):
        function._enter()
