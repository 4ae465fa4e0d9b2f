"""Floating-point errors and warnings that are made errors, inside ``try`` and ``with``."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from equivalence import check


def caught(x):
    with np.errstate(divide="raise"):
        try:
            return x / 0
        except FloatingPointError as error:
            return str(error)


def finished(x):
    with np.errstate(divide="raise"):
        try:
            x / 0
        finally:
            print("finished")
    return x


def in_a_loop(x, n):
    count = 0
    for i in range(n):
        with np.errstate(all="raise"):
            try:
                y = x / (i - 1)
            except FloatingPointError:
                count += 1
                y = x
        x = y + 1
    return x, count


def warned(x):
    try:
        return np.log(x)
    except RuntimeWarning as warning:
        return str(warning)


class Error(ValueError):
    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


def asks_the_exception(x):
    try:
        if x > 1:
            raise Error("m", x)
        assert x != 1
    except (Error, AssertionError) as error:
        return getattr(error, "code", None), hasattr(error, "code")
    return "fine"


@pytest.mark.parametrize("x", [np.array([1.0, 0.0]), np.float64(2)], ids=["array", "scalar"])
@pytest.mark.parametrize("f", [caught, finished, lambda x: in_a_loop(x, 4)])
def test_floating_point_errors_are_caught_where_they_arise(f, x):
    """Also where nobody uses the result."""
    check(f, x, orders=1)


def test_warnings_that_are_errors_are_caught():
    """As set by the caller."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check(warned, np.array([1.0, 0.0]), orders=1)


@pytest.mark.parametrize("x", [0, 1, 2])
def test_a_caught_exception_of_several_classes_is_asked_for_attributes(x):
    """Only the run knows which class it has."""
    check(asks_the_exception, x)
