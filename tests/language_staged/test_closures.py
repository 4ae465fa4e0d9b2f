"""Variables that functions made in staged code keep: looked at late, shared, assigned by them."""

from __future__ import annotations

import contextlib

from equivalence import parametrize
from observing import check_made, given_arguments


def loop_lambdas(n):
    fs = []
    for i in range(n):
        fs.append(lambda: i)
    return ([f() for f in fs], fs)


def while_var(n):
    fs = {}
    k = 0
    while k < n:
        fs[k] = lambda: k
        k += 1
    return fs


def default_kept(n):
    fs = []
    for i in range(n):
        fs.append(lambda i=i: i * 10)
    return fs


def counter(start, n):
    c = start

    def step(k=1):
        nonlocal c
        c += k
        return c

    for _ in range(n):
        step()
    return step


def two_share(n):
    c = n

    def get():
        return c

    def put(v):
        nonlocal c
        c = v

    return (get, put)


def accumulators(n):

    def make(start):
        total = start

        def add(v):
            nonlocal total
            total += v
            return total

        return add

    accs = []
    for k in range(n):
        accs.append(make(k))
    for a in accs:
        a(1)
    return accs


def chosen(x, n):
    if n > 2:

        def f(v):
            return v + x
    else:

        def f(v):
            return v - x

    x = 10
    return f


def chosen_later(x, n):
    y = x
    f = lambda: y
    if n > 2:
        y = n
    return (f, f())


def unset(n):

    def f():
        return late + n

    fs = [f]
    if n > 5:
        late = 3
    return f


def deleted(n):
    v = n
    f = lambda: v
    g = [f()]
    del v
    return f


def in_try(n):
    k = 0
    f = lambda: k
    try:
        k = n
        if n > 2:
            raise ValueError(n)
        k = 100
    except ValueError as e:
        g = f()
        k += 1
    else:
        g = -1
    return (f, g)


def nested(n):
    a = n

    def mid():
        b = a + 1

        def inner():
            nonlocal a, b
            a += 1
            b += 10
            return (a, b)

        return inner

    return mid


def comp(n):
    return ([lambda: i for i in range(n)], {k: lambda: k for k in range(n)})


def cond_exp(n):
    k = 1
    f = (lambda: k) if n > 1 else lambda: -k
    k = n
    return f


