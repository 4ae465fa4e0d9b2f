"""Whole classes that staged code defines: bases, dataclasses, managers, iterators, what comes and goes."""

from __future__ import annotations

import abc
import enum
from dataclasses import dataclass, field
from typing import NamedTuple

from equivalence import check, parametrize


def everything_of_a_class(n):
    class A:
        reg = []  # noqa: RUF012

        def __init__(self, v):
            self.v = v
            A.reg.append(v)

        def val(self):
            return self.v * n

        @property
        def twice(self):
            return self.v * 2 + n

        @twice.setter
        def twice(self, x):
            self.v = x // 2

        @staticmethod
        def st(k):
            return k + n

        @classmethod
        def mk(cls, k):
            return cls(k + n)

        def __repr__(self):
            return f"A({self.v}, {n})"

        def __eq__(self, o):
            return self.v == o.v

        def __hash__(self):
            return self.v

    class B(A):
        def __init__(self, v):
            super().__init__(v + 1)
            self.w = n

        def val(self):
            return super().val() + self.w

    a = A(1)
    b = B(2)
    c = A.mk(3)
    d = B.mk(4)
    a.twice = 10
    return (
        a.val(),
        b.val(),
        c.val(),
        d.val(),
        a.twice,
        A.st(2),
        B.st(3),
        A.reg,
        repr(a),
        a == A(5),
        len({a, A(5)}),
        isinstance(b, A),
        type(b).__name__,
        type(b) is B,
        A.__name__,
        issubclass(B, A),
    )


def changed_in_loop(n):
    class T:
        x = 1

    for i in range(n):
        T.x += i
        if i > 1:
            T.y = i
    t = T()
    t.x = 9
    return T.x, t.x, hasattr(T, "y"), getattr(T, "y", None), vars(t)


def defined_in_loop(n):
    out = []
    for i in range(n):

        class T:
            k = i

            def get(self):
                return self.k + i * n  # noqa: B023

        out.append(T().get())
        out.append(T.k)
    return out


def dataclass_with_captured(n):
    @dataclass(order=True)
    class P:
        x: int
        y: list = field(default_factory=list)
        z: int = n

        def __post_init__(self):
            self.x += n

        def norm(self):
            return self.x + len(self.y)

    a = P(1)
    b = P(2, [1], 0)
    a.y.append(5)
    return a.norm(), b.norm(), a < b, a == P(1, [5]), a.z, b.x, repr(a)[-24:], max(a, b).x


def abstract_classes(n):
    class Base(abc.ABC):
        @abc.abstractmethod
        def f(self): ...
        def g(self):
            return self.f() + n

    class Impl(Base):
        def f(self):
            return n * 2

    try:
        Base()
        e = None
    except TypeError as err:
        e = "abstract" in str(err)
    return Impl().g(), e, sum([Impl().f() for _ in range(n)])


def exception_class(n):
    class E(Exception):
        def __init__(self, c):
            super().__init__(c)
            self.c = c

    try:
        if n > 2:
            raise E(n)
    except E as e:
        return e.c, str(e)


def enums_and_named_tuples(n):
    class C(enum.Enum):
        A = 1
        B = 2

    class N(NamedTuple):
        a: int
        b: int = 2

        def s(self):
            return self.a + self.b + n

    x = C.A if n > 1 else C.B
    return x.name, x is C.A, N(n).s(), N(1, n) == (1, n), [c.value for c in C]


def slots(n):
    class S:
        __slots__ = ("a", "b")

        def __init__(self, a):
            self.a = a
            self.b = n

        def __len__(self):
            return self.a + self.b

    s = S(1)
    try:
        s.c = 1
    except AttributeError as e:
        return len(s), "no attribute" in str(e)


def iterators_and_managers(n):
    class It:
        def __init__(self):
            self.i = 0

        def __iter__(self):
            return self

        def __next__(self):
            if self.i >= n:
                raise StopIteration
            self.i += 1
            return self.i * n

    class Cm:
        log = []  # noqa: RUF012

        def __enter__(self):
            self.log.append(("in", n))
            return self

        def __exit__(self, *a):
            self.log.append(("out", a[0] is None))
            return n > 2

    with Cm() as c:  # noqa: F841
        if n > 1:
            raise ValueError(n)
    t = 0
    for v in It():
        t += v
    return list(It()), t, Cm.log, sum(It()), [v for v in It()]  # noqa: C416


