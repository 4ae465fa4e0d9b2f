"""Converting functions of 5, 30 and 400 lines: how long, and is it linear in the length?"""
from __future__ import annotations

from collections.abc import Iterator

from timing import Row, load, once

import autograph as ag

TITLE = "convert(f)"
BLOCK = """\
    if x > {0}:
        x = x - total * {0}
    for i in range(n % 3):
        if total > 100:
            break
        total += abs(x) + i
"""


def text(lines: int) -> str:
    """A function of about so many lines, with an ``if`` or a ``for`` in every third of them."""
    if lines <= 5:
        return "def f(n, x):\n    while x < n:\n        x = x * 2\n    return x\n"
    blocks = "".join(BLOCK.format(number) for number in range((lines - 3) // 6))
    return f"def f(n, x):\n    total = 0\n{blocks}    return total, x\n"


def rows() -> Iterator[Row]:
    once(ag.convert, lambda: load(text(30)), repeats=1)  # what is only paid by the first conversion of all
    last = None
    for lines, goal in ((5, 0.005), (30, 0.030), (400, 0.400)):
        times = once(ag.convert, lambda lines=lines: load(text(lines)))
        yield Row(f"{lines} lines", times, last, "30 lines:" if lines == 400 else "", goal)
        last = times if lines == 30 else None
