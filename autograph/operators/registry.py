"""Who answers when transpiled code meets an operand that plain Python cannot decide on.

Two ways lead to a backend: a *type* registered with :func:`register` (its values are symbolic for that
backend), and the *active* backend of this thread, entered with :func:`activate` while it traces, which sees
every operator. Nothing here knows what a tensor is.
"""
from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Iterator

from autograph.operators.plain import Backend

_registered: dict[type, Backend] = {}
_resolved: dict[int, Backend | None] = {}  # by the identity of a class: its hash may be the user's
_known: dict[int, weakref.ref[type]] = {}
_UNKNOWN = Backend()


class _Thread(threading.local):
    active: Backend | None = None


_thread = _Thread()
_tracing = 0  # in how many threads, nested or not: where it is none, which is mostly so, no thread is asked
_lock = threading.Lock()


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
    global _tracing
    before = _thread.active
    with _lock:
        _tracing += 1
    _thread.active = backend
    try:
        yield
    finally:
        _thread.active = before
        with _lock:
            _tracing -= 1


def lookup(operand: object) -> Backend | None:
    """The backend registered for the type of ``operand``, or ``None`` for a plain value."""
    kind = type(operand)
    found = _resolved.get(id(kind), _UNKNOWN)
    if found is not _UNKNOWN:
        return found
    number = id(kind)

    def forget(_: object) -> None:
        _known.pop(number, None)
        _resolved.pop(number, None)

    if number not in _known:
        _known[number] = weakref.ref(kind, forget)
    registered = {id(known): backend for known, backend in _registered.items()}
    found = next((registered[id(base)] for base in kind.__mro__ if id(base) in registered), None)
    _resolved[number] = found
    return found


def backend_for(*operands: object) -> Backend | None:
    """The backend that has to decide about ``operands``: the active one, else that of the first symbolic one.
    """
    if _tracing:
        active = _thread.active
        if active is not None:
            return active
    if _registered:
        for operand in operands:  # lookup(), inline: converted code on plain values comes here all the time
            found = _resolved.get(id(type(operand)), _UNKNOWN)
            if found is _UNKNOWN:
                found = lookup(operand)
            if found is not None:
                return found
    return None
