"""Lists, dicts, tuples, sets in staged parts, comprehensions and the builtins that go over them."""

from __future__ import annotations

import collections
from typing import NamedTuple

import numpy as np
from equivalence import check, parametrize

A = np.array([3.0, -1.0, 2.5, 0.0])


def list_methods(n):
    items = []
    for k in range(n):
        items.append(k)
        if k % 2:
            items.extend([k, -k])
        if len(items) > 5:
            items.pop(0)
        if k == 3:
            items.insert(1, "x")
        if k == 4:
            items.remove("x")
    items.reverse()
    return items, len(items), items.count(1), items[::2], items.copy(), 3 in items


def list_sorting(n, x):
    items = []
    for k in range(n):
        items.append((k * 7) % 5 - x)
    items.sort()
    best = sorted(items, reverse=True)
    items.sort(key=abs)
    return items, best, sorted(items, key=lambda v: -v)


def sort_with_captured(n, x):
    items = [k * 3 % 7 for k in range(n)]
    items.sort(key=lambda v: abs(v - x))
    return (
        items,
        sorted(items, key=lambda v: (v % 2, v * x)),
        min(items, key=lambda v: abs(v - x)),
        max(items, key=lambda v: -abs(v - n)),
    )


def map_with_captured(a, x):
    scale = x * 2
    found = []
    for v in a:
        found.append(v)
    return (
        list(map(lambda v: v * scale, found)),
        list(filter(lambda v: v > x, found)),
        list(map(lambda v, w: v - w + x, found, a)),
    )


def list_indexing(n):
    items = [10, 20, 30, 40]
    a = items[n]
    items[n] = 5
    items[-n] += 1
    items[n:] = [n]
    return a, items, items[:n], items[n - 1]


def list_argument(items, n):
    for k in range(n):
        items.append(k * 1.5)
        items[0] += k
    last = items.pop()
    return last, items


def nested_lists(n):
    rows = []
    for i in range(n):
        row = []
        for j in range(i + 1):
            row.append(i * j)
        rows.append(row)
    if n > 2:
        rows[0].append("first")
        rows[-1][0] = -1
    return rows, [len(r) for r in rows]


