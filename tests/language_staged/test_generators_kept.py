"""Generators that what a call returned goes on with: they are values of the run, not of the trace."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import autograph as ag


def by_a_variable(n):
    def items():
        yield n + 1
        yield n + 2

    generator = items()
    return lambda: next(generator)


def by_a_function_that_it_knows(n):
    generator = (k + n for k in range(3))

    def inner():
        return sum(generator)

    return lambda: inner()


def by_a_default(n):
    return lambda generator=(k + n for k in range(3)): next(generator)


def by_a_partial(n):
    return functools.partial(next, (k + n for k in range(3)), None)


def by_a_method_of_the_generator(n):
    return (k + n for k in range(3)).__next__


def by_send(n):
    def items():
        received = yield n
        while True:
            received = yield received, n

    generator = items()
    next(generator)
    return functools.partial(generator.send, 5)


def by_a_class(n):
    generator = (k + n for k in range(3))

    class Reader:
        def read(self):
            return next(generator)

    return Reader().read


KEPT = [
    by_a_variable,
    by_a_function_that_it_knows,
    by_a_default,
    by_a_partial,
    by_a_method_of_the_generator,
    by_send,
    by_a_class,
]


@pytest.mark.parametrize("function", KEPT)
def test_a_generator_goes_on_after_the_call(function):
    """Each call has its own, and gives what the plain one gives, of the same type."""
    staged = ag.function(function)
    for n in (3, np.int64(4), 5):
        plain, made, other = function(n), staged(n), staged(n)
        for _ in range(2):
            wanted = plain()
            for found in (made(), other()):
                assert type(found) is type(wanted)
                assert found == wanted
