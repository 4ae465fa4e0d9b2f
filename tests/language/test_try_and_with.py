"""``try`` and ``with``: the parts may be left anywhere, by exceptions and by jumps."""

from __future__ import annotations

import contextlib
import copy
import inspect
import sys
import traceback
from typing import Any

import numpy as np
import pytest
from equivalence import Cases

import autograph as ag

case = Cases()


def outcome(f: Any, args: Any) -> Any:
    args = copy.deepcopy(args)
    try:
        result = f(*args)
    except Exception as error:
        context = error.__context__
        result = (type(error), str(error), type(context), type(error.__cause__))
    return repr((result, args))


@case((np.arange(3.0), 1), (np.arange(3.0) / 10, 1), (np.arange(3.0) / 10, 7), (np.arange(3.0) / 10, "q"))
def every_part(x, k):
    log = []
    y = 0.0
    try:
        y = 1.0
        z = x.sum()
        if z > 2:
            y = z + 2
            return y * 100, log
        w = x[k]
        y = w * 2
    except (ValueError, TypeError) as error:
        raise RuntimeError("no") from error
    except IndexError as error:
        y = y + 100
        log.append(str(error)[:5])
        if k == "q":
            raise
    else:
        y += 1
    finally:
        log.append(y)
    return y, log


@case(*((i, []) for i in range(5)))
def finally_takes_a_return_back(x, log):
    for i in range(4):
        try:
            try:
                if i == x:
                    return i, log
                if i > 10:
                    raise KeyError(i)
            finally:
                log.append(i)
                if i == 2:
                    log.append(1 // (i - 2))
        except ZeroDivisionError:
            log.append("z")
            continue
        log.append("after")
    return "end", log


@case(*((n,) for n in range(5)))
def with_takes_a_return_back(n):
    log = []
    for i in range(3):
        with contextlib.suppress(ValueError):
            with Noisy(log, i == n):
                if i == 1:
                    return "returned", i, log
                if i == 2:
                    break
            log.append("in")
        log.append("after")
    return log


class Noisy:
    """Notes when it is entered and left; raises on leaving if told to."""

    def __init__(self, log, fails):
        self.log, self.fails = log, fails

    def __enter__(self):
        self.log.append("enter")
        return self

    def __exit__(self, kind, error, trace):
        self.log.append(kind.__name__ if kind else "leave")
        if self.fails:
            raise ValueError("left")


@case((0,), (2,))
def return_in_finally(x):
    try:
        return 1 / x
    finally:
        if x == 0:
            return "swallowed"


@case(*(([*items],) for items in ([1, 2], [0, 1], [3, 1], [5, 1], [6, 1], [1, 5, 3], [0, 6])))
def jumps_in_finally(items):
    out = []
    for x in items:
        try:
            out.append(1 / x)
            if x > 4:
                return "big", out
        except ZeroDivisionError:
            out.append("zero")
            continue
        finally:
            if x == 3:
                break
            if x == 5 or x == 0:
                continue
        out.append("next")
    else:
        out.append("else")
    return out


@case((0,), (1,))
def the_name_of_the_exception_goes(x):
    try:
        if x:
            raise ValueError(x)
    except ValueError as e:
        m = str(e)
    try:
        return e
    except NameError as err:
        return m, str(err)


@case((3,), (0,))
def names_of_two_managers(n):
    with contextlib.nullcontext(n) as a, contextlib.nullcontext([a]) as (b,):
        if b > 1:
            c = a + b
    return c, a


@case((1,), (0,))
def a_jump_in_else(n):
    for i in range(3):
        try:
            x = 1 // n
        except ZeroDivisionError:
            continue
        else:
            if i == 1:
                break
            x += 1
        n += x
    return n, i


@case((1,), (0,))
def imports_stay_native(n):
    try:
        import no_such_module_at_all as module
    except ImportError:
        module = None
    return module, n


@case((2.0, 1), (2.0, 0))
def changed_in_one_arm_only(x, n):
    y = 0
    seen = []

    def look():
        return y

    if n > 0:
        y = 5
        seen.append(look())
    else:
        seen.append(look())
    try:
        if x > 1:
            y = 7
            seen.append([1][n])
        else:
            seen.append([2][n])
    except IndexError:
        y += 100
    return y, seen


@case((3,), (0,))
def deleted_in_the_body(n):
    x = 5
    try:
        del x
        y = 1 // n
    except ZeroDivisionError:
        x = 8
    try:
        return x
    except UnboundLocalError as error:
        return str(error)


@case((1,), (2,), (0,))
def raised_in_a_handler(n):
    try:
        try:
            return 1 // n
        except ZeroDivisionError as error:
            raise KeyError("inner") from error
        finally:
            if n == 2:
                raise LookupError("last")
    except LookupError as error:
        return type(error).__name__, type(error.__context__).__name__, type(error.__cause__).__name__


@case.parametrize()
def test_converted_does_the_same(f: Any, args: Any) -> None:
    """Result, arguments, exception and its context are those of the plain function."""
    assert outcome(ag.convert(f), args) == outcome(f, args)


@case.parametrize()
def test_staged_does_the_same(f: Any, args: Any) -> None:
    """The graph does what the plain function does, in every order."""
    ag.testing.check(f, *copy.deepcopy(args))


@pytest.mark.parametrize("f", {f.__name__: f for f, _ in case.all}.values(), ids=lambda f: f.__name__)
def test_the_text_runs_when_pasted(f: Any) -> None:
    """``to_code`` gives text that runs behind the one import."""
    space = dict(globals(), case=lambda *_: lambda f: f)
    exec(ag.to_code(f), space)
    for one, args in case.all:
        if one is f:
            assert outcome(space[f.__name__], args) == outcome(f, args)


def test_the_handler_runs_inside_an_except() -> None:
    """``sys.exc_info`` and a bare ``raise`` find the exception; afterwards it is gone."""

    def f(x):
        try:
            x[5]
        except IndexError as error:
            first = sys.exc_info()[1] is error
        return first, sys.exc_info()[0]

    assert ag.convert(f)([1]) == f([1]) == (True, None)


def test_the_traceback_ends_at_the_users_line() -> None:
    """An exception out of a part points into the user's file, one line a part."""

    def f(x):
        try:
            y = 1
            return y / x
        finally:
            x += 1

    with pytest.raises(ZeroDivisionError) as caught:
        ag.convert(f)(0)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.filename == __file__ and last.line == "return y / x"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 keeps no columns of instructions")
def test_an_operator_stands_at_the_head_of_its_construct() -> None:
    """Python places the call of a method at the end of its text, which would be the last line of the body."""

    def f(x, many):
        if (
            x > 1
        ):
            x = 1
        while x < 3:
            x += 1
        for i in many:
            x += i
        try:
            x = x + 1
        except ValueError:
            x = 4
        with many:
            x = 5
        return x  # fmt: skip

    lines, first = inspect.getsourcelines(f)
    heads = ("if (", "while x", "for i", "try:", "with many")
    expected = {first + n for n, line in enumerate(lines) if line.strip().startswith(heads)}
    code = ag.convert(f).__code__
    called = [p[0] for p, i in zip(code.co_positions(), _per_unit(code), strict=True) if i.startswith("CALL")]
    assert expected == set(called)


def _per_unit(code: Any) -> list[str]:
    """The name of the instruction, for each unit of the code."""
    import dis

    names: list[str] = []
    for instruction in dis.get_instructions(code):
        names += ["CACHE"] * (instruction.offset // 2 - len(names)) + [instruction.opname]
    return names + ["CACHE"] * (len(code.co_code) // 2 - len(names))


EXCEPT_STAR = """
def f(x):
    y = 0
    try:
        if x:
            raise ExceptionGroup("g", [ValueError(1)])
        y = 1
    except* ValueError as group:
        y = len(group.exceptions) + 10
    return y
"""


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* came with Python 3.11")
def test_except_star_around_symbolic_code_is_refused() -> None:
    """It stays native, so it works on plain values, and says so where the graph would decide."""
    names = {"__graph_source__": EXCEPT_STAR}
    exec(EXCEPT_STAR, names)
    f = names["f"]
    assert [ag.convert(f)(x) for x in (0, 1)] == [1, 11]
    with pytest.raises(ag.StagingError, match=r"except\*"):
        ag.function(f)(3)


GROUPS_RAISED_AT_ONCE = """
def prints(x):
    try:
        raise ExceptionGroup("g", [ValueError(x), TypeError("t")])
    except* ValueError as group:
        print(group.exceptions)
    except* TypeError as group:
        print(group.exceptions)
    return x

def prints_and_leaves(x):
    try:
        raise ExceptionGroup("g", [ValueError(x), TypeError("t")])
    except* ValueError as group:
        print(group.exceptions)

def raises_another(x):
    try:
        raise ExceptionGroup("g", [ValueError(x), TypeError("t")])
    except* ValueError:
        raise KeyError(x)

def learns_and_branches(x):
    seen = [x]
    try:
        raise ExceptionGroup("g", [ValueError(x), TypeError("t")])
    except* (ValueError, TypeError):
        seen.append(seen)
        if x > 1:
            seen.append(2)
    return seen

def counts(x):
    y = []
    try:
        raise ExceptionGroup("g", [ValueError(x), TypeError("t")])
    except* ValueError as group:
        y.append(len(group.exceptions))
    except* TypeError as group:
        y.append(10)
    return x, y

def leaves(x):
    try:
        raise ExceptionGroup("g", [ValueError(x), TypeError("t")])
    except* TypeError:
        raise
    except* ValueError:
        pass
"""


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* came with Python 3.11")
@pytest.mark.parametrize("name", ["prints", "prints_and_leaves", "raises_another", "learns_and_branches"])
def test_what_is_refused_in_an_except_star_is_not_put_into_a_group(name: str) -> None:
    """Python puts what the clauses raise into a group, and with it what stops the trace."""
    names = {"__graph_source__": GROUPS_RAISED_AT_ONCE}
    exec(GROUPS_RAISED_AT_ONCE, names)
    with pytest.raises(ag.errors.ValueNeededError, match=r"except\*"):
        ag.function(names[name])(3)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* came with Python 3.11")
@pytest.mark.parametrize("name", ["counts", "leaves"])
def test_except_star_on_a_group_that_is_raised_at_once(name: str) -> None:
    """While tracing, all of it is known."""
    names = {"__graph_source__": GROUPS_RAISED_AT_ONCE}
    exec(GROUPS_RAISED_AT_ONCE, names)
    plain, staged = names[name], ag.function(names[name])
    for _ in range(2):
        try:
            expected = repr(plain(3))
        except Exception as error:
            with pytest.raises(type(error)) as caught:
                staged(3)
            assert repr(caught.value) == repr(error)
        else:
            assert repr(staged(3)) == expected
