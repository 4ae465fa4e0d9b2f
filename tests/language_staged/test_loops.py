"""Loops over data: ``while`` and ``for`` with ``else``, jumps from any depth, unpacking, names that live on.

PYTEST_DONT_REWRITE: the asserts of the programs are Python's.
"""
from __future__ import annotations

import numpy as np
from equivalence import check, parametrize

A = np.array([3.0, -1.0, 2.5, 0.0])
GRID = np.arange(6.0).reshape(2, 3)


def while_else(n):
    k = 0
    while k < n:
        k += 2
        if k == 6:
            break
    else:
        return "done", k
    return "left", k


def for_else(a, x):
    for i, v in enumerate(a):
        if v == x:
            break
    else:
        i = -1
    return i


def for_else_nested(n):
    primes = []
    for i in range(2, n):
        for p in primes:
            if i % p == 0:
                break
        else:
            primes.append(i)
            continue
        if i > 20:
            return primes, i
    return primes


def return_from_depth(grid, x):
    for i, row in enumerate(grid):
        for j, v in enumerate(row):
            while v > x:
                v -= 1
                if v == x:
                    return i, j
    return None


def forever(n):
    total = 0
    while True:
        total += n
        n -= 1
        if n % 4 == 0:
            continue
        if n < 0:
            break
        if total > 30:
            return "over", total
    return total, n


def continue_in_both(n):
    out = []
    for k in range(n):
        if k % 3 == 0:
            if k % 2 == 0:
                continue
            out.append(-k)
        elif k % 5 == 0:
            continue
        out.append(k)
    return out


def loop_variable_after(a, n):
    for i in range(n):
        last = i * 2
    for v in a:
        pass
    return i, last, v


def unbound_only_when_read(n):
    if n > 2:
        y = n
    if n > 4:
        return y
    for k in range(n):
        z = k
    if n == 0:
        return z
    return n


def unbound_after_del(n):
    y = n
    if n > 2:
        del y
    if n > 4:
        return y
    return n


def rotating(n):
    a, b, c = 0, 1, 2
    for _ in range(n):
        a, b, c = b, c, a + b
    return a, b, c


def swap_array_items(a, n):
    for i in range(n):
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return a


def negative_ranges(n, step):
    out = []
    for k in range(n, -2, -1):
        out.append(k)
    for k in range(10, 0, -step):
        out.append(k)
    for k in range(-n, n, step):
        out.append(k)
    return out, len(range(n, 0, -2)), sum(range(n)), range(n)[-1]


def reversed_loops(a, n):
    out = []
    for v in reversed(a):
        out.append(v)
    for k in reversed(range(n)):
        out.append(k)
    for k, v in reversed(list(enumerate(a))):
        out.append(k * v)
    return out


def zips(a, n):
    out = 0.0
    for k, v, w in zip(range(n), a, a[::-1]):
        out += k * v - w
    for i, (v, w) in enumerate(zip(a, a[1:]), 1):
        out += i * (v - w)
    for i, v in enumerate(a, start=n):
        out -= i
    return out


def zip_strict(a, n):
    out = 0.0
    for k, v in zip(range(n), a, strict=True):
        out += k * v
    return out


def star_unpacking(a, n):
    first, *rest = a
    *most, last = [n, n + 1, n + 2]
    (p, q), *r = (n, first), last
    x, (y, *z) = n, [1, 2, n]
    total = 0
    for k, *others in [(1, n), (2, 3, 4), (n,)]:
        total += k + len(others)
    return first, rest, most, last, p, q, r, x, y, z, total


def unpack_row(grid, n):
    out = []
    for a, b, c in grid:
        if a > n:
            out.append(b)
        else:
            out.append((c, a))
    return out


def unpack_in_staged_loop(n):
    pairs = [(k, k * k) for k in range(n)]
    total = 0
    for a, b in pairs:
        total += a - b
    head, *tail = pairs
    return total, head, tail


def unpack_too_many(n):
    items = list(range(n))
    a, b = items
    return a + b


def rows_are_views(grid, n):
    for row in grid:
        row += n
        row[0] = 0
        if row[1] > 5:
            row *= -1
    return grid


def row_kept(grid, n):
    kept = grid[0]
    for row in grid:
        if row.sum() > n:
            kept = row
    kept[1] = 99.0
    return kept


def for_over_mixed_tuple(x, n):
    out = []
    for v in (1, 2.5, x, "a", n, None):
        if v is None:
            out.append("none")
        elif isinstance(v, str):
            out.append(v)
        else:
            out.append(v + n)
    return out


def dict_items(x, n):
    d = {"a": x, "b": n, "c": 3}
    total = 0
    for k, v in d.items():
        if v > 2:
            total += v
            d[k] = v - 1
    for k in d:
        total += d[k]
    for v in d.values():
        total -= v
    return total, d


def loop_changes_type(n):
    x = 1
    for k in range(n):
        if k == 2:
            x = x / 2
        elif k == 4:
            x = [x]
    return x


