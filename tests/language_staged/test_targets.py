"""Assignment, del and match on every kind of target and pattern, with values of the graph in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from equivalence import check, parametrize

A = np.array([3.0, -1.0, 2.5, 0.0])


@dataclass
class Pt:
    x: float
    y: float


class O:  # noqa: E742
    pass


class N(NamedTuple):
    a: int
    b: int


def every_target(n):
    d = {}
    items = [0] * 5
    m = np.zeros((3, 3))
    for i in range(n + 1):
        d[i], items[i + 1] = items[i], i
        items[i], *d["r"] = range(i + 2)
        m[i, n - i] += i
        m[i] *= 2
        m[:, i] -= 1
        m[i:, n:] **= 2
        m[[i, 0], n] = 5
        (items[n], (d[n], items[-1])) = (i, (i + 1, i + 2))
        for items[0], d["x"] in [(i, n)]:
            pass
        for d[i] in range(i):  # noqa: B020
            items[1] += d[i]
    return d, items, m


def array_targets(n, a):
    b = a
    b += 1
    b[n] -= 2
    c = a[n:]
    c *= 3
    a[n], a[0] = a[0], a[n]
    a[a > n] = n
    a[:n] += a[n:]
    a[-n] /= 2
    a[::n] = [1, 2]
    a[...] -= 0.5
    a[n if n > 1 else 0] //= 2
    (a[0]) = n
    x = a[n]
    x += 1
    return a, b, c, x


def nested_targets(n):
    items = [[i, [i]] for i in range(n + 1)]
    for i, (a, [b]) in enumerate(items):
        items[i][1][0] += a * b
        items[i][0] -= 1
        items[i][1] += [n]
        items[i][1][-1] <<= i
        items[i - 1], items[i] = items[i], items[i - 1]
    del items[n][0], items[0][1][:i]
    return items


def chained_and_augmented(n):
    x = y = z = [n]
    x += [1]
    y = y + [2]
    z *= n
    a = b = n
    a += 1
    (c := a)
    c -= b
    s = "a"
    s += str(n)
    s *= n
    t = (1,)
    t += (n,)
    t *= n
    f = 1.5
    f //= n
    f **= n
    k = n
    k |= 8
    k &= 10
    k ^= 3
    k >>= 1
    k %= 4
    return x, y, z, a, b, c, s, t, f, k


def order_of_evaluation(n):
    def f():
        log.append("f")
        return d

    def g():
        log.append("g")
        return n

    def h():
        log.append("h")
        return 5

    log = []
    d = {n: 1, "l": [1, 2, 3]}
    f()[g()] += h()
    f()["l"][g() - 1 : g()] = [h()]
    f()["l"][g()] = f()[g()] = h()
    del f()[g()]
    [f()["q"], *f()["l"]] = g(), h(), g()
    return d, log


def errors(n):
    items = [1, 2]
    try:
        a, b, c = items
    except ValueError as e:
        r = str(e)
    try:
        (a,) = [n, n]
    except ValueError as e:
        r = r, str(e)
    try:
        a, *b, c = [n]  # noqa: F841
    except ValueError as e:
        r = r, str(e)
    try:
        a, b = n
    except TypeError as e:
        r = r, str(e)
    try:
        [*a], b = n, 2  # noqa: F841
    except TypeError as e:
        r = r, str(e)
    try:
        items[n + 5] = 1
    except IndexError as e:
        r = r, str(e)
    try:
        items["a"] = n
    except TypeError as e:
        r = r, str(e)
    try:
        (1, 2)[0] = n
    except TypeError as e:
        r = r, str(e)
    try:
        n.x = 1
    except AttributeError as e:
        r = r, str(e)
    try:
        del n[0]
    except TypeError as e:
        r = r, str(e)
    try:
        n[0] += 1
    except TypeError as e:
        r = r, str(e)
    try:
        items[::0]
    except ValueError as e:
        r = r, str(e)
    return r


def matches_in_loops(n):
    items = []
    for i in range(n):
        for j in range(i):
            items.append((i, j))
        else:
            items.append(i)
    a = {}
    while items:
        match items.pop():
            case (i, j) if i == j + 1:
                a[i] = j
            case (i, j):
                a[i, j] = i + j
            case int(k):
                a.setdefault("k", []).append(k)
    return a


def containers_in_subjects(items, d, n):
    match items, d:
        case [a, [b, c]], {"k": (1, x), "z": {"w": [y, *_]}} if x < n:
            return a, b, c, x, y
        case [_, [*r]], {"k": (p, q) as t, **rest} if q == n:
            return r, t, rest, p
    return None


def mixed_subjects(n):
    out = []
    for i in range(n):
        v = {"op": "add", "args": (i, n)} if i % 2 else ["mul", i, n, {"k": i}]
        match v:
            case {"op": "add" | "sub" as o, "args": (a, b)}:
                out.append((o, a + b))
            case ["mul", a, *rest, {"k": k}] if (z := a * k) >= 0:
                out.append((a, rest, z))
            case _:
                out.append(None)
    return out


def kinds_of_subjects(v):
    match v:
        case bool():
            return "bool"
        case int(x) | float(x) if x > 1:
            return "num", x
        case str() as s if len(s) == 2:
            return s * 2
        case (x, y):
            return "pair", x + y
        case [x]:
            return "one", x
        case {"x": q}:
            return q
        case None:
            return "none"


def format_fields(n, x, a):
    w = 10
    d = {"k": n}
    o = "abc"
    return (
        f"{n:>{w}}{x:.{n}f}{a[n - 1]:+.1e}{d['k']}{o[n - 1]!r:>{n * 2}}{n if n > 2 else x}{[i for i in range(n)]}{n=}{x!s:^9}{a.sum():,.2f}{{}}{n:b}{n:#x}{-n:05d}{x:%}{'nested ' + str(n)}{(lambda q: q * n)(2)}{n:{'>' if n > 2 else '<'}{w}}",  # noqa: C416, E501
        f"{a}",
        f"{a!r:.20}",
        f"{(n, x)}",
        f"{None}",
        f"{n > 2}",
    )


def del_keys(n):
    d = {"a": 1, "b": 2, n: 3}
    if n > 1:
        del d["a"]
    del d[n]
    return d, len(d)


def del_of_no_key(n):
    d = {"a": 1}
    del d[n]


def del_items(n):
    items = [1, 2, 3, 4, 5]
    if n > 1:
        del items[0]
    del items[n]
    if n > 2:
        del items[-1:]
    return items


def del_slices(a, b):
    items = [1, 2, 3, 4, 5]
    del items[a:b]
    m = [1, 2, 3, 4, 5, 6]
    del m[:: a + 1], items[0]
    return items, m


def del_attributes(n):
    o = O()
    o.x = n
    if n > 1:
        del o.x
    return hasattr(o, "x"), getattr(o, "x", None)


def del_names(n):
    x = n
    if n > 1:
        del x
    try:
        return x
    except UnboundLocalError as e:
        return str(e)


def augmented(i, a):
    items = [1, 2, 3]
    d = {"a": 1, 2: 5}
    o = O()
    o.v = 1
    m = np.arange(6).reshape(2, 3)
    o.items = [1, 2, 3]
    items[i] += 1
    d[i] *= 2
    o.v -= i
    a[i] /= 2
    m[i - 1, 0] += 5
    m[:, i] -= 1
    o.items[i] **= 2
    items[i:] += [7]
    items[i - 1] <<= i
    d["a"] |= 4
    a[a > 0] += 1
    m[i - 1][i] = 9
    o.items[-1] //= 2
    return items, d, o.v, a, m, o.items


def augmented_items(i):
    items = [[1], [2], [3]]
    s = {1}
    t = (1,)
    st = "a"
    b = True
    items[i] += [4]
    items[i].append(5)
    s |= {i}
    s -= {1}
    t += (i,)
    st += str(i)
    st *= i
    b &= i > 1
    t *= i
    items[0][0] ^= i
    return items, s, t, st, b


def augmented_out_of_range(i):
    items = [1, 2]
    items[i] += 1


def stars_in_for(n):
    out = []
    rows = [(i, i + 1, i + 2) for i in range(n)]
    for a, *b in rows:
        out.append((a, b))
    for *a, b in rows:
        out.append((a, b))
    for a, (b, *c) in [(i, (i, i, i)) for i in range(n)]:
        out.append((a, b, c))
    for i, (a, *b) in enumerate(rows):
        out.append((i, a, b))
    return out


def stars_in_headers(n):
    t = 0
    for (a, b), *c in zip([(i, i * 2) for i in range(n)], range(n), range(n), strict=False):
        t += a * b + sum(c)
    for k, (v, *w) in {"a": (1, n), "b": (2, n, n)}.items():  # noqa: B007
        t += v + len(w)
    d = {}
    for d[t], d["z"] in [(1, n)]:
        t += 1
    items = [0] * 5
    for items[n], x in [(5, 6)]:  # noqa: B007
        pass
    return t, d, items


def stars_in_assignments(n):
    items = list(range(n))
    a, *b = items
    *c, d = items
    (e, *f), g = items, n
    h = i, *j = items
    o = O()
    o.x, *o.y = items
    z = [0, 0]
    z[0], *z[1] = items
    return a, b, c, d, e, f, g, h, i, j, o.x, o.y, z


def list_patterns(n):
    items = []
    for i in range(n):
        items.append(i)
    match items:
        case []:
            return "empty"
        case [x]:
            return "one", x
        case [x, y]:
            return "two", x, y
        case [0, *rest]:
            return "rest", rest


def mapping_patterns(n, s):
    d = {"kind": s, "r": n, "extra": [n]}
    match d:
        case {"kind": "circle", "r": r, **rest}:
            return r, rest
        case {"kind": k, "r": 4}:
            return k


def or_patterns(n):
    d = {"a": n, "p": (n, n + 1)}
    match d:
        case {"a": 4, "p": (x, 5)}:
            return "four", x
        case {"a": (3 | 2) as q, **kw}:
            return q, kw
        case {"zz": _}:
            return 1


def symbolic_keys(n):
    d = {}
    for i in range(n):
        d[i] = i * 2
    match d:
        case {0: 0, 3: x}:
            return x
        case {0: y, **rest}:
            return y, rest


def class_patterns(x, y):
    p = Pt(x, y)
    match p:
        case Pt(0, y=q):
            return "y", q
        case Pt(x=a, y=b) if a == b:
            return "d", a
        case Pt(a, b) if (s := a + b) > 2:
            return s


def named_tuple_patterns(a, b):
    match N(a, b):
        case N(1, q):
            return q
        case N(a=p, b=2):
            return "p", p
        case (x, y):  # noqa: F841
            return x


def guards(n):
    match n:
        case x if (y := x * 2) > 5:
            return x, y
        case x:
            return y


def attributes_in_patterns(n):
    o = O()
    o.items = [n, 2]
    o.name = "q"
    match o:
        case O(name="q", items=[5, b]):
            return b


CASES = [
    (every_target, 2),
    (array_targets, 2, A),
    (nested_targets, 2),
    (chained_and_augmented, 2),
    (order_of_evaluation, 2),
    (errors, 2),
    (matches_in_loops, 4),
    (containers_in_subjects, [1, [2, 3, 4]], {"k": (1, 3), "z": {"w": []}}, 3),
    (containers_in_subjects, [1, [2, 3]], {"k": (1, 2), "z": {"w": [5]}}, 3),
    (mixed_subjects, 3),
    (kinds_of_subjects, {"x": 1}),
    (kinds_of_subjects, None),
    (kinds_of_subjects, [1]),
    (kinds_of_subjects, (1, 2)),
    (kinds_of_subjects, "ab"),
    (kinds_of_subjects, True),
    (kinds_of_subjects, 2),
    (kinds_of_subjects, 1.5),
    (format_fields, 3, 2.5, A),
    (del_keys, 0),
    (del_keys, 3),
    (del_of_no_key, 3),
    (del_items, 0),
    (del_items, 3),
    (del_slices, 1, 3),
    (del_attributes, 0),
    (del_attributes, 3),
    (del_names, 0),
    (del_names, 3),
    (augmented, 2, A),
    (augmented_items, 2),
    (augmented_out_of_range, 2),
    (stars_in_for, 3),
    (stars_in_headers, 3),
    (stars_in_assignments, 3),
    (list_patterns, 0),
    (list_patterns, 2),
    (list_patterns, 3),
    (mapping_patterns, 4, "sq"),
    (mapping_patterns, 4, "circle"),
    (or_patterns, 3),
    (or_patterns, 4),
    (symbolic_keys, 1),
    (symbolic_keys, 4),
    (class_patterns, 3.0, 3.0),
    (class_patterns, 0.0, 2.0),
    (class_patterns, 1.0, 2.0),
    (named_tuple_patterns, 5, 2),
    (named_tuple_patterns, 1, 2),
    (guards, 3),
    (attributes_in_patterns, 5),
]


@parametrize(CASES)
def test_targets_and_patterns(f, args):
    """Each program gives in every mode what plain Python gives, and raises where it raises."""
    check(f, *args)
