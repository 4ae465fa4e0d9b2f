"""Exceptions: original ones, at the original line, after exactly the effects that came before."""
from __future__ import annotations

from types import SimpleNamespace

import numpy as np


class TankError(Exception):
    """An exception of the user's."""

    def __init__(self, level, limit=0):
        super().__init__(f"level {level} below {limit}")
        self.level, self.limit = level, limit


def raise_in_an_arm(stage, call):
    state = SimpleNamespace(n=0)

    @stage
    def f(x):
        state.n += 1
        if x < 0:
            raise ValueError("negative", x)
        state.n += 10
        return x

    for x in (1, -1, 2):
        call(f, x)
    return state.n


def an_exception_of_the_users(stage, call):
    @stage
    def f(x):
        if x < 0:
            raise TankError(x, limit=1)
        return x

    call(f, 1)
    call(f, -1)
    try:
        f(-5)
    except TankError as error:
        return error.level, error.limit, str(error)


def raise_from(stage, call):
    @stage
    def f(x):
        try:
            return 1 // x
        except ZeroDivisionError as error:
            raise ValueError("bad") from error

    call(f, 1)
    call(f, 0)
    try:
        f(0)
    except ValueError as error:
        return type(error.__cause__), str(error.__cause__)


def asserts_with_messages(stage, call):
    @stage
    def f(x):
        assert x > 0, f"x is {x}"
        assert x < 10
        print("fine", x)
        return x

    for x in (1, 0, 20, 5):
        call(f, x)


def an_error_in_the_middle_of_a_loop(stage, call):
    state = SimpleNamespace(done=0)

    @stage
    def f(values):
        for v in values:
            state.done += 1
            values[0] += 1 // v
        return state.done

    call(f, np.array([1, 2, 3]))
    call(f, [1, 0, 3])
    call(f, [3])
    return state.done


def errors_of_numpy(stage, call):
    @stage
    def f(x, y, i):
        x[0] = 5
        a = x[i]
        b = x @ y
        return a + b.sum()

    call(f, np.arange(3.0), np.ones(3), 1)
    call(f, np.arange(3.0), np.ones(3), 7)
    call(f, np.arange(3.0), np.ones(4), 1)
    call(f, np.arange(3.0), np.ones((3, 2)), 1)


def errors_of_linear_algebra(stage, call):
    @stage
    def f(a, b):
        print("solving")
        return np.linalg.solve(a, b)

    call(f, np.eye(2), np.ones(2))
    call(f, np.zeros((2, 2)), np.ones(2))
    call(f, np.ones((2, 3)), np.ones(2))
    call(f, np.eye(2), np.ones(2))


def an_error_in_the_arm_that_is_not_taken(stage, call):
    @stage
    def f(x, flag):
        if flag > 0:
            return x.no_such_attribute
        return x + 1

    call(f, 1, 0)
    call(f, 1, 1)
    call(f, 2, 0)


def a_shape_error_in_the_arm_that_is_not_taken(stage, call):
    @stage
    def f(x, flag):
        if flag > 0:
            return (x + np.ones(5)).sum()
        return x.sum()

    call(f, np.ones(3), 0)
    call(f, np.ones(3), 1)
    call(f, np.ones(3), 0)


def a_handler_sees_what_was_done(stage, call):
    state = SimpleNamespace(log=[])

    @stage
    def f(x):
        step = 0
        try:
            step = 1
            state.log.append(x)
            y = 10 // x
            step = 2
        except ZeroDivisionError as error:
            state.log.append(str(error))
            y = -step
        else:
            state.log.append("fine")
        finally:
            state.log.append("end")
        return y, step

    for x in (5, 0, 2):
        call(f, x)
    return state.log


def writes_in_try_and_finally(stage, call):
    state = SimpleNamespace(open=0, closed=0)

    @stage
    def f(x):
        state.open += 1
        try:
            if x < 0:
                raise KeyError(x)
            return x
        finally:
            state.closed += 1

    for x in (1, -1, 2):
        call(f, x)
    return vars(state)


def a_failed_call_leaves_the_function_usable(stage, call):
    @stage
    def f(x, n):
        for i in range(n):
            x[i] = i
        return x

    call(f, np.zeros(3), 2)
    call(f, np.zeros(3), 5)
    call(f, np.zeros(3), 3)
    call(f, np.zeros(8), 8)


def an_exception_from_a_called_method(stage, call):
    class Account:
        def __init__(self):
            self.balance = 10

        def take(self, n):
            self.balance -= n
            if self.balance < 0:
                raise TankError(self.balance)
            return self.balance

    account = Account()

    @stage
    def f(n):
        for k in range(n):
            account.take(k)
        return account.balance

    call(f, 3)
    call(f, 6)
    account.balance = 100
    call(f, 6)
    return account.balance


def a_bare_raise(stage, call):
    log = []

    @stage
    def f(x):
        try:
            return [1, 2][x]
        except IndexError:
            log.append(x)
            raise

    call(f, 1)
    call(f, 5)
    return log


def the_wrong_number_of_items(stage, call):
    @stage
    def f(x):
        print("unpacking")
        a, b = x
        return a - b

    call(f, np.arange(2))
    call(f, np.arange(3))
    call(f, [1])
    call(f, (4, 5))


def an_unset_name(stage, call):
    state = SimpleNamespace(n=0)

    @stage
    def f(x):
        if x > 0:
            y = x
        state.n += 1
        return y

    call(f, 1)
    call(f, 0)
    call(f, 2)
    return state.n


def keyboard_interrupt_from_outside(stage, call):
    import autograph as ag

    state = SimpleNamespace(n=0)

    @ag.do_not_convert
    def stop_at(i):
        if i == 3:
            raise KeyboardInterrupt

    @stage
    def f(n):
        for i in range(n):
            state.n += 1
            stop_at(i)
        return n

    call(f, 2)
    try:
        f(10)
    except KeyboardInterrupt:
        return state.n, call(f, 3), state.n


def recursion_errors(stage, call):
    @stage
    def f(n):
        if n <= 0:
            raise RuntimeError("bottom")
        return f(n - 1) + 1

    call(f, 0)


def exceptions_are_values(stage, call):
    kept = []

    @stage
    def f(x):
        error = ValueError(x)
        kept.append(error)
        if x > 0:
            raise error
        return len(kept)

    call(f, 0)
    call(f, 1)
    return [error.args for error in kept]


def nested_handlers(stage, call):
    @stage
    def f(x, y):
        try:
            try:
                a = 1 // x
            except ZeroDivisionError:
                print("inner")
                a = [1][y]
        except IndexError:
            print("outer")
            a = -1
        return a

    for x, y in ((1, 0), (0, 0), (0, 5)):
        call(f, x, y)
