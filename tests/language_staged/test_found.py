"""Programs that the random search found, made small, and others of their kind."""
from __future__ import annotations

import numpy as np
from equivalence import check, parametrize

from autograph import convert

A = np.array([3.0, -1.0, 2.5])


def copy_under_the_name_of_another(a):
    a = a.copy()
    a -= a.sum()
    a = a.copy()
    for x, y in zip(a, a):
        a[:2] = a.sum()
        top = a.max()
        a[-1] = a[-1] + top if top > 1.0 else top
    return a


def tuple_set_in_a_loop(n):
    for k in range(n):
        for j in range(k):
            t = (k, j)
    return t


def tuple_that_grows(n):
    t = ()
    for k in range(n):
        t = t + (k,)
        if k == 3:
            t = None, t
    return t, len(t)


def key_of_known_items(n):
    items = [3, -1, 2]
    far = sorted(items, key=lambda v: abs(v - n))
    items.sort(key=lambda v: v * n)
    return far, items, min([4, -5], key=lambda v: v * n), max([4, -5], key=abs)


def key_that_prints(n):
    def key(v):
        print("key", v)
        return -v

    items = [3, 1, 2]
    items.sort(key=key)
    return items, sorted(items, key=key), max(items, key=key), n


def key_changes_between(n):
    items = [k * 3 % 7 for k in range(n)]
    sign = 1
    key = lambda v: v * sign
    up = sorted(items, key=key)
    sign = -1
    return up, sorted(items, key=key), list(map(key, items)), sum(filter(key, items))


def map_of_what_changes_later(n):
    items = [k for k in range(n)]
    total = sum(map(lambda v: v + len(items), items))
    items = [total]
    return items, list(map(lambda v: v + n, items))


def with_leaves_a_loop(n):
    import contextlib

    for k in range(n):
        with contextlib.suppress(ValueError):
            if k == 2:
                break
            if k == 1:
                raise ValueError(k)
            last = k
    return k, last


def walrus_changed_in_the_arm(x):
    if x > 5:
        x += 1
    else:
        if (n1 := 4) > 0:
            if (n2 := n1 + min(n1, 3)) > 3:
                n2 += n2 * 2
            n1 -= -n2
            x += n1
    return x


def comprehension_grows_in_an_arm(x):
    items = [w * 2 - x for w in range(3)]
    table = {w: w - x for w in range(2)}
    if x > 1:
        items = [w - x for w in range(2)]
    else:
        items.append(x)
        table[x] = items
    return items, table, len(items)


def nested_displays_as_arguments(x):
    def grow(rows, by):
        if by > 1:
            rows[0].append(by)
        rows[1]["k"] = by
        return rows

    return grow([[x], {"k": 0}], x), grow(([1], {}), 2)


def read_for_nothing(n):
    if n > 2:
        x = n
    if n > 1:
        x + 1
    if max(x, n) >= n:
        return
    return n


CASES = [
    *[(read_for_nothing, n) for n in (1, 2, 3)],
    *[(walrus_changed_in_the_arm, x) for x in (1, 9)],
    *[(comprehension_grows_in_an_arm, x) for x in (1, 2.5)],
    *[(nested_displays_as_arguments, x) for x in (1, 2.5)],
    (copy_under_the_name_of_another, A),
    *[(tuple_set_in_a_loop, n) for n in (0, 1, 3)],
    *[(tuple_that_grows, n) for n in (0, 2, 6)],
    *[(key_of_known_items, n) for n in (1, -2)],
    (key_that_prints, 1),
    *[(key_changes_between, n) for n in (0, 5)],
    *[(map_of_what_changes_later, n) for n in (0, 3)],
    *[(with_leaves_a_loop, n) for n in (0, 1, 4)],
]


@parametrize(CASES)
def test_found(f, args):
    """Each program gives in every mode what plain Python gives."""
    check(f, *args)


def test_an_import_under_global_binds_the_global() -> None:
    """``global math_; import math as math_`` sets the name of the module, not one of the function."""

    def imports(x):
        global imported_math, os
        import math as imported_math
        import os.path

        return imported_math.floor(x), os.path.sep

    assert convert(imports)(2.5)[0] == 2
    assert globals()["imported_math"].floor(2.5) == 2
    assert hasattr(globals()["os"], "getpid")
