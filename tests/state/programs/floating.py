"""Floating-point errors that are more than warnings: ``np.errstate``, filters that make warnings errors."""

from __future__ import annotations

import warnings

import numpy as np


def a_result_that_nobody_wants_raises(stage, call):
    @stage
    def f(x):
        a = x / 0.0
        b = np.sqrt(x)
        return b

    with np.errstate(all="raise"):
        call(f, np.ones(2))
        call(f, 1.0)


def the_same_with_a_scalar(stage, call):
    @stage
    def f(x):
        a = x / 0.0
        return x

    with np.errstate(all="raise"):
        call(f, np.ones(2))
        call(f, np.float64(1.0))


def the_first_error_of_two(stage, call):
    @stage
    def f(x):
        a = x / 0.0
        b = np.log(x)
        return b, a

    with np.errstate(all="raise"):
        call(f, np.ones(2) * -1)


def an_error_before_output(stage, call):
    @stage
    def f(x):
        a = x / 0.0
        print("hi")
        return a

    with np.errstate(all="raise"):
        call(f, np.ones(2))


def an_error_before_a_write(stage, call):
    @stage
    def f(x, o):
        a = x / 0.0
        o[0] = 5
        return a

    with np.errstate(all="raise"):
        call(f, np.ones(2), np.zeros(2))


def warnings_are_errors(stage, call):
    @stage
    def f(x, o):
        a = x / 0.0
        o[0] = 9
        return a

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        call(f, np.ones(2), np.zeros(1))


def the_same_twice_is_reported_twice(stage, call):
    log = []

    @stage
    def f(x):
        a = x / 0.0
        b = x / 0.0
        return a, b

    with np.errstate(all="call", call=lambda k, fl: log.append(k)):
        call(f, np.ones(2))
    return log


def each_iteration_reports(stage, call):
    log = []

    @stage
    def f(x, n):
        t = 0
        i = 0
        while i < n:
            t = t + (x / 0.0).sum()
            i += 1
        return t

    with np.errstate(all="call", call=lambda k, fl: log.append(k)):
        call(f, np.ones(2), 3)
        call(f, np.ones(2), 0)
    return log


def a_scalar_overflows_before_a_write(stage, call):
    @stage
    def f(x, o):
        a = x * x
        o[0] = 1
        return a

    with np.errstate(all="raise"):
        call(f, np.float64(1e300), np.zeros(1))
        call(f, np.int64(2**62), np.zeros(1))
        call(f, np.float32(1e30), np.zeros(1))


def the_state_is_set_by_the_function(stage, call):
    @stage
    def f(x):
        old = np.seterr(divide="raise")
        try:
            y = x / 0.0
        except FloatingPointError as e:
            y = str(e)
        np.seterr(**old)
        return y, np.geterr()["divide"]

    call(f, np.ones(2))


def the_state_is_an_argument(stage, call):
    @stage
    def f(x, mode):
        with np.errstate(divide=mode):
            y = x / 0.0
        return y

    call(f, np.ones(2), "raise")
    call(f, np.ones(2), "ignore")
