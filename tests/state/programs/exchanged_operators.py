"""What Python asks a class for, exchanged between calls: operators, ``__getattr__``, ``__len__``, ..."""

from __future__ import annotations


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
