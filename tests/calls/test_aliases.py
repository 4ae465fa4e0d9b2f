"""Arguments that share memory, or are one object: as in the plain run, in every order of the graph."""

from __future__ import annotations

import numpy as np
import pytest
from equivalence import check

import autograph as ag


class Box:
    def __init__(self, n):
        self.n = n


def write_first(a, b):
    before = b.sum()
    a[1] = 5
    return before, b.sum(), a.sum()


def add_in_place(a, b):
    a += b
    b *= 2
    a += b
    return a + b


def append(xs, ys):
    xs.append(1.0)
    return len(ys), ys, xs is ys


def append_inside(xs, ys):
    ys.append(3.0)
    s = 0.0
    for x in xs[0]:
        s += x
    return s, len(xs[0])


def through_a_list(xs, a):
    xs[0][0] = 7
    n = a.sum()
    a += 1
    return n, xs[1].sum(), xs[0] is a


def attributes(a, b):
    a.n += 1
    b.n *= 2
    return a.n, b.n, a is b


def in_a_loop(a, b):
    for i in range(len(a) - 1):
        a[i + 1] += b[i]
    return a


def items(d, e):
    d["k"] = e["k"] + 1
    return e["k"], d is e


ARRAY = np.arange(4.0)
LIST = [1.0]
BOX = Box(1)
DICT = {"k": 1}


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (write_first, (ARRAY, ARRAY)),
        (write_first, (ARRAY, ARRAY[1:])),
        (write_first, (ARRAY, ARRAY[::-1])),
        (write_first, (ARRAY, ARRAY.copy())),
        (write_first, (ARRAY.reshape(2, 2), ARRAY)),
        (add_in_place, (ARRAY, ARRAY)),
        (add_in_place, (ARRAY[1:], ARRAY[:-1])),
        (in_a_loop, (ARRAY, ARRAY)),
        (in_a_loop, (ARRAY, ARRAY[1:])),
        (append, (LIST, LIST)),
        (append, (LIST, [2.0])),
        (append_inside, ([LIST], LIST)),
        (append_inside, ([LIST, LIST], LIST)),
        (append_inside, ([LIST], [1.0])),
        (through_a_list, ([ARRAY, ARRAY], ARRAY)),
        (through_a_list, ([ARRAY, ARRAY[:2]], ARRAY)),
        (through_a_list, ((ARRAY, ARRAY[2:]), ARRAY)),
        (attributes, (BOX, BOX)),
        (attributes, (BOX, Box(3))),
        (items, (DICT, DICT)),
        (items, (DICT, {"k": 5})),
    ],
)
def test_in_every_order(f, args):
    """Plain, converted, staged, and twenty valid orders of the nodes."""
    check(f, *args, orders=20)


@pytest.mark.parametrize(
    ("f", "one", "apart"),
    [
        (append, lambda: [[1.0]] * 2, lambda: [[1.0], [2.0]]),
        (append_inside, lambda: (lambda xs: ([xs], xs))([1.0]), lambda: ([[1.0]], [1.0])),
        (attributes, lambda: [Box(1)] * 2, lambda: [Box(1), Box(1)]),
        (items, lambda: [{"k": 1}] * 2, lambda: [{"k": 1}, {"k": 1}]),
        (add_in_place, lambda: [np.ones(3)] * 2, lambda: [np.ones(3), np.ones(3)]),
    ],
    ids=["list", "nested list", "object", "dict", "array"],
)
@pytest.mark.parametrize("order", ["one, apart", "apart, one"])
def test_calls_with_and_without_sharing_do_not_mix(f, one, apart, order):
    """A trace made for apart arguments is not run for shared ones, nor the other way round."""
    staged = ag.function(f)
    for make in ((one, apart) if order == "one, apart" else (apart, one)) * 2:
        assert str(staged(*make())) == str(f(*make()))
    assert staged.trace_count <= 2, staged.explain()


def test_is_alone_decides():
    """A function that changes nothing but asks whether two arguments are one."""
    staged = ag.function(lambda a, b: a is b)
    xs, box = [1], Box(1)
    assert [staged([1], [1]), staged(xs, xs), staged([1], [1])] == [False, True, False]
    assert [staged(Box(1), box), staged(box, box), staged(Box(1), box)] == [False, True, False]


GLOBAL = np.zeros(3)


def with_a_global(a):
    a[0] = 1
    s = GLOBAL.sum()
    GLOBAL[1] = 2
    return s, a.sum()


def test_an_argument_that_is_a_global_too():
    """Inputs may be what is found outside."""
    restore = lambda values: np.copyto(GLOBAL, values)  # noqa: E731
    check(with_a_global, GLOBAL, orders=20, state=lambda: GLOBAL.copy(), restore=restore)
    staged = ag.function(with_a_global)
    concrete = staged.get_concrete_function(GLOBAL)
    for _ in range(10):
        GLOBAL[:] = 0
        assert concrete.interpret(GLOBAL) == (1.0, 3.0)
    GLOBAL[:] = 0
