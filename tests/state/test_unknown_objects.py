"""A write through an object that only the run knows is seen through every other way to that object."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import autograph as ag

o = SimpleNamespace(v=0, d={}, l=[])
p = SimpleNamespace(v=5, d={}, l=[])


def chosen(x):
    q = o if x > 1 else p
    q.v = x
    return o.v, p.v


def picked_in_a_loop(x):
    for q in (o, p):
        if q.v >= x:
            t = q
    t.v -= 1
    return o.v, p.v


def moves_on(x):
    t = o
    i = 0
    while i < x:
        t.v += 1
        t = p
        i += 1
    return o.v, p.v, t.v


def dict_inside(x):
    q = o if x > 1 else p
    q.d[x] = 1
    return list(p.d), list(o.d)


def list_inside(x):
    q = o if x > 1 else p
    q.l.append(x)
    return len(o.l), len(p.l)


def update(q):
    q.v += 1


def in_a_function(x):
    update(o if x > 1 else p)
    return o.v + p.v


def after_an_exception(x):
    try:
        10 // (x - 1)
        q = o
    except ZeroDivisionError:
        q = p
    q.v += 1
    return o.v, p.v


def read_before_in_the_loop(x):
    total = 0
    for i in range(x):
        total += p.v
        q = p if i % 2 else o
        q.v += 10
    return total


@pytest.mark.parametrize(
    "f",
    [
        chosen,
        picked_in_a_loop,
        moves_on,
        dict_inside,
        list_inside,
        in_a_function,
        after_an_exception,
        read_before_in_the_loop,
    ],
)
def test_writes_through_a_chosen_object_are_seen_by_name(f):
    """Over several calls, which leave the objects as the plain calls do."""

    def run(function):
        for each, v in ((o, 0), (p, 5)):
            each.v, each.d, each.l = v, {}, []
        results = [function(x) for x in (1, 2, 3, 1)]
        return results, [(each.v, each.d, each.l) for each in (o, p)]

    assert run(ag.function(f)) == run(f)


level = 1


def through_the_namespace(x):
    globals()["level"] = globals()["level"] + x
    return level


def test_the_namespace_of_the_module_is_state():
    """``globals()`` read and written, and the names read by themselves."""

    def run(function):
        global level
        level = 1
        results = [function(x) for x in (1, 2)]
        level = 10
        return [*results, function(1)], level

    assert run(ag.function(through_the_namespace)) == run(through_the_namespace)