def list_index(n):
    fs = []
    for i in range(n):
        fs.append(lambda v: v * i)
    return (fs[n // 2](3), fs[-1])


def dict_dispatch(n):
    table = {}
    for i in range(n):
        table[i] = lambda: i
    return (table[n - 1](), table)


def stop(n):
    fs = []
    for i in range(n):
        if i == 2:
            break
        fs.append(lambda: i)
    else:
        i = 99
    return fs


def set_inside_arm(n):

    def f():
        return x

    if n > 2:
        x = 1
    g = [f]
    return g


def two_scopes(n):

    def f(k):

        def g():
            return k

        k += 1
        return g

    return [f(n), f(n + 1)]


def param_changes(n):
    f = lambda: n
    n += 1
    g = [f]
    n += 1
    return g


def walrus(n):
    f = lambda: y
    if (y := (n + 1)) > 3 and (y := (y * 2)) > 5:
        pass
    return f


def forfor(n):
    fs = []
    for i, j in enumerate(range(n)):
        for k in range(j):
            fs.append(lambda: (i, j, k))
    return fs


def unpack_targets(n):
    a, (b, *c) = (n, (n + 1, 2, 3))
    f = lambda: (a, b, c)
    a, b = (b, a)
    return f


def condition(n):
    c = 0

    def bump():
        nonlocal c
        c += 1
        return c

    if n > 1 and bump() > 0 or bump():
        c += 10
    r = [bump for _ in range(2)]
    return (r[0](), c, bump)


def with_(n):
    c = 0

    def bump():
        nonlocal c
        c += 1

    with contextlib.suppress(ZeroDivisionError):
        bump()
        1 // n
        bump()
    return (c, bump)


def finally_(n):
    c = 0

    def bump():
        nonlocal c
        c += 1
        return c

    try:
        if n:
            return bump
        bump()
    finally:
        bump()
    return bump


def sum_of_calls(n):
    total = 0

    def add(v):
        nonlocal total
        total += v

    fs = []
    for i in range(n):
        fs.append(add)
    for f in fs:
        f(2)
    return total


def memo(n):
    cache = {}

    def fib(k):
        if k in cache:
            return cache[k]
        r = k if k < 2 else fib(k - 1) + fib(k - 2)
        cache[k] = r
        return r

    return (fib(n), fib, cache)


def aug_array(a):
    f = lambda: a
    a = a + 1
    return f


def aug_ops(n):
    s = "x"
    items = [1]

    def f():
        nonlocal s, items
        s += "y"
        items += [n]
        return (s, items)

    m = items
    f()
    return (f, m)


def deleted_again(n):
    v = n

    def f():
        nonlocal v
        r = v
        del v
        return r

    fs = [f]
    return f


def set_again(n):
    v = n

    def f(k=1):
        nonlocal v
        v = k

    def g():
        return v

    del v
    return (f, g)


def conditional_def(n):
    if n > 2:

        def f():
            return c
    else:

        def f():
            return -c

    c = n
    return f


def for_else(n):
    f = None
    for i in range(n):
        if i > 1:
            f = lambda: i
            break
    else:
        f = lambda: -1
    return f


def for_target_tuple(n):
    fs = []
    for i, (j, k) in zip(range(n), [(1, 2), (3, 4), (5, 6), (7, 8)]):
        fs.append(lambda: i + j * 10 + k * 100)
    return fs


def swap(n):
    f, g = (lambda: n, lambda: -n)
    for i in range(n):
        f, g = (g, f)
    return (f, g)


def pipeline(n):
    f = lambda v: v
    for i in range(n):
        f = (lambda g, i: lambda v: g(v) + i)(f, i)
    return f


def state_machine(n):
    state = "a"

    def step(k=0):
        nonlocal state
        if state == "a":
            state = "b" if k > n else "a"
        elif state == "b":
            state = "c"
        return state

    return (step, step(n + 1), step())


def events(n):
    handlers = {}
    log = []

    def on(name, f):
        handlers.setdefault(name, []).append(f)

    def fire(name, *args):
        for f in handlers.get(name, []):
            log.append(f(*args))
        return log

    for i in range(n):
        on("x", lambda v, i=i: v + i)
        on("y", lambda v: v * i)
    fire("x", 1)
    fire("y", 2)
    return (fire, log)


def none_captured(n):
    r = None

    def f(v=None):
        nonlocal r
        if r is None:
            r = v
        return r

    return (f, f(), f(n))


def static_index(n):
    k = 0

    def f():
        return ([10, 20, 30][k], (1, 2, 3)[k])

    for i in range(min(n, 2)):
        k += 1
    return (f, f())


def string_ops(n):
    s = ""

    def f(c="z"):
        nonlocal s
        s += c * 2
        return (f"{s}:{len(s)}", s.upper())

    f("a")
    return f


def returned_twice(n):
    c = n

    def f():
        nonlocal c
        c += 1
        return c

    return (f, f)


def mixed(n, x):
    fs = []
    y = x
    while len(fs) < n:
        y = y * 2
        if y > 20:
            fs.append(lambda: y)
        else:
            fs.append(lambda v=y: (v, y))
    return fs


def inner_class_cell(n):
    k = n

    class P:
        def get(self):
            return k

        def set(self, v=9):
            nonlocal k
            k = v

    k = 5
    p = P()
    p.set()
    return (p.get(), k, p.set, p.get)


def unpacked_fs(n):
    c = 0

    def a():
        nonlocal c
        c += 1
        return c

    def b():
        nonlocal c
        c += 10
        return c

    x, y = (a, b) if n > 2 else (b, a)
    return (x, y)


def fstring(n):
    fs = []
    for name in ["a", "b"]:
        for i in range(n):
            fs.append(lambda: f"{name}{i:03d}")
    return fs


def arrays(a, n):

    def f(i=0):
        a[i] += n
        v = a[1:]
        v *= 2
        return v

    k = 0

    def g():
        nonlocal a
        a = a + 1
        return a

    f()
    return (f, g)


PROGRAMS = [
    loop_lambdas, while_var, default_kept, counter, two_share, accumulators, chosen, chosen_later, unset,
    deleted, in_try, nested, comp, cond_exp, list_index, dict_dispatch, stop, set_inside_arm, two_scopes,
    param_changes, walrus, forfor, unpack_targets, condition, with_, finally_, sum_of_calls, memo,
    aug_array, aug_ops, deleted_again, set_again, conditional_def, for_else, for_target_tuple, swap,
    pipeline, state_machine, events, none_captured, static_index, string_ops, returned_twice, mixed,
    inner_class_cell, unpacked_fs, fstring, arrays,
]  # fmt: skip


@parametrize(given_arguments(PROGRAMS))
def test_a_kept_variable_is_what_it_is_when_it_is_looked_at(f, args):
    """The functions in the result give what the plain ones give, call after call."""
    check_made(f, *args)
