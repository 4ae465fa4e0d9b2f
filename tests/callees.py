"""What tests of calls call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


def two(a, b):
    return a * 10 + b


class P(NamedTuple):
    x: int
    y: int = 7


@dataclass
class D:
    x: int
    y: int = 5


class K:
    def __init__(self, *args, **kw):
        self.args = args
        self.kw = kw

    def m(self, *xs, **kw):
        return len(xs), xs, kw

    @staticmethod
    def s(*xs):
        return sum(xs)

    @classmethod
    def c(cls, *xs):
        return xs, cls.__name__
