"""Sample functions in every mode, held against plain Python: a thin room over ``autograph.testing``.

A test module asks for ``check``; a table of cases goes through :func:`parametrize`, or is :class:`Cases`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import pytest

from autograph.runtime.testing import Difference, assert_graph, check, expect_traces

__all__ = ["Cases", "Difference", "assert_graph", "check", "expect_traces", "parametrize"]

F = TypeVar("F", bound=Callable[..., Any])


def parametrize(cases: Iterable[tuple[Any, ...]]) -> pytest.MarkDecorator:
    """A decorator for a test that takes ``f`` and ``args``; each case is ``(function, *arguments)``."""
    cases = list(cases)
    names = [f"{f.__name__}-{number}" for number, (f, *_) in enumerate(cases)]
    return pytest.mark.parametrize(("f", "args"), [(f, tuple(args)) for f, *args in cases], ids=names)


class Cases:
    """A table of cases that sample functions enter by a decorator.

    With ``case = Cases()``, ``@case((4,), (0,))`` adds a function, once for each tuple of arguments, and
    ``@case.parametrize()`` is for a test that takes ``f`` and ``args``.
    """

    def __init__(self) -> None:
        self.all: list[tuple[Any, tuple[Any, ...]]] = []
        self.names: list[str] = []

    def __call__(self, *arguments: tuple[Any, ...]) -> Callable[[F], F]:
        def add(f: F) -> F:
            self.all += [(f, args) for args in arguments]
            self.names += [f"{f.__name__}-{number}" for number in range(len(arguments))]
            return f

        return add

    def parametrize(self) -> pytest.MarkDecorator:
        """A decorator for a test that takes ``f`` and ``args``."""
        return pytest.mark.parametrize(("f", "args"), self.all, ids=self.names)
