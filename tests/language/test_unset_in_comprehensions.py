"""A comprehension that reads a name which is not set raises what the running Python raises.

From Python 3.12 on, list, set and dict comprehensions run in the function around them, so that a name is a
local variable there; before, and in generators and lambdas still, it is a free one.
"""
from __future__ import annotations

import numpy as np
import pytest
from equivalence import check


def in_a_list(x, n):
    if n > 5:
        y = 1
    return [v + y for v in x if v > 0]


def in_a_condition(x, n):
    if n > 5:
        y = 1
    return {v: 1 for v in range(n) if v > y}


def in_a_set(x, n):
    while n > 5:
        y = 1
        n -= 1
    return {v + y for v in range(n)}


def in_a_nested_one(x, n):
    if n > 5:
        y = 1
    return [[v + w + y for w in range(n)] for v in x]


def in_the_second_loop(x, n):
    if n > 5:
        y = 1
    return [v + w for v in x for w in range(y)]


def in_the_first_iterable(x, n):
    if n > 5:
        y = x
    return [v for v in y if v > 0]


def set_behind(x, n):
    z = [v + y for v in x if v > 0]
    y = 1
    return z, y


def deleted(x, n):
    y = 1
    if n < 5:
        del y
    return [v + y for v in x if v > 0]


def inside_an_arm(x, n):
    z = 0
    if n < 5:
        z = [v + y for v in range(n)]
        y = 1
    return z


def inside_an_arm_that_binds_elsewhere(x, n):
    z = 0
    if n < 5:
        z = [v + y for v in range(n)]
    else:
        y = 1
    return z


def in_a_loop(x, n):
    found = []
    for i in range(n):
        if i > 1:
            found.append([v + y for v in x if v > i])
        if i > 2:
            y = i
    return found


def in_a_generator(x, n):
    if n > 5:
        y = 1
    return sum(v + y for v in x if v > 0)


def in_any(x, n):
    if n > 5:
        y = 1
    return any(v > y for v in range(n))


def of_a_list_in_a_generator(x, n):
    if n > 5:
        y = 1
    return list(sum([v + w + y for w in range(n)]) for v in range(n))


def in_a_lambda(x, n):
    if n > 5:
        y = 1
    g = lambda: [v + y for v in x if v > 0]
    return g()


def in_an_inner_function(x, n):
    def g():
        return [v + y for v in x if v > 0]

    if n > 5:
        y = 1
    return g()


def in_a_handler(x, n):
    try:
        if n > 5:
            y = 1
        z = [v + y for v in x if v > 0]
    except NameError as error:
        z = type(error).__name__
    return z


def captured_too(x, n):
    g = lambda: y
    if n > 5:
        y = 1
    z = [v + y for v in x if v > 0]
    return z, g()


def with_a_walrus(x, n):
    if n > 5:
        y = 1
    return [(z := v) + y for v in x if v > 0], z


def with_a_walrus_read_too_early(x, n):
    if n > 5:
        z = 1
    return [z + (z := v) for v in x if v > 0]


def with_a_walrus_in_a_generator(x, n):
    if n > 5:
        y = 1
    return any((z := v) > y for v in range(n)), z


def with_a_walrus_over_what_is_unset(x, n):
    if n > 5:
        y = x
    return [(z := v) for v in y if v > 0], z


FUNCTIONS = [each for each in [*globals().values()] if getattr(each, "__module__", "") == __name__]
FUNCTIONS = [each for each in FUNCTIONS if callable(each)]


@pytest.mark.parametrize("n", [3, 7])
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_the_exception_is_that_of_the_running_python(f, n) -> None:
    """Class and message, plain, converted and staged; and the value where the name is set."""
    check(f, np.arange(4.0), n)
