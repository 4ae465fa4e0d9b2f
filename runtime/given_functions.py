"""Functions that are another object in each call: lambdas and closures that the caller makes anew.

The first call is traced for the very function.  When the next one has another function of the same code, the
trace relies on the code alone, and on what the variables hold that the function captures: these are found
through the function, ``f.__closure__[0].cell_contents``, and guarded or read like everything else outside.
"""

from __future__ import annotations

from types import CellType, FunctionType
from typing import TYPE_CHECKING, Any

from . import hidden, paths
from .paths import Path

if TYPE_CHECKING:
    from .tracing import Tracer


def is_told_by_code(function: FunctionType) -> bool:
    """Whether a function is one of many with its code, which tell themselves apart by their variables only.

    >>> is_told_by_code(lambda x: x), is_told_by_code(is_told_by_code), is_told_by_code(lambda x=1: x)
    (True, False, False)
    """
    made_anew = function.__name__ == "<lambda>" or "<locals>" in function.__qualname__
    extra = function.__defaults__ or function.__kwdefaults__ or function.__dict__
    return made_anew and not extra and not hidden.assigns(function.__code__)


def enter(tracer: Tracer, function: FunctionType, path: Path) -> None:
    """Before a call of a function found at ``path``: rely on its code, and know its variables by path."""
    for part in ("__code__", "__globals__", "__defaults__", "__kwdefaults__"):
        tracer.guards.identity(paths.attribute(path, part), getattr(function, part))
    tracer.guards.structure(paths.attribute(path, "__dict__"), function.__dict__)
    cells = paths.attribute(path, "__closure__")
    for number, cell in enumerate(function.__closure__ or ()):
        tracer.given[id(cell)] = (cell, paths.attribute(paths.item(cells, number), "cell_contents"))
    tracer.given[id(function)] = (function, path)


def placed(tracer: Tracer, path: Path) -> Path:
    """The path to a variable: through the function that captures it, where that is given anew."""
    if isinstance(path, paths.Cell):
        found: tuple[CellType | FunctionType, Path] | None = tracer.given.get(id(path.cell))
        return path if found is None else found[1]
    if isinstance(path, paths.Attribute):
        parent = placed(tracer, path.parent)
        return path if parent is path.parent else paths.attribute(parent, path.name)
    return path


def is_given(tracer: Tracer, function: Any) -> bool:
    """Whether this is a function that :func:`enter` has seen."""
    return id(function) in tracer.given
