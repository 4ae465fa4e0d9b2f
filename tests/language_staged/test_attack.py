"""Constructs that an attack on the promise found wrong: plain and staged must not be told apart."""
from __future__ import annotations

import numpy as np
from equivalence import Cases

import autograph as ag

ERR = ValueError("one object of the module")


class Refused(ValueError):
    """An exception of the user's, with a word of its own."""

    def __init__(self, value):
        super().__init__(f"refused {value}")
        self.value = value


case = Cases()


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


@case((1,), (-1,))
def which_exception_it_is(x):
    try:
        if x > 0:
            raise ERR
        raise ValueError(x)
    except ValueError as error:
        return error is ERR, ERR is not error, error is error


# Stars in targets


@case((4,), (1,), (0,))
def first_and_rest_of_a_range(n):
    a, *b = range(n)
    return a, b, len(b)


@case((4,), (1,))
def ends_of_a_list_of_unknown_length(n):
    a, *b, c = [k * 2 for k in range(n)]
    b.append(c)
    return a, b, c


@case((4, 2.0),)
def star_of_a_known_list(n, x):
    a, *b, c = [x + i for i in range(3)]
    b[0] += n
    return a, b, c


@case(([3, 1, 2],), ([],))
def star_of_an_argument(items):
    *a, b = items
    a.append(b)
    return a, items


@case((np.arange(3.0),), (np.arange(6.0).reshape(3, 2),), (np.float64(3.0),))
def star_of_an_array(x):
    first, *rest = x
    return first, len(rest), rest[0] + rest[1]


@case((3,))
def star_in_a_loop(n):
    total = 0
    for k, *rest in [(i, i + 1, i + 2) for i in range(n)]:
        total += k * len(rest) + rest[-1]
    while n > 0:
        n, *more = range(n)
        total += len(more)
    return total


@case((3,))
def star_inside_a_target(n):
    (a, *b), c, *d = range(n), n, n, n
    a, (e, *f), e = n, range(n), n
    return a, b, c, d, e, f


@case((1,))
def star_of_no_iterable(n):
    a, *b = n + 1
    return a, b


# Stars in displays and calls


@case((3,), (0,))
def displays_of_a_range(n):
    a = [*range(n)]
    a.append(5)
    b = [1, *a, n, *range(2)]
    return a, b, (*b, n), len([*a, *b])


@case((3,))
def display_of_a_staged_list(n):
    items = []
    while n > 0:
        items.append(n)
        n -= 1
    more = [*items, 0]
    items.append(9)
    return more, (*items,), {*items}


@case((3,))
def calls_with_a_range(n):
    items = [k * 2 for k in range(n)]
    print(*items, n, sep="-")
    print(*range(n), end="!")
    text = "{} {}".format(*range(n), 7)
    return max(*items, 1), min(*range(n)), text, np.hypot(*range(2)), list(zip(*[items, items]))


@case((3, 2.0), (1, np.float64(0.5)))
def call_with_known_items(n, x):
    items = [x, x + 1]
    return max(*items), pair(*items), pair(*(n, x)), [*np.array([1.0, 2.0]) * x]


def pair(a, b):
    return a * 10 + b


@case((0,), (2,))
def too_few_for_max(n):
    return max(*range(n))


@case((3, {"sep": "-"}), (2, {}))
def call_with_a_dict(n, options):
    made = {"end": "?"}
    for k in range(n):
        made["end"] = made["end"] + "!"
    print(1, 2, **options)
    print(*range(n), **made)
    whole = {**options, "a": n, **made}
    whole["b"] = 1
    return whole, dict(**made, z=n), {**made}


@case((3,))
def raise_with_a_star(n):
    raise ValueError(*range(n))


@case((3,))
def star_is_taken_at_its_place(n):
    items = [k for k in range(n)]

    def grow():
        items.append(7)
        return 0

    whole = [*items, grow(), *items]
    return whole, max(*items, grow(), len(items))


