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
    if is_plain(args, kwargs):
        _warn(is_converted, *args, **kwargs)
    else:
        warnings.warn(*args, **kwargs)


def _warn(
    is_converted: Callable[[Any], bool],
    message: Any,
    category: Any = None,
    stacklevel: Any = 1,
    source: Any = None,
) -> None:
    level = max(operator.index(stacklevel), 1)
    place: FrameType | None = None
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(_OWN):
            place = place or frame
            if not is_converted(code) or function_of(code) == code.co_name:
                level -= 1
                if not level:
                    where = place.f_code.co_filename, place.f_lineno, place.f_globals
                    warn_at(*where, message, category, source)
                    return
                place = None
        frame = frame.f_back
    warnings.warn(message, category, stacklevel, source)  # there is no such level


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
