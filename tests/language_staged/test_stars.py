"""Calls with as many arguments as only the run knows: the run binds them, and the function is staged."""

from __future__ import annotations

import functools

import numpy as np
from callees import D, K, P, two
from equivalence import check, parametrize

A = np.array([3.0, -1.0, 2.5, 0.0])


def add3(a, b=2, *rest, k=1, **opts):
    return a, b, rest, k, opts


def fwd(*args, **kw):
    return two(*args, **kw)


def fwd2(f, *args, **kw):
    return f(*args, **kw), len(args), sorted(kw)


def head(first, *rest):
    return first if not rest else first + head(*rest)


def agg(*xs, start=0):
    t = start
    for x in xs:
        t += x
    return t


def kwonly(a, /, b, *, c=3, **o):
    return a, b, c, sorted(o.items())


def mutates(*xs, **kw):
    kw["n"] = len(xs)
    xs = xs + (1,)
    return kw, xs, xs[-1], xs[0:1], isinstance(xs, tuple), type(xs), type(kw)


def unpack(*xs):
    a, *b = xs
    return a, b


def early(*xs):
    for x in xs:
        if x > 1:
            return x
    return -1


def grow(n, s=""):
    xs = []
    for i in range(n):
        xs.append(i)
    return xs


class Shape:
    kinds = 0

    def __init__(self, *dims, name="s"):
        self.dims = dims
        self.name = name
        Shape.kinds += 1

    def vol(self):
        v = 1
        for d in self.dims:
            v *= d + 1
        return v

    @classmethod
    def of(cls, *xs):
        return cls(*xs, name="of")

    def with_(self, *more):
        return Shape(*self.dims, *more)


class Sub(Shape):
    def __init__(self, *args, **kw):
        super().__init__(*args, **kw)
        self.extra = len(args)


def star_user(n):
    xs = []
    for i in range(n):
        xs.append(i * 2)
    return add3(*xs)


def star_two(n):
    xs = []
    for i in range(n):
        xs.append(i)
    return two(*xs)


def star_default(n):
    xs = []
    for i in range(n):
        xs.append(i)
    return add3(1, *xs, k=n)


def star_builtin(n):
    xs = []
    for i in range(n):
        xs.append(i)
    print(*xs)
    print(*xs, sep="-", end="|\n")
    return max(*xs), min(*xs, 5), sum([*xs])


def star_zip(n):
    rows = []
    for i in range(n):
        rows.append([i, i + 1])
    return list(zip(*rows, strict=False)), [sum(c) for c in zip(*rows, strict=False)]


def star_nested(n):
    xs = []
    for i in range(n):
        xs.append(i)

    def inner(a, *b):
        t = a * n
        for v in b:
            t += v
        return t

    return inner(*xs)


def star_method(n):
    xs = []
    for i in range(n):
        xs.append(i)
    return K().m(*xs), K.s(*xs), K.c(*xs)


def star_named_tuple(n):
    xs = []
    for i in range(n):
        xs.append(i)
    p = P(*xs)
    return p, p.x + p.y


def star_named_tuple_in_loop(n):
    out = []
    for i in range(n):
        p = (i, i + 1)
        q = P(*p)
        out.append(q.x * q.y)
    return out


def star_dataclass(n):
    xs = []
    for i in range(n):
        xs.append(i)
    d = D(*xs)
    return d.x + d.y, d


def names_of_the_run(n, s):
    d = {}
    for i in range(n):
        d[s * (i + 1)] = i
    return add3(1, **d), dict(**d)


def names_bind_to_parameters(n):
    d = {}
    for i in range(n):
        d["ab"[i]] = i
    return two(**d), add3(**d)


def star_arg_grow(items, n):
    for i in range(n):
        items.append(i)
    return add3(*items)


def star_order(n):
    xs = []
    for i in range(n):
        xs.append(i)

    def f(*a):
        print("called", a)
        return len(a)

    print("before")
    r = f(*xs)
    print("after")
    return r


def star_array(x):
    return two(*x[:2]), add3(*x), two(*x[x > 1])


