"""In-place array code over several calls: buffers that live outside, views, aliases, read-only arrays."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np


def a_buffer_is_reused(stage, call):
    buffer = np.zeros(4)

    @stage
    def f(x):
        np.multiply(x, 2, out=buffer)
        return buffer

    first = call(f, np.arange(4.0))
    second = call(f, np.ones(4))
    return first is second, first is buffer


def a_ring_buffer(stage, call):
    ring = SimpleNamespace(data=np.zeros(3), at=0)

    @stage
    def push(x):
        ring.data[ring.at % 3] = x
        ring.at += 1
        return ring.data.mean()

    for x in (1.0, 2.0, 3.0, 4.0):
        call(push, x)
    return vars(ring)


def an_array_grows_by_doubling(stage, call):
    store = SimpleNamespace(data=np.zeros(1), n=0)

    @stage
    def add(x):
        if store.n == len(store.data):
            bigger = np.zeros(2 * len(store.data))
            bigger[: store.n] = store.data
            store.data = bigger
        store.data[store.n] = x
        store.n += 1
        return store.data[: store.n].sum()

    for x in (1.0, 2.0, 3.0, 4.0, 5.0):
        call(add, x)
    return vars(store)


def two_views_of_outside_overlap(stage, call):
    base = np.arange(8.0)
    left, right = base[:5], base[3:]

    @stage
    def f(x):
        left[3] = x
        right[:] += left[-2:].sum()
        return right[0], left[4]

    call(f, 10)
    call(f, 20)
    left = np.zeros(5)
    call(f, 30)
    return base


def an_argument_is_a_view_of_outside(stage, call):
    base = np.arange(4.0)

    @stage
    def f(x):
        x += 1
        base[0] = 100
        return x[0], base.sum()

    call(f, base)
    call(f, base[1:])
    call(f, np.zeros(4))
    return base


def one_array_as_two_arguments(stage, call):
    @stage
    def f(a, b):
        a[0] = 5
        b += 1
        return a[0], b[0]

    x = np.zeros(3)
    call(f, x, x)
    call(f, x, np.zeros(3))
    call(f, x[:2], x[1:])
    return x


def a_read_only_array(stage, call):
    table = np.arange(3.0)

    @stage
    def f(x):
        print("before")
        table[0] = x
        print("after")
        return table

    call(f, 1)
    table.flags.writeable = False
    call(f, 2)
    table.flags.writeable = True
    call(f, 3)
    return table


def the_result_is_a_view_of_outside(stage, call):
    base = np.arange(6.0)

    @stage
    def f(i):
        return base[i:], base.reshape(2, 3)

    first, second = call(f, 2)
    first[0] = -1
    second[0, 0] = -2
    call(f, 3)
    return base, np.shares_memory(first, base), np.shares_memory(second, base)


def an_array_in_a_dict_is_rebound(stage, call):
    params = {"w": np.zeros(2), "b": 0.0}

    @stage
    def step(x):
        params["w"] -= 0.1 * x
        params["b"] = params["b"] + x.sum()
        params["w"] = np.append(params["w"], params["b"])
        return params["w"]

    call(step, np.ones(2))
    call(step, np.ones(3))
    params["w"] = np.zeros(1)
    call(step, np.ones(1))
    return params


def object_arrays(stage, call):
    cells = np.array([1, "a", None], dtype=object)

    @stage
    def f(x):
        cells[0] += x
        cells[2] = [x]
        return cells[0]

    call(f, 1)
    call(f, 2.5)
    return cells


def structured_arrays(stage, call):
    records = np.zeros(3, dtype=[("x", float), ("n", int)])

    @stage
    def f(i, x):
        records["x"][i] = x
        records["n"] += 1
        records[i]["x"] *= 2
        return records["x"].sum()

    call(f, 0, 1.5)
    call(f, 2, 2.5)
    return records


def a_matrix_is_factored_in_place(stage, call):
    @stage
    def cholesky(a):
        n = a.shape[0]
        for j in range(n):
            for k in range(j):
                a[j:, j] -= a[j:, k] * a[j, k]
            a[j:, j] /= np.sqrt(a[j, j])
            a[j, j + 1 :] = 0
        return a

    m = np.array([[4.0, 2.0, 1.0], [2.0, 3.0, 0.5], [1.0, 0.5, 2.0]])
    call(cholesky, m)
    call(cholesky, np.eye(12) * 4)
    call(cholesky, -np.eye(2))


def the_dtype_of_a_buffer_changes(stage, call):
    state = SimpleNamespace(a=np.zeros(2, int))

    @stage
    def f(x):
        state.a[0] = x
        state.a += 1
        return state.a

    call(f, 2)
    call(f, 2.75)
    state.a = np.zeros(2, np.float32)
    call(f, 2.75)
    state.a = np.zeros(2, bool)
    call(f, 2)
    return state.a


def masked_and_fancy_writes_of_a_buffer(stage, call):
    field = np.arange(12.0).reshape(3, 4)
    row = field[1]

    @stage
    def f(limit, rows):
        field[field > limit] = -1
        field[rows, 0] += 10
        row[...] = row[::-1]
        field[..., -1] = limit
        return row.sum()

    call(f, 8, np.array([0, 0, 2]))
    call(f, 3, [1, 1])
    return field


def a_new_array_is_made_read_only(stage, call):
    @stage
    def f(x):
        a = np.zeros(3) + x
        a.flags.writeable = False
        print("before")
        a += 1
        print("after")
        return a

    call(f, 1.0)


def setflags_makes_an_array_read_only(stage, call):
    @stage
    def f(x):
        a = np.zeros(3) + x
        a.setflags(write=False)
        print("before")
        a[0] = 1
        print("after")
        return a

    call(f, 1.0)


def flags_are_what_they_were_when_asked_for(stage, call):
    @stage
    def f(x):
        a = np.zeros(3) + x
        g = a.flags
        g.writeable = False
        w = a.flags.writeable
        g.writeable = True
        a[0] = 5
        return w, a, g.writeable

    call(f, 1.0)


def an_argument_is_made_read_only_for_a_while(stage, call):
    @stage
    def f(a, b):
        a.flags.writeable = False
        try:
            b[0] = 1
        except ValueError as e:
            print(e)
        a.flags["WRITEABLE"] = True
        b[0] = 2
        return a

    x = np.zeros(3)
    call(f, x, x)
    call(f, x, np.zeros(3))
