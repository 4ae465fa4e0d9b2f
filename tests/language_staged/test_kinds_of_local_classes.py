"""Kinds of classes that staged code defines: in arms and loops, with descriptors, decorators, several bases."""  # noqa: E501

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import NamedTuple

import pytest
from equivalence import check, parametrize

from autograph import function
from autograph.errors import CapturedSymbolError


class Outer:
    reg = []  # noqa: RUF012
    scale = 2

    def __init__(self, v):
        self.v = v

    def val(self):
        return self.v * self.scale

    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)


def in_arms(n):
    if n > 2:

        class T:
            k = n

            def get(self):
                return self.k + 1
    else:

        class T:
            k = 7

            def get(self):
                return self.k * n

    return T().get(), T.k


def classes_as_values(n):
    class T:
        k = n

        def get(self):
            return n + 1

    return T.__name__, [T().get() for _ in range(n)], {"c": T}["c"]().get(), (lambda c: c().get())(T)


def of_outer_base(n):
    class T(Outer):
        scale = n

        def val(self):
            return super().val() + n

    a = T(2)
    T.scale += 1
    return a.val(), Outer(2).val(), T.scale, Outer.scale, a.scale


def decorated(n):
    def reg(cls):
        cls.tag = n
        names.append(cls.__name__)
        return cls

    names = []

    @reg
    class T:
        def m(self):
            return self.tag + n

    return T().m(), names, T.tag


def private_names(n):
    class T:
        def __init__(self):
            self.__x = n

        def __priv(self):
            return self.__x + n

        def pub(self):
            return self.__priv()

        __call__ = pub

        def __class_getitem__(cls, k):
            return k + n

    return T().pub(), T()(), T[2]


def descriptors(n):
    class D:
        def __set_name__(self, o, name):
            self.name = name

        def __get__(self, o, t=None):
            return o.__dict__.get(self.name, n) if o is not None else self

        def __set__(self, o, v):
            o.__dict__[self.name] = v + n

    class T:
        p = D()
        q = D()

    t = T()
    r = t.p
    t.p = 4
    return r, t.p, t.q, vars(t)


def frozen_dataclass(n):
    @dataclass(frozen=True)
    class P:
        x: int
        y: int = n

        def mv(self, k):
            return replace(self, x=self.x + k * n)

        @property
        def s(self):
            return self.x + self.y + n

    p = P(1)
    for i in range(n):
        p = p.mv(i)
    try:
        p.x = 2
    except Exception as e:
        r = type(e).__name__
    return p.s, p.x, r, p == P(p.x), hash(p) == hash(P(p.x)), {p: 1}[P(p.x)], P.__match_args__


def several_bases(n):
    class A:
        def f(self):
            return n

    class B(A):
        def f(self):
            return A.f(self) + 1

    class C(A):
        def g(self):
            return self.f() * 10

    class D(B, C):
        pass

    return D().f(), D().g(), [c.__name__ for c in D.__mro__], isinstance(D(), A), issubclass(D, C)


def kept_in_list(n):
    classes = []
    for i in range(n):

        class T:
            v = i

            def get(self):
                return self.v * n

        classes.append(T)
    return [c().get() for c in classes], [c.v for c in classes], classes[0] is classes[1]


def counters(n):
    class Counter:
        total = 0

        def __init__(self):
            self.me = 0

        def hit(self):
            self.me += 1
            Counter.total += 1
            return self

    a, b = Counter(), Counter()
    for i in range(n):
        a.hit()
        if i % 2:
            b.hit().hit()
    return a.me, b.me, Counter.total, a.total


def managers_in_loop(n):
    class Ctx:
        def __init__(self, log):
            self.log = log

        def __enter__(self):
            self.log.append(n)
            return self

        def __exit__(self, *a):
            self.log.append(-n)

    log = []
    for i in range(n):
        with Ctx(log) as c:  # noqa: F841
            if i == 1:
                continue
            log.append(i)
    return log


