"""``break``, ``continue`` and ``return`` wherever they may stand, and the ``else`` of loops."""
from __future__ import annotations

import numpy as np


def one_sided_return(x):
    if x > 0:
        return x * 2
    x = x - 1
    return x


def return_in_each_arm(x):
    if x > 10:
        return "large"
    elif x > 5:
        return "medium"
    else:
        if x == 0:
            return "zero"
    return "small"


def return_or_fall_off(x):
    if x > 0:
        return x


def break_and_continue(limit):
    total = 0
    for i in range(100):
        if i % 3 == 0:
            continue
        if i > limit:
            break
        total += i
    return total, i


def first_negative(values):
    for i, value in enumerate(values):
        if value < 0:
            return i, value
    return None


def search_with_else(values, wanted):
    for i in range(len(values)):
        if values[i] == wanted:
            place = i
            break
    else:
        place = -1
    return place


def while_else(n):
    steps = 0
    while n > 1:
        if steps > 5:
            break
        n //= 2
        steps += 1
    else:
        steps = -steps
    return n, steps


def forever(x):
    while True:
        x = x * 2 + 1
        if x > 100:
            break
        if x % 7 == 0:
            return -x
    return x


def return_from_nested_loops(grid, wanted):
    for i in range(grid.shape[0]):
        for j in range(grid.shape[1]):
            if grid[i, j] == wanted:
                return i, j
            if grid[i, j] < 0:
                break
    return -1, -1


def break_out_of_the_inner_loop_only(n):
    pairs = 0
    for i in range(n):
        j = 0
        while True:
            j += 1
            if i * j > 10 or j > 6:
                break
            if (i + j) % 2:
                continue
            pairs += 1
    return pairs


def continue_in_while(n):
    odd = 0
    while n > 0:
        n -= 1
        if n % 2 == 0:
            continue
        odd += n
    return odd


def return_in_else_of_loop(n):
    for i in range(n):
        if i == 4:
            break
    else:
        return "short"
    return "long", i


GRID = np.array([[1.0, 2.0, 3.0], [4.0, -1.0, 6.0], [7.0, 8.0, 9.0]])
CASES = [
    *[(one_sided_return, x) for x in (3, -3, 2.5, -0.0)],
    *[(return_in_each_arm, x) for x in (12, 7, 0, 3)],
    *[(return_or_fall_off, x) for x in (1, -1)],
    (break_and_continue, 10),
    (break_and_continue, 1000),
    (first_negative, np.array([1.0, -2.0, -3.0])),
    (first_negative, np.array([1.0, 2.0])),
    (search_with_else, np.array([3, 1, 2]), 1),
    (search_with_else, np.array([3, 1, 2]), 7),
    *[(while_else, n) for n in (20, 10**6, 0)],
    *[(forever, x) for x in (1, 3, 500)],
    *[(return_from_nested_loops, GRID, wanted) for wanted in (3.0, 6.0, 8.0, 100.0)],
    (break_out_of_the_inner_loop_only, 6),
    (continue_in_while, 9),
    *[(return_in_else_of_loop, n) for n in (3, 4, 5)],
]
