"""A variable is that of the function also where nothing reaches the statement that makes it so."""

from __future__ import annotations

from equivalence import parametrize

import autograph as ag


def returned(n):
    def f():
        nonlocal z
        z = n

    f()
    if n > 1:
        return z
    return 0
    z = 0


def tried(n):
    def f():
        nonlocal z
        z = n

    f()
    try:
        r = z + 1
    except KeyError:
        r = 0
    return r
    z = 0


def unset(n):
    def f():
        return z

    if n > 1:
        return f()
    return 0
    z = 0


def after_a_loop(n):
    def f():
        nonlocal z
        z = n

    f()
    while True:
        if n > 1:
            return z
        break
    return -1
    for z in range(3):
        pass


@parametrize([(f, n) for f in (returned, tried, unset, after_a_loop) for n in (0, 3)])
def test_a_variable_that_unreached_code_assigns_is_local(f, args):
    """What inner functions write to it is read."""
    ag.testing.check(f, *args)


def only_annotated(n):
    def f():
        nonlocal z
        z = n

    f()
    while True:
        if n > 1:
            return z
        break
    z: int


def first_by_a_call(n):
    def f():
        nonlocal z
        z = n

    f()
    try:
        return z
    except KeyError:
        pass
    z = 0


def maybe_by_a_call(n):
    def f():
        nonlocal z
        z = n

    if n > 1:
        f()
    if n > 2:
        return z
    z = 5
    return z


def unset_by_a_call(n):
    def f():
        nonlocal z
        if n > 2:
            z = n

    f()
    try:
        return z
    except NameError as error:
        return str(error)
    z = 0


@parametrize(
    [(f, n) for f in (only_annotated, first_by_a_call, maybe_by_a_call, unset_by_a_call) for n in (0, 2, 3)]
)
def test_a_call_may_be_the_first_to_assign_a_variable(f, args):
    """An inner function has set it before the text of the function does."""
    ag.testing.check(f, *args)
