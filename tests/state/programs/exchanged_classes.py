"""What classes hold, exchanged between calls: methods, properties, bases."""

from __future__ import annotations

import abc
import collections.abc

import numpy as np

import autograph as ag


def a_method_is_patched_on_the_class_and_on_the_object(stage, call):
    class A:
        def m(self, x):
            return x + 1

    a = A()

    @stage
    def f(x):
        return a.m(x)

    call(f, 1)
    A.m = lambda self, x: x * 100
    call(f, 1)
    a.m = lambda x: x - 7
    call(f, 1)
    del a.m
    call(f, 1)


def an_attribute_of_a_base_class_is_hidden_later(stage, call):
    class B:
        v = 1

    class A(B):
        pass

    a = A()

    @stage
    def f(x):
        return a.v + x

    call(f, 1)
    A.v = 10
    call(f, 1)
    a.v = 100
    call(f, 1)
    del a.v, A.v
    call(f, 1)


def a_property_comes_and_goes(stage, call):
    class A:
        pass

    a = A()
    a.v = 3

    @stage
    def f(x):
        return a.v + x

    call(f, 1)
    A.v = property(lambda self: 50)
    call(f, 1)
    del A.v
    call(f, 1)


def a_property_with_a_setter_comes_and_goes(stage, call):
    log = []

    class A:
        pass

    a = A()
    a.v = 3

    @stage
    def f(x):
        a.v = x

    call(f, 1)
    A.v = property(lambda self: 50, lambda self, v: log.append(v))
    call(f, 2)
    del A.v
    call(f, 3)
    return a.v, log


def a_descriptor_comes_later(stage, call):
    class D:
        def __get__(self, o, t=None):
            return 9

        def __set__(self, o, v):
            o.__dict__["w"] = v

    class A:
        pass

    a = A()
    a.v = 3

    @stage
    def f(x):
        a.v = a.v + x
        return a.v

    call(f, 1)
    A.v = D()
    call(f, 1)
    return vars(a)


def the_class_of_an_object_is_assigned(stage, call):
    class A:
        def m(self):
            return 1

    class B:
        def m(self):
            return 2

    a = A()

    @stage
    def f(x):
        return a.m() + x

    call(f, 1)
    a.__class__ = B
    call(f, 1)


def static_and_class_methods_are_exchanged(stage, call):
    class A:
        @staticmethod
        def s(x):
            return x + 1

        @classmethod
        def c(cls, x):
            return x + 2

    a = A()

    @stage
    def f(x):
        return a.s(x) + a.c(x) + A.s(x) + A.c(x)

    call(f, 1)
    A.s = staticmethod(lambda x: x * 100)
    call(f, 1)
    A.c = classmethod(lambda cls, x: x * 1000)
    call(f, 1)


def a_property_is_exchanged(stage, call):
    class A:
        @property
        def p(self):
            return 1

    a = A()

    @stage
    def f(x):
        return a.p + x

    call(f, 1)
    A.p = property(lambda self: 10)
    call(f, 1)
    del A.p
    a.p = 5
    call(f, 1)


def an_init_is_exchanged(stage, call):
    class A:
        def __init__(self, x):
            self.x = x

    @stage
    def f(x):
        return A(x).x

    call(f, 1)

    def init(self, x):
        self.x = x * 100

    A.__init__ = init
    call(f, 1)


def a_method_of_made_objects_is_exchanged(stage, call):
    class A:
        def __init__(self, x):
            self.x = x

        def m(self):
            return self.x + 1

    @stage
    def f(x):
        return A(x).m()

    call(f, 1)
    A.m = lambda self: self.x * 100
    call(f, 1)


def an_attribute_of_a_called_function_changes(stage, call):
    def g(x):
        return x * g.k

    g.k = 2

    @stage
    def f(x):
        return g(x)

    call(f, 3)
    g.k = 5
    call(f, 3)
    g.__dict__["k"] = 6
    call(f, 3)


def the_bases_of_a_class_change(stage, call):
    class B1:
        def m(self):
            return 1

    class B2:
        def m(self):
            return 2

    class A(B1):
        pass

    a = A()

    @stage
    def f(x):
        return a.m() + x

    call(f, 1)
    A.__bases__ = (B2,)
    call(f, 1)


