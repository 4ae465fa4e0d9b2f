"""Whose variables made functions keep: those of comprehensions, generators, calls, handlers, classes."""

from __future__ import annotations

import functools
import itertools

from equivalence import parametrize
from observing import check_made


def comp_static(n):
    out = []
    r = [out.append(lambda: i) for i in (1, 2, n)]
    return (out, r)


def comp_static_if(n):
    out = []
    for j in range(n):
        out += [lambda: (i, j) for i in (1, 2, 3)]
    return out


def gen_fs(n):

    def g():
        for i in range(n):
            yield (lambda: i)

    return list(g())


def gen_fs_lazy(n):

    def g():
        for i in range(n):
            yield (lambda: i)

    out = []
    for f in g():
        out.append((f(), f))
    return out


def genexp(n):
    out = []
    for f in (lambda: i for i in range(n)):
        out.append((f(), f))
    return out


def outer_same_name(n):

    def mid(x):

        def f():
            return x

        fs = [f]
        x += 1
        return fs

    return mid(n)


def gen_state(n):
    c = 0

    def g():
        nonlocal c
        while c < n:
            c += 1
            yield c

    it = g()
    a = next(it, None)
    c += 5
    return (a, list(it), c)


def gen_made(n):

    def make(k):

        def g():
            nonlocal k
            for i in range(n):
                k += i
                yield k

        return g

    return (make(n), list(make(2)()))


def set_comp(n):
    return sorted(f() for f in {lambda: i for i in range(n)})


def dict_comp(n):
    return {k: lambda: (k, v) for k, v in zip("abc", range(n))}


def nested_comp(n):
    return [[lambda: (i, j) for j in range(i)] for i in range(n)]


def lam_default(n):
    return (lambda k=n: lambda: k)()


def lam_in_lam(n):
    f = lambda k: [lambda: k + n for _ in range(2)]
    return f(3)


def args_cell(n):

    def f(*args):
        fs = [lambda: args]
        args = args[1:]
        return fs[0]()

    return (f(1, n), f)


def kw_cell(n):

    def f(**kw):
        fs = [lambda: kw]
        kw = {**kw, "n": n}
        return fs[0]()

    return (f(a=1), f)


def deep_nonlocal(n):
    a = 0

    def f1():

        def f2():

            def f3():
                nonlocal a
                a += n
                return a

            return f3

        return f2

    return (f1()(), a)


def two_of_same_name(n):

    def f():
        x = n

        def g():
            return x

        x += 1
        return g

    def h():
        x = -n

        def g():
            return x

        x -= 1
        return g

    x = 100
    k = lambda: x
    x += 1
    return (f(), h(), k)


def loops_many(n):
    out = []
    for i in range(n):
        for j in range(n):
            out.append(lambda: i * 10 + j)
    for i in range(2):
        pass
    return out


def cond_capture(n):
    fs = []
    for i in range(n):
        if i % 2:
            v = i * 10
            fs.append(lambda: v)
        else:
            w = -i
            fs.append(lambda: (w, v if i > 0 else None))
    return fs


def try_capture(n):
    fs = []
    for i in range(n):
        try:
            if i == 1:
                raise KeyError(i)
            v = i
            fs.append(lambda: v)
        except KeyError as e:
            v = e.args[0] * 100
            fs.append(lambda: (v, i))
        finally:
            fs.append(lambda: -v)
    return fs


def while_else(n):
    k = 0
    fs = []
    while k < n:
        fs.append(lambda: k)
        k += 1
        if k == 3:
            break
    else:
        k = 100
    return fs


def unpack_star(n):
    fs = []
    for a, *b in [(1, 2, n), (3, n, 5)]:
        fs.append(lambda: (a, b))
    return fs


def sub_target(n):
    d = {}
    f = lambda: d
    for d["k"] in range(n):
        pass
    d = dict(d)
    g = [f]
    return g


def sort_key_later(n):
    m = 1
    ks = [lambda v: v * m]
    m = -1 if n else 1
    return (sorted(range(4), key=ks[0]), max(range(4), key=ks[0]))


def accumulate(n):
    t = 0

    def f(a, b):
        nonlocal t
        t += 1
        return a + b + t

    return (list(itertools.accumulate(range(n), f)), t)


def compare_methods(n):

    class V:
        def __init__(self, v):
            self.v = v

        def __lt__(self, o):
            nonlocal c
            c += 1
            return self.v < o.v

    c = 0
    vs = [V(n), V(1), V(2)]
    s = sorted(vs)
    return ([v.v for v in s], c > 0)


def recursion_closure(n):

    def walk(k, f):
        if k == 0:
            return [f]

        def g():
            return (k, f())

        return [f] + walk(k - 1, g)

    return walk(n, lambda: "end")


def thread_local(n):
    seen = []

    def visit(v):
        seen.append(v)
        if len(seen) > 3:
            return seen
        return visit(v + n)

    return (visit(n), visit)


def partial_self(n):

    def f(a, b=2):
        return a + b + n

    p = functools.partial(f, b=n)
    n += 1
    return p


def methods_list(n):

    class C:
        def __init__(self):
            self.v = n

        def a(self):
            self.v += 1
            return self.v

        def b(self):
            self.v *= 2
            return self.v

    c = C()
    ops = []
    for i in range(n):
        ops.append(c.a if i % 2 else c.b)
    return [o() for o in ops]


def del_arg(n):

    def f():
        return n

    fs = [f]
    del n
    return fs


def unset_nonlocal(n):

    def f():
        nonlocal v
        v += 1
        return v

    fs = [f]
    if n > 2:
        v = n
    return fs


def loop_unset(n):
    fs = []
    for i in range(n):
        fs.append(lambda: (i, last))
        if i > 1:
            last = i
    return fs


def closure_in_comp(n):
    fs = [lambda v, j=j: (v, j, i) for i in range(n) for j in range(i)]
    return fs


def chained_nonlocal_loop(n):
    total = 0

    def outer():
        nonlocal total

        def inner(k):
            nonlocal total
            total += k
            return total

        for j in range(3):
            inner(j)
        return inner

    g = outer()
    return (g, total)


def two_levels(n):
    a = n

    def outer(k=1):
        nonlocal a
        a += k
        b = a

        def inner():
            nonlocal b
            b += 1
            return (a, b)

        return inner

    f = outer()
    g = outer(2)
    return [f, g, outer]


def activations(n):

    def build(k):
        fs = []
        if k > 0:
            fs = build(k - 1)
        v = k
        fs.append(lambda: v)
        v += 10
        return fs

    return build(n)


def inlined_activations(n):

    def one(k):
        t = k

        def get():
            return t

        t += 1
        return get

    out = []
    for i in range(n):
        out.append(one(i))
    return out


PROGRAMS = [
    inlined_activations, activations, two_levels, chained_nonlocal_loop, closure_in_comp, comp_static,
    comp_static_if, gen_fs, gen_fs_lazy, genexp, outer_same_name, gen_state, gen_made, set_comp,
    dict_comp, nested_comp, lam_default, lam_in_lam, args_cell, kw_cell, deep_nonlocal, two_of_same_name,
    loops_many, cond_capture, try_capture, while_else, unpack_star, sub_target, sort_key_later,
    accumulate, compare_methods, recursion_closure, thread_local, partial_self, methods_list, del_arg,
    unset_nonlocal, loop_unset,
]  # fmt: skip


@parametrize([(f, n) for f in PROGRAMS for n in (1, 4, 0)])
def test_a_kept_variable_is_that_of_its_scope(f, args):
    """Each activation of a scope has variables of its own, which all that is made in it share."""
    check_made(f, *args)
