"""What is staged itself is converted or refused: it never runs as plain Python."""

from __future__ import annotations

import statistics

import pytest

import autograph as ag
from autograph.errors import SourceError, UnsupportedSyntaxError


def test_a_function_without_source_is_refused():
    """Made by ``exec`` without a text: one clear error, at every call."""
    names = {}
    exec("def f(x):\n    return x + 1\n", names)
    staged = ag.function(names["f"])
    for _ in range(2):
        with pytest.raises(SourceError, match="source"):
            staged(1)
    assert staged.trace_count == 0


def test_the_text_that_exec_runs_is_found():
    """A function decorated in it: the frame that calls exec has the text, as a constant or in a name."""
    names = {"ag": ag}
    exec("@ag.function\ndef f(x):\n    return x + 1 if x > 0 else x\n", names)
    text = "@ag.function\ndef g(x):\n    while x < 10:\n        x = x * 2\n    return x\n"
    exec(text, names)
    assert [names["f"](1), names["f"](-1), names["g"](3)] == [2, -1, 12]
    assert names["g"].get_concrete_function(3).graph.find("while")


def test_generators_and_coroutines_are_refused_at_their_line():
    """They give results while their caller goes on, which no graph does."""

    def items(n):
        yield n

    async def later(n):
        return n

    for f, kind in ((items, "generator"), (later, "asynchronous")):
        with pytest.raises(UnsupportedSyntaxError, match=f"the {kind} function") as caught:
            ag.function(f)(1)
        assert caught.value.lineno == f.__code__.co_firstlineno
        assert caught.value.filename == __file__


def test_a_function_of_an_installed_package_is_converted_when_it_is_staged_itself():
    """``function`` names it, so it is traced through like the user's own."""
    staged = ag.function(statistics.NormalDist.pdf)
    bell = statistics.NormalDist(1.0, 2.0)
    assert staged(bell, 0.5) == bell.pdf(0.5)
    assert staged.get_concrete_function(bell, 0.5).graph.find("call_value") == []
    assert len(list(staged.get_concrete_function(bell, 0.5).graph.walk())) > 3


def test_defaults_are_those_that_the_function_has_at_the_call():
    """Of the staged function itself, and of a function that it calls."""

    def inner(x, y=1):
        return x + y

    def outer(x, y=10, *, z=100):
        return inner(x) + y + z

    staged = ag.function(outer)
    assert staged(0) == outer(0) == 111
    inner.__defaults__ = (2,)
    assert staged(0) == outer(0) == 112
    outer.__defaults__ = (20,)
    outer.__kwdefaults__["z"] = 200
    assert staged(0) == outer(0) == 222
    assert staged(0, 1, z=3) == outer(0, 1, z=3)
