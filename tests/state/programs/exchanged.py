"""What code is made of, exchanged between calls: constants and functions of libraries, builtins, what classes
hold, code and defaults of functions, modules.
"""

from __future__ import annotations

import abc
import builtins
import collections.abc
import functools
import math
import sys
import time
import types

import numpy as np

import autograph as ag


def a_constant_of_math_is_patched(stage, call):
    @stage
    def f(x):
        return x * math.pi

    call(f, 1.0)
    old = math.pi
    try:
        math.pi = 3.0
        call(f, 1.0)
        call(f, 2.0)
    finally:
        math.pi = old
    call(f, 1.0)


def a_constant_of_numpy_is_patched(stage, call):
    @stage
    def f(x):
        if x > 0:
            return x * np.pi
        return x + np.e

    call(f, 1.0)
    old = np.pi
    try:
        np.pi = 3.0
        call(f, 1.0)
        call(f, -2.0)
    finally:
        np.pi = old
    call(f, 1.0)


def a_constant_of_sys_is_patched(stage, call):
    @stage
    def f(x):
        return min(x, sys.maxsize)

    call(f, 10**30)
    old = sys.maxsize
    try:
        sys.maxsize = 5
        call(f, 10**30)
    finally:
        sys.maxsize = old
    call(f, 10**30)


def a_function_of_math_is_patched(stage, call):
    @stage
    def f(x):
        return math.sqrt(x)

    call(f, 4.0)
    old = math.sqrt
    try:
        math.sqrt = lambda x: x + 100
        call(f, 4.0)
    finally:
        math.sqrt = old
    call(f, 4.0)


def a_function_of_numpy_is_patched(stage, call):
    @stage
    def f(x):
        return np.sum(x)

    call(f, np.ones(3))
    old = np.sum
    try:
        np.sum = lambda x: "hi"
        call(f, np.ones(3))
    finally:
        np.sum = old
    call(f, np.ones(3))


def a_function_of_a_submodule_is_patched(stage, call):
    @stage
    def f(x):
        return np.linalg.det(x)

    call(f, np.eye(3))
    old = np.linalg.det
    try:
        np.linalg.det = lambda x: "hi"
        call(f, np.eye(3))
    finally:
        np.linalg.det = old
    call(f, np.eye(3))


def a_builtin_is_patched(stage, call):
    @stage
    def f(x):
        return abs(x) + 1

    call(f, np.ones(3))
    old = builtins.abs
    try:
        builtins.abs = lambda x: 77
        call(f, np.ones(3))
    finally:
        builtins.abs = old
    call(f, np.ones(3))


def a_builtin_that_a_called_function_uses_is_patched(stage, call):
    def g(x, y):
        return divmod(x, y)[0]

    @stage
    def f(x):
        return g(x, 2.0)

    call(f, 1.0)
    old = builtins.divmod
    try:
        builtins.divmod = lambda x, y: (77, 0)
        call(f, 1.0)
    finally:
        builtins.divmod = old
    call(f, 1.0)


def a_global_hides_a_builtin_later(stage, call):
    @stage
    def f(x):
        return len(x)

    call(f, np.ones(3))
    globals()["len"] = lambda x: 99
    call(f, np.ones(3))
    del globals()["len"]
    call(f, np.ones(3))


def a_global_hides_a_builtin_of_a_called_function_later(stage, call):
    def g(x):
        return sum(x)

    @stage
    def f(x):
        return g(x) * 2

    call(f, np.ones(3))
    globals()["sum"] = lambda x: 99
    call(f, np.ones(3))
    del globals()["sum"]
    call(f, np.ones(3))


def the_code_of_a_called_function_is_exchanged(stage, call):
    def g(x):
        return x + 1

    def h(x):
        return x * 10

    @stage
    def f(x):
        return g(x)

    call(f, 3)
    g.__code__ = h.__code__
    call(f, 3)


