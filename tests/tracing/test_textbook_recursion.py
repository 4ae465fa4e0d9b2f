"""Textbook recursion: arguments that grow on the way down, calls in loops, several calls of itself."""

from __future__ import annotations

import numpy as np
from equivalence import parametrize

import autograph as ag


def permutations_by_index(n, row, cols, out):
    if row == n:
        out.append(cols)
    for c in range(n):
        if c not in cols:
            permutations_by_index(n, row + 1, cols + (c,), out)
    return out


def queens(n):
    found = []

    def place(row, cols):
        if row == n:
            found.append(cols)
            return 1
        total = 0
        for c in range(n):
            ok = True
            for r, d in enumerate(cols):
                if d == c or abs(d - c) == row - r:
                    ok = False
                    break
            if ok:
                total += place(row + 1, cols + (c,))
        return total

    return place(0, ()), found


def permutations(items):
    if len(items) <= 1:
        return [items]
    out = []
    for i in range(len(items)):
        for p in permutations(items[:i] + items[i + 1 :]):
            out.append([items[i]] + p)
    return out


def countdown(k, t):
    if k == 0:
        return t
    return countdown(k - 1, t + (k,))


def countdown_list(k, t):
    if k == 0:
        return t
    return countdown_list(k - 1, [*t, k])


def hanoi(n, a, b, c, moves):
    if n == 0:
        return moves
    hanoi(n - 1, a, c, b, moves)
    moves.append((a, c))
    hanoi(n - 1, b, a, c, moves)
    return moves


def subsets(xs, k, acc):
    if k == len(xs):
        return [acc]
    return subsets(xs, k + 1, acc) + subsets(xs, k + 1, acc + [xs[k]])


def power(x, n):
    if n == 0:
        return 1
    if n % 2:
        return x * power(x, n - 1)
    h = power(x, n // 2)
    return h * h


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def flatten(x):
    out = []
    for e in x:
        if isinstance(e, list):
            out += flatten(e)
        else:
            out.append(e)
    return out


def quick_sort(a):
    if len(a) < 2:
        return a
    p = a[0]
    return quick_sort([x for x in a[1:] if x < p]) + [p] + quick_sort([x for x in a[1:] if x >= p])


def combinations(n, k, start, path):
    if k == 0:
        return [path]
    out = []
    for i in range(start, n):
        out.extend(combinations(n, k - 1, i + 1, path + (i,)))
    return out


def merge_sort(a):
    if len(a) < 2:
        return a
    m = len(a) // 2
    left, right = merge_sort(a[:m]), merge_sort(a[m:])
    return np.sort(np.concatenate([left, right]))


def maze(grid, r, c, seen):
    if r < 0 or c < 0 or r >= len(grid) or c >= len(grid[0]) or grid[r][c] or (r, c) in seen:
        return 0
    seen.add((r, c))
    return (
        1
        + maze(grid, r + 1, c, seen)
        + maze(grid, r - 1, c, seen)
        + maze(grid, r, c + 1, seen)
        + maze(grid, r, c - 1, seen)
    )


def tree(d, path):
    if d == 0:
        return {path: 1}
    return {**tree(d - 1, path + "l"), **tree(d - 1, path + "r")}


class Cells:
    """A spreadsheet that goes through what depends on a cell."""

    def __init__(self):
        self.dependents = {}
        self.log = []

    def add(self, a, b):
        self.dependents.setdefault(a, []).append(b)
        self.visit(a, 0)

    def visit(self, name, depth):
        self.log.append((name, depth))
        for each in self.dependents.get(name, []):
            self.visit(each, depth + 1)


def spreadsheet(pairs):
    cells = Cells()
    for a, b in pairs:
        cells.add(a, b)
    return cells.log


_CASES = [
    (permutations_by_index, 3, 0, (), []),
    (queens, 4),
    (queens, 5),
    (permutations, [1, 2, 3]),
    (countdown, 7, ()),
    (countdown_list, 7, []),
    (hanoi, 3, "a", "b", "c", []),
    (subsets, [1, 2, 3], 0, []),
    (power, 2.5, 10),
    (fibonacci, 10),
    (flatten, [1, [2, [3, [4]]], 5]),
    (quick_sort, [3, 1, 2, 5, 4]),
    (combinations, 5, 3, 0, ()),
    (merge_sort, np.array([3.0, 1.0, 2.0, 5.0, 4.0])),
    (maze, [[0, 0, 1], [1, 0, 0], [0, 0, 0]], 0, 0, set()),
    (maze, np.array([[0, 0, 1], [1, 0, 0], [0, 0, 0]]), 0, 0, set()),
    (tree, 3, ""),
    (spreadsheet, [(1, 2), (2, 3), (3, 4), (1, 5)]),
    (spreadsheet, np.array([(1, 2), (2, 3), (3, 4), (1, 5)])),
]


@parametrize(_CASES)
def test_recursion_with_growing_arguments(f, args):
    """How deep the calls go, and how long the arguments get, is known to the run only."""
    ag.testing.check(f, *args)
