"""Variables: assigned as a whole and in part, by several functions, under conditions and in loops."""
from __future__ import annotations

from types import SimpleNamespace

import numpy as np

import autograph as ag


def the_tutorial(stage, call):
    a, b = ag.Variable(1), ag.Variable(2)

    @stage
    def f(x, y):
        a.assign(y * b)
        b.assign_add(x * a)
        return a + b

    call(f, 1.0, 2.0)
    call(f, 1.0, 2.0)
    a.assign(0.5)
    call(f, 3.0, 1.0)
    return a.numpy(), b.numpy()


def a_variable_counts(stage, call):
    n = ag.Variable(0, dtype=int)

    @stage
    def f(x):
        n.assign_add(1)
        if x > 1:
            n.assign_sub(10)
        return n.read_value(), n.numpy() * x

    for x in (1, 2, 3):
        call(f, x)
    return n.dtype, n.numpy()


def a_variable_in_a_loop(stage, call):
    w = ag.Variable([1.0, 2.0], name="w")

    @stage
    def descend(rate, n):
        for _ in range(n):
            w.assign_sub(rate * 2 * w)
        while np.sum(w) > 0.1:
            w.assign(w / 2)
        return w.read_value()

    call(descend, 0.1, 3)
    call(descend, 0.1, 30)
    w.assign([5.0, 5.0])
    call(descend, 0.25, 2)
    return w.numpy()


def parts_of_a_variable(stage, call):
    w = ag.Variable(np.zeros(4))

    @stage
    def f(i, x):
        w[i] = x
        w.scatter_add([0, 0], 1.0)
        w.scatter_sub(np.array([1]), x)
        w.scatter_update([3], [x])
        w[1:3] += 10
        first = w[1:]
        w[1] = -1
        return first, w[i], len(w), w.shape, w.dtype

    call(f, 2, 5.0)
    call(f, -1, 6.0)
    call(f, 9, 6.0)
    return w.numpy()


def augmented_assignment_of_a_variable(stage, call):
    box = SimpleNamespace(v=ag.Variable(3.0))
    alias = box.v

    @stage
    def f(x):
        box.v += x
        box.v *= 2
        box.v -= np.float64(1)
        return box.v

    found = call(f, 1.0)
    call(f, 2.0)
    return found is alias, alias.numpy()


def a_value_read_does_not_change_later(stage, call):
    w = ag.Variable([1.0, 2.0])

    @stage
    def f(x):
        before = w.read_value()
        double = w * 2
        w.assign_add([x, x])
        return before, double, w.read_value() - before

    call(f, 1.0)
    call(f, 2.0)


def a_variable_is_handed_around(stage, call):
    one, two = ag.Variable(1.0), ag.Variable(2.0)
    kept = []

    def bump(v, by):
        v.assign_add(by)
        return v

    @stage
    def f(x):
        same = bump(one, x)
        kept.append(two)
        for v in [one, two]:
            bump(v, 10)
        return same is one, one, (two, x)

    call(f, 1.0)
    call(f, 2.0)
    return [each is two for each in kept], one.numpy(), two.numpy()


def a_variable_as_an_argument(stage, call):
    @stage
    def f(v, x):
        v.assign(v * x)
        v[0] = -1.0
        return np.sum(v) + v[1]

    one, two = ag.Variable([1.0, 2.0]), ag.Variable(np.ones(3))
    call(f, one, 2.0)
    call(f, two, 2.0)
    call(f, one, 3.0)
    return one.numpy(), two.numpy()


def numpy_takes_variables(stage, call):
    m, v = ag.Variable(np.eye(2) * 2), ag.Variable([1.0, 2.0])

    @stage
    def f(x):
        y = np.maximum(m @ v, x)
        z = np.concatenate([v, y]) - v[0]
        y += v
        return np.linalg.solve(m, v), z, y, np.where(v > 1, v, 0), -v, abs(v), v**2, 3 - v, v == 2

    call(f, 1.5)
    v.assign([4.0, -1.0])
    call(f, 1.5)


def the_wrong_shape_or_dtype(stage, call):
    v = ag.Variable([1, 2], dtype=int)

    @stage
    def f(x):
        v.assign_add(1)
        v.assign(x)
        v.assign_add(1)

    call(f, np.array([1, 1]))
    call(f, np.array([0.5, 1]))
    call(f, np.arange(3))
    call(f, [7, 8])
    return v.numpy()


def a_variable_is_printed(stage, call):
    v, w = ag.Variable(1.5, name="v"), ag.Variable([1, 2])

    @stage
    def f(x):
        print(v, w, x)
        v.assign(x)
        print(f"{v:.3f} {w}", float(v), int(w[0]), bool(v))
        return str(v)

    call(f, 2.0)
    call(f, 3)


def a_variable_is_exchanged(stage, call):
    model = SimpleNamespace(w=ag.Variable(1.0))

    @stage
    def f(x):
        model.w.assign_add(x)
        return model.w * 2

    call(f, 1.0)
    model.w = ag.Variable([1.0, 2.0])
    call(f, 1.0)
    model.w = ag.Variable(np.float32(3))
    call(f, 1.0)


def a_variable_is_made_at_the_first_call(stage, call):
    class Layer:
        w = None

        @stage
        def __call__(self, x):
            if self.w is None:
                self.w = ag.Variable(np.ones(2))
            self.w.assign_add(x)
            return self.w * 2

    layer = Layer()
    for x in (1.0, 2.0, 3.0):
        call(lambda x=x: layer(x))
    return layer.w.numpy()


def an_exception_between_assignments(stage, call):
    v = ag.Variable(0.0)

    @stage
    def f(x):
        v.assign_add(1)
        if x < 0:
            raise ValueError(float(v))
        v.assign_add(10)
        return v.numpy()

    for x in (1, -1, 1):
        call(f, x)
    return v.numpy()


def an_unknown_function_assigns(stage, call):
    v = ag.Variable(1.0)

    @ag.do_not_convert
    def outside(x):
        v.assign_add(x)

    @stage
    def f(x):
        before = v * 1
        outside(x)
        return before, v * 1

    call(f, 1.0)
    call(f, 5.0)
