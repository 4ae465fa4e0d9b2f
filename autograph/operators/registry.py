"""Who answers when transpiled code meets an operand that plain Python cannot decide on.

Two ways lead to a backend: a *type* registered with :func:`register` (its values are symbolic for that
backend), and the *active* backend of this thread, entered with :func:`activate` while it traces, which sees
every operator. Nothing here knows what a tensor is.
"""
from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from autograph.operators.plain import Backend

_registered: dict[type, Backend] = {}
_resolved: WeakKeyDictionary[type, Backend | None] = WeakKeyDictionary()


class _Thread(threading.local):
    active: Backend | None = None


_thread = _Thread()


def register(symbolic_type: type, backend: Backend) -> None:
    """Let ``backend`` decide for every operand that is an instance of ``symbolic_type`` (subclasses
    included).

    Registering a type again replaces its backend.

    Args:
        symbolic_type: the class of the array library's symbolic values.
        backend: an object with the methods of :class:`Backend`; subclass it and override what you stage.

    Raises:
        TypeError: ``symbolic_type`` is not a class.

    >>> class Symbol: ...
    >>> class Chooser(Backend):
    ...     def if_stmt(self, test, then, orelse, state, names):
    ...         return ("if", test, then(*state), orelse(*state))
    >>> register(Symbol, Chooser())
    >>> lookup(Symbol()) is not None
    True
    >>> unregister(Symbol)
    """
    if not isinstance(symbolic_type, type):
        raise TypeError(f"register() takes a class first, not {symbolic_type!r}")
    _registered[symbolic_type] = backend
    _resolved.clear()


def unregister(symbolic_type: type) -> None:
    """Take back :func:`register`; a class that was never registered is left alone."""
    _registered.pop(symbolic_type, None)
    _resolved.clear()


def active() -> Backend | None:
    """The backend that traces in this thread, or ``None``."""
    return _thread.active


@contextlib.contextmanager
def activate(backend: Backend | None) -> Iterator[None]:
    """Send every operator of this thread to ``backend`` inside the ``with`` block; ``None`` turns tracing
    off."""
    before = _thread.active
    _thread.active = backend
    try:
        yield
    finally:
        _thread.active = before


def lookup(operand: object) -> Backend | None:
    """The backend registered for the type of ``operand``, or ``None`` for a plain value."""
    kind = type(operand)
    try:
        return _resolved[kind]
    except KeyError:
        found = next((_registered[base] for base in kind.__mro__ if base in _registered), None)
        _resolved[kind] = found
        return found


def backend_for(*operands: object) -> Backend | None:
    """The backend that has to decide about ``operands``: the active one, else that of the first symbolic one.
    """
    if _thread.active is not None:
        return _thread.active
    if _registered:
        for operand in operands:
            found = lookup(operand)
            if found is not None:
                return found
    return None