def stack(n):
    class Stack:
        def __init__(self):
            self.items = []

        def push(self, x):
            self.items.append(x)
            return self

        def pop(self):
            return self.items.pop()

        def __len__(self):
            return len(self.items)

        def __bool__(self):
            return len(self.items) > 0

        def __getitem__(self, i):
            return self.items[i]

    s = Stack()
    for i in range(n):
        s.push(i).push(i * 2)
    out = []
    while s:
        out.append(s.pop())
    return out, len(s), bool(s)


def linked_nodes(n):
    class Node:
        def __init__(self, v, nxt=None):
            self.v, self.nxt = v, nxt

        def total(self):
            return self.v + (self.nxt.total() if self.nxt is not None else 0)

    h = None
    for i in range(n):
        h = Node(i, h)
    return h.total()


def vectors(n):
    class V:
        def __init__(self, x):
            self.x = x

        def __add__(self, o):
            return V(self.x + o.x)

        def __iadd__(self, o):
            self.x += o.x
            return self

        def __matmul__(self, o):
            return self.x * o.x + n

        def __getattr__(self, k):
            return n if k == "zz" else 0

        def __contains__(self, k):
            return k == self.x

        def __lt__(self, o):
            return self.x < o.x

        def __call__(self, k):
            return self.x * k + n

        def __setitem__(self, k, v):
            self.x = k + v

    t = V(0)
    for i in range(n):
        t = t + V(i)
        t += V(1)
    t[1] = t.x
    return (
        t.x,
        t @ V(2),
        t.zz,
        7 in t,
        max(t, V(1)).x,
        sorted([V(3), V(1)])[0].x,
        t(2),
        [V(i).x for i in range(n)],
    )


def bound_methods_as_functions(n):
    class T:
        def __init__(self, f):
            self.f = f

        def go(self, x):
            return self.f(x) + n

    t = T(lambda v: v * n)
    return t.go(2), list(map(t.go, range(n))), sorted(range(n), key=t.go)


def nested_classes(n):
    class T:
        class Inner:
            z = n

            def get(self):
                return self.z + n

        def mk(self):
            return T.Inner()

    return T.Inner().get(), T().mk().get(), T.Inner.z


def members_that_come_and_go(n):
    class T:
        def m(self):
            return n

    T.m2 = lambda self: n + 1
    t = T()
    t.q = T.m(t)
    setattr(T, "dyn", n)  # noqa: B010
    del T.m2
    return t.q, T.dyn, t.dyn, hasattr(t, "m2")


def subclasses_of_builtins(n):
    class L(list):
        def total(self):
            return sum(self) + n

    class D(dict):
        def __missing__(self, k):
            return k * n

    items = L(range(n))
    d = D(a=1)
    return items.total(), d[4], len(items), d["a"], isinstance(items, list)


def matched(n):
    class T:
        def __init__(self, v):
            self.v = v

    ts = [T(i) for i in range(n)]
    match ts[0] if n < 2 else T(n):
        case T(v=3):
            return "three"
        case T(v=v):
            return v


def made_twice(n):
    def mk(k):
        class T:
            def get(self):
                return k + n

        return T

    A, B = mk(1), mk(2)
    return A().get(), B().get(), A is B, isinstance(A(), B)


def equality_by_class(n):
    class T:
        def __init__(self):
            self.v = n

        def __eq__(self, o):
            return isinstance(o, T) and self.v == o.v

    return T() == T(), T() == 3, T() in [T()], T() != T()


def counted_by_objects(n):
    class T:
        total = 0

        def add(self, k):
            type(self).total += k
            return self

        def add2(self, k):
            self.__class__.total += k
            return self

        def add3(self, k):
            self.total += k
            return self

    t = T()
    for i in range(n):
        t.add(i).add2(i).add3(1)
    return T.total, t.total, vars(t)


CASES = [
    (everything_of_a_class, 3),
    (changed_in_loop, 1),
    (changed_in_loop, 3),
    (defined_in_loop, 3),
    (dataclass_with_captured, 3),
    (abstract_classes, 3),
    (exception_class, 3),
    (enums_and_named_tuples, 3),
    (slots, 3),
    (iterators_and_managers, 3),
    (stack, 3),
    (linked_nodes, 3),
    (vectors, 3),
    (bound_methods_as_functions, 3),
    (nested_classes, 3),
    (members_that_come_and_go, 3),
    (subclasses_of_builtins, 3),
    (matched, 3),
    (made_twice, 3),
    (equality_by_class, 3),
    (counted_by_objects, 3),
]


@parametrize(CASES)
def test_local_classes(f, args):
    """Each program gives in every mode what plain Python gives, and raises where it raises."""
    check(f, *args)
