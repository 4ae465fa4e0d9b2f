"""Random programs do in every mode what they do in plain Python.

A failure shows the smallest program that hypothesis found.  To run it again, paste its text into a module.
"""
from __future__ import annotations

import contextlib
import io
import os
import signal
from collections.abc import Iterator

import pytest
from equivalence import check
from hypothesis import given, note, settings

from generator.loading import arguments, load
from generator.writing import THEMES, Theme, programs

PROGRAMS = 1000 if os.environ.get("AUTOGRAPH_LONG") else 30  # of each theme: 600 in all, and 20,000

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

each_theme = pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)


@contextlib.contextmanager
def within(seconds: float) -> Iterator[None]:
    """Turn a run that does not end into a TimeoutError, which is then a difference like another.

    Only the time counts that this process computes: a busy machine makes no difference.
    """

    def give_up(number: int, frame: object) -> None:
        raise TimeoutError(f"no answer in {seconds:g} s")

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def explain(text: str, values: tuple[object, ...]) -> str:
    return f"\n{text}\nf(*{values!r})"


MAY_RAISE = (
    ValueError, TypeError, NameError, ArithmeticError, LookupError,
    AssertionError,  # programs hold asserts
)  # fmt: skip


@each_theme
def test_programs_are_valid_and_end(theme: Theme) -> None:
    """The generator itself: what it writes compiles, ends, and mostly does not raise."""
    raised = []

    @settings(max_examples=30, database=None)
    @given(programs(theme))
    def run(program):
        text, values = program
        f = load(text)
        with within(5), contextlib.redirect_stdout(io.StringIO()):
            try:
                f(*arguments(values))
            except MAY_RAISE as error:
                raised.append(error)

    run()
    assert len(raised) < 20


@each_theme
def test_converted_programs_are_the_plain_ones(theme: Theme) -> None:
    """Transpiled code on plain values is the plain function."""

    @settings(max_examples=PROGRAMS)
    @given(programs(theme))
    def run(program):
        text, values = program
        note(explain(text, values))
        with within(20):
            check(load(text), *arguments(values), modes=["converted"])

    run()


@each_theme
def test_staged_programs_are_the_plain_ones(theme: Theme) -> None:
    """The NumPy program, and the graph in random valid orders, are the plain function."""

    @settings(max_examples=PROGRAMS)
    @given(programs(theme))
    def run(program):
        text, values = program
        note(explain(text, values))
        with within(20):
            check(load(text), *arguments(values), modes=["staged", "interpreted"], orders=2)

    run()