def the_defaults_of_a_called_function_are_exchanged(stage, call):
    def g(x, y=1, *, z=2):
        return x + y + z

    @stage
    def f(x):
        return g(x)

    call(f, 3)
    g.__defaults__ = (5,)
    call(f, 3)
    g.__kwdefaults__ = {"z": 7}
    call(f, 3)
    g.__kwdefaults__["z"] = 70
    call(f, 3)
    g.__defaults__ = None
    call(f, 3)


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


def a_getattr_comes_later(stage, call):
    class A:
        pass

    a = A()

    @stage
    def f(x):
        try:
            return a.q + x
        except AttributeError as e:
            return str(e)

    call(f, 1)
    A.__getattr__ = lambda self, n: 40
    call(f, 1)
    a.q = 2
    call(f, 1)


def a_getattribute_comes_later(stage, call):
    class A:
        pass

    a = A()
    a.q = 1

    @stage
    def f(x):
        return a.q + x

    call(f, 1)
    A.__getattribute__ = lambda self, n: 40
    call(f, 1)


def a_setattr_comes_later(stage, call):
    log = []

    class A:
        pass

    a = A()
    a.q = 1

    @stage
    def f(x):
        a.q = x

    call(f, 1)
    A.__setattr__ = lambda self, n, v: log.append((n, v))
    call(f, 1)
    return log


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


def an_operator_is_exchanged_and_deleted(stage, call):
    class A:
        def __add__(self, o):
            return 1

    a = A()

    @stage
    def f(x):
        return a + x

    call(f, 1)
    A.__add__ = lambda self, o: o * 50
    call(f, 1)
    del A.__add__
    call(f, 1)


def a_call_method_is_exchanged(stage, call):
    class A:
        def __call__(self, x):
            return x + 1

    a = A()

    @stage
    def f(x):
        return a(x)

    call(f, 1)
    A.__call__ = lambda self, x: x * 50
    call(f, 1)


def a_truth_comes_later(stage, call):
    class A:
        pass

    a = A()

    @stage
    def f(x):
        return x if a else -x

    call(f, 1)
    A.__bool__ = lambda self: False
    call(f, 1)
    del A.__bool__
    A.__len__ = lambda self: 0
    call(f, 1)


def a_length_is_exchanged(stage, call):
    class A:
        def __len__(self):
            return 3

    a = A()

    @stage
    def f(x):
        return len(a) + x

    call(f, 1)
    A.__len__ = lambda self: 5
    call(f, 1)


def an_iteration_is_exchanged(stage, call):
    class A:
        def __iter__(self):
            return iter([1, 2])

    a = A()

    @stage
    def f(x):
        for i in a:
            x += i
        return x

    call(f, 1)
    A.__iter__ = lambda self: iter([10])
    call(f, 1)


def an_equality_comes_later(stage, call):
    class A:
        pass

    a = A()
    b = A()

    @stage
    def f(x):
        return (a == b, x)

    call(f, 1)
    A.__eq__ = lambda self, o: True
    call(f, 1)


def a_containment_is_exchanged(stage, call):
    class A:
        def __contains__(self, x):
            return True

    a = A()

    @stage
    def f(x):
        return 3 in a

    call(f, 1)
    A.__contains__ = lambda self, x: False
    call(f, 1)


def a_context_manager_is_exchanged(stage, call):
    log = []

    class A:
        def __enter__(self):
            log.append(1)

        def __exit__(self, *a):
            log.append(2)

    a = A()

    @stage
    def f(x):
        with a:
            x += 1
        return x

    call(f, 1)
    A.__enter__ = lambda self: log.append(10)
    call(f, 1)
    return log


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


def a_module_is_executed_again(stage, call):
    m = types.ModuleType("some_module")
    exec("def g(x): return x+1\nK=3", m.__dict__)

    @stage
    def f(x):
        return m.g(x) * m.K

    call(f, 1)
    exec("def g(x): return x+100\nK=4", m.__dict__)
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


def a_module_comes_and_goes(stage, call):
    @stage
    def f(x):
        try:
            import module_that_comes

            return module_that_comes.K + x
        except ImportError as e:
            return str(e)

    call(f, 1)
    m = types.ModuleType("module_that_comes")
    m.K = 5
    sys.modules["module_that_comes"] = m
    call(f, 1)
    m.K = 6
    call(f, 1)
    del sys.modules["module_that_comes"]
    call(f, 1)


