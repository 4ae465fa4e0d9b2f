"""Reading the user's text again without warning again: Python warned when it compiled the text itself.

``warnings.catch_warnings`` would not do.  It makes Python forget which warnings it has shown, so the plain
program would show some of them once and the converted one twice.
"""

from __future__ import annotations

import contextlib
import re
import threading
import warnings
from collections.abc import Iterator
from typing import Any, cast

_one_at_a_time = threading.RLock()
"""The filters are those of all threads, and so is the depth of trees that CPython counts."""


@contextlib.contextmanager
def silent(filename: str) -> Iterator[None]:
    """Nothing that is parsed or compiled under this file name warns inside the ``with`` block.

    One thread at a time is in it.

    >>> with silent("user.py"):
    ...     code = compile("x is 1", "user.py", "eval")
    """
    module = re.compile(re.escape(filename.removesuffix(".py")) + r"\Z")  # as Python names it in the warning
    entry = ("ignore", None, Warning, module, 0)
    filters = cast("list[Any]", warnings.filters)
    with _one_at_a_time:
        filters.insert(0, entry)
        try:
            yield
        finally:
            filters.remove(entry)
