"""Attributes of classes and objects, whatever way they are written: through ``type(o)``, ``cls``,
``super()``, ``__dict__``, ``vars()`` and names that only the run knows.
"""

from __future__ import annotations


def a_class_counts_through_its_objects(stage, call):
    class A:
        n = 0

    @stage
    def f(o):
        type(o).n += 1
        o.__class__.n += 1
        return o.n, A.n

    call(lambda: f(A()))
    call(lambda: f(A()))
    return A.n


def a_class_gets_its_first_attribute(stage, call):
    class A:
        def set(self, value):
            self.__class__.m = value

    @stage
    def f(o, value):
        o.set(value)
        return o.m, A.m

    @stage
    def g(value):
        made = A()
        type(made).k = value
        return made.k, A.k

    call(lambda: f(A(), 4))
    call(lambda: f(A(), 6))
    call(g, 1)
    call(g, 2)
    return A.m, A.k


def a_class_method_counts_for_each_class(stage, call):
    class A:
        n = 0

        @classmethod
        def inc(cls):
            cls.n += 1
            return cls.n

    class B(A):
        pass

    @stage
    def f(o):
        return o.inc(), o.n, A.inc(), B.inc(), B.n, A.n, o.n

    call(lambda: f(A()))
    call(lambda: f(B()))
    return A.n, B.n


def data_of_a_base_is_read_through_super(stage, call):
    class A:
        n = 0

        def bump(self):
            A.n += 1
            return self.n

    class B(A):
        def bump(self):
            return super().bump() + self.n + super().n

    @stage
    def f(o):
        return o.bump(), o.n, type(o).n

    call(lambda: f(A()))
    call(lambda: f(B()))
    return A.n


def attributes_of_classes_come_and_go(stage, call):
    class A:
        k = 1

    class B(A):
        pass

    @stage
    def f(o):
        B.k = 2
        seen = o.k, B.k, A.k
        del B.k
        return seen, o.k, B.k

    @stage
    def g():
        del A.k
        return hasattr(A, "k")

    call(lambda: f(B()))
    call(lambda: f(B()))
    call(g)
    call(g)


def loops_write_to_the_class_of_a_new_object(stage, call):
    class A:
        n = 0
        made = []

        def __init__(self, x):
            type(self).made.append(x)
            A.last = x

    @stage
    def f(n):
        o = A(n)
        for i in range(n):
            type(o).n += i
        return o.n, A.n, len(o.made), o.last, A.last

    call(f, 3)
    call(f, 20)
    return A.n, A.made, A.last


def an_attribute_is_written_through_the_namespace(stage, call):
    class A:
        pass

    @stage
    def f(o, x):
        d = o.__dict__
        o.k = x
        first = d["k"]
        d["k"] = x + 1
        vars(o)["b"] = 3
        return first, o.k, o.b, hasattr(o, "b"), len(vars(o)), o.__dict__ is d

    @stage
    def g(o, name, x):
        vars(o)[name] = x
        o.__dict__.setdefault("m", []).append(x)
        o.__dict__.update(z=x)
        return getattr(o, name), o.m, o.z

    o = A()
    call(lambda: f(o, 2))
    call(lambda: f(o, 2))
    call(lambda: f(A(), 5))
    call(lambda: g(o, "b", 1))
    call(lambda: g(A(), "c", 2.5))
    return vars(o)


def a_namespace_is_gone_through_and_emptied(stage, call):
    class A:
        def __init__(self):
            self.a, self.b = 1, 2

    @stage
    def f(o):
        total = 0
        for value in vars(o).values():
            total += value
        names = list(o.__dict__)
        del o.__dict__["a"]
        return total, names, hasattr(o, "a"), sorted(vars(o)), "b" in o.__dict__

    @stage
    def g(o, x):
        o.__dict__ = {"q": x}
        return o.q, hasattr(o, "b"), sorted(o.__dict__)

    call(lambda: f(A()))
    call(lambda: f(A()))
    call(lambda: g(A(), 1))
    call(lambda: g(A(), 2))


def attributes_by_names_of_the_run(stage, call):
    class A:
        def __init__(self):
            self.a, self.b = 1, 2

    @stage
    def f(o, names):
        for name in names:
            setattr(o, name, getattr(o, name, 5) + 1)
            if hasattr(o, "c"):
                break
        return o.a, o.b, sorted(o.__dict__.items())

    @stage
    def g(o):
        for name in ("a", "b"):
            delattr(o, name)
        return [hasattr(o, name) for name in "abc"]

    call(lambda: f(A(), ["a", "b"]))
    call(lambda: f(A(), ["a", "c", "b"]))
    call(lambda: f(A(), "abc"))
    call(lambda: g(A()))
    call(lambda: g(A()))