def modules_are_imported_by_the_function(stage, call):
    @stage
    def f(x):
        import math as mm

        return mm.floor(x)

    call(f, 1.5)
    call(f, 2.5)


def an_imported_name_changes_and_goes(stage, call):
    m = types.ModuleType("module_that_changes")
    m.K = 5
    sys.modules["module_that_changes"] = m

    @stage
    def f(x):
        from module_that_changes import K

        return K + x

    call(f, 1)
    m.K = 6
    call(f, 1)
    del m.K
    call(f, 1)
    del sys.modules["module_that_changes"]
    call(f, 1)


def an_import_fails_in_one_arm(stage, call):
    @stage
    def f(x):
        if x > 0:
            import module_that_is_missing

            return module_that_is_missing.y
        return x

    call(f, -1)
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


def a_function_that_a_function_of_a_module_calls_is_exchanged(stage, call):
    m = types.ModuleType("some_module")
    exec("def g(x): return x+1\ndef h(x): return g(x)", m.__dict__)

    @stage
    def f(x):
        return m.h(x)

    call(f, 1)
    m.g = lambda x: 50
    call(f, 1)


def a_function_in_a_dict_is_exchanged(stage, call):
    t = {"a": lambda x: x + 1}

    @stage
    def f(x):
        return t["a"](x)

    call(f, 1)
    t["a"] = lambda x: x * 100
    call(f, 1)


def what_a_wrapper_wraps_is_exchanged(stage, call):
    def dec(g):
        @functools.wraps(g)
        def w(x):
            return w.__wrapped__(x) + 1

        return w

    @dec
    def g(x):
        return x

    @stage
    def f(x):
        return g(x)

    call(f, 1)
    g.__wrapped__ = lambda x: x * 50
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


def a_random_function_is_patched(stage, call):
    @stage
    def f(x):
        return np.random.rand() + x

    call(f, 1)
    old = np.random.rand
    np.random.rand = lambda: 5
    try:
        call(f, 1)
    finally:
        np.random.rand = old
    call(f, 1)


def a_clock_is_patched(stage, call):
    @stage
    def f(x):
        return time.time() * 0 + x

    call(f, 1)
    old = time.time
    time.time = lambda: 5
    try:
        call(f, 1)
    finally:
        time.time = old


def a_global_hides_a_class_later(stage, call):
    @stage
    def f(x):
        return int(x)

    call(f, 1.5)
    globals()["int"] = lambda x: "int!"
    try:
        call(f, 1.5)
    finally:
        del globals()["int"]
    call(f, 1.5)


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


def attributes_of_a_module_go(stage, call):
    m = types.ModuleType("mm")
    m.k = 1
    m.g = lambda x: x

    @stage
    def f(x):
        return m.g(x) + m.k

    call(f, 1)
    del m.k
    call(f, 1)
    m.k = 5
    call(f, 1)
    del m.g
    call(f, 1)


def submodules_are_imported(stage, call):
    @stage
    def f(x):
        import os.path
        import xml.dom.minidom as md
        from collections import OrderedDict as OD

        return os.path.basename("a/b"), md.__name__, cabcollections.abc.Sized.__name__, len(OD()), x

    call(f, 1)
    call(f, 2)


def an_import_in_a_loop(stage, call):
    @stage
    def f(n):
        t = 0
        for i in range(n):
            import math

            t += math.sqrt(i)
        return t

    call(f, 3)
    call(f, 40)


def an_import_with_another_to_fall_back_on(stage, call):
    @stage
    def f(x):
        try:
            import module_that_is_missing as js
        except ImportError:
            import json as js
        if x > 1:
            return js.dumps({"a": 1})
        return js.loads("[1]")

    call(f, 3)
    call(f, 0)


def inner_functions_use_an_import(stage, call):
    @stage
    def f(x):
        import math

        g = lambda y: math.floor(y)
        return g(x), [math.ceil(v) for v in [x, 1.5]], max([x, 2.0], key=lambda v: math.cos(v))

    call(f, 3.2)
