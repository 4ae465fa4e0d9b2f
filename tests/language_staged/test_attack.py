"""Constructs that an attack on the promise found wrong: plain and staged must not be told apart."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag

ERR = ValueError("one object of the module")


class Refused(ValueError):
    """An exception of the user's, with a word of its own."""

    def __init__(self, value):
        super().__init__(f"refused {value}")
        self.value = value


CASES: list[Any] = []


def case(*arguments: Any) -> Any:
    """Check the function on each tuple of arguments."""

    def keep(f: Any) -> Any:
        CASES.extend(pytest.param(f, args, id=f"{f.__name__}-{k}") for k, args in enumerate(arguments))
        return f

    return keep


# What is raised


@case((1,), (-1,))
def raise_an_object_of_the_module(x):
    if x > 0:
        raise ERR
    return x


@case((1,), (-1,), (np.float64(2.5),))
def raise_what_a_test_chose(x):
    if x != 0:
        raise (ValueError if x > 1 else KeyError)(x)
    return x


@case((1,), (-1,))
def raise_a_class_that_a_test_chose(x):
    error = IndexError if x > 0 else KeyError
    raise error


@case((1,), (-1,))
def raise_it_later(x):
    e = None
    if x > 0:
        e = ValueError(x)
    print("between", x)
    if e is not None:
        raise e
    return x


def make(x):
    print("make", x)
    return Refused(x) if x > 0 else TypeError(x)


@case((1,), (-1,))
def raise_what_a_call_made(x):
    raise make(x)


@case((1,), (-1,), (0,))
def caught_by_the_class_it_has(x):
    found = 0
    try:
        if x != 0:
            raise make(x)
        found = 1
    except ValueError as error:
        found = error.value + 10
    except TypeError as error:
        found = error.args[0] - 10
    return found


@case((1,), (-1,))
def raise_from_what_a_test_chose(x):
    cause = ValueError(x) if x > 0 else None
    raise RuntimeError("no") from cause


@case((1,), (-1,))
def raise_what_is_no_exception(x):
    raise x + 1


@case((1,), (-1,))
def raise_again_inside_a_try_of_the_handler(x):
    log = []
    try:
        if x > 0:
            raise KeyError(x)
        raise ERR
    except (KeyError, ValueError) as error:
        try:
            raise error
        except KeyError:
            log.append("key")
        except ValueError:
            log.append("value")
    return log


@case((2,), (-1,))
def raise_a_class_of_the_users(x):
    if x > 1:
        raise Refused(x) from ERR
    raise Refused(x)


@pytest.mark.parametrize(("f", "args"), CASES)
def test_plain_and_staged_do_the_same(f, args):
    """Plain, converted, staged and interpreted runs do the same."""
    ag.testing.check(f, *args)
