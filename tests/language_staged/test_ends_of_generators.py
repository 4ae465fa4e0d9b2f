"""How generators of staged code end, and what their callers send and throw: clean-up, exceptions."""

from __future__ import annotations

import contextlib

from equivalence import Cases, check

case = Cases()


# -------------------------------------------------------------------------------- clean-up


@case((4,), (1,))
def is_left_by_break(n):
    def g(k):
        try:
            for i in range(k):
                yield i * n
        finally:
            print("clean", k)

    total = 0
    for x in g(n):
        if x > 3:
            break
        total += x
    print("after", total)
    return total


@case((3,))
def is_closed_with_its_variable(n):
    def first(k):
        def g():
            try:
                yield k
                yield k + 1
            finally:
                print("clean", k)

        it = g()
        found = next(it)
        print("found", found)
        return found

    x = first(n)
    print("after", x)
    return x + first(n + 1)


def noisy(n):
    try:
        for i in range(n):
            print("give", i)
            yield i
    finally:
        print("clean", n)


@case((3,))
def is_closed_by_another_assignment(n):
    it = noisy(n)
    next(it)
    it = noisy(n + 1)
    print("assigned again")
    next(it)
    del it
    print("deleted")
    return n


@case((3,))
def is_let_go_of_in_a_loop(n):
    total = 0
    for i in range(n):
        total += next(noisy(i + 1))
        print("total", total)
    for x in noisy(n):
        if x:
            break
    print("after")
    return total


@case((2,))
def has_a_with(n):
    def g():
        with contextlib.nullcontext(n) as k:
            yield k
            print("inside")
            yield k + 1
        print("outside")
        return 7

    it = g()
    try:
        while True:
            print(next(it))
    except StopIteration as stopped:
        return stopped.value


@case((4,))
def catches_what_it_raises(n):
    def g():
        for i in range(n):
            try:
                if i == 2:
                    raise ValueError(i)
                yield i
            except ValueError:
                yield -100
            finally:
                print("finally", i)

    return list(g())


@case((3,))
def is_left_by_an_exception(n):
    total = 0
    try:
        for x in noisy(n):
            for y in noisy(n + 1):
                total += x * y
                if total > 3:
                    raise ValueError(total)
    except ValueError as error:
        print("caught", error)
    return total


@case((4,))
def goes_on_after_a_break(n):
    it = noisy(n)
    for x in it:
        if x == 1:
            break
    print("after")
    for x in it:
        print("again", x)
    return n


@case((3,))
def is_closed_with_the_one_around_it(n):
    def outer():
        for x in noisy(n):
            yield x * 2

    def passing():
        yield from noisy(n)
        print("rest")

    it = outer()
    print(next(it))
    it.close()
    print("closed")
    for x in passing():
        if x > 0:
            break
    print("end")
    return list(passing())


@case((3,), (1,))
def is_let_go_of_in_an_arm(n):
    if n > 2:
        x = next(noisy(n))
        print("in the arm")
    else:
        x = -1
    return x


def first_of(items):
    for x in items:
        return x


def first_in_a_loop(n):
    for i in range(n):
        if i > 1:
            return first_of(noisy(n)) + i
    return 0


@case((4,), (1,))
def is_let_go_of_by_a_function(n):
    found = first_in_a_loop(n)
    print("found")
    return found


@case((2,))
def becomes_a_context_manager(n):
    @contextlib.contextmanager
    def scaled(k):
        print("enter", k)
        try:
            yield k * n
        finally:
            print("leave", k)

    with scaled(n) as a, scaled(a) as b:
        print("inside", a, b)
    with contextlib.closing(noisy(n)) as it:
        first = next(it)
    print("left")
    return a + b, first, list(it)


# ------------------------------------------------------------------------------ exceptions


@case((4,), (1,))
def raises_on_the_way(n):
    def g():
        for i in range(n):
            yield 10 // (i - 2)

    found = []
    try:
        for x in g():
            found.append(x)
    except ZeroDivisionError as error:
        print("caught", error)
    return found


@case((1,))
def raises_when_it_is_asked(n):
    def g():
        raise ValueError("at once")
        yield n

    it = g()
    print("made")
    try:
        next(it)
    except ValueError as error:
        return str(error)


@case((1,))
def raises_stop_iteration(n):
    def g():
        yield n
        raise StopIteration("bad")

    try:
        return list(g())
    except RuntimeError as error:
        return str(error), type(error.__cause__)


@case((4,))
def raises_to_its_caller(n):
    def g():
        yield n
        yield n // (n - 4)

    return list(g())


# ---------------------------------------------------------------------- send, throw, close


@case((5,))
def is_sent_values(n):
    def g():
        total = 0
        while True:
            got = yield total
            if got is None:
                break
            total += got

    it = g()
    next(it)
    found = [it.send(n), it.send(n + 1)]
    it.close()
    try:
        next(it)
    except StopIteration:
        found.append("done")
    return found


@case((3,))
def passes_on_what_is_sent(n):
    def inner():
        x = yield 1
        print("x", x)
        y = yield 2
        print("y", y)
        return x + y

    def outer():
        left = yield from inner()
        yield left

    it = outer()
    next(it)
    it.send(n)
    return it.send(n * 2)


@case((4,))
def is_thrown_at(n):
    def g():
        try:
            yield n
        except ValueError as error:
            print("caught", error)
            yield -n

    it = g()
    return next(it), it.throw(ValueError("x"))


@case((6,))
def is_sent_a_value_in_a_loop(n):
    def g(k):
        while k > 0:
            sent = yield k
            k = k - 1 if sent is None else sent

    it = g(n)
    found = []
    for x in it:
        found.append(x)
        if x == 3:
            found.append(it.send(1))
    return found


# ------------------------------------------------------------------------------- the tests


@case.parametrize()
def test_generators_end_as_the_plain_ones_do(f, args):
    """Clean-up at its time, exceptions with their lines: in every mode, in random orders."""
    check(f, *args)
