"""Whole modules are transpiled in place."""

from __future__ import annotations

from typing import Any

import autograph as ag
from autograph.convert import convert_module

TEXT = '''"""A module."""
from __future__ import annotations
import math

LIMIT = 3  # most


def f(x):
    # look
    if x > LIMIT:
        return math.sqrt(x)
    return x


class C:
    """A class."""

    scale = 2

    def __init__(self, k):
        self.__k = k

    def m(self, x):
        total = 0
        for i in range(x):
            total += self.__k * self.scale
        return total, super().__eq__(self)


def numbers():
    yield 1
'''


def run(text: str) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": "made"}
    exec(compile(text, "made.py", "exec"), space)
    return space


def test_the_module_does_the_same() -> None:
    """Functions and methods, private names and ``super`` too."""
    plain, made = run(TEXT), run(convert_module(TEXT, "made.py"))
    for x in (1, 16):
        assert plain["f"](x) == made["f"](x) and plain["C"](2).m(x) == made["C"](2).m(x)
    assert list(made["numbers"]()) == [1] and made["__doc__"] == "A module."


def test_the_import_comes_after_docstring_and_future() -> None:
    """Comments stay, and the one import stands where Python allows it."""
    lines = convert_module(TEXT).splitlines()
    assert lines.index("import autograph as ag") == lines.index("from __future__ import annotations") + 1
    assert "LIMIT = 3  # most" in lines and "    # look" in lines


def test_an_import_of_ours_is_used() -> None:
    """A module that imports autograph already gets no second import."""
    text = convert_module("import autograph as au\n\n@au.function\ndef f(x):\n    return x and 1\n")
    assert text.count("import autograph") == 1 and "au.and_(" in text and "@" not in text
    assert run(text)["f"](2) == 1 and ag
