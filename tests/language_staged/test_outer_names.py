"""Names and attributes from outside that are assigned inside expressions, and that are deleted."""

from __future__ import annotations

import numpy as np
import pytest
from equivalence import check, parametrize

from autograph import to_code
from autograph.errors import UnsupportedSyntaxError

A = np.array([3.0, -1.0, 2.5, 0.0])


G = 0


H = 1


class Conf:
    RATE = 1
    other = 2


def make():
    count = 0

    def bump(n):
        nonlocal count
        if (count := count + n) > 3:
            count = 0
        r = count
        count = 0
        return r

    def drop(n):
        nonlocal count
        count = n
        if n > 2:
            del count
        try:
            r = count
        except NameError as e:
            r = str(e)
        count = 0
        return r

    return bump, drop


bump, drop = make()


def del_global(n):
    global G
    G = n
    if n > 1:
        del G
    r = 0
    try:
        r = G
    except NameError as e:
        r = str(e)
    G = 0
    return r


def del_by_inner_function(n):
    v = n

    def g():
        nonlocal v
        if n > 1:
            del v

    g()
    try:
        return v
    except NameError as e:
        return type(e).__name__


def walrus_of_global(n):
    global G
    if (G := n + 1) > 2:
        G = G * 2
    r = G
    [G := i for i in range(n)]
    r = r, G
    G = 0
    return r


def walrus_by_inner_function(n):
    v = 0

    def g(k):
        nonlocal v
        while (v := v + k) < 10:
            pass
        return [v := v + i for i in range(k)]

    return g(n), v


def walrus_of_global_in_test(n):
    global H
    r = []
    while (H := H + n) < 9:
        r.append(H)
    if n > 2 and (H := n) and (H := H + 1) > 3:
        r.append(("and", H))
    x = (H := 7) if n > 1 else 5
    r.append((x, H, f"{(H := H + 1)}", [(H := H + i) for i in range(n)], H))
    (H := 1)
    return r


def walrus_of_nonlocal(n):
    return bump(n), bump(1)


def del_of_nonlocal(n):
    return drop(n)


def del_of_global_in_loop(n):
    global H
    out = []
    for i in range(n):
        H = i
        del H
        try:
            out.append(H)
        except NameError as e:
            out.append(str(e))
    H = 1
    return out, H


def del_twice(n):
    global H
    H = n
    del H
    try:
        del H
    except NameError as e:
        r = str(e)
    H = 1  # noqa: F841
    return r


def del_class_attribute(n):
    Conf.RATE = n
    if n > 2:
        del Conf.RATE
    r = hasattr(Conf, "RATE"), getattr(Conf, "RATE", None)
    try:
        r = r, Conf.RATE
    except AttributeError as e:
        r = r, str(e)
    Conf.RATE = 1
    return r


def del_many(n):
    global H
    d = {"a": 1, "b": 2}
    items = [1, 2, 3]
    x = n
    H = 2
    del H, d["a"], items[n - 2], x, items[:1]
    H = 1  # noqa: F841
    return d, items


def del_in_function(n):
    v = n
    w = 2

    def gone():
        nonlocal v, w
        del v
        if n > 1:
            del w

    gone()
    out = []
    try:
        out.append(v)
    except NameError as e:
        out.append((type(e).__name__, str(e)))
    try:
        out.append(w)
    except NameError as e:
        out.append((type(e).__name__, str(e)))
    try:
        gone()
    except NameError as e:
        out.append((type(e).__name__, str(e)))
    v = 5
    return out, v


def del_shadowing_global(n):
    global len_
    len_ = n
    r = len_
    del len_
    return r


def del_of_builtin_shadow(n):
    global max

    def mine(*a):
        return n

    max = mine
    r = max(1, 2)
    del max
    return r, max(1, 2)  # noqa: F821


def walrus_everywhere(n):
    items = [y := n, y + 1, (z := y * 2)]
    d = {(k := n): (v := k + 1)}

    def f(a, b=(w := n)):
        return a + b

    s = "abc"[0]
    i = 1
    r = f(q := n + 1) + q

    def lam(x):
        return (t := x + n) * t

    return (
        items,
        d,
        f(1),
        w,
        s,
        i,
        r,
        lam(2),
        [m for x in range(n + 2) if (m := x % 2)],
        m,
        y,
        z,
        k,
        v,
        (lambda: (u := n))(),  # noqa: F841
        {(c := j): c for j in range(n)},
        c,
    )


def setattr_of_class(n):
    setattr(Conf, "RATE", n + 1)  # noqa: B010
    r = getattr(Conf, "RATE"), Conf.RATE, hasattr(Conf, "zzz")  # noqa: B009
    setattr(Conf, "RATE", 1)  # noqa: B010
    Conf.zzz = n
    r = r, hasattr(Conf, "zzz"), getattr(Conf, "zzz")  # noqa: B009
    del Conf.zzz
    return r, hasattr(Conf, "zzz"), getattr(Conf, "zzz", "gone")


def alias_of_class(n):
    c = Conf
    Conf.RATE = n
    r = c.RATE, Conf.RATE
    c.RATE = n + 1
    r = r, c.RATE, Conf.RATE, getattr(c, "RATE")  # noqa: B009
    for i in range(n):
        c.RATE += i
    r = r, Conf.RATE
    Conf.RATE = 1
    return r, c.RATE


CASES = [
    (del_global, 0),
    (del_global, 3),
    (del_by_inner_function, 0),
    (del_by_inner_function, 3),
    (walrus_of_global, 0),
    (walrus_of_global, 3),
    (walrus_by_inner_function, 3),
    (walrus_of_global_in_test, 1),
    (walrus_of_global_in_test, 3),
    (walrus_of_nonlocal, 4),
    (walrus_of_nonlocal, 2),
    (del_of_nonlocal, 4),
    (del_of_nonlocal, 2),
    (del_of_global_in_loop, 0),
    (del_of_global_in_loop, 3),
    (del_twice, 3),
    (del_class_attribute, 1),
    (del_class_attribute, 3),
    (del_many, 3),
    (del_in_function, 0),
    (del_in_function, 3),
    (del_shadowing_global, 3),
    (del_of_builtin_shadow, 3),
    (walrus_everywhere, 2),
    (setattr_of_class, 3),
    (alias_of_class, 3),
]


def defines_outer_name():
    global G

    def G():
        return 1


def test_definitions_of_outer_names_are_refused():
    """A function or class that is defined under a ``global`` name has to be assigned to it instead."""
    with pytest.raises(UnsupportedSyntaxError, match="`def G` of a name from outside"):
        to_code(defines_outer_name)


@parametrize(CASES)
def test_outer_names(f, args):
    """Each program gives in every mode what plain Python gives, and raises where it raises."""
    check(f, *args)
