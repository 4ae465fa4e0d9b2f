"""Variables of a function that the functions made in it keep, where these are needed when a graph runs.

Such a function looks a variable up when it is called, so the variable has to be something that the graph can
hand over.  Conversion then keeps it in a :class:`Cell` instead of a local name.
"""

from __future__ import annotations

from typing import Any, NoReturn

from autograph.operators.names import unbound, undefined
from autograph.operators.plain import Backend
from autograph.operators.registry import backend_for

_plain = Backend()


class Cell:
    """One variable of one call of a function: ``value`` as the function itself sees it, ``free`` as those
    inside see the same.

    They differ in what Python says when the variable is not set.

    >>> n_cell = Cell("n")
    >>> n_cell.value
    Traceback (most recent call last):
    UnboundLocalError: cannot access local variable 'n' where it is not associated with a value
    >>> n_cell.value = 3
    >>> n_cell.free
    3
    """

    __slots__ = ("name", "value")
    value: Any
    free: Any

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, attribute: str) -> NoReturn:
        """What is looked up here is not set."""
        if attribute not in ("value", "free"):
            raise AttributeError(f"a variable in a cell has no attribute {attribute!r}")
        raise unbound(undefined(self.name), free=attribute == "free")


Cell.free = Cell.__dict__["value"]


def cell(name: str) -> Any:
    """A cell for the variable ``name``, which is not set yet."""
    return (backend_for() or _plain).cell(Cell(name))


def put(kept: Any, value: Any) -> Any:
    """``(name := value)`` for a name that is kept in a cell.

    >>> n_cell = cell("n")
    >>> put(n_cell, 3) + n_cell.value
    6
    """
    kept.value = value
    return value
