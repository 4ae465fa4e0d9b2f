"""``warnings.warn`` in converted code: the line that is warned of is that of the plain run.

Python counts frames.  Those of this package, and those of the parts that conversion makes of one function,
are none of the user's.
"""

from __future__ import annotations

import operator
import os
import sys
import warnings
from collections.abc import Callable
from types import FrameType
from typing import Any

from autograph.qualified_names import function_of

_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def is_plain(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a call of ``warnings.warn`` asks for a level of the stack, and for nothing else of it."""
    return 0 < len(args) <= 4 and set(kwargs) <= {"category", "stacklevel", "source"}


def warn(is_converted: Callable[[Any], bool], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """``warnings.warn(*args, **kwargs)`` for the code that called the operator."""
    if not is_plain(args, kwargs):
        warnings.warn(*args, **kwargs)
        return
    level = max(operator.index(args[2] if len(args) > 2 else kwargs.get("stacklevel", 1)), 1)
    place: FrameType | None = None
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_OWN):
            place = place or frame
            code = frame.f_code
            if not is_converted(code) or function_of(code) == code.co_name:
                level -= 1
                if not level:
                    warn_at(
                        place.f_code.co_filename,
                        place.f_lineno,
                        place.f_globals,
                        *args[:2],
                        **_rest(args, kwargs),
                    )
                    return
                place = None
        frame = frame.f_back
    warnings.warn(*args, **kwargs)  # there is no such level


def _rest(args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    found = {name: value for name, value in kwargs.items() if name != "stacklevel"}
    return {**found, "source": args[3]} if len(args) > 3 else found


def warn_at(
    filename: str,
    line: int,
    namespace: dict[str, Any],
    message: Any,
    category: Any = None,
    source: Any = None,
) -> None:
    """Warn of a line of the module with this namespace, once for each place as the filters say.

    Raises:
        TypeError: ``category`` is no class of warnings.
    """
    if isinstance(message, Warning):
        category = type(message)
    elif category is None:
        category = UserWarning
    elif not (isinstance(category, type) and issubclass(category, Warning)):
        warnings.warn(message, category, stacklevel=2)  # raises
    registry = namespace.setdefault("__warningregistry__", {})
    module = namespace.get("__name__") or "<string>"
    warnings.warn_explicit(message, category, filename, line, module, registry, source=source)
