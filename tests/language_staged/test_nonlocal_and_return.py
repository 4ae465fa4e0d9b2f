"""What a function assigns in an arm that returns is seen by those that share the variable."""

from __future__ import annotations

import contextlib

from equivalence import parametrize

import autograph as ag


def counted(x):
    count = 0

    def go(k):
        nonlocal count
        if k > x:
            count += 1
            return
        print("no", k)

    go(0)
    go(5)
    return count


def both(x):
    count = 0

    def go(k):
        nonlocal count
        if k > x:
            count += 1
            return k
        count += 10
        return -k

    return go(0), go(5), count


def chain(x):
    count, last = 0, None

    def go(k):
        nonlocal count, last
        if k > x:
            count += 1
            return "more"
        if k == x:
            count += 10
            last = k
            return "same"
        if k == x - 1:
            return "before"
        count += 100
        return "less"

    return [go(k) for k in range(4)], count, last


def through_a_sibling(x):
    count = 0

    def bump():
        nonlocal count
        count += 1

    def go(k):
        if k > x:
            bump()
            return k
        bump()
        bump()
        print("no")

    return go(0), go(5), count


def owner(x):
    """The function that has the variable returns early itself."""
    count = 0

    def bump():
        nonlocal count
        count += 1

    def get():
        return count

    def inside():
        if x > 1:
            bump()
            return get()
        bump()
        bump()
        return get

    got = inside()
    return got if isinstance(got, int) else got(), count


def kept(x):
    seen = []

    def go(k):
        count = 0
        seen.append(lambda: count)
        if k > x:
            count = 1
            return k
        count = 2
        return None

    return go(0), go(5), [each() for each in seen]


def in_a_loop(x):
    found = 0

    def search(limit):
        nonlocal found
        for k in range(limit):
            if k > x:
                found += k
                return k
            found += 1
        return -1

    return search(2), search(5), found


def queens(n):
    count = 0
    columns = [-1] * 8

    def place(row):
        nonlocal count
        if row == n:
            count += 1
            return
        for column in range(n):
            for before in range(row):
                if columns[before] == column or abs(columns[before] - column) == row - before:
                    break
            else:
                columns[row] = column
                place(row + 1)

    place(0)
    return count


def before_more(n):
    z = 0
    g = lambda: z  # noqa: E731
    if n > 1:
        if n > 2:
            return "early"
        z = 2
    z = 1
    return g()


def in_loop_before_more(n):
    z = 0
    g = lambda: z  # noqa: E731
    for i in range(3):
        if n > 2:
            return "early", i
    z = 1
    return g()


def in_with_before_more(n):
    z = 0
    g = lambda: z  # noqa: E731
    with contextlib.nullcontext():
        if n > 2:
            return "early"
    z = 1
    return g()


def in_try_before_more(n):
    z = 0
    g = lambda: z  # noqa: E731
    try:
        if n > 2:
            return "early"
    finally:
        z += 3
    z = 1
    return g()


def beside_else(n):
    z = 0
    g = lambda: z  # noqa: E731
    for i in range(3):
        if n > 1:
            return i
        if n < 0:
            break
    else:
        z = -1
    return z, g()


def while_and_match(n):
    z = 0
    g = lambda: z  # noqa: E731
    while True:
        match n:
            case 0:
                z = 5
                break
            case 2:
                return "two", g()
            case k if k > 5:
                z = k
                return g
        n -= 1
        if n < 0:
            return "negative"
    else:
        z = 7
    return z, g()


def got(n):
    found = while_and_match(n)
    return found() if callable(found) else found


_FUNCTIONS = [before_more, in_loop_before_more, in_with_before_more, in_try_before_more, beside_else, got]
_FUNCTIONS += [counted, both, chain, through_a_sibling, owner, kept, in_a_loop]


@parametrize([(f, x) for f in _FUNCTIONS for x in (0, 1, 2, 3, 7)] + [(queens, 4), (queens, 5)])
def test_what_an_arm_assigns_before_it_returns_is_kept(f, args):
    """Results, and what the variable holds afterwards."""
    ag.testing.check(f, *args)
