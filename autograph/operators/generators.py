"""Generators of transpiled code.

On plain values generators are Python's own.  A tracer may ask for a form of them in which ``yield`` is an
operator, so that what happens between two of them can be staged; only that tracer can run it.
"""

from __future__ import annotations

from typing import Any

from autograph.operators.plain import Backend
from autograph.operators.registry import backend_for

_plain = Backend()


def generator(made: Any) -> Any:
    """A generator that is kept in a variable; or, as a decorator, a function in which operators yield.

    >>> list(generator(i for i in range(3)))
    [0, 1, 2]
    """
    return (backend_for() or _plain).generator(made)


def iter_(items: Any) -> Any:
    """What the outermost ``for`` of a generator expression goes through.

    >>> next(iter_("ab"))
    'a'
    """
    return (backend_for(items) or _plain).iter_(items)


def yield_(value: Any) -> Any:
    """``yield value``, seen by the backend that traces.

    Raises:
        TypeError: no backend traces.
    """
    return (backend_for() or _plain).yield_(value)


def yield_from(items: Any) -> Any:
    """``yield from items``, seen by the backend that traces.

    Raises:
        TypeError: no backend traces.
    """
    return (backend_for() or _plain).yield_from(items)
