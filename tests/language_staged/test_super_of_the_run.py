"""``super()`` where only the run knows the class of the object: in methods that the run calls."""

from __future__ import annotations

import pytest
from equivalence import check, parametrize

import autograph as ag
from autograph.errors import StagingError


class Base:
    def __init__(self, n):
        self.n = n

    def m(self, x):
        return x * 10

    def __repr__(self):
        return f"Base({self.n})"

    def __eq__(self, other):
        return isinstance(other, Base) and self.n == other.n

    def __hash__(self):
        return 3

    @classmethod
    def make(cls, n):
        return cls(n)

    @property
    def p(self):
        return self.n + 1


class Other(Base):
    def m(self, x):
        return -1


def every_kind_of_member(x):
    class A(Base):
        k = x

        def __init__(self, n):
            super().__init__(n + x)

        def m(self, y):
            return super().m(y) + self.k

        def __repr__(self):
            return "A" + super().__repr__()

        def __eq__(self, other):
            return super().__eq__(other) and self.k == other.k

        def __hash__(self):
            return super().__hash__() + 1

        @classmethod
        def make(cls, n):
            return super().make(n * 2)

        @property
        def p(self):
            return super().p * x

    objects = [A(1), A(2)]
    if x > 0:
        objects.append(A(3))
    called = [each.m(x) for each in objects]
    objects.sort(key=lambda each: -each.p)
    told = objects[0] == objects[1], objects[0] == A(3), len({*objects}), hash(objects[0])
    return called, repr(objects), told, repr(A.make(4)), [each.p for each in objects]


def through_several_classes(x):
    class A(Base):
        k = x

        def m(self, y):
            return super().m(y) + self.k

    class B(A):
        def m(self, y):
            return super().m(y) - x

    class C(B):
        pass

    objects = [A(1), B(2), C(3)]
    while x < 5:
        objects.append(C(x))
        x += 1
    return [each.m(x) for each in objects], f"{objects}"


def as_text(x):
    class A(Base):
        k = x

        def __repr__(self):
            return super().__repr__()[:2] + str(self.k)

    return f"{A(x)}"


def of_items(x):
    objects = [Other(x)] * 5
    if x > 2:
        objects.append(Other(1))
    return sum(super(Other, each).m(x) for each in objects)


def of_the_wrong_class(x):
    objects = [Base(x)] * 5
    if x > 2:
        objects.append(Base(1))
    return [super(Other, each).m(x) for each in objects]


def missing(x):
    class A(Base):
        k = x

        def q(self):
            return super().q()

    objects = [A(1)]
    if x > 0:
        objects.append(A(2))
    return [each.q() for each in objects]


CASES = [
    *((f, x) for f in (every_kind_of_member, through_several_classes, as_text) for x in (2, -2)),
    *((f, x) for f in (of_items, of_the_wrong_class, missing) for x in (1, 3)),
]


@parametrize(CASES)
def test_super_is_that_of_the_run(f, args):
    """Methods, operators, properties and class methods of the classes behind."""
    check(f, *args)


def test_a_method_that_cannot_be_traced_is_refused_before_anything_ran():
    """Although the run may never call it."""
    done = []

    @ag.function
    def f(x):
        done.append(x)

        class A(Base):
            k = x

            def m(self, y):
                try:
                    return 1 // x
                except y:
                    return 0

        objects = [A(1)]
        if x > 0:
            objects.append(A(2))
        return [each.m(x) for each in objects]

    with pytest.raises(StagingError, match="except clause"):
        f(1)
    assert done == []
