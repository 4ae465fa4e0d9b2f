"""Names of transpiled code: those that may be unset, and those that live outside the function."""
from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from autograph.operators.plain import Backend
from autograph.operators.registry import backend_for

_plain = Backend()


class Undefined:
    """Stands in the state for a name that is not set; :func:`defined` refuses it."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"undefined({self.name!r})"


def undefined(name: str) -> Undefined:
    """The value of a name that no executed path has set yet (or that ``del`` took away)."""
    return Undefined(name)


def unbound_message(name: str) -> str:
    """What the running Python says when the local ``name`` is read before it is set."""
    if sys.version_info >= (3, 11):
        return f"cannot access local variable '{name}' where it is not associated with a value"
    return f"local variable '{name}' referenced before assignment"


def unbound_free_message(name: str) -> str:
    """The same for the variable of an enclosing function."""
    if sys.version_info >= (3, 11):
        return (
            f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
        )
    return f"free variable '{name}' referenced before assignment in enclosing scope"


def unbound(mark: Undefined, free: bool = False) -> NameError:
    """The exception for reading a name that is not set.

    >>> type(unbound(undefined("y")))
    <class 'UnboundLocalError'>
    """
    if free:
        return NameError(unbound_free_message(mark.name))
    return UnboundLocalError(unbound_message(mark.name))


def defined(value: Any, free: bool = False) -> Any:
    """Read a name that may be unset; ``free`` when it is a variable of an enclosing function.

    Raises:
        UnboundLocalError: it is unset, with Python's own message (``NameError`` for a ``free`` one).

    >>> defined(3)
    3
    """
    if type(value) is Undefined:
        raise unbound(value, free)
    backend = backend_for(value)
    return value if backend is None else backend.defined(value, free)


def outer(reader: Callable[[], Any]) -> Any:
    """Read a global or an enclosing function's variable.

    >>> outer(lambda: 3)
    3
    """
    return (backend_for() or _plain).outer(reader)


def set_outer(writer: Callable[[Any], None], value: Any) -> Any:
    """Give a global or an enclosing function's variable the value, through ``writer``; the value again."""
    (backend_for(value) or _plain).set_outer(writer, value)
    return value


def del_outer(deleter: Callable[[], None]) -> None:
    """Take a global, an enclosing function's variable or an attribute away, through ``deleter``."""
    (backend_for() or _plain).del_outer(deleter)


def namespace(names: dict[str, Any]) -> Any:
    """What ``globals()`` gives: the names of a module, which are outside the function.

    >>> namespace({"x": 3})["x"]
    3
    """
    return (backend_for() or _plain).namespace(names)


def import_(importing: Callable[[], Any], module: str, *names: str) -> Any:
    """``import module``, or ``from module import names``, which ``importing`` does and gives.

    >>> import_(lambda: __import__("math"), "math").floor(2.5)
    2
    """
    return (backend_for() or _plain).import_(importing, module, names)
