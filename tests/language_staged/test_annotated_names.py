"""``k: int = n`` where parts of a function share ``k``: the annotation of a local is never evaluated."""

from __future__ import annotations

import numpy as np
from equivalence import check, parametrize


def in_a_try(n):
    try:
        k: int
        k = n
        (other): print("never") = 4

        def inner():
            return k

        k: float = n + 1
        return inner(), other
    finally:
        print("done")


def in_arms_and_loops(n):
    if n > 2:
        k: int = n
    else:
        k: float
        k = 2
    while n < 10:
        k: int = k + 1
        with np.errstate():
            n: int = n + 1

    def inner():
        return k, n

    k += 1
    return inner()


def assigned_by_a_closure_too(n):
    def outer():
        nonlocal k
        k += 3

    try:
        for i in range(n):
            k: nosuch = i  # noqa: F821
            outer()
            if k > 1:
                j: int = 3
    finally:
        m: int = k
    return m, j


@parametrize([(each, (3,)) for each in (in_a_try, in_arms_and_loops, assigned_by_a_closure_too)])
def test_annotated_names_are_shared_by_parts(f, args):
    """In ``try``, arms, loops and ``with``, with a value and without."""
    check(f, *args)
