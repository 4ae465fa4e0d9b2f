"""Methods, operators and attributes of classes that staged code defines, with values of the graph in them."""

from __future__ import annotations

import pytest
from equivalence import check, parametrize

import autograph as ag
from autograph.errors import CapturedSymbolError


def called(n):
    class T:
        def __call__(self, x):
            return n + x

    return T()(2)


def item_with_captured(n):
    class T:
        def __getitem__(self, x):
            return n + x

    return T()[n]


def operators_with_captured(n):
    m = n * 2

    class T:
        def __init__(self, v):
            self.v = v

        def __add__(self, o):
            return m + self.v + o

        def __eq__(self, o):
            return m > 3

        def __lt__(self, o):
            return self.v * m < o.v

        def __len__(self):
            return m

        def __contains__(self, k):
            return k == m

        def __iter__(self):
            for i in range(m):  # noqa: UP028
                yield i

        def __bool__(self):
            return m > 2

        def __enter__(self):
            return m

        def __exit__(self, *a):
            return m > 3

        def __float__(self):
            return float(m)

        def __repr__(self):
            return f"T{m}"

        @property
        def p(self):
            return self.v * m

    t = T(1)
    out = []
    out.append(t + 1)
    out.append(t == 2)
    out.append(T(2) < t)
    out.append(len(t))
    out.append(6 in t)
    out.append(bool(t))
    out.append(float(t))
    out.append(repr(t))
    out.append(t.p)
    with t as q:
        out.append(q)
    if t:
        out.append(1)
    return out


def iterated_with_captured(n):
    m = n * 2

    class T:
        def __iter__(self):
            for i in range(m):  # noqa: UP028
                yield i

    return list(T())


def ordered_with_captured(n):
    class T:
        def __init__(self, v):
            self.v = v

        def __lt__(self, o):
            return self.v * n < o.v

    return sorted([T(2), T(1)])[0].v, max(T(1), T(2)).v


def hashed_with_captured(n):
    class T:
        def __hash__(self):
            return n

        def __eq__(self, o):
            return True

    return {T(): 1}[T()], len({T(), T()})


def more_operators_with_captured(n):
    m = n * 2

    class T:
        def __str__(self):
            return f"<{m}>"

        def __format__(self, s):
            return f"{m}{s}"

        def __getattr__(self, k):
            return m

        def __setattr__(self, k, v):
            object.__setattr__(self, k, v * m)

        def __setitem__(self, k, v):
            self.x = k + v + m

        def __radd__(self, o):
            return o * m

        def __neg__(self):
            return -m

        def __abs__(self):
            return m

        def __index__(self):
            return m

        def __iadd__(self, o):
            self.x = o + m
            return self

    t = T()
    t.x = 2
    t[1] = 2
    t += 1
    return str(t), f"{t:z}", t.foo, t.x, 3 + t, -t, abs(t), list(range(9))[t]


def attributes_with_captured(n):
    m = n * 2

    class T:
        cls_v = m

        def get(self):
            return self.cls_v + T.cls_v

        @staticmethod
        def s(k):
            return k * m

        @classmethod
        def c(cls):
            return cls.cls_v * m

    return T().get(), T.s(2), T.c(), T.cls_v, getattr(T, "cls_v")  # noqa: B009


def assigned_in_arm(n):
    class T:
        v = 1

    if n > 2:
        T.v = 5
    return T.v


def counted_in_init(n):
    class T:
        count = 0

        def __init__(self):
            T.count += 1

    for i in range(n):  # noqa: B007
        T()
    return T.count


def shared_list(n):
    class T:
        items = []  # noqa: RUF012

        def add(self, x):
            self.items.append(x)

    a = T()
    b = T()
    for i in range(n):
        a.add(i)
        b.add(-i)
    return T.items, a.items is b.items


def late_binding(n):
    k = 1

    class T:
        def __len__(self):
            return k

    t = T()
    a = len(t)
    k = 2
    return a, len(t)


def data_of_the_graph(n):
    class T:
        v = n

        def get(self):
            return self.v

    t = T()
    return t.v, T.v, t.get()


def super_with_captured(n):
    class A:
        def f(self):
            return n

    class B(A):
        def f(self):
            return super().f() + 1

    return B().f(), A().f()


def makes_itself(n):
    class T:
        def __init__(self, v):
            self.v = v

        def __add__(self, o):
            return T(self.v + o.v)

    t = T(0)
    for i in range(n):
        t = t + T(i)
    return t.v


def dataclass_makes_itself(n):
    from dataclasses import dataclass

    @dataclass
    class P:
        x: int
        y: int = 2

        def __add__(self, o):
            return P(self.x + o.x, self.y + o.y)

    p = P(0)
    for i in range(n):
        p = p + P(i)
    return p.x, p.y, repr(p)[-11:]


CASES = [
    (called, 3),
    (item_with_captured, 3),
    (operators_with_captured, 3),
    (iterated_with_captured, 3),
    (ordered_with_captured, 3),
    (hashed_with_captured, 3),
    (more_operators_with_captured, 3),
    (attributes_with_captured, 3),
    (assigned_in_arm, 1),
    (assigned_in_arm, 3),
    (counted_in_init, 3),
    (shared_list, 3),
    (late_binding, 3),
    (data_of_the_graph, 3),
    (super_with_captured, 3),
    (makes_itself, 3),
    (dataclass_makes_itself, 3),
]


@parametrize(CASES)
def test_members_of_local_classes(f, args):
    """Each program gives in every mode what plain Python gives, and raises where it raises."""
    check(f, *args)


def functions_in_lists_of_a_class(n):
    """They know variables: each run makes the lists with functions of its own."""

    class Handlers:
        listed = [lambda: n]
        named = {"pair": (lambda: n, lambda k: k + n), "other": 3}

        def all(self):
            return [each() for each in self.listed]

    before = Handlers().all(), Handlers.named["pair"][0]()
    n += 5
    return before, Handlers().all(), Handlers.named["pair"][1](1)


def test_functions_in_lists_of_a_class():
    """In lists, tuples and dicts; see there. An exception class refuses them at its line."""
    check(functions_in_lists_of_a_class, 3)

    @ag.function
    def of_an_exception(n):
        class Failed(Exception):
            listed = [lambda: n]

        return Failed.listed[0]()

    with pytest.raises(CapturedSymbolError):
        of_an_exception(3)
