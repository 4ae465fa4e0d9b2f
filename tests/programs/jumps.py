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


def guards_with_work_between(a, b):
    # nothing to divide by
    if a == 0:
        return "none"
    x = b / a
    # below
    if x < 0:
        return x  # as it is
    if x > 100:
        x -= 100
        if x > 100:
            return "far"
    y = x * 2
    if y > 10:
        return y, x
    elif y == 4:
        raise ValueError(f"four of {x}")
    z = y + a
    if z == 3:
        return "three"
    return x, y, z


def guards_around_closures(x):
    steps = []

    def note(value):
        steps.append((value, last))
        return value

    last = x
    if note(x) > 10:
        return steps
    last = x + 1
    if note(last) > 10:
        return steps, last
    last += 1
    late = lambda: last  # noqa: E731
    if note(last) % 2:
        return steps, late()
    last = -1
    return steps, late()


def skip_and_stop_with_work_between(values, limit):
    total, seen = 0, 0
    for value in values:
        if value < 0:
            # not ours
            continue
        seen += 1
        half = value / 2
        if half > limit:
            break
        if half == 3:
            continue
        elif half == 4:
            pass
        else:
            total += half
        total += 1
    return total, seen


def long_choice(n, x):
    # the smallest first
    if n == 0:
        y = x
    # then the others
    elif n == 1:
        y = -x  # turned
        x = 0
    elif n == 2:
        pass
    elif x > 5 and n == 3:
        y, x = x, n
    else:
        # anything else
        y = 7
    return y, x


def guards_in_a_choice(n, x):
    if n == 0:
        if x > 3:
            return "a"
        x += 1
        if x == 3:
            return "b"
        y = x
    elif n == 1:
        return x
    else:
        y = 5
    z = y + x
    if z > 8:
        return z
    return y, z


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
    *[(guards_with_work_between, 1, b) for b in (-1, 150, 300, 7, 2, 1)],
    *[(guards_with_work_between, a, b) for a, b in ((0, 1), (2, 1), (2.0, 3.0))],
    *[(guards_around_closures, x) for x in (11, 10, 1, 2)],
    (skip_and_stop_with_work_between, np.array([1, -1, 6, 8, 5, 40, 3]), 10),
    (skip_and_stop_with_work_between, [6, 8.5], 10),
    *[(long_choice, n, x) for n, x in ((0, 3), (1, 3), (2, 3), (3, 3), (3, 9), (4, 9))],
    *[(guards_in_a_choice, n, x) for n, x in ((0, 4), (0, 2), (0, 1), (1, 3), (2, 3), (2, 9))],
]