def in_recursion(n):
    def rec(k):
        class N:
            def __init__(self):
                self.d = k

            def up(self):
                return self.d + n

        if k == 0:
            return N().up()
        return rec(k - 1) + N().up()

    return rec(3)


def sequence(n):
    class It:
        def __init__(self, k):
            self.k = k

        def __iter__(self):
            for i in range(self.k):
                yield i * n

        def __len__(self):
            return self.k + n

        def __getitem__(self, i):
            return i + n

        def __bool__(self):
            return n > 5

    it = It(n)
    return (
        list(it),
        len(it),
        it[2],
        bool(it),
        3 in it,
        [x for x in it],  # noqa: C416
        sum(it),
        "y" if it else "n",
        not it,
        it or 1,
        max(it),
    )


def attribute_of_class_and_object(n):
    class T:
        k = n

    t = T()
    if n > 2:
        T.k = 10
    while T.k < 12:
        T.k += 1
    t.k += 5
    del t.k
    r = t.k, T.k
    T.k = n
    return r, t.k, getattr(T, "k"), T.__dict__["k"], vars(T)["k"]  # noqa: B009


def methods_added_later(n):
    class T:
        def __init__(self, v):
            self.v = v

    a = T(n)
    T.__eq__ = lambda s, o: s.v == o.v + n
    T.get = lambda s: s.v * n
    return a == T(0), a.get(), a != T(0)


def named_tuple_with_captured(n):
    class N(NamedTuple):
        a: int
        b: int = 2

        def s(self):
            return self.a + self.b + n

        def __lt__(self, o):
            return self.a * n < o.a

        def __add__(self, o):
            return N(self.a + n, self.b + o[1])

        @property
        def p(self):
            return self.a - n

    items = []
    for i in range(n):
        items.append(N(i, n))
    x = items[n - 1]
    match x:
        case N(a=2, b=q):
            m = q
        case N(a, b):  # noqa: F841
            m = a
    return (
        x.s(),
        N(1).s(),
        N(1) < N(2),
        items[0].p,
        x[0],
        tuple(N(1, n) + N(0, 1)),
        N._fields,
        N(n)._replace(a=1).s(),
        isinstance(x, N),
        N(*x).p,
        m,
        max(items).a,
        len(items[0]),
        [y.s() for y in items],
    )


def named_tuple(n):
    class N(NamedTuple):
        a: int

        def s(self):
            return self.a + 1

    items = [N(i) for i in range(n)]
    return [x.s() for x in items], N(n).s(), items[0].__class__.__name__


def exception(n):
    class E(Exception):
        def __init__(self, m):
            super().__init__(m)
            self.m = m

        def both(self):
            return self.m, str(self)

    try:
        raise E(n)
    except E as e:
        return e.both(), e.m


CASES = [
    (in_arms, 1),
    (in_arms, 3),
    (classes_as_values, 3),
    (of_outer_base, 3),
    (decorated, 3),
    (private_names, 3),
    (descriptors, 3),
    (frozen_dataclass, 3),
    (several_bases, 3),
    (kept_in_list, 3),
    (counters, 3),
    (managers_in_loop, 3),
    (in_recursion, 3),
    (sequence, 3),
    (attribute_of_class_and_object, 3),
    (methods_added_later, 3),
    (named_tuple_with_captured, 3),
    (named_tuple, 3),
    (exception, 3),
]


@parametrize(CASES)
def test_kinds_of_local_classes(f, args):
    """Each program gives in every mode what plain Python gives, and raises where it raises."""
    check(f, *args)


def exception_with_captured(n):
    class E(Exception):
        def __str__(self):
            return f"{n}"

    return str(E())


def cached_method_with_captured(n):
    class T:
        @functools.lru_cache
        def get(self, k):
            return k + n

    return T().get(1)


@pytest.mark.parametrize("f", [exception_with_captured, cached_method_with_captured])
def test_what_no_class_of_the_run_can_have_is_refused(f):
    """A function that knows values of the graph, where no other one can take its place."""
    with pytest.raises(CapturedSymbolError, match="it knows variables"):
        function(f)(3)
