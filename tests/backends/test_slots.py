"""What a ``try`` keeps for its handlers is a local of the program, not a list."""

from __future__ import annotations

import contextlib
import textwrap

import numpy as np
import pytest

import autograph as ag
from autograph.runtime.testing import check


def text_of(f, *args) -> str:
    staged = ag.function(f)
    with contextlib.suppress(Exception):
        staged(*args)
    return staged.concrete_functions[-1].code


def counted(xs):
    n = 0
    for x in xs:
        try:
            n += 10 // x
        except ZeroDivisionError:
            n -= 1
    return n


def skipped(xs):
    n = 0
    for x in xs:
        try:
            y = 10 // x
        except ZeroDivisionError:
            continue
        n += y
    return n


def in_the_middle(xs, k):
    a, b = 0, 1
    try:
        a = xs[0]
        a, b = b, a
        b += xs[k]
        a = xs[k + 1]
    except IndexError:
        a, b = b + 100, a
    finally:
        b = -b
    return a, b


def loop_in_a_try(xs, k):
    done = 0
    last = None
    try:
        for x in xs:
            last = x
            if x == k:
                continue
            done += 12 // (x - k + 1)
            last = -x
    except ZeroDivisionError:
        done = -done
    return done, last


def nested(xs, k):
    n = m = 0
    for x in xs:
        try:
            n += 1
            try:
                m += 10 // (x - k)
                n += 10
            except ZeroDivisionError:
                m = n
                n += xs[k] * 1000
            finally:
                m += 1
        except IndexError:
            n, m = m, n
        else:
            n += m
    return n, m


def swapped(xs, k):
    a, b = xs[0], xs[1]
    while k > 0:
        try:
            a, b = b, a
            b += 6 // (k - 2)
            a, b = b, a
        except ZeroDivisionError:
            b = a
        k -= 1
    return a, b


def in_arms(xs, k):
    y = 0
    try:
        if k > 1:
            y = 7
            xs[k]
            y = 8
        elif k < 0:
            y = 9
            xs[-k]
        else:
            xs[k - 1]
    except IndexError:
        y += 100
    return y


def suppressed(xs, k):
    y = 0
    with contextlib.suppress(IndexError):
        for i in range(5):
            y = y + xs[k + i]
    z = y
    with contextlib.suppress(ZeroDivisionError):
        z = 1
        z = 1 // k
        z += 1
    return y, z


def an_array(xs, k):
    a = np.arange(3) + 0
    b = a
    try:
        a += xs[k]
        a = a * 2
        a[xs[k + 1]] = 7
    except IndexError:
        a -= 1
    return a, b, a is b


CALLS = [
    (counted, ([1, 0, 3, 0],)),
    (counted, ([],)),
    (skipped, ([1, 0, 3],)),
    (skipped, ([0],)),
    *((f, ([1, 2, 3], k)) for k in (-5, 0, 1, 2, 3) for f in (in_the_middle, loop_in_a_try, nested, swapped)),
    *((f, ([1, 2, 3], k)) for k in (-5, 0, 1, 2, 3) for f in (in_arms, suppressed, an_array)),
]


@pytest.mark.parametrize(("f", "args"), CALLS)
def test_the_names_are_what_they_were_when_it_was_raised(f, args):
    """Wherever in the body that was."""
    check(f, *args)


def test_a_loop_with_a_try_is_written_as_the_user_wrote_it():
    """No name is kept twice where the body changes it last."""
    assert text_of(counted, list(range(100))) == textwrap.dedent("""\
        def counted(xs):
            n = 0
            for x in xs:
                try:
                    n += 10 // x
                except ZeroDivisionError as error:
                    n -= 1
            return n
        """)


@pytest.mark.parametrize("f", [in_the_middle, loop_in_a_try, nested, swapped, in_arms, suppressed])
def test_no_list_is_made(f):
    """Every cell that one function alone looks at is a local."""
    assert "_cell = [" not in text_of(f, list(range(100)), 1)
    assert "_cell[0]" not in text_of(f, list(range(100)), 1)


def test_what_an_inner_function_shares_stays_a_list():
    """A function of the program that is called in the body reads and writes the same cell."""

    def f(xs):
        n = 0

        def add(x, depth):
            nonlocal n
            n += 10 // x
            return n if depth == 0 else add(x - 1, depth - 1)

        for x in xs:
            try:
                add(x, 3)
            except ZeroDivisionError:
                n -= 1
        return n

    check(f, [5, 2, 7])