def count(*args):
    return len(args)


def counts_what_only_the_run_knows(n):
    return count(*range(n))


def test_arguments_of_a_function_of_the_users_are_counted_when_the_graph_runs():
    """It is traced through all the same, on what the run binds to its parameters."""
    ag.testing.check(counts_what_only_the_run_knows, np.int64(3))


# Comprehensions inside lambdas, defaults, other comprehensions, and given to what consumes them


@case((4,), (0,))
def comprehensions_in_lambdas(n):
    twice = lambda m: [i * 2 + m for i in range(m)]
    some = lambda m: any(i > 2 for i in range(m)), lambda m=len([k for k in range(n)]): m
    h = lambda: [i for i in range(n)] + [k for k in range(2) if k < n]
    return twice(n), some[0](n), some[1](), h(), h.__name__, (lambda m: {i: m for i in range(m)})(n)


@case((3,))
def a_lambda_sees_names_as_they_are_when_it_is_called(n):
    k = 1
    f = lambda m: [i * k + m for i in range(m)]
    k = 10
    more = [lambda m, j=j: [m + j + k for _ in range(n)] for j in range(2)]
    k = 100
    return f(n), [g(2) for g in more]


@case((4,), (1,))
def comprehensions_in_comprehensions(n):
    a = [[i * j for j in range(i)] for i in range(n)]
    b = [len([j for j in range(i) if j % 2]) for i in (n, 3) if any(k > 1 for k in range(i))]
    return a, b, list(sum(j for j in range(i)) for i in (1, n))


@case((4,), (0,))
def generators_that_are_consumed_at_once(n):
    texts = "".join(chr(97 + i) for i in range(n)), ", ".join(str(i) for i in range(n))
    sums = sum(abs(i - 2) for i in range(n)), sum((i for i in range(n)), 1)
    made = dict((i, i * n) for i in range(n))
    return texts, sums, made, max((abs(i - 2) for i in range(n)), default=-1), all(i < 3 for i in range(n))


@case((4,))
def comprehensions_in_defaults_and_tests(n):
    def inner(k=[i for i in range(n)], *, m=sum(i for i in range(n))):
        return k, m

    while any(i > n - 3 for i in range(n)) and (lambda m: [i for i in range(m)])(n):
        n -= 1
    return inner(), n


@case((3,))
def join_takes_all_items_first(n):
    def text(i):
        print("text", i)
        return i if i == 1 else str(i)

    return "-".join(text(i) for i in range(n))


# Code of the user's as a value


class K:
    rate = 2

    def scaled(self, x):
        return x * self.rate


class L(K):
    rate = 3


def choose(cls, x):
    return cls().scaled(x) * cls.rate


@case((2,), (np.arange(3.0),))
def classes_and_functions_as_values(x):
    c = K
    total = choose(K, x)
    for d in (K, L):
        total = total + choose(d, x) * d.rate
    f = choose
    known = {K: 1, "f": f}
    same = type(L()) is L, isinstance(L(), K), issubclass(L, (K, int)), c is K, K in (c, L)
    return total, f(c, x), known[c], same, [g(L, x) for g in [choose, f]], K


@case((2,), (-1,))
def exceptions_of_the_users_as_values(x):
    kinds = (Refused, KeyError)
    try:
        if x > 0:
            raise Refused(x)
        raise KeyError(x)
    except kinds as error:
        return isinstance(error, Refused), kinds


@case((4,), (1,), (0,))
def walrus_in_comprehensions(n):
    z = None
    a = [z for v in range(n) if (z := v * v) > 2]
    v = 5
    b = print("before", v), {w: v for v in range(n) if v and (w := v + n) > 3}, print("after", z)
    return a, b, v, z, {(u := v % 2) for v in range(n)} and [u, [k for k in range(n)]]


@case.parametrize()
def test_plain_and_staged_do_the_same(f, args):
    """Plain, converted, staged and interpreted runs do the same."""
    ag.testing.check(f, *args)
