"""What is put on exceptions, and what Python puts there: notes, contexts, names for suggestions."""

from __future__ import annotations

import sys

import numpy as np


class Coded(Exception):
    level = 3


class Made(Exception):
    made = 0

    def __init__(self, x):
        Made.made += 1
        self.x = x

    def describe(self):
        return f"made with {self.x}"


def seen(function, *args):
    """What a caller sees of the exception that leaves a call, its context and cause included."""
    try:
        return function(*args)
    except Exception as error:
        found = []
        while error is not None:
            held = {name: value for name, value in vars(error).items() if not name.startswith("_auto")}
            names = getattr(error, "name", None), repr(getattr(error, "obj", None))[:20]
            found.append((type(error), error.args, held, names, repr(error.__cause__)))
            found.append(error.__suppress_context__)
            error = error.__context__
        return found


def attributes_of_an_exception_that_is_made(stage, call):
    @stage
    def f(x):
        e = Coded("a")
        before = e.level, hasattr(e, "code"), getattr(e, "code", 7), str(e), e.args
        e.code = [x]
        e.code.append(x)
        if x > 2:
            raise e
        return before, e.code, vars(e)

    @stage
    def in_a_loop(x):
        e = Coded("a")
        for i in range(x):
            e.n = i
        if x > 3:
            raise e
        return e.n

    @stage
    def new_arguments(x):
        e = ValueError("a")
        e.args = ("b", x)
        if x > 2:
            raise e
        return e.args

    @stage
    def caught_at_once(x):
        try:
            e = Coded("a")
            e.code = x
            raise e
        except Coded as error:
            return error.code, error.args

    for x in (2, 3, 6):
        call(lambda: seen(f, x))
        call(lambda: seen(in_a_loop, x))
        call(lambda: seen(new_arguments, x))
        call(lambda: seen(caught_at_once, x))


def attributes_of_an_exception_that_is_caught(stage, call):
    @stage
    def f(x):
        try:
            return 1 / x
        except ZeroDivisionError as e:
            e.info = x
            raise

    @stage
    def known(d, key):
        try:
            return d[key]
        except KeyError as e:
            e.info = key
            raise

    @stage
    def kept(x):
        errors = []
        try:
            return 1 / x
        except ZeroDivisionError as e:
            errors.append(e)
            e.info = "k"
        return errors[0].info, str(errors[0])

    for x in (0, 0.0, 2, 0):
        call(lambda: seen(f, x))
        call(lambda: seen(kept, x))
        call(lambda: seen(known, {1: 2}, x))


def notes_on_exceptions(stage, call):
    if sys.version_info < (3, 11):
        return

    @stage
    def f(x):
        e = ValueError("a")
        e.add_note("n")
        e.add_note(str(x))
        raise e

    @stage
    def g(x):
        try:
            return 1 / x
        except ZeroDivisionError as e:
            e.add_note("k")
            raise

    @stage
    def group(x):
        errors = []
        for i in range(3):
            try:
                1 / (i - x)
            except ZeroDivisionError as e:
                e.i = i
                errors.append(e)
        raise ExceptionGroup("g", [*errors, ValueError(x)])  # noqa: F821

    call(lambda: seen(f, 1))
    call(lambda: seen(f, 2))
    call(lambda: seen(g, 0))
    try:
        group(1)
    except Exception as e:
        return repr(e), e.exceptions[0].i


def exceptions_that_code_of_the_users_makes(stage, call):
    @stage
    def f(x):
        try:
            raise Made("a")
        except Made as e:
            e.y = x
            return e.describe(), e.y, e.args

    before = Made.made
    call(f, 1)
    call(f, 1)
    return Made.made - before


def an_exception_that_is_kept_is_one_object(stage, call):
    @stage
    def f(x):
        e = ValueError("a", x)
        return e, e, [e]

    @stage
    def g(d):
        errors = []
        for key in ("a", "b"):
            try:
                d[key]
            except KeyError as e:
                errors.append(e)
        return errors

    first, second = f(1), f(1)
    errors = g({}), g({})
    return (
        [first[0] is first[1], first[0] is first[2][0], first[0] is second[0]],
        [errors[0][0] is errors[1][0], errors[0][0].__traceback__ is None],
    )


def contexts_of_exceptions(stage, call):
    @stage
    def plain(d, key):
        try:
            return d[key]
        except KeyError:
            raise ValueError("no")  # noqa: B904

    @stage
    def with_cause(d, key):
        try:
            return d[key]
        except KeyError as e:
            raise ValueError("no") from e

    @stage
    def without(d, key):
        try:
            return d[key]
        except KeyError:
            raise ValueError("no") from None

    @stage
    def twice(d, key):
        try:
            try:
                return d[key]
            except KeyError:
                return d[key, 3].x[0]
        except KeyError as e:
            raise TypeError("t") from e

    @stage
    def inside(d, key):
        try:
            return d[key]
        except KeyError:
            try:
                return int(key)
            except ValueError:
                raise TypeError("t")  # noqa: B904

    @stage
    def in_the_end(d, key):
        try:
            return d[key]
        finally:
            if key not in d:
                raise ValueError("fin")

    for f in (plain, with_cause, without, twice, inside, in_the_end):
        for d in ({}, {"q": 1}):
            call(lambda f=f, d=d: seen(f, d, "q"))


def names_for_suggestions(stage, call):
    class A:
        pass

    @stage
    def attribute(x):
        return x.foo

    @stage
    def later(x):
        y = x + 1
        return y.foo

    @stage
    def of_a_class(x):
        return A.foo + x

    @stage
    def name(x):
        return nope + x  # noqa: F821

    @stage
    def module(x):
        import nosuchmodule

        return nosuchmodule

    for x in (1, 2.5, "s", [1], {}, np.ones(2), np.float64(1), (1,), None, True):
        call(lambda: seen(attribute, x))
    call(lambda: seen(later, 1))
    call(lambda: seen(of_a_class, 1))
    call(lambda: seen(name, 1))
    call(lambda: seen(module, 1))
    o = A()
    try:
        attribute(o)
    except AttributeError as e:
        return e.obj is o
