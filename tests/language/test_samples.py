"""Transpiled code on plain values is the plain function: one corner of the language a sample."""

from __future__ import annotations

import inspect
import linecache
import traceback
from typing import Any

import pytest
import samples
from samples import SAMPLES, Account

import autograph as ag
from autograph.convert import convert, converted, do_not_convert, left_alone
from autograph.errors import SourceError, UnsupportedSyntaxError

CASES = [pytest.param(f, args, id=f"{f.__name__}-{n}") for f, many in SAMPLES for n, args in enumerate(many)]


def outcome(f: Any, args: Any) -> Any:
    try:
        return f(*args)
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize(("f", "args"), CASES)
def test_converted_does_the_same(f: Any, args: Any) -> None:
    """Result or exception are those of the plain function."""
    assert outcome(convert(f), args) == outcome(f, args)


@pytest.mark.parametrize("f", [f for f, _ in SAMPLES], ids=lambda f: f.__name__)
def test_the_text_runs_when_pasted(f: Any) -> None:
    """``to_code`` gives text that runs behind the one import, and does the same."""
    space = dict(vars(samples), ag=ag)
    exec(ag.to_code(f).replace("@sample", "@(lambda *_: lambda f: f)"), space)
    for args in dict(SAMPLES)[f]:
        assert outcome(space[f.__name__], args) == outcome(f, args)


def test_everything_else_of_the_function_is_kept() -> None:
    """Name, defaults, annotations, globals and attributes are the user's."""

    def f(a: int, *, b: str = "x") -> str:
        """Doc."""
        return b if a else "none"

    f.note = 3
    g = convert(f)
    assert (g.__name__, g.__qualname__, g.__doc__, g.__module__) == (
        f.__name__,
        f.__qualname__,
        "Doc.",
        __name__,
    )
    assert inspect.signature(g) == inspect.signature(f)
    assert g.__globals__ is f.__globals__ and g.note == 3 and g(1) == "x"


def test_closure_cells_are_shared() -> None:
    """A write by the converted function is seen by the original, and the other way round."""
    count = 0

    def step(by):
        nonlocal count
        if by:
            count += by
        return count

    assert convert(step)(2) == 2 and count == 2 and step(1) == 3 and count == 3


def test_a_lambda_is_found_among_several_on_its_line() -> None:
    """The place of the code tells lambdas on one line apart."""
    first, second = (lambda x: x or 1), (lambda x: x or 2)
    assert convert(first)(0) == 1 and convert(second)(0) == 2
    assert "2" in ag.to_code(second)


def test_the_traceback_shows_the_users_line() -> None:
    """An exception in converted code points into the user's file."""

    def f(x):
        if x:
            y = 1
            return y / 0

    with pytest.raises(ZeroDivisionError) as caught:
        convert(f)(1)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.filename == __file__ and last.line == "return y / 0"


def test_what_is_left_alone() -> None:
    """Library functions, classes and marked functions are not converted."""

    @do_not_convert
    def kept(x):
        return x and 1

    for f in (len, inspect.signature, Account, kept, print):
        assert converted(f) is f
    assert left_alone(kept) == "marked with do_not_convert"
    again = convert(late := samples.early_return)
    assert converted(again) is again and converted(late) is converted(late)


def test_a_function_without_source_says_so() -> None:
    """The error names the function and the ways out."""
    space: dict[str, Any] = {}
    exec("def f(x):\n    return x and 1\n", space)
    with pytest.raises(SourceError, match="no source text for `f`"):
        convert(space["f"])
    assert converted(space["f"]) is space["f"]


def test_source_from_linecache_and_from_the_hook() -> None:
    """Generated code brings its text along."""
    text = "def f(x):\n    return x and 1\n"
    linecache.cache["<made>"] = (len(text), None, text.splitlines(keepends=True), "<made>")
    space: dict[str, Any] = {}
    exec(compile(text, "<made>", "exec"), space)
    assert convert(space["f"])(3) == 1
    space = {"__graph_source__": text}
    exec(compile(text, "<hooked>", "exec"), space)
    assert convert(space["f"])(3) == 1


def test_looking_into_the_frame_is_refused() -> None:
    """``locals()`` would show another frame: the error names the place and the way out."""

    def f(x):
        return locals()

    with pytest.raises(
        UnsupportedSyntaxError, match=r"locals\(\).*\n.*test_samples.py:\d+\n +return locals\(\)"
    ):
        convert(f)
