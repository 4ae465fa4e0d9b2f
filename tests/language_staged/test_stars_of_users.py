"""Stars of unknown length in calls of what users write: methods, decorated and staged functions, closures."""

from __future__ import annotations

import functools
import itertools
import math
import operator

import numpy as np
from equivalence import check, parametrize

import autograph as ag


def grow(n):
    xs = []
    for i in range(n):
        xs.append(i)
    return xs


def opts(n):
    d = {}
    for i in range(n):
        d["abcdef"[i]] = i
    return d


@ag.function
def staged(*xs, **kw):
    t = 0
    for x in xs:
        t += x
    if t > 2:
        t += len(kw)
    return t, kw


class Out:
    def __init__(self, k):
        self.k = k

    def m(self, *xs, **kw):
        return self.k + len(xs), sorted(kw)

    def __call__(self, a, *r):
        return a * self.k, r

    @property
    def fn(self):
        return self.m

    @classmethod
    def c(cls, *xs):
        return cls.__name__, xs

    @staticmethod
    def s(a=1, *xs):
        return a, xs


class Der(Out):
    def m(self, *xs, **kw):
        return super().m(*xs, 9, **kw)


out = Out(5)
der = Der(2)


out = Out(5)
der = Der(2)


def deco(f):
    @functools.wraps(f)
    def w(*args, **kw):
        r = f(*args, **kw)
        return r, len(args)

    return w


@deco
def decorated(a, b=3, *c):
    return a + b + len(c)


def even(*xs):
    return True if not xs else odd(*xs[1:])


def odd(*xs):
    return False if not xs else even(*xs[1:])


def tail(*xs, k=0):
    if len(xs) == 0:
        return k
    return tail(*xs[:-1], k=k + xs[-1])


def kw(a, b, /, c, *, d=4, **e):
    return a, b, c, d, e


def staged_functions(n):
    return staged(*grow(n)), staged(*grow(n), **opts(2)), staged(1, *grow(n), z=n)


def methods(n):
    return (
        out.m(*grow(n)),
        out.m(*grow(n), **opts(n)),
        out(*grow(n)),
        out.fn(*grow(n)),
        Out.c(*grow(n)),
        Out.s(*grow(n)),
        der.m(*grow(n), **opts(1)),
        Out.m(out, *grow(n)),
    )


def decorated_function(n):
    return decorated(*grow(n))


def mutual_recursion(n):
    return even(*grow(n)), odd(*grow(n - 1))


def library_functions(n):
    rows = [grow(n) for _ in range(n)]
    d = {i: grow(2) for i in range(n)}
    return (
        list(zip(*d.values(), strict=False)),
        list(itertools.chain(*rows)),
        set().union(*rows),
        max(*grow(n), key=lambda v: -v),
        operator.add(*grow(2)),
        math.hypot(*grow(n)),
        "{}{a}".format(*grow(n), **opts(2)),
        list(map(lambda *v: sum(v), *rows)),
        np.array(*[rows]),
        dict(**opts(n)),
        dict(z=1, **opts(n)),
        sorted(*[grow(n)]),
        np.concatenate([*rows]),
        sum(*[grow(n)]),
        print(*rows, sep="|"),
        list(itertools.product(*rows[:2])),
        list(itertools.zip_longest(*rows)),
        functools.reduce(*[lambda a, b: a + b, grow(n)]),
        functools.partial(decorated, *grow(n))(),
        [*map(str, *[grow(n)])],
        {**opts(n), **{"z": n}},
        [*grow(n), *grow(1)],
        (*grow(n),),
        {*grow(n)},
    )


def chosen_lambdas(n):
    def f(*a, k=1, **o):
        return (a, k, o)

    fs = [f, lambda *a, **o: (len(a), o)]
    return (
        f(*grow(n), **opts(n)),
        f(**opts(2), k=n),
        [g(*grow(n), **opts(1)) for g in fs],
        (fs[0] if n > 2 else fs[1])(*grow(n)),
        {"f": f}["f"](*grow(n)),
    )


def nonlocal_accumulators(n):
    r = 0
    for i in range(n):

        def acc(*xs, s=i):
            nonlocal r
            for x in xs:
                r += x * s
            return r

        acc(*grow(i + 1))
        if i > 1:
            acc(*grow(i), s=2)
    return r


def closures_over_stars(n):
    def outer(*args, **kw):
        def inner(*more):
            return args, more, kw

        return inner(*args, *kw)

    return outer(*grow(n)), outer(*grow(n), **opts(n)), outer(1, 2)


def generators(n):
    def gen(a, *xs):
        for x in xs:
            yield a + x * n

    return list(gen(*grow(n))), sum(gen(n, *grow(n))), next(gen(*grow(n)))


def errors(n):
    try:
        decorated(*grow(0))
    except TypeError as e:
        r = str(e)
    try:
        out.m(**{"self": n})
    except TypeError as e:
        r = r, str(e)
    try:
        out.m(*grow(n), **{**opts(1), "a": 1}, a=2)  # noqa: PLE1132
    except TypeError as e:
        r = r, str(e)
    try:
        Out(*grow(n))
    except TypeError as e:
        r = r, str(e)
    try:
        (lambda a: a)(*grow(n))
    except TypeError as e:
        r = r, str(e)
    try:
        staged(**{1: 2})
    except TypeError as e:
        r = r, str(e)
    try:
        len(*grow(n))
    except TypeError as e:
        r = r, str(e)
    return r


def tail_recursion(n):
    return (
        tail(*grow(n)),
        tail(*range(n)),
        tail(*np.arange(n)),
        tail(*"" if n > 9 else ()),
        tail(*(i for i in grow(n))),
    )


def positional_only(n):
    o = opts(4)
    o.pop("a")
    o.pop("b")
    return kw(n, 2, **o), kw(*grow(2), **o), kw(1, 2, 3, **{"e": n, **{}}), kw(*grow(3), a=5, **{"z": 1})


CASES = [
    (staged_functions, 3),
    (methods, 3),
    (decorated_function, 1),
    (decorated_function, 3),
    (mutual_recursion, 4),
    (library_functions, 3),
    (chosen_lambdas, 3),
    (nonlocal_accumulators, 3),
    (closures_over_stars, 3),
    (generators, 3),
    (errors, 3),
    (tail_recursion, 5),
    (positional_only, 3),
]


@parametrize(CASES)
def test_stars_of_users(f, args):
    """Each program gives in every mode what plain Python gives, and raises where it raises."""
    check(f, *args)
