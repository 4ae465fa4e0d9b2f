"""Conversion reads and compiles the user's text again, and Python warns about it no second time."""

from __future__ import annotations

import linecache
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag

TEXTS = {
    "is_a_literal": "def f(x):\n    return 1 if x is 1 else 2\n",
    "a_staged_is_with_a_literal": "def f(x):\n    y = x + 1\n    return 1 if y is () else 2\n",
    "assert_of_a_tuple": "def f(x):\n    if x > 100:\n        assert (x, 'big')\n    return x\n",
    "a_literal_called": "def f(x):\n    if x > 100:\n        return 1(2)\n    return x\n",
    "an_escape": "def f(x):\n    return x, '\\d'\n",
    "a_jump_out_of_finally": "def f(x):\n    try:\n        x = x + 1\n    finally:\n        return x\n",
    "a_lambda_among_others": "f, g = lambda x: x is 1, lambda x: x is 2\n",
}


def load(name: str) -> Callable[..., Any]:
    """The function ``f`` of the text; what Python says at that time it says to the user."""
    text, filename = TEXTS[name], f"/{name}.py"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    module: dict[str, Any] = {"np": np}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(text, filename, "exec"), module)
    return module["f"]


@pytest.mark.parametrize("name", TEXTS)
def test_converting_does_not_warn(name) -> None:
    """Nor does it fail where warnings are errors."""
    f = load(name)
    expected = f(3)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ag.to_code(f)
        assert ag.convert(f)(3) == expected
        assert ag.function(f)(3) == expected
        ag.testing.check(f, 3)
    assert not caught


def test_warnings_that_were_shown_are_not_forgotten() -> None:
    """A warning that is shown once a place is shown once, converted or not."""

    def shown(x):
        warnings.warn("careful", UserWarning, stacklevel=1)
        return x

    warned = [load(name) for name in TEXTS]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        shown(1)
        for f in warned:
            ag.convert(f)(1)
        shown(1)
    assert len(caught) == 1
