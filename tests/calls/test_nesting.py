"""Staged functions that call each other, plain ones among them, and graphs switched off."""

from __future__ import annotations

import sys
import threading

import numpy as np
import pytest
from equivalence import check

import autograph as ag


@ag.function
def double(x):
    return x + x


@ag.function
def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)


def test_a_staged_function_is_part_of_the_graph_that_calls_it():
    """And counts as traced."""

    def f(x):
        return double(x) * double(x)

    check(f, 3)
    before = double.trace_count
    staged = ag.function(f)
    assert staged(2) == 16
    assert double.trace_count == before + 1
    assert [node.op.name for node in staged.concrete_functions[0].graph.walk()].count("add") == 1


def test_a_staged_function_calls_itself():
    """To a depth that depends on data."""
    assert [factorial(n) for n in (1, 5, 10)] == [1, 120, 3628800]
    assert factorial.trace_count >= 1


def test_staged_functions_in_a_dict():
    """Found while tracing."""
    table = {"double": double}

    def f(x):
        return table["double"](x)

    check(f, 3)


def test_do_not_convert_stays_plain():
    """One call of the graph, done by Python."""

    @ag.do_not_convert
    def plain(x):
        return x + sys.getrecursionlimit() * 0

    @ag.function
    def f(x):
        return plain(x) + 1

    assert f(1) == 2
    assert "plain" in str(f.concrete_functions[0].graph)


def test_run_eagerly_as_a_block():
    """Inside, nothing is traced and Python itself runs."""
    seen = []

    @ag.function
    def f(x):
        seen.append(type(x))
        return x + 1

    with ag.run_eagerly():
        assert f(1) == 2 and f.trace_count == 0
        assert sys._getframe().f_code.co_name  # a debugger sees plain frames
        with ag.run_eagerly(False):
            f(1)
            assert f.trace_count == 1
        f("a"[:0].__len__())
        assert f.trace_count == 1
    assert f(1.0) == 2.0 and f.trace_count == 2
    assert seen == [int, int, int, float]


def test_run_eagerly_as_a_switch():
    """For functions that are there and those to come."""
    ag.run_eagerly(True)
    try:
        f = ag.function(lambda x: x)
        f(1), double(1)
        assert f.trace_count == 0
    finally:
        ag.run_eagerly(False)
    f(1)
    assert f.trace_count == 1


def test_run_eagerly_is_left_with_an_error():
    """The switch goes back."""
    with pytest.raises(ZeroDivisionError), ag.run_eagerly():
        ag.function(lambda x: 1 / x)(0)
    f = ag.function(lambda x: x)
    f(1)
    assert f.trace_count == 1


def test_threads_trace_once():
    """First calls at one time: one makes the trace, the others wait for it."""

    @ag.function
    def f(x):
        for i in range(3):
            x = x + i
        return x

    results = []
    barrier = threading.Barrier(8)

    def run(k):
        barrier.wait()
        results.append((k, f(np.full(2, float(k)))))

    threads = [threading.Thread(target=run, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((result == k + 3).all() for k, result in results) and len(results) == 8
    assert f.trace_count == 1
