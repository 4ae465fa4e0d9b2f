"""What an arm raises it raises when it runs, whatever the class of the exception."""

from __future__ import annotations

import pytest
from equivalence import check

import autograph as ag


def leaves(x):
    if x > 1:
        raise SystemExit(x)
    return 1


def interrupts(x):
    try:
        if x > 1:
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        return "stopped"
    return x


def binds_badly(x):
    def two(a, b):
        return a

    if x > 1:
        return two(1)
    return x


def capped(a, eps, d):
    """Branches at every level until data or the depth ends it."""
    if d <= 0 or a < eps:
        return a
    return capped(a / 2, eps / 2, d - 1) + capped(a / 3, eps / 2, d - 1)


def start(a):
    return capped(a, 0.5, 12)


@pytest.mark.parametrize("x", [1, 2])
@pytest.mark.parametrize("f", [interrupts, binds_badly])
def test_an_arm_that_is_not_taken_does_not_fire(f, x):
    """Interrupts that the code raises itself, and calls whose arguments do not bind."""
    check(f, x)


def test_an_exit_is_raised_when_it_is_reached():
    """``SystemExit`` is no ``Exception``, and still the program's."""
    staged = ag.function(leaves)
    assert staged(1) == 1
    with pytest.raises(SystemExit) as caught:
        staged(2)
    assert caught.value.code == 2


def test_recursion_that_branches_is_not_traced_through_to_its_cap():
    """A depth cap of 20 would be a million calls."""
    check(start, 7.0, orders=1)
    graph = ag.function(start).get_concrete_function(7.0).graph
    assert graph.find("call") and len(list(graph.walk())) < 2000
