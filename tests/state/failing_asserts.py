"""Functions whose assertions fail: beside the tests, where pytest leaves them as they are."""

from __future__ import annotations

import numpy as np


def an_assert(x, i):
    assert x[0] > 1, "small"
    return x


def an_assert_over_lines(x, i):
    assert (
        x[0]
        > 3
    ), "small"
    return x


def an_assert_of_calls(x, i):
    assert (
        x.sum() < 3
        and x.max() > 4
    )  # fmt: skip
    return x


def an_assert_of_a_name(x, i):
    small = x[0] > 2
    assert (
        small
    ), "small"  # fmt: skip
    return x


def an_assert_of_parts(x, i):
    assert (
        x.sum() > 3
        and not x[0] < 2
        and bool(i)
        and (x[1] < 0
             or x[2] < 0)
    ), (
        "small"
    )  # fmt: skip
    return x


def an_assert_of_numbers(x, i):
    assert (
        i
        > 10
    ), "no"
    return x


def an_assert_of_a_member(x, i):
    assert (
        i
        in [3, 4]
    ), "no"
    return x


def an_assert_of_a_kind(x, i):
    assert (
        isinstance(x, np.ndarray) and
        x is
        None
    )  # fmt: skip
    return x


def an_assert_of_a_choice(x, i):
    assert (
        0 < i < 5 if i > 100
        else i
        < 0
    )  # fmt: skip
    return x
