"""Sample functions in every mode, held against plain Python: a thin room over ``autograph.testing``.

A test module asks for ``check``; a table of cases goes through :func:`parametrize`.
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from autograph.runtime.testing import Difference, assert_graph, check, expect_traces

__all__ = ["Difference", "assert_graph", "check", "expect_traces", "parametrize"]


def parametrize(cases: Iterable[tuple[Any, ...]]) -> pytest.MarkDecorator:
    """A decorator for a test that takes ``f`` and ``args``; each case is ``(function, *arguments)``."""
    cases = list(cases)
    names = [f"{f.__name__}-{number}" for number, (f, *_) in enumerate(cases)]
    return pytest.mark.parametrize(("f", "args"), [(f, tuple(args)) for f, *args in cases], ids=names)
