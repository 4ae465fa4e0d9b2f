"""Functions made in staged code and needed when the graph runs, or after it: they are ordinary functions."""

from __future__ import annotations

import contextlib
import dataclasses
import functools

from equivalence import parametrize
from observing import check_made, given_arguments


def star(n):

    def f(*args, **kw):
        return (len(args), args, kw, n)

    return f


def star_sum(n):

    def f(a, *rest, scale=n, **kw):
        t = a
        for r in rest:
            t += r * scale
        for k, v in kw.items():
            t += v
        return t

    return f


def deco(n):

    def times(f):

        @functools.wraps(f)
        def wrapper(*args, **kwargs):
            return f(*args, **kwargs) * n

        return wrapper

    @times
    def g(a, b=2):
        """adds"""
        return a + b

    return g


def fact(n):
    m = n

    def f(k):
        return 1 if k <= 1 else k * f(k - 1) + m * 0

    return f


def mutual(n):

    def even(k):
        return True if k == 0 else odd(k - 1)

    def odd(k):
        return n * 0 != 0 if k == 0 else even(k - 1)

    return (even, odd)


def in_dataclass(n):

    @dataclasses.dataclass
    class D:
        f: object
        k: int

    k = n
    d = D(lambda: k, 1)
    k += 1
    return d


def partial_over(n):
    k = n

    def f(a, b):
        return (a, b, k)

    p = functools.partial(f, k)
    k = -1
    return p


def attrs(n):

    def g():
        g.calls += 1
        return g.calls + n

    g.calls = 0
    g()
    return g


def key_later(n):
    m = n
    key = lambda v: v * m
    a = sorted([1, 2, 3], key=key)
    m = -m
    return (a, sorted([1, 2, 3], key=key), key)


def map_effect(n):
    acc = []
    c = 0

    def f(v):
        nonlocal c
        c += v
        acc.append(c)
        return c

    it = map(f, range(n))
    before = c
    out = list(it)
    return (before, out, c, acc)


def filter_eff(n):
    c = 0

    def f(v):
        nonlocal c
        c += 1
        return v % 2

    return (list(filter(f, range(n))), c)


def raises(n):

    def f(v):
        if v > n:
            raise ValueError(v)
        return 1 / (v - n)

    return f


def arr(a, n):
    fs = []
    for i in range(n):

        def f():
            a[i] = i
            return a

        fs.append(f)
    return fs


def kwonly(n):

    def f(a, b=n, /, c=1, *, d, e=n + 1):
        return (a, b, c, d, e)

    return f


def returns_self(n):

    def f():
        return f

    k = n
    return f


def compose(n):
    fs = []
    for i in range(n):
        fs.append(lambda v, i=i: v + i)

    def all_(v):
        for f in fs:
            v = f(v)
        return v

    fs.append(lambda v: v * 2)
    return all_


def static_closure():
    k = 3
    return lambda v: v + k


def reduce_(n):
    m = n
    f = lambda a, b: a * m + b
    m += 1
    return (functools.reduce(f, [1, 2, 3]), functools.reduce(f, range(n)))


def method_factory(n):

    class Counter:
        def __init__(self):
            self.n = n

        def inc(self):
            self.n += 1
            return self.n

        def maker(self, k):

            def f():
                nonlocal k
                k += self.n
                return k

            return f

    c = Counter()
    return (c.maker(n), c.inc)