def what_super_finds_is_exchanged(stage, call):
    class B:
        def m(self):
            return 1

    class A(B):
        def m(self):
            return super().m() + 10

    a = A()

    @stage
    def f(x):
        return a.m() + x

    call(f, 1)
    B.m = lambda self: 5
    call(f, 1)


def a_class_is_registered_later(stage, call):
    class Kind(abc.ABC):
        pass

    class A:
        pass

    a = A()

    @stage
    def f(x):
        if isinstance(a, Kind):
            return x
        return -x

    call(f, 1)
    Kind.register(A)
    call(f, 1)


def a_method_of_the_class_itself_is_exchanged(stage, call):
    class A:
        def m(self, x):
            return x + 1

    a = A()

    @stage
    def f(x):
        return A.m(a, x)

    call(f, 1)
    A.m = lambda self, x: x * 100
    call(f, 1)


def a_dict_of_the_class_is_hidden_by_one_of_the_object(stage, call):
    class A:
        cfg = {"k": 1}

    a = A()

    @stage
    def f(x):
        return a.cfg["k"] + x

    call(f, 1)
    A.cfg = {"k": 5}
    call(f, 1)
    a.cfg = {"k": 50}
    call(f, 1)


def a_property_of_the_metaclass_is_exchanged(stage, call):
    class M(type):
        @property
        def v(cls):
            return 5

    class A(metaclass=M):
        pass

    @stage
    def f(x):
        return A.v + x

    call(f, 1)
    M.v = property(lambda c: 50)
    call(f, 1)


def a_method_is_exchanged_by_the_call(stage, call):
    class A:
        def m(s):
            return 1

    a = A()

    def new(s):
        return 99

    @stage
    def f(x):
        r = a.m()
        A.m = new
        return r, a.m()

    call(f, 1)
    del A.m
    A.m = lambda s: 5
    call(f, 1)


def code_outside_exchanges_a_method(stage, call):
    class A:
        def m(s):
            return 1

    a = A()

    def patch():
        A.m = lambda s: 42

    @stage
    def f(x):
        r = a.m()
        ag.py_function(patch)
        return r, a.m()

    call(f, 1)


def code_outside_hides_a_method(stage, call):
    class A:
        def m(s):
            return 1

    a = A()

    def patch():
        a.m = lambda: 42

    @stage
    def f(x):
        r = a.m()
        ag.py_function(patch)
        return r, a.m()

    call(f, 1)
    call(f, 1)


def a_class_attribute_hides_a_slot(stage, call):
    class A:
        __slots__ = ("v",)

    class B(A):
        v = 7

    b = B()

    @stage
    def f(x):
        return b.v + x

    call(f, 1)
    B.v = 8
    call(f, 1)
    del B.v
    b.v = 9
    call(f, 1)


def a_class_in_the_middle_gets_a_method(stage, call):
    class A:
        def m(s):
            return "A"

    class B(A):
        pass

    class C(A):
        def m(s):
            return "C" + super().m()

    class D(B, C):
        pass

    d = D()

    @stage
    def f(x):
        return d.m(), x

    call(f, 1)
    B.m = lambda s: "B" + super(B, s).m()
    call(f, 1)
    A.m = lambda s: "Z"
    call(f, 1)
    del B.m
    call(f, 1)


def functions_as_attributes_of_the_class_are_exchanged(stage, call):
    class A:
        act = np.tanh
        fn = staticmethod(np.abs)
        lam = lambda s, x: x + 1

    a = A()

    @stage
    def f(x):
        return a.act(x), a.fn(x), a.lam(x)

    call(f, -1.0)
    A.act = np.sin
    A.fn = staticmethod(np.negative)
    call(f, -1.0)
    a.act = lambda x: "inst"
    call(f, -1.0)


def a_class_learns_what_an_abstract_one_asks_for(stage, call):
    class S:
        pass

    s = S()

    @stage
    def f(x):
        return isinstance(s, collections.abc.Sized), isinstance(s, collections.abc.Callable), x

    call(f, 1)
    S.__len__ = lambda self: 3
    call(f, 1)
    S.__call__ = lambda self: 3
    call(f, 1)
