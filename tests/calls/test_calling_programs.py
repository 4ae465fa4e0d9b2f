"""Small programs of staged functions that call each other, each run in all modes."""

from __future__ import annotations

import numpy as np
import pytest
from equivalence import check

import autograph as ag


@ag.function
def relu(x):
    return np.maximum(x, 0)


@ag.function
def layer(x, w, b=0.0):
    return relu(x @ w + b)


@ag.function
def network(x, ws):
    for w in ws:
        x = layer(x, w)
    return x


@ag.function
def swap(a, b):
    a[:], b[:] = b.copy(), a.copy()


@ag.function
def store(d, k, v):
    d[k] = v
    return d


@ag.function
def guarded(x, log):
    try:
        log.append("try")
        return 1 / x
    except ZeroDivisionError:
        log.append("except")
        return -1
    finally:
        log.append("finally")


@ag.function
def early(x):
    if x < 0:
        return None
    for i in range(10):
        if i > x:
            return i
    return "end"


@ag.function
def picky(x, kind):
    if kind == "value":
        raise ValueError(x)
    if x > 1:
        raise KeyError("key")
    return x


@ag.function
def drawn(generator, n):
    return generator.normal(size=2) * n


@ag.function
def increased(x):
    x += 1
    return x


@ag.function
def total(n, so_far):
    return so_far if n == 0 else total(n - 1, so_far + n)


@ag.function
def views(x):
    return x.sum(axis=0), x.reshape(-1)[:2], x.T


@ag.function
def asked(v):
    print(v, end=";")
    return v > 1


@ag.function
def wide(*xs, **options):
    return xs, options


@ag.function
def remembered(x, memo={}):  # noqa: B006
    memo[x] = memo.get(x, 0) + 1
    return memo[x]


@ag.function
def grown(x):
    for _ in range(3):
        if x.sum() > 5:
            x = x / 2
        else:
            x = x + 1
        x = np.where(x > 1, x, x * 2)
    print("grown", x.sum())
    if x.max() > 100:
        raise OverflowError("too large")
    return x, x.sum()


class Account:
    def __init__(self):
        self.total, self.history, self.by_number = 0, [], {}

    @ag.function
    def add(self, x):
        self.total += x
        self.history.append(x)
        self.by_number[len(self.history)] = x
        return self.total

    @property
    def mean(self):
        return self.total / max(len(self.history), 1)

    @ag.function
    def twice(self, x):
        return self.add(x) + self.add(x * 2) + self.mean


def networks(x, v, w):
    return network(x, [v, w]), network(x, [v, w, w]), network(x, (v,))


def swaps(a, b, n):
    for _ in range(n):
        swap(a, b)
    if n > 1:
        swap(a[0], b[1])
    return a, b


def stores(n):
    d = {}
    for i in range(n):
        store(d, i, i * i)
    return d, store({}, "a", n), store(store({1: 2}, "b", n), "c", n)


def logs(x):
    log = []
    return guarded(x, log), guarded(x - 1, log), log


def early_returns(x):
    return [early(x), early(x + 8), early(-x - 1), early(x) if x else 0]


def accounts(account, n):
    found = [account.twice(i) for i in range(n)]
    account.add(100)
    return found, account.total, account.history, account.by_number, account.mean


def two_accounts(one, other):
    return one.add(1), other.add(2), one.add(3), one is other


def caught(x):
    found = []
    for kind in ("value", "key", "none"):
        try:
            found.append(picky(x, kind))
        except (ValueError, KeyError) as error:
            found.append(repr(error))
    return found


def raised(x):
    return picky(x, "none") + picky(x + 1, "none") + picky(x, "value")


def random_numbers(generator, n):
    return drawn(generator, n), drawn(generator, n), generator.integers(10)


def in_place(x):
    return x, increased(x), increased(x)


def recursion(n):
    return total(n, 0) + total(n, 1), total(n + 1, n)


def shared_views(x):
    a, b, c = views(x)
    d, e, f = views(c)
    c[0] = 7
    return a, b, c, d, e, f, x


def conditions(x):
    return (
        asked(x) and asked(x + 1) or asked(x + 2),
        asked(x) if asked(0) else asked(9),
        any(asked(k) for k in range(x)),
    )


def stars(n):
    items = []
    for i in range(n):
        items.append(i)
    return wide(*items), wide(*items, k=n), wide(1, *items, a=1)


def overflow(x, n):
    a, s = grown(x)
    for _ in range(n):
        a, more = grown(a * 1.5)
        s += more
    try:
        b, _ = grown(a * 1000)
    except OverflowError as error:
        b = str(error)
    return a, s, b


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (networks, (np.ones((2, 2)), np.eye(2), np.ones((2, 2)))),
        (swaps, (np.zeros((2, 2)), np.ones((2, 2)), 3)),
        (stores, (3,)),
        (stores, (0,)),
        (logs, (0,)),
        (logs, (2,)),
        (early_returns, (1,)),
        (early_returns, (0,)),
        (accounts, (Account(), 3)),
        (two_accounts, (Account(), Account())),
        (caught, (1,)),
        (caught, (2,)),
        (raised, (1,)),
        (raised, (0,)),
        (random_numbers, (np.random.default_rng(0), 2)),
        (in_place, (1,)),
        (in_place, (np.ones(2),)),
        (recursion, (4,)),
        (shared_views, (np.arange(6.0).reshape(2, 3),)),
        (conditions, (2,)),
        (stars, (3,)),
        (overflow, (np.ones(3), 3)),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_a_program_of_staged_functions(f, args):
    """Results, changes, output, random numbers and exceptions are those of the plain functions."""
    check(f, *args)


def test_a_default_that_changes():
    """It is state of the callee, whoever calls."""
    memo = remembered.python_function.__defaults__[0]

    def restore(state):
        memo.clear()
        memo.update(state)

    def f():
        return remembered("a"), remembered("a"), remembered("b")

    check(f, state=lambda: dict(memo), restore=restore, calls=2)