def star_in_loop(n):
    total = 0
    xs = [1, 2]
    for i in range(n):
        xs.append(i)
        total += len(add3(*xs)[2])
    return total


def star_mutates(n):
    xs = []
    for i in range(n):
        xs.append([i])

    def f(a, *r):
        a.append(9)
        for q in r:
            q.append(8)
        return a

    r = f(*xs)
    return xs, r


def star_range(n):
    return add3(*range(n)), two(*range(2)), add3(*range(n), *range(2))


def star_print_fmt(n):
    xs = []
    for i in range(n):
        xs.append(i)
    return "{} {} {}".format(*xs), "%d %d %d" % (*xs,), "%d-%d" % tuple(xs[:2])  # noqa: UP031


def star_func_val(n):
    xs = []
    for i in range(n):
        xs.append(i)
    fs = [two, lambda a, b: a - b]
    return fs[n % 2](*xs[:2])


def star_kwonly(n):
    xs = []
    for i in range(n):
        xs.append(i)

    def f(*, k):
        return k

    return f(*xs, k=1)


def forwarded(n):
    return fwd(*grow(n)), fwd2(two, *grow(n)), fwd2(add3, *grow(n), k=4, z=n)


def recursive(n):
    return head(*grow(n)), agg(*grow(n)), agg(*grow(n), start=n), agg(1, *grow(n), 2)


def keyword_only(n):
    d = {}
    for i in range(n):
        d["xyzw"[i]] = i
    return kwonly(n, 2, **d), kwonly(n, b=n, **d), kwonly(*grow(2), **d)


def options_are_the_calls_own(n):
    d = {}
    for i in range(n):
        d["xyzw"[i]] = i
    r = mutates(*grow(n), **d)
    return r, d


def unpacked(n):
    return unpack(*grow(n)), early(*grow(n))


def positional_only(n):
    d = {"a": 1}
    for i in range(n):
        d["abc"[i]] = i
    return kwonly(**d)


def in_loops(n):
    out = []
    for i in range(n):
        out.append(agg(*grow(i)))
        if i > 1:
            out.append(add3(*grow(i), **{"q": i}))
    return out


def decorated(n):
    def deco(f):
        calls = 0

        @functools.wraps(f)
        def w(*args, **kw):
            nonlocal calls
            calls += 1
            return f(*args, **kw), calls

        return w

    g = deco(agg)
    return g(*grow(n)), g(*grow(n), start=1), g(1, 2)


def partials(n):
    f = functools.partial(agg, start=n)
    g = functools.partial(two, 3)
    return f(*grow(n)), g(*grow(1))


def error_is_caught(n):
    try:
        return two(*grow(n))
    except TypeError as e:
        return str(e)


def defaults_of_the_trace(n):
    def dflt(a, b=n, c=[n], *r, e=n + 1):  # noqa: B006
        c.append(a)
        return a, b, c, r, e

    return dflt(*grow(1)), dflt(*grow(2)), dflt(*grow(n + 1))


def list_argument(items):
    return agg(*items), add3(*items), [agg(*items, k) for k in items]


def callable_objects(n):
    class T:
        def __call__(self, *xs, **kw):
            return n, xs, kw

        def __getitem__(self, k):
            return k

    t = T()
    return t(*grow(n), z=1)


def classes(n):
    a = Shape(*grow(n))
    b = Shape.of(*grow(n))
    c = a.with_(7, *grow(1))
    d = Sub(*grow(n), name="sub")
    return a.vol(), b.name, b.vol(), c.vol(), len(c.dims), d.extra, d.name, d.vol()


def exceptions(n):
    e = ValueError(*grow(n))
    raise e


def in_lambdas(n):
    return (
        list(map(lambda r: two(*r), [grow(2), grow(2)])),  # noqa: C417
        sorted([grow(2), grow(1)], key=lambda r: agg(*r)),
        [two(*p) for p in zip(grow(n), grow(n), strict=False)],
    )


