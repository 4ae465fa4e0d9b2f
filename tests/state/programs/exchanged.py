"""What code is made of, exchanged between calls: constants and functions of libraries, builtins, code and
defaults of functions, modules and imports.
"""

from __future__ import annotations

import builtins
import functools
import math
import sys
import time
import types

import numpy as np


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


def a_module_is_executed_again(stage, call):
    m = types.ModuleType("some_module")
    exec("def g(x): return x+1\nK=3", m.__dict__)

    @stage
    def f(x):
        return m.g(x) * m.K

    call(f, 1)
    exec("def g(x): return x+100\nK=4", m.__dict__)
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
