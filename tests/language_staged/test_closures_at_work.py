"""Closures as programs use them: caches, observers, schedulers, trampolines, tapes."""

from __future__ import annotations

import collections

import numpy as np
from equivalence import check, parametrize
from observing import check_made, given_arguments


def geven(k):
    return (lambda: godd(k - 1)) if k else True


def godd(k):
    return (lambda: geven(k - 1)) if k else False


def big_loop(n):
    c = 0

    def f(v):
        nonlocal c
        c += v
        return c

    fs = [f]
    for i in range(n):
        fs.append(f)
    t = 0
    for g in fs:
        t += g(1)
    return t


def array_cell(a, n):
    best = a

    def update(v):
        nonlocal best
        if v.sum() > best.sum():
            best = v
        return best

    fs = [update]
    for i in range(n):
        update(a * i)
    return (best, fs)


def view_cell(a, n):
    v = a[1:]

    def f():
        nonlocal v
        v = v[1:]
        v[0] = -1
        return v

    fs = [f]
    f()
    a[3] = 9.0
    return (v, a, fs)


def alias(a, n):
    b = a

    def f(k=2):
        b[k] += n
        return a

    fs = [f]
    b = a[::-1]
    f()
    return (a, b, fs)


def listcell(n):
    items = [1]
    m = items

    def f():
        nonlocal items
        items = items + [n]
        m.append(0)
        return (items, m)

    fs = [f]
    f()
    return (items, m, fs)


def objcell(n):

    class P:
        def __init__(self):
            self.x = n

    p = P()
    q = p

    def f():
        nonlocal p
        p.x += 1
        q.x += 10
        r = p.x
        p = P()
        return (r, q.x, p.x)

    fs = [f]
    r = f()
    return (r, f(), q.x, p.x)


def pure_map(n):
    k = n
    f = lambda v: v * k
    k += 1
    return (list(map(f, range(n))), [f(v) for v in range(n)], sum(map(f, [1, 2])))


def errors(n):

    def f(v):
        return [1, 2][v]

    fs = []
    for i in range(n):
        fs.append(lambda v=i: f(v))
    return [g() for g in fs]


def nested_try(n):
    c = 0

    def risky():
        nonlocal c
        c += 1
        if c > n:
            raise ValueError(c)
        return c

    out = []
    keep = [risky]
    try:
        while True:
            out.append(keep[0]())
    except ValueError as e:
        out.append(str(e))
    return (out, c)


def gradient_like(a, n):
    tape = []

    def mul(x, y):
        r = x * y
        tape.append(lambda g: (g * y, g * x))
        return r

    z = a
    for i in range(n):
        z = mul(z, z + i)
    g = np.ones_like(z)
    outs = []
    for back in reversed(tape):
        p, q = back(g)
        outs.append(p)
        g = p + q
    return (z, g, outs)


def observers(n):
    obs = []

    class Subject:
        def __init__(self):
            self.v = 0

        def set(self, v):
            self.v = v
            for o in obs:
                o(self)

    log = []
    for i in range(n):
        obs.append(lambda s: log.append((i, s.v)))
    s = Subject()
    s.set(n)
    return log


def scheduler(n):
    queue = []

    def at(t, f):
        queue.append((t, len(queue), f))

    log = []

    def tick(t):
        log.append(t)
        if t < n:
            at(t + 1, lambda: tick(t + 1))

    at(0, lambda: tick(0))
    while queue:
        queue.sort(key=lambda e: e[:2])
        t, _, f = queue.pop(0)
        f()
    return log


def memo_decorator(n):

    def memo(f):
        cache = {}

        def g(k):
            if k not in cache:
                cache[k] = f(k)
            return cache[k]

        g.cache = cache
        return g

    @memo
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    return (fib(n), sorted(fib.cache))


def trampolines(n):

    def even(k):
        return (lambda: odd(k - 1)) if k else True

    def odd(k):
        return (lambda: even(k - 1)) if k else False

    r = even(n)
    while callable(r):
        r = r()
    return r


def church(n):
    zero = lambda f: lambda x: x
    succ = lambda m: lambda f: lambda x: f(m(f)(x))
    k = zero
    for _ in range(n):
        k = succ(k)
    return k(lambda v: v + 1)(0)


def iter_fn(n):
    c = 0

    def nxt():
        nonlocal c
        c += 1
        return c

    return ([v for v in iter(nxt, n + 1)], c)


def sorted_stateful(n):
    order = []

    def key(v):
        order.append(v)
        return -v

    return (sorted(range(n), key=key), order)


def default_dict(n):
    c = 0

    def make():
        nonlocal c
        c += 1
        return c

    d = collections.defaultdict(make)
    for i in range(n):
        d[i % 2]
    return (dict(d), c)


def callable_obj(n):

    class F:
        def __init__(self, k):
            self.k = k

        def __call__(self, v):
            self.k += v
            return self.k

    fs = []
    for i in range(n):
        fs.append(F(i))
    return ([f(1) for f in fs], [f(2) for f in fs])


def gtramp(n):
    r = geven(n)
    while callable(r):
        r = r()
    return r


def static_build(n):

    def build(k):
        return (lambda: (k, n, build(k - 1))) if k > 0 else None

    return build(3)


def random_sums(n):
    import random

    total = 0

    def f():
        nonlocal total
        total += random.random()
        return total

    fs = [f]
    for _ in range(n):
        fs.append(f)
    return [g() for g in fs], total


PROGRAMS = [
    big_loop, array_cell, view_cell, alias, listcell, objcell, pure_map, errors, nested_try,
    gradient_like, observers, scheduler, memo_decorator, trampolines, church, iter_fn, sorted_stateful,
    default_dict, callable_obj, gtramp, static_build,
]  # fmt: skip


@parametrize(given_arguments(PROGRAMS))
def test_programs_with_closures_do_what_they_do_plain(f, args):
    """The functions in the result included."""
    check_made(f, *args)


def test_a_kept_function_draws_random_numbers_in_order():
    """Each call of it, as the plain run."""
    check(random_sums, 3, calls=2)
