"""What a user reads when a staged function fails: the same lines, with the same part of them marked."""
from __future__ import annotations

import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag
from autograph.runtime import attempts

from . import failing_asserts


def marked(call) -> list[tuple[int | None, ...]]:
    """Lines and columns of the frames of this file in the traceback, but for those of the test.

    The entry into a staged function is a frame at its ``def``.  Python 3.10 knows the lines only.
    """
    try:
        call()
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        return [
            tuple(getattr(frame, each, None) for each in ("lineno", "end_lineno", "colno", "end_colno"))
            for frame in frames
            if frame.filename in (__file__, failing_asserts.__file__)
            and not frame.name.startswith(("test_", "marked", "<lambda>"))
            and not (frame.line or "").startswith("def ")
        ]
    raise AssertionError("nothing was raised")


def index(x, i):
    y = x + 1
    return y[0] + x[i] * 2


def division(x, i):
    total = x.sum()
    return total + 1 // i


def shapes(x, i):
    return (x[1:] * 2) + (x * 3)


def in_a_loop(x, i):
    total = 0
    for k in range(20):
        total += x[k] + x[0]
    return total


def in_an_arm(x, i):
    if x[0] >= 0:
        return (x[0] - 1) + x[i + 1]
    return x[0]


def of_a_method(x, i):
    return x.reshape(2, 2).sum() + x.reshape(7).sum()


def linear_algebra(x, i):
    return 1.0 + np.linalg.inv(np.zeros((2, 2)) * x[0])


def over_many_lines(x, i):
    return np.add(
        x,
        np.concatenate([x, x])[i + 1 :],
    )


def a_raise(x, i):
    if x[0] < 1:
        raise ValueError("small")
    return x


def unpacking(x, i):
    a, b = x
    return a + b


def in_place(x, i):
    x[1:] += np.ones(5)
    return x


def assignment(x, i):
    x[:2] = np.ones(7)
    return x


def attribute(x, i):
    return x.sum() + x.nothing


def a_method_on_the_next_line(x, i):
    return (
        x
        .reshape(2, 2)
        .dot(
            np.ones(3),
        )
    )  # fmt: skip


def a_chain_of_methods(x, i):
    y = (x + 1
        .__add__(1)).reshape(
        7, 2
    ).sum()
    return y  # fmt: skip


def an_attribute_on_the_next_line(x, i):
    return (
        x
        .nothing
    )  # fmt: skip


FAILING = [
    index, division, shapes, in_a_loop, in_an_arm, of_a_method, linear_algebra, over_many_lines, a_raise,
    unpacking, in_place, assignment, attribute, a_method_on_the_next_line, a_chain_of_methods,
    an_attribute_on_the_next_line, failing_asserts.an_assert, failing_asserts.an_assert_over_lines,
    failing_asserts.an_assert_of_calls, failing_asserts.an_assert_of_a_name,
    failing_asserts.an_assert_of_parts, failing_asserts.an_assert_of_numbers,
    failing_asserts.an_assert_of_a_member, failing_asserts.an_assert_of_a_kind,
    failing_asserts.an_assert_of_a_choice,
]  # fmt: skip


@pytest.mark.parametrize("f", FAILING, ids=lambda f: f.__name__)
def test_the_line_is_the_users(f) -> None:
    """And no frame is lost or added but the entry."""
    i = 0 if f is division else 9
    plain = marked(lambda: f(np.arange(4.0), i))
    staged = marked(lambda: ag.function(f)(np.arange(4.0), i))
    assert [each[:1] for each in plain] == [each[:1] for each in staged]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="columns are known from Python 3.11 on")
@pytest.mark.parametrize("f", FAILING, ids=lambda f: f.__name__)
def test_the_part_of_the_expression_is_marked(f) -> None:
    """What Python would underline."""
    i = 0 if f is division else 9
    plain = marked(lambda: f(np.arange(4.0), i))
    staged = marked(lambda: ag.function(f)(np.arange(4.0), i))
    assert plain == staged


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Whoever runs the tests in the background may have told Python to ignore interrupts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_a_keyboard_interrupt_leaves_the_state_of_the_plain_run() -> None:
    """Whole iterations, as far as they came; then the function is usable."""
    state = SimpleNamespace(n=0, m=0)

    @ag.function
    def f(limit):
        while state.n < limit:
            state.n += 1
            state.m += 2
        return state.n

    f(10)
    import _thread

    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        f(10**12)
    timer.join()
    assert state.n > 10 and state.m in (2 * state.n, 2 * state.n - 2)
    state.n = state.m = 0
    assert f(5) == 5 and state.m == 10


def test_an_interrupt_while_tracing_leaves_the_function_usable(monkeypatch) -> None:
    """Nothing is kept of the trace that did not come to an end."""
    interrupted = [True]

    class Shape:
        def __iter__(self):
            if interrupted.pop():
                raise KeyboardInterrupt
            return iter((1, 2))

    def g(x):
        return x + 1

    staged = ag.function(g)
    trace = attempts.trace

    def stopped(*args):
        if interrupted and interrupted.pop():
            raise KeyboardInterrupt
        return trace(*args)

    monkeypatch.setattr(attempts, "trace", stopped)
    with pytest.raises(KeyboardInterrupt):
        staged(1)
    assert staged(1) == 2 and staged.trace_count == 1
