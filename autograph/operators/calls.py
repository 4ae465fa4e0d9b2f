"""Calls in transpiled code: the callee is converted first when it is the user's own."""
from __future__ import annotations

from typing import Any

from autograph.convert import converted
from autograph.operators.plain import Backend
from autograph.operators.registry import backend_for

_plain = Backend()


def call_converted(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call the converted form of ``function``, or ``function`` itself where conversion leaves it alone."""
    return converted(function)(*args, **kwargs)


def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """``function(*args, **kwargs)``.

    >>> call(max, 1, 2)
    2
    """
    backend = backend_for(function, *args, *kwargs.values())
    if backend is None:
        return converted(function)(*args, **kwargs)
    return backend.call(function, args, kwargs, call_converted)
