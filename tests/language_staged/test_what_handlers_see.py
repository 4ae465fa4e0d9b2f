"""What a handler finds when it asks the exception that it caught: traceback, texts, attributes."""

from __future__ import annotations

import traceback

import pytest
from equivalence import Cases

import autograph as ag

case = Cases()


def _frames(trace):
    return [(frame.lineno, frame.name) for frame in traceback.extract_tb(trace)]


@case((0,))
def traceback_of_the_caught(x):
    try:
        1 / x
    except ZeroDivisionError as e:
        trace = e.__traceback__
        return trace.tb_lineno, trace.tb_frame.f_code.co_name, _frames(trace)


@case((0,), (1,))
def traceback_of_what_an_arm_raised(x):
    try:
        if x == 0:
            raise ValueError(x)
    except ValueError as e:
        return _frames(e.__traceback__), getattr(e, "__traceback__").tb_lineno  # noqa: B009


@case((0,))
def traceback_of_the_cause(x):
    try:
        try:
            1 / x
        except ZeroDivisionError as e:
            raise ValueError("a") from e
    except ValueError as e:
        return e.__cause__.__traceback__.tb_lineno, e.__traceback__.tb_lineno


@case((0,))
def traceback_taken_off(x):
    try:
        1 / x
    except ZeroDivisionError as e:
        e.__traceback__ = None
        return e.__traceback__


@case((0,))
def context_that_is_suppressed(x):
    try:
        try:
            1 / x
        except ZeroDivisionError:
            raise ValueError(x) from None
    except ValueError as e:
        before = e.__suppress_context__
        e.__suppress_context__ = False
        return before, e.__suppress_context__, type(e.__context__)


@case((0,))
def texts_asked_by_name(x):
    try:
        1 / x
    except ZeroDivisionError as e:
        return (
            e.__str__(),
            e.__repr__(),
            e.__reduce__(),
            e.__format__(""),
            e.__doc__,
            e.__eq__(e),
            e.__ne__(1),
        )


@case((0,))
def attributes_as_a_dict(x):
    try:
        1 / x
    except ZeroDivisionError as e:
        e.__setstate__({"a": x})
        e.b = 2
        return dict(e.__dict__), dict(vars(e)), e.a


@case((1,))
def what_is_raised_at_once(x):
    try:
        raise KeyError(x)
    except KeyError as e:
        return e.__traceback__.tb_lineno, e.__traceback__.tb_next, _frames(e.__traceback__)


@case((1,))
def what_was_kept_and_is_asked_later(x):
    found = []
    try:
        raise KeyError(x)
    except KeyError as e:
        err = e
        found.append(e)
    return _line(err), _line(found[0]), err.__traceback__.tb_frame.f_code.co_name


def _line(error):
    return error.__traceback__.tb_lineno


@case.parametrize()
def test_the_handler_sees_the_exception_itself(f, args):
    """What is asked for by name is asked of the exception of the run, and not of what stands for it."""
    staged = ag.function(f)
    assert staged(*args) == f(*args)
    assert staged(*args) == f(*args)


def test_a_handler_that_an_exception_leaves_keeps_its_context():
    """The exceptions that led to it are those of the run."""

    @ag.function
    def f(x):
        try:
            1 / x
        except ZeroDivisionError as e:
            raise ValueError(e.__traceback__.tb_frame.f_code.co_name)  # noqa: B904

    with pytest.raises(ValueError, match="f") as caught:
        f(0)
    assert type(caught.value.__context__) is ZeroDivisionError


def _divides(x):
    return 10 / x


def _halves(x):
    return _divides(x) / 2


looking = Cases()


@looking((0,))
def asks_for_its_text(x):
    try:
        _halves(x)
    except ZeroDivisionError:
        return traceback.format_exc()


@looking((0,))
def asks_for_its_frames(x):
    try:
        _halves(x)
    except ZeroDivisionError as e:
        return _frames(e.__traceback__)


@looking((0,))
def asks_again_in_a_handler_around(x):
    try:
        try:
            _halves(x)
        except ZeroDivisionError as e:
            first = _frames(e.__traceback__)
            raise ValueError(x) from e
    except ValueError as e:
        return first, _frames(e.__cause__.__traceback__), _frames(e.__traceback__)


@looking((3,))
def asks_in_a_loop(x):
    found = []
    for k in range(x):
        try:
            found.append(_halves(k - 1))
        except ZeroDivisionError as e:
            found.append(_frames(e.__traceback__))
    return found


@looking((0,))
def asks_and_raises_it_again(x):
    try:
        try:
            _halves(x)
        except ZeroDivisionError:
            traceback.format_exc()
            raise
    except ZeroDivisionError as e:
        return _frames(e.__traceback__)


@looking.parametrize()
def test_the_handler_sees_the_frames_of_calls(f, args):
    """Also of those that were traced through."""
    staged = ag.function(f)
    for _ in range(2):
        assert staged(*args) == f(*args)


def test_what_a_handler_looked_at_leaves_with_its_frames():
    """The exception goes on, or is handed back."""

    def leaves(x):
        try:
            _halves(x)
        except ZeroDivisionError:
            traceback.format_exc()
            raise

    def gives(x):
        try:
            _halves(x)
        except ZeroDivisionError as e:
            return e

    with pytest.raises(ZeroDivisionError) as plain:
        leaves(0)
    with pytest.raises(ZeroDivisionError) as caught:
        ag.function(leaves)(0)
    assert _frames(caught.value.__traceback__)[1:] == _frames(plain.value.__traceback__)[1:]
    assert _frames(ag.function(gives)(0).__traceback__) == _frames(gives(0).__traceback__)


def test_a_handler_that_does_not_look_costs_nothing():
    """What it asks for is no traceback."""

    @ag.function
    def f(x):
        try:
            _halves(x)
        except ZeroDivisionError as e:
            print(e, f"{e}")
            return repr(e), e.args, type(e)

    assert "restore" not in f.get_concrete_function(0).code


def test_an_exception_that_was_caught_at_once_is_handed_back_with_its_traceback():
    """The exception of the run, with the exception that was handled when it was raised."""

    def f(x):
        try:
            1 / x
        except ZeroDivisionError:
            try:
                raise KeyError(x)
            except KeyError as e:
                err = e
        return err

    plain, found = f(0), ag.function(f)(0)
    assert _frames(found.__traceback__) == _frames(plain.__traceback__)
    assert repr(found.__context__) == repr(plain.__context__)