def recursion_with_state(n):
    calls = 0

    def depth(k):
        nonlocal calls
        calls += 1
        return 0 if k == 0 else 1 + depth(k // 2)

    return (depth(n), calls, depth)


def thunk_list(n):

    def make():
        return lambda: n

    fs = [make() for _ in range(n)]
    return fs


def mutable_default(n):
    k = n

    def f(v, acc=[]):
        acc.append(v + k)
        return acc

    k += 1
    return f


def loops_in_made(n):
    c = 0

    def f(k=5):
        nonlocal c
        out = []
        for i in range(k):
            if i % 2:
                c += i
                continue
            out.append(i * n)
            if len(out) > 2:
                break
        else:
            out.append(-1)
        return (out, c)

    return (f, f(3))


def try_in_made(n):
    c = 0

    def f(v=0):
        nonlocal c
        try:
            r = n // v
            c += 1
        except ZeroDivisionError as e:
            c -= 1
            r = str(e)
        finally:
            c += 100
        return (r, c)

    return (f, f(0), f(2))


def with_in_made(n):
    c = 0

    def f(v=0):
        nonlocal c
        with contextlib.suppress(ZeroDivisionError):
            c = n // v
            c += 5
        return c

    return (f, f(0))


def identity(n):
    f = lambda: n
    fs = [f]
    for i in range(n):
        fs.append(f)
    return (fs[0] is fs[-1], f in fs, fs.index(f), fs[0] == fs[-1], f is f)


def keys_from_list(n):
    ks = []
    for i in range(n):
        ks.append(lambda v: v * (i - 2) % 3)
    if n:
        return (sorted([4, 2, 3, 1], key=ks[n - 1]), max([4, 2, 3], key=ks[0]), min([1, 5], key=ks[-1]))


def key_with_state(n):
    calls = 0

    def key(v):
        nonlocal calls
        calls += 1
        return -v

    r = sorted(range(n), key=key)
    items = [3, 1, n]
    items.sort(key=key)
    return (r, items, calls)


def counted(n):

    def count(f):

        @functools.wraps(f)
        def wrapper(*args):
            wrapper.calls += 1
            return f(*args)

        wrapper.calls = 0
        return wrapper

    @count
    def g(v):
        return v + n

    for i in range(n):
        g(i)
    return (g, g.calls)


def kwdefault(n):
    fs = []
    for i in range(n):

        def f(*, k=i, m=n):
            return (k, m, i)

        fs.append(f)
    return fs


def prints(n):
    c = 0

    def f():
        nonlocal c
        c += 1
        print("f", c)
        return c

    fs = []
    for i in range(n):
        print(i)
        fs.append(f)
        fs[i]()
    print(c)
    return f() + f() * 10


def order(n):
    c = 1

    def f():
        nonlocal c
        c *= 2
        return c

    fs = [f]
    for i in range(n):
        fs.append(f)
    return (c + fs[0]() + c * fs[n]() - c, [c, f(), c])


def self_captured(n):

    class C:
        def __init__(self, v):
            self.v = v

        def later(self, k):
            k += 1
            f = lambda: self.v + k
            self.v += n
            return f

    c = C(n)
    f = c.later(1)
    c.v += 100
    return (f, c.v)


def raise_in_loop(n):
    fs = []
    for i in range(n):

        def f(v=1):
            if v > i:
                raise KeyError(v, i)
            return v

        fs.append(f)
    return fs


def while_in_made(n):

    def collatz(k=6):
        s = 0
        while k != 1:
            k = k // 2 if k % 2 == 0 else 3 * k + n
            s += 1
            if s > 20:
                return -1
        return s

    return collatz


def comprehension_in_made(n):
    k = n

    def f(m=3):
        return ([i * k for i in range(m)], {i: k for i in range(m)}, sum(i + k for i in range(m)))

    k += 1
    return f


def reduce_closure(n):
    t = 0

    def add(a, b):
        nonlocal t
        t += 1
        return a + b * t

    return (functools.reduce(add, range(n), 0), t)


def any_all(n):
    seen = 0

    def p(v):
        nonlocal seen
        seen += 1
        return v > 1

    return (any(p(v) for v in range(n)), seen, all(p(v) for v in range(n)), seen)


def pipeline_default(n):
    f = lambda v: v
    for i in range(n):

        def f(v, g=f, i=i):
            return g(v) * 2 + i

    return f


def bound_partial(n):

    class A:
        def __init__(self):
            self.t = n

        def add(self, a, b=0):
            self.t += a + b
            return self.t

    a = A()
    p = functools.partial(a.add, 1)
    q = functools.partial(p, b=n)
    a.t += 5
    return (p, q, a.add)


def lambda_walrus(n):
    f = lambda v=2: (z := (v * n)) + z
    fs = [f]
    for i in range(n):
        fs.append(lambda: (q := i) + q)
    return fs


def vararg_only(n):

    def f(*args):
        return sum(args) + n

    def g(*a, **k):
        return (f(*a), k)

    return (f, g)


def vararg_capture(n):

    def f(*args):

        def g():
            return args

        args = args + (n,)
        return g

    return f


def kw_change(n):

    def f(**kw):
        kw["n"] = n
        kw.pop("z", None)
        return (kw, sorted(kw))

    return f


def pos_default_mutable_kw(n):

    def f(a, *args, b, **kw):
        t = [a, b, *args, *kw.values()]
        return (t, {**kw, "b": b})

    return f


def deep(n):

    def f(k):
        return 0 if k == 0 else 1 + f(k - 1)

    fs = [f]
    for i in range(n):
        fs.append(f)
    return (fs[-1](50 + n), f)


PROGRAMS = [
    star, star_sum, deco, fact, mutual, in_dataclass, partial_over, attrs, key_later, map_effect,
    filter_eff, raises, arr, kwonly, returns_self, compose, static_closure, reduce_, method_factory,
    recursion_with_state, thunk_list, mutable_default, loops_in_made, try_in_made, with_in_made, identity,
    keys_from_list, key_with_state, counted, kwdefault, prints, order, self_captured, raise_in_loop,
    while_in_made, comprehension_in_made, reduce_closure, any_all, pipeline_default, bound_partial,
    lambda_walrus, vararg_only, vararg_capture, kw_change, pos_default_mutable_kw, deep,
]  # fmt: skip


@parametrize(given_arguments(PROGRAMS))
def test_a_made_function_is_the_plain_one(f, args):
    """Signature, names, results, errors with their lines, and state are those of the plain function."""
    check_made(f, *args)
