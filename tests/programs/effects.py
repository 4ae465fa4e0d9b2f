"""Output and exceptions: once, in order, at the user's line."""
from __future__ import annotations

import numpy as np


def print_in_loops(n):
    for i in range(n):
        if i % 2:
            print("odd", i)
        else:
            print(f"even {i:03d} {i / 4!r:>8}")
    print("done")


def print_in_one_arm(x):
    if x > 0:
        print("positive")
    return x


def prints_around_writes(x):
    print(x)
    x[0] = 9
    print(x)
    x += 1
    print(x)


def raise_under_a_test(x):
    if x < 0:
        raise ValueError(f"negative: {x}")
    return x**0.5


def raise_in_a_loop(values):
    total = 0
    for value in values:
        print(value)
        if value == 0:
            raise ZeroDivisionError("a zero")
        total += 1 / value
    return total


def division_by_zero(x, y):
    print("before")
    z = x // y
    print("after")
    return z


def bad_shapes(x, y):
    x[0] = 5.0
    return x @ y


def bad_index(x, i):
    x[0] = 1.0
    return x[i]


def assertion(x):
    assert x > 0, f"x is {x}"
    assert x < 10
    return x


def unset_name(x):
    if x > 0:
        y = x
    return y


def deleted_name(x):
    y = x
    if x > 0:
        del y
    return y


def short_circuit(x):
    return (x > 0 and noisy(x)) or noisy(-x)


def noisy(x):
    print("noisy", x)
    return x > 2


def chained(x):
    return 0 < loud(x) < 10


def loud(x):
    print("loud")
    return x


CASES = [
    (print_in_loops, 4),
    (print_in_one_arm, 1),
    (print_in_one_arm, -1),
    (prints_around_writes, np.arange(3)),
    (raise_under_a_test, 2.0),
    (raise_under_a_test, -2.0),
    (raise_in_a_loop, np.array([1.0, 2.0])),
    (raise_in_a_loop, np.array([1.0, 0.0, 2.0])),
    (division_by_zero, 1, 0),
    (division_by_zero, 7, 2),
    (bad_shapes, np.ones((2, 3)), np.ones((2, 3))),
    (bad_index, np.zeros(3), 2),
    (bad_index, np.zeros(3), 3),
    *[(assertion, x) for x in (5, 0, 11)],
    *[(unset_name, x) for x in (1, 0)],
    *[(deleted_name, x) for x in (1, 0)],
    *[(short_circuit, x) for x in (1, 3, -3, -1)],
    *[(chained, x) for x in (5, 50, -5)],
]