def list_grid(n, m):
    grid = [[0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            grid[i][j] = i * m + j
    grid[0][0] += 7
    return grid


def list_of_arrays(n):
    parts = []
    for k in range(n):
        parts.append(np.arange(k + 1.0))
    return np.concatenate(parts), parts


def stacks(a, n):
    rows = []
    for k in range(n):
        a = a + k
        rows.append(a)
    return (
        np.stack(rows),
        np.array(rows),
        np.vstack(rows),
        sum(rows),
        np.mean(rows, axis=0),
        np.array([r[0] for r in rows]),
    )


def list_in_branch(a, n):
    out = []
    if n > 1:
        out.append(a[0])
    else:
        out = [n]
    if not out:
        return "empty"
    out += [1]
    return out, out == [n, 1], bool(out), out + [2], out * 2


def list_alias(n):
    a = []
    b = a
    for k in range(n):
        b.append(k)
        if k == 2:
            b = []
    return a, b, a is b


def list_of_lists_alias(n):
    inner = [0]
    outer = [inner, inner]
    for k in range(n):
        outer[k % 2].append(k)
    return outer, inner


def list_iterate_after(n):
    items = [k for k in range(n) if k % 2]
    total = 0
    for v in items:
        total += v
    for i, v in enumerate(items):
        total += i * v
    for v, w in zip(items, reversed(items)):
        total += v * w
    while items:
        total -= items.pop()
    return total, items


def stack_machine(a):
    stack = []
    for v in a:
        if v > 0 or len(stack) < 2:
            stack.append(v)
        else:
            y, x = stack.pop(), stack.pop()
            stack.append(x - y)
    return stack


def queue(n):
    todo = [(0, n)]
    seen = []
    while todo:
        lo, hi = todo.pop(0)
        if hi - lo < 2:
            seen.append(lo)
            continue
        mid = (lo + hi) // 2
        todo.append((lo, mid))
        todo.append((mid, hi))
    return seen


def comprehensions(a, n):
    squares = [k * k for k in range(n)]
    odd = [k for k in range(n) if k % 2 if k > 1]
    pairs = [(i, j) for i in range(n) for j in range(i)]
    table = {k: k + n for k in range(n)}
    some = {k % 3 for k in range(n)}
    big = [v for v in a if v > 0]
    rows = [[i * j for j in range(n)] for i in range(2)]
    ternary = [v if v > 0 else -v for v in a]
    return squares, odd, pairs, table, some, big, rows, ternary


def comprehension_scope(n):
    k = 100
    squares = [k for k in range(n)]
    fs = [lambda: k for k in range(3)]
    return k, squares, [f() for f in fs]


def generators(a, n):
    total = sum(k * k for k in range(n))
    some = any(v > 2 for v in a)
    every = all(v > n for v in a)
    top = max(v * 2 for v in a)
    low = min((abs(v) for v in a), default=0)
    most = max((k for k in range(n) if k % 3 == 2), default=-1)
    return (
        total,
        some,
        every,
        top,
        low,
        most,
        sum((v for v in a), start=1.0),
        list(k for k in range(n)),
        tuple(v for v in a),
    )


def short_circuit(n):
    seen = []

    def test(k):
        seen.append(k)
        return k * k > n

    return any(test(k) for k in range(6)), all(not test(k) for k in range(6)), seen


def evens(n):
    k = 0
    while k < n:
        yield k
        k += 2


def generator_function(n):
    total = 0
    for v in evens(n):
        if v == 4:
            continue
        total += v
    return total, list(evens(n)), sum(evens(n))


def builtins_on_lists(n):
    items = []
    for k in range(n):
        items.append(k % 4)
    return (
        sum(items),
        max(items),
        min(items),
        any(items),
        all(items),
        sorted(items),
        list(reversed(items)),
        len(items),
        list(enumerate(items)),
        list(zip(items, items[1:])),
        tuple(items),
        set(items),
        list(map(abs, items)),
        list(filter(None, items)),
    )


def builtins_on_arrays(a):
    return (
        sum(a),
        max(a),
        min(a),
        any(a),
        all(a),
        sorted(a),
        list(reversed(a)),
        len(a),
        list(enumerate(a)),
        tuple(a),
        list(map(float, a)),
        list(zip(a, a[1:])),
    )


def dicts(x, n):
    d = {}
    for k in range(n):
        d[k % 3] = d.get(k % 3, 0) + x
    if n > 2:
        d["n"] = n
    d.update(last=x)
    d.setdefault("more", []).append(n)
    return d, len(d), "n" in d, list(d), d.pop("last"), sorted(map(str, d.keys()))


def count_words(n):
    counts = {}
    for k in range(n):
        key = "even" if k % 2 == 0 else "odd"
        if key in counts:
            counts[key] += 1
        else:
            counts[key] = 1
    return counts, {k: v for k, v in counts.items() if v > 1}


def default_dicts(n):
    d = collections.defaultdict(list)
    c = collections.Counter()
    for k in range(n):
        d[k % 2].append(k)
        c[k % 3] += 1
    q = collections.deque(maxlen=3)
    for k in range(n):
        q.append(k)
    return dict(d), dict(c), list(q)


def dict_argument(config, n):
    if n > 2:
        config["rate"] = config["rate"] * n
    else:
        config["extra"] = [n]
    return config["rate"], {**config, "n": n}


def sets(n):
    seen = set()
    twice = []
    for k in range(n):
        r = k * k % 7
        if r in seen:
            twice.append(r)
        seen.add(r)
    return seen, twice, seen & {1, 2}, seen | {n}, len(seen), {1, 2} <= seen


def memo(n):
    known = {0: 0, 1: 1}
    for k in range(2, n):
        known[k] = known[k - 1] + known[k - 2]
    return known


def tuples(x, n):
    t = (x, n)
    for k in range(n):
        t = (t[1], t[0] + k)
    a, b = t
    u = t + (1,)
    return t, u, len(u), u[n % 3], (a, b) == t, max(t), t < (5, 5)


class Point(NamedTuple):
    x: float
    y: float = 0.0

    def norm(self):
        return abs(self.x) + abs(self.y)

    @property
    def swapped(self):
        return Point(self.y, self.x)


def named_tuples(p, n):
    for k in range(n):
        p = p._replace(x=p.x + k)
        if p.norm() > 5:
            p = p.swapped
    q = Point(n)
    return p, q, p.x, q._asdict(), p + q


def named_tuple_list(n):
    points = []
    for k in range(n):
        points.append(Point(k, -k))
    total = 0
    for x, y in points:
        total += x * y
    return points, total, [p.norm() for p in points], max(points, key=lambda p: p.x) if n else None


def slices(a, n):
    return a[n:], a[:-n], a[n::2], a[[n, 0]], a[a > n], [1, 2, 3, 4][n:], "abcdef"[n:], (1, 2, 3)[:n]


def strings(n):
    parts = []
    for k in range(n):
        parts.append(str(k) + "!")
    return (
        ",".join(parts),
        "-".join(str(k) for k in range(n)),
        "%d and %s" % (n, "x"),
        f"{n:03d}",
        str(n).zfill(4),
    )


def lists_out_of_order(n):
    perm = list(range(n))
    for i in range(n):
        j = (i * 5 + 1) % n
        perm[i], perm[j] = perm[j], perm[i]
    return perm, perm.index(0), [perm.index(k) for k in range(n)]


def matrix_lists(n):
    a = [[1, 1], [1, 0]]
    r = [[1, 0], [0, 1]]
    while n:
        if n % 2:
            r = [[sum(r[i][k] * a[k][j] for k in range(2)) for j in range(2)] for i in range(2)]
        a = [[sum(a[i][k] * a[k][j] for k in range(2)) for j in range(2)] for i in range(2)]
        n //= 2
    return r


def list_as_state_replaced(n):
    row = [1]
    for _ in range(n):
        row = [1] + [row[k] + row[k + 1] for k in range(len(row) - 1)] + [1]
    return row


def dict_of_lists(n):
    graph = {0: [1, 2], 1: [2], 2: [0, 3], 3: [3]}
    seen = []
    todo = [n]
    while todo:
        v = todo.pop()
        if v in seen:
            continue
        seen.append(v)
        for w in graph[v]:
            if w not in seen:
                todo.append(w)
    return seen


CASES = [
    *[(list_methods, n) for n in (0, 3, 8)],
    *[(list_sorting, n, x) for n, x in ((0, 1), (6, 2))],
    *[(sort_with_captured, n, x) for n, x in ((1, 1), (6, 2))],
    *[(map_with_captured, A, x) for x in (1, 2.0)],
    *[(list_indexing, n) for n in (1, 2, 3, 7)],
    *[(list_argument, [1.0], n) for n in (0, 3)],
    *[(nested_lists, n) for n in (0, 1, 4)],
    *[(list_grid, n, m) for n, m in ((1, 1), (3, 2))],
    *[(list_of_arrays, n) for n in (1, 4)],
    *[(stacks, A, n) for n in (1, 3)],
    *[(list_in_branch, A, n) for n in (0, 1, 2)],
    *[(list_alias, n) for n in (0, 2, 5)],
    *[(list_of_lists_alias, n) for n in (0, 5)],
    *[(list_iterate_after, n) for n in (0, 7)],
    (stack_machine, A),
    (stack_machine, -A),
    *[(queue, n) for n in (1, 6)],
    *[(comprehensions, A, n) for n in (0, 4)],
    *[(comprehension_scope, n) for n in (0, 4)],
    *[(generators, A, n) for n in (0, 6)],
    *[(short_circuit, n) for n in (0, 10, 99)],
    *[(generator_function, n) for n in (0, 9)],
    *[(builtins_on_lists, n) for n in (1, 9)],
    (builtins_on_arrays, A),
    *[(dicts, x, n) for x, n in ((1, 0), (2.5, 5))],
    *[(count_words, n) for n in (0, 5)],
    *[(default_dicts, n) for n in (0, 7)],
    *[(dict_argument, {"rate": 0.5}, n) for n in (1, 3)],
    *[(sets, n) for n in (0, 9)],
    *[(memo, n) for n in (1, 9)],
    *[(tuples, x, n) for x, n in ((1, 0), (2.5, 5))],
    *[(named_tuples, Point(1.0, 2.0), n) for n in (0, 4)],
    *[(named_tuple_list, n) for n in (0, 4)],
    *[(slices, A, n) for n in (1, 2)],
    *[(strings, n) for n in (0, 4)],
    *[(lists_out_of_order, n) for n in (1, 7)],
    *[(matrix_lists, n) for n in (0, 9)],
    *[(list_as_state_replaced, n) for n in (0, 5)],
    *[(dict_of_lists, n) for n in (0, 3)],
]


@parametrize(CASES)
def test_containers(f, args):
    """Each program gives in every mode what plain Python gives."""
    check(f, *args)
