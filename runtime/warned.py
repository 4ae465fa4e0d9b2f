"""``warnings.warn`` in a graph: the line that is warned of is that of the plain run, though calls were traced
through.
"""

from __future__ import annotations

import operator
import sys
import warnings
from dataclasses import replace
from types import FrameType
from typing import TYPE_CHECKING, Any

from autograph.convert import is_converted_code
from autograph.operators.warned import is_plain, warn_at

from .builtins import handles
from .graph import Location, levels
from .location import is_own
from .ops import table

if TYPE_CHECKING:
    from .tracing import Tracer


@handles(warnings.warn)
def _warn(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    row = table.find_call(warnings.warn) or table.unknown_call(warnings.warn, "warn")
    if not is_plain(args, kwargs):
        return tracer.record(row, args, kwargs)
    warner = _Warner([(place, _namespace(place)) for place in reversed(levels(tracer.location()))])
    return tracer.record(replace(row, name=table.apart("warn", warner), function=warner), args, kwargs)


def _namespace(place: Location) -> dict[str, Any]:
    """That of the module with a place that is being traced."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if is_converted_code(frame.f_code) and frame.f_code.co_filename == place.filename:
            return frame.f_globals
        frame = frame.f_back
    return {"__name__": place.filename}


class _Warner:
    """Warns of the place of the call, of a call that it was traced through, or of one above the graph."""

    __name__ = "warn"

    def __init__(self, places: list[tuple[Location, dict[str, Any]]]) -> None:
        self.places = places

    def __call__(self, message: Any, category: Any = None, stacklevel: int = 1, source: Any = None) -> None:
        level = max(operator.index(stacklevel), 1)
        if level <= len(self.places):
            place, namespace = self.places[level - 1]
            warn_at(place.filename, place.line, namespace, message, category, source)
            return
        caller = _caller(level - len(self.places))
        if caller is None:  # there is no such level
            warnings.warn(message, category, sys.getrecursionlimit(), source)
        else:
            warn_at(caller.f_code.co_filename, caller.f_lineno, caller.f_globals, message, category, source)


def _caller(above: int) -> FrameType | None:
    """The user's frame so many levels above the program that warns; what enters a program is none."""
    frame: FrameType | None = sys._getframe(2)
    assert frame is not None
    program = frame.f_globals
    if not is_own(frame.f_code):
        frame = frame.f_back
    while frame is not None:
        if frame.f_globals is program:  # a call of a graph; one at the line of ``def`` only enters it
            is_users = frame.f_lineno != frame.f_code.co_firstlineno
        else:
            is_users = "__name__" in frame.f_globals and not is_own(frame.f_code)
        if is_users:
            above -= 1
            if not above:
                return frame
        frame = frame.f_back
    return None
