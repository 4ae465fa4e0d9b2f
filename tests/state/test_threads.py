"""Threads: tracing is of its thread; concurrent first calls trace once; every call gives its own result."""
from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag

THREADS = 8


@pytest.fixture(autouse=True)
def switch_often():
    """Let threads change places as often as Python can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(work, arguments):
    """The results of ``work`` on each of the arguments, begun at the same time in a thread each."""
    barrier = threading.Barrier(len(arguments))

    def begin(argument):
        barrier.wait()
        return work(argument)

    with ThreadPoolExecutor(len(arguments)) as pool:
        return list(pool.map(begin, arguments))


def test_concurrent_first_calls_trace_once() -> None:
    """The others wait for it."""

    @ag.function
    def f(x):
        total = 0.0
        for i in range(20):
            if x > i:
                total += x * i
        return total

    plain = f.python_function
    arguments = [float(k) for k in range(THREADS)]
    assert together(f, arguments) == [plain(x) for x in arguments]
    assert f.trace_count == 1


def test_threads_with_different_types_get_their_own_traces() -> None:
    """Each result has the kind of its argument."""

    @ag.function
    def f(x):
        return x * 2 + 1

    arguments = [1, 2.0, np.float32(3), np.arange(3), np.arange(4.0), "ab", (1,), True][:6]
    arguments = [each for each in arguments if not isinstance(each, str)]
    found = together(f, arguments)
    for one, other in zip(found, map(f.python_function, arguments), strict=True):
        assert type(one) is type(other) and np.array_equal(one, other)


def test_plain_code_beside_a_trace_stays_plain() -> None:
    """The tracer of one thread sees nothing of another."""
    stop = threading.Event()
    wrong = []

    def plain_work():
        converted = ag.convert(lambda x: [x + 1 if x > 0 else -x for _ in range(3)])
        while not stop.is_set():
            if converted(1) != [2, 2, 2]:
                wrong.append(1)

    thread = threading.Thread(target=plain_work)
    thread.start()
    try:
        for k in range(20):

            @ag.function
            def f(x, k=k):
                return [x + k, x * k]

            assert f(2.0) == [2.0 + k, 2.0 * k]
    finally:
        stop.set()
        thread.join()
    assert not wrong


def test_one_function_called_from_another_in_many_threads() -> None:
    """Locks are taken in one order."""

    @ag.function
    def inner(x):
        return x + 1

    @ag.function
    def outer(x):
        return inner(x) * 2

    found = together(lambda k: (inner if k % 2 else outer)(float(k)), list(range(THREADS)))
    assert found == [k + 1.0 if k % 2 else (k + 1.0) * 2 for k in range(THREADS)]


def test_arrays_of_several_threads_do_not_mix() -> None:
    """A program has no memory of its own that two calls share."""

    @ag.function
    def f(x):
        y = x * 2
        y += 1
        z = np.sqrt(y) * x
        return (z - y).sum()

    arguments = [np.full(5000, float(k)) for k in range(THREADS)]
    f(arguments[0])
    for _ in range(20):
        assert together(f, arguments) == [f.python_function(x) for x in arguments]


def test_a_guard_that_fails_in_many_threads_retraces_once() -> None:
    """And each thread sees the new value."""
    state = SimpleNamespace(mode="double")

    @ag.function
    def f(x):
        return x * 2 if state.mode == "double" else x + 100

    f(1)
    state.mode = "add"
    assert together(f, [k + 0 for k in range(THREADS)]) == [k + 100 for k in range(THREADS)]
    assert f.trace_count == 2


def test_a_failure_in_one_thread_leaves_the_others_alone() -> None:
    """Even at the first call."""

    @ag.function
    def f(x):
        if x == 3:
            raise ValueError("three")
        return 10 // x

    def safe(x):
        try:
            return f(x)
        except (ValueError, ZeroDivisionError) as error:
            return type(error)

    assert together(safe, [0, 1, 2, 3, 4, 5]) == [ZeroDivisionError, 10, 5, ValueError, 2, 2]