def builtins_and_rows(n):
    pts = list(zip(grow(n), grow(n), strict=False))
    return (
        [P(*p) for p in pts],
        [D(*p) for p in pts],
        dict(pts),
        max(*grow(n)),
        print(*grow(n), sep=","),
        "{}-{}-{}".format(*grow(n)),
        set().union(*[grow(n), [9]]),
        np.hypot(*grow(2)),
        list(zip(*pts, strict=False)),
        [*map(two, *zip(*pts, strict=False))],
    )


def named_tuples(n):
    q = P(*grow(2))._replace(x=n)
    r = P._make(grow(2))
    return q, r, r._asdict(), two(*q), two(*r), agg(*q, *r)


def generators(n):
    def gen(*xs):
        for x in xs:
            yield x * n

    return list(gen(*grow(n))), sum(gen(*grow(n)))


def rows_of_arrays(m, n):
    return agg(*m[0]), agg(*m[m > 1]), add3(*m[:, 0]), np.stack([*m]), two(*m), [two(*r[:n]) for r in m]


def dict_argument(d, n):
    for i in range(n):
        d["b"] = i
    return two(**d), kwonly(0, **{k: v for k, v in d.items() if k != "a"}), fwd(**d), fwd2(two, **d)


def chosen_function(n):
    xs = grow(n)
    f = agg if n > 2 else two
    return f(*xs)


def lambdas(n):
    return (
        (lambda *a: a)(*grow(n)),
        (lambda *a, **k: (a, k))(*grow(n), b=2),
        (lambda a, b=n, *c: (a, b, c))(*grow(n)),
    )


def nonlocal_accumulator(n):
    total = 0

    def acc(*xs):
        nonlocal total
        for x in xs:
            total += x
        return total

    for i in range(n):
        acc(*grow(i))
    return total, acc(*grow(n))


def printed(n):
    print("a", *grow(n), end="|")
    print(*grow(0))
    print(*grow(n), *grow(1), n)
    return (
        np.add(*grow(2)),
        divmod(*[n, 2]),
        pow(*grow(n)[1:]),
        isinstance(*[n, int]),
        range(*grow(n)),
        slice(*grow(n)),
        complex(*grow(2)),
        getattr(*[n, "real"]),
    )


CASES = [
    (star_user, 1),
    (star_user, 3),
    (star_two, 3),
    (star_two, 2),
    (star_default, 0),
    (star_default, 3),
    (star_default, 2),
    (star_builtin, 3),
    (star_zip, 3),
    (star_nested, 3),
    (star_method, 3),
    (star_named_tuple, 2),
    (star_named_tuple_in_loop, 4),
    (star_dataclass, 2),
    (names_of_the_run, 2, "a"),
    (names_bind_to_parameters, 2),
    (star_arg_grow, [1, 2], 3),
    (star_order, 3),
    (star_array, A),
    (star_in_loop, 3),
    (star_mutates, 3),
    (star_range, 3),
    (star_print_fmt, 3),
    (star_func_val, 3),
    (star_kwonly, 2),
    (forwarded, 2),
    (recursive, 4),
    (keyword_only, 4),
    (options_are_the_calls_own, 4),
    (unpacked, 3),
    (unpacked, 0),
    (positional_only, 3),
    (in_loops, 3),
    (decorated, 3),
    (partials, 3),
    (error_is_caught, 3),
    (defaults_of_the_trace, 3),
    (list_argument, [5]),
    (list_argument, [1, 2, 3]),
    (callable_objects, 3),
    (classes, 3),
    (exceptions, 3),
    (in_lambdas, 3),
    (builtins_and_rows, 3),
    (named_tuples, 3),
    (generators, 3),
    (rows_of_arrays, np.arange(6.0).reshape(2, 3), 2),
    (dict_argument, {"a": 1, "b": 2}, 2),
    (chosen_function, 3),
    (lambdas, 3),
    (nonlocal_accumulator, 3),
    (printed, 3),
]


@parametrize(CASES)
def test_calls_with_stars(f, args):
    """Each program gives in every mode what plain Python gives, and raises where it raises."""
    check(f, *args)
