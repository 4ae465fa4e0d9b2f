"""When functions made in staged code look at their variables: whatever stands between making and call."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import operator

import numpy as np
from equivalence import parametrize
from observing import check_made, given_arguments


@dataclasses.dataclass
class Holder:
    f: object
    k: int


def helper(v):
    return v + 1


def helper2(v):
    return v + 2


def helper3(cb, n):
    out = []
    for i in range(n):
        out.append(cb(i))
    return out


def gen_closure(n):
    k = n

    def g():
        for i in range(3):
            yield (i * k)

    k += 1
    return [list(g()), lambda: list(g())]


def attr_static():

    def g():
        g.calls += 1
        return g.calls

    g.calls = 0
    return g


def map_lazy(n):
    k = 1
    it = map(lambda v: v * k, [1, 2, 3])
    k = n
    return list(it)


def map_partial(n):
    k = 0

    def f(v):
        nonlocal k
        k += v
        return k

    it = map(f, [1, 2, 3, 4])
    a = next(it)
    k += 100
    b = next(it)
    r = k
    return (a, b, r, list(it), k)


def map_loop(n):
    k = 0
    out = []

    def f(v):
        nonlocal k
        k += 1
        return v * k

    for v in map(f, range(n)):
        out.append((v, k))
        k += 10
        if v > 20:
            break
    return (out, k)


def filter_loop(n):
    k = 0
    out = []
    for v in filter(lambda v: v > k, [5, 1, 6, 2, 9]):
        k = v
        out.append(v)
    return out


def zip_map(n):
    k = n
    z = zip(map(lambda v: v + k, [1, 2]), [3, 4])
    k = 10
    return list(z)


def enum_closure(n):
    fs = []
    for i, v in enumerate(["a", "b", "c"]):
        fs.append(lambda: (i, v, n))
    return fs


def static_loop_fs():
    fs = []
    for i in range(3):
        fs.append(lambda: i)
    return fs


def static_counter():
    c = 0

    def f():
        nonlocal c
        c += 1
        return c

    return f


def static_shared():
    c = []

    def f(v=1):
        c.append(v)
        return len(c)

    return (f, c)


def callback(n):
    c = 0

    def f(a, b):
        nonlocal c
        c += 1
        return (a > b) - (a < b)

    r = sorted([n, 3, 1], key=functools.cmp_to_key(f))
    return (r, c)


def operator_compose(n):
    fs = [operator.neg, abs, lambda v: v + n]
    r = n
    for f in fs:
        r = f(r)
    return (r, functools.reduce(lambda f, g: lambda x: g(f(x)), fs))


def curry(n):
    return lambda a: lambda b: lambda c: (a, b, c, n)


def y_comb(n):
    fact = (lambda f: lambda k: f(f, k))(lambda self, k: 1 if k < 2 else k * self(self, k - 1) + n * 0)
    return (fact(n), fact)


def arg_function(n):

    def apply(f, v):
        return f(v)

    c = 0

    def inc(v):
        nonlocal c
        c += v
        return c

    for i in range(n):
        apply(inc, i)
    return (c, apply, apply(lambda v: v * c, 3))


def np_vectorize(n):
    c = 0

    def f(v):
        nonlocal c
        c += 1
        return v * n

    r = np.vectorize(f, otypes=[float])(np.arange(3.0))
    return (r, c)


def np_apply(a, n):
    c = 0

    def f(row):
        nonlocal c
        c += 1
        return row.sum() * n

    r = np.apply_along_axis(f, 0, a.reshape(1, 5))
    return (r, c)


def finalizer(n):
    log = []

    def enter():
        log.append("in")
        return n

    @contextlib.contextmanager
    def manage():
        enter()
        try:
            yield len(log)
        finally:
            log.append("out")

    with manage() as k:
        log.append(k)
    return log


def dc_field(n):
    k = n
    fs = []
    for i in range(n):
        fs.append(Holder(lambda: (i, k), i))
    k += 1
    return ([h.f() for h in fs], [h.f for h in fs])


def nested_loops_cells(n):
    out = []
    for i in range(n):

        def row():
            r = []
            for j in range(i + 1):
                r.append(lambda: (i, j))
            return r

        out += row()
    return out


def early(n):
    c = 0

    def f():
        return c

    if n > 3:
        return f
    c = 5
    if n == 0:
        return None
    c += 1
    return f


def while_cond_closure(n):
    c = 0

    def more():
        nonlocal c
        c += 1
        return c < n

    fs = []
    while more():
        fs.append(more)
    return (c, len(fs), more)


def ternary(n):
    c = 0

    def bump():
        nonlocal c
        c += 1
        return c

    fs = [bump]
    return (bump() if n > 1 else -bump(), n > 2 and bump(), c, [bump() for _ in range(n)], c)


def match_closure(n):
    x = None
    f = lambda: x
    match (n, [1, 2]):
        case [1, [x, *_]]:
            pass
        case [_, [_, x]]:
            x += n
    return f


def with_as(n):
    f = lambda: v
    with contextlib.nullcontext(n) as v:
        a = f()
        v += 1
    return (f, a)


def except_as(n):
    f = lambda: str(e)
    r = None
    try:
        if n > 1:
            raise ValueError(n)
    except ValueError as e:
        r = f()
    return (r, f)


def try_loop(n):
    c = 0

    def f():
        nonlocal c
        c += 1
        if c % 2:
            raise ValueError(c)
        return c

    out = []
    for i in range(n):
        try:
            out.append(f())
        except ValueError as e:
            out.append(str(e))
        finally:
            c += 1
    return (out, c, f)


def del_in_loop(n):
    f = lambda: t
    out = []
    for i in range(n):
        t = i
        out.append(f())
        del t
    return (out, f)


def import_closure(n):
    f = lambda: (math.floor(n + 0.5), n)
    import math

    g = [f]
    return f


def global_fn_as_value(n):
    f = helper
    g = lambda v: f(v) + n
    f = helper2
    return g


def pass_to_outer(n):
    c = 0

    def cb(v):
        nonlocal c
        c += v
        return c

    return (helper3(cb, n), c)


def shadow(n):

    def f(n):

        def g():
            nonlocal n
            n += 1
            return n

        return g

    g = f(n * 2)
    n += 1
    h = lambda: n
    n += 1
    return (g, h)


def listcomp_shadow(n):
    i = n
    f = lambda: i
    fs = [lambda: i for i in range(3)]
    i += 1
    return (f, fs)


def big(n):
    a = b = c = n

    def fa():
        nonlocal a
        a += b
        return a

    def fb():
        nonlocal b
        b += c
        return b

    def fc():
        nonlocal c
        c += a
        return c

    for i in range(n):
        fa()
        fb()
        fc()
    return ([fa, fb, fc], (a, b, c))


PROGRAMS = [
    gen_closure, attr_static, map_lazy, map_partial, map_loop, filter_loop, zip_map, enum_closure,
    static_loop_fs, static_counter, static_shared, callback, operator_compose, curry, y_comb,
    arg_function, np_vectorize, np_apply, finalizer, dc_field, nested_loops_cells, early,
    while_cond_closure, ternary, match_closure, with_as, except_as, try_loop, del_in_loop, import_closure,
    global_fn_as_value, pass_to_outer, shadow, listcomp_shadow, big,
]  # fmt: skip


@parametrize(given_arguments(PROGRAMS))
def test_a_variable_is_looked_at_when_the_function_runs(f, args):
    """Whoever calls the function, and whatever stands between its making and the call."""
    check_made(f, *args)


RATE = 2
HITS = []


class Sim:
    def __init__(self, rate):
        self.rate = rate

    def later(self, k):
        return lambda v=1: v * self.rate + k


def looks_at_a_global(n):
    return lambda v=3: v * RATE * n


def looks_at_a_global_alone(n):
    return lambda v=3: v * RATE


def writes_a_global(n):
    def f(v=1):
        global RATE
        RATE += v * n
        HITS.append(v * n)
        return len(HITS), RATE

    f()
    return f


def looks_at_an_object(sim, n):
    f = sim.later(n)
    sim.rate += 1
    return f, f(2)


def fills_a_dict(d, n):
    for i in range(n):
        d[i] = lambda: i
    return d


def _begin():
    global RATE
    RATE = 2
    HITS.clear()


def _change():
    global RATE
    RATE = 5


@parametrize([(f, n) for f in (looks_at_a_global, looks_at_a_global_alone, writes_a_global) for n in (1, 4)])
def test_a_function_sees_what_is_outside_as_it_is_when_it_is_called(f, args):
    """Globals that change after the call that made the function."""
    check_made(f, *args, before=_begin, after=_change)


def test_a_function_sees_an_object_as_it_is_when_it_is_called():
    """An attribute that changes after the function was made."""
    check_made(looks_at_an_object, Sim(1), 3)


def test_functions_are_kept_in_a_dict_of_the_caller():
    """They share the variable of the loop that made them."""
    check_made(fills_a_dict, {}, 3)
