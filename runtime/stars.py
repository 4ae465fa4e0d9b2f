"""Stars: ``a, *b = items``, ``[*a, x]``, ``f(*a, **d)`` where only the run knows how many items there are.

The run takes the items in Python's order, and says what Python says when there are too few.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograph.operators.plain import unpacker

from . import containers, exceptions
from .tensor import Tensor

if TYPE_CHECKING:
    from .tracing import Tracer


def unpack_star(tracer: Tracer, iterable: Any, before: int, after: int) -> tuple[Any, ...]:
    """``a, *b, c = iterable``."""
    iterable = tracer.iterable_of(iterable)
    if type(iterable) is Tensor:
        items = tracer.items_of(iterable)
        if items is None:
            found: tuple[Any, ...] = tracer.apply("unpack_star", iterable, before, after)
            return found
        iterable = items
    values = list(exceptions.python_does(unpacker(before, after), iterable))
    values[before] = containers.new_list(tracer, values[before])
    return tuple(values)