def nested_jumps(n, m):
    count = 0
    for i in range(n):
        j = 0
        while True:
            j += 1
            if j > m:
                break
            if (i + j) % 3 == 0:
                continue
            count += 1
            if count > 9:
                return "many", i, j
        else:
            count = -1
        if count == 5:
            break
    else:
        return "all", count
    return "some", count


def collatz(n):
    steps, top = 0, n
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
        top = max(top, n)
    return steps, top


def augmented(a, n):
    box = {"k": 1}
    items = [1, 2, 3]
    for i in range(n):
        a[i] += i
        a[:2] *= 2
        box["k"] += i
        items[i % 3] -= i
        items += [i]
    return a, box, items


def deletions(n):
    items = list(range(n))
    d = {"a": 1, "b": 2}
    while len(items) > 2:
        del items[0]
        del items[-1:]
    if n > 3:
        del d["a"]
    return items, d


def assertions(x, n):
    for k in range(n):
        assert x > k, f"x is {x} at {k}"
        x -= 1
    return x


def raises(n):
    for k in range(n):
        if k == 3:
            raise ValueError("three", k)
        if k > 10:
            raise KeyError(k) from None
    return n


def raises_from(n):
    cause = RuntimeError("cause")
    if n > 2:
        raise ValueError(f"n={n}") from cause
    return n


def shadowed_builtins(n):
    sum = 0
    max = n
    list = [1]
    for range_ in range(n):
        sum += range_
        if sum > max:
            list.append(sum)
    return sum, max, list


def annotated(x):
    y: float = 0
    if x > 1:
        y: int = 3
    z: int  # noqa: F842
    a = b = c = x
    return y, a, b, c


def collisions(n):
    then = 1
    orelse = 2
    body = ag = state = stop = 0
    for then_1 in range(n):
        if then_1 > 2:
            body += then
            break
        ag += orelse
        state = stop = then_1
    return then, orelse, body, ag, state, stop


def for_over_text(n):
    word = "abcd" if n > 1 else "xy"
    out = ""
    for c in word:
        if c == "c":
            break
        out = c + out
    return out


def modify_iterated_list(n):
    items = [n]
    for v in items:
        if v > 0:
            items.append(v - 1)
    return items


def while_with_calls(a):
    def norm(v):
        return float(np.sqrt((v * v).sum()))

    steps = 0
    while norm(a) > 1.0:
        a = a / 2
        steps += 1
    return a, steps


CASES = [
    *[(while_else, n) for n in (0, 3, 6, 9)],
    *[(for_else, A, x) for x in (2.5, 9.0)],
    *[(for_else_nested, n) for n in (2, 12, 40)],
    *[(return_from_depth, GRID, x) for x in (1.0, 4.0, 9.0)],
    *[(forever, n) for n in (3, 9, -1)],
    (continue_in_both, 0), (continue_in_both, 13),
    *[(loop_variable_after, A, n) for n in (0, 3)], (loop_variable_after, np.zeros(0), 2),
    *[(unbound_only_when_read, n) for n in (0, 1, 3, 5)],
    *[(unbound_after_del, n) for n in (1, 3, 5)],
    *[(rotating, n) for n in (0, 1, 20)],
    *[(swap_array_items, A, n) for n in (4, 2)],
    *[(negative_ranges, n, s) for n, s in ((5, 2), (3, 3), (1, 1), (0, 2))],
    *[(reversed_loops, A, n) for n in (0, 3)],
    *[(zips, A, n) for n in (0, 3, 6)],
    *[(zip_strict, A, n) for n in (4, 3, 6)],
    *[(star_unpacking, A, n) for n in (1, 5)],
    *[(unpack_row, GRID, n) for n in (1, 5)],
    *[(unpack_in_staged_loop, n) for n in (1, 5, 0)],
    *[(unpack_too_many, n) for n in (1, 2, 3)],
    *[(rows_are_views, GRID, n) for n in (1, 5)],
    *[(row_kept, GRID, n) for n in (1, 5)],
    *[(for_over_mixed_tuple, x, n) for x, n in ((1.5, 2), (0, 0))],
    *[(dict_items, x, n) for x, n in ((1, 2), (5, 7))],
    *[(loop_changes_type, n) for n in (0, 3, 5, 7)],
    *[(nested_jumps, n, m) for n, m in ((0, 1), (2, 2), (4, 3), (9, 1))],
    *[(collatz, n) for n in (1, 7, 27)],
    *[(augmented, A, n) for n in (0, 3)],
    *[(deletions, n) for n in (1, 4, 9)],
    *[(assertions, x, n) for x, n in ((9, 3), (2, 5))],
    *[(raises, n) for n in (2, 5)],
    *[(raises_from, n) for n in (2, 5)],
    *[(shadowed_builtins, n) for n in (0, 6)],
    *[(annotated, x) for x in (0, 2)],
    *[(collisions, n) for n in (0, 2, 5)],
    *[(for_over_text, n) for n in (0, 2)],
    *[(modify_iterated_list, n) for n in (0, 4)],
    *[(while_with_calls, a) for a in (A, A * 100)],
]


@parametrize(CASES)
def test_loops(f, args):
    """Each program gives in every mode what plain Python gives."""
    check(f, *args)
