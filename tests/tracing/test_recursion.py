"""Recursion whose depth depends on data becomes call nodes, and does what the plain recursion does."""

from __future__ import annotations

import numpy as np
import pytest
from equivalence import check

import autograph as ag


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


def merge_sort(x):
    if len(x) <= 1:
        return x
    middle = len(x) // 2
    left, right = merge_sort(x[:middle]), merge_sort(x[middle:])
    out = np.empty(len(x), x.dtype)
    i = j = 0
    for k in range(len(x)):
        if j >= len(right) or (i < len(left) and left[i] <= right[j]):
            out[k] = left[i]
            i += 1
        else:
            out[k] = right[j]
            j += 1
    return out


def hanoi(n, source="a", target="b", spare="c"):
    if n == 0:
        return 0
    moves = hanoi(n - 1, source, spare, target)
    print(source, "->", target)
    return moves + 1 + hanoi(n - 1, spare, target, source)


def fill(a, start, stop):
    """Bisects an array in place, through the caller's memory."""
    if start >= stop:
        return
    middle = (start + stop) // 2
    a[middle] = stop - start
    fill(a, start, middle)
    fill(a, middle + 1, stop)


def checked_depth(n, limit):
    if n > limit:
        raise ValueError(f"{n} is over {limit}")
    if n * n > 50:
        return n
    return checked_depth(n=n + 2, limit=limit)


def power(x, n):
    return 1 if n == 0 else x * power(x, n - 1)


def inner_recursion(n, step):
    def down(k):
        if k <= 0:
            return k
        return down(k - step)

    return down(n) + down(n + 1)


CASES = [
    (fib, 10),
    (fib, 1),
    (is_even, 7),
    (is_odd, 7),
    (merge_sort, np.array([3.0, 1, 2, 5, 4, 9, 8, 7, 6])),
    (hanoi, 3),
    (fill, np.zeros(9), 0, 9),
    (checked_depth, 1, 100),
    (checked_depth, 1, 3),
    (power, 2, 70),
    (power, 1.5, 3),
    (inner_recursion, 7, 3),
]


@pytest.mark.parametrize("case", CASES, ids=[f"{f.__name__}-{k}" for k, (f, *_) in enumerate(CASES)])
def test_a_recursive_function_does_what_the_plain_one_does(case):
    """In every mode, with output and exceptions."""
    f, *args = case
    check(f, *args)


def test_one_graph_serves_every_depth():
    """The function is traced once and its graph calls itself."""
    staged = ag.function(fib)
    assert [staged(n) for n in range(12)] == [fib(n) for n in range(12)]
    assert staged.trace_count == 1
    assert len(staged.get_concrete_function(3).graph.find("call")) == 3


def test_mutual_recursion_has_the_graphs_it_needs():
    """Two functions that call each other need one recursive graph, as the other one is traced through."""
    staged = ag.function(is_even)
    assert staged(100) is True and staged(101) is False
    callees = {node.parts[0].name for node in staged.get_concrete_function(1).graph.find("call")}
    assert callees == {"is_even"}


def test_endless_recursion_is_a_recursion_error_as_in_plain_python():
    """The program recurses as the plain function does, and fails as it does."""

    def down(n):
        return down(n - 1)

    with pytest.raises(RecursionError):
        ag.function(down)(3)


def collect(n, found):
    if n < 1:
        return found
    found.append(n)
    return collect(n - 2, found) if n % 2 else collect(n - 1, found)


def in_both_ways_out_of_a_try(n):
    x = n
    try:
        if n < 5:
            raise ValueError("bad", n)
    except ValueError:
        try:
            if n % 2 == 0:
                x -= 1
                raise ValueError("bad", n)
            if n == 3:
                raise ValueError("bad", n)
        finally:
            if n > 1:
                return abs(n)
            else:
                found = collect(n % 6, [])
    finally:
        pass
    return x, found


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_a_recursive_call_in_a_try_writes_nothing_of_the_caller(n) -> None:
    """Both ends of the ``try`` call the one graph, though they know the variables by other values."""
    check(in_both_ways_out_of_a_try, n)
