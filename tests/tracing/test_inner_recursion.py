"""Recursion of inner functions: data ends it, and a count, a text, a variable or an array changes."""

from __future__ import annotations

import numpy as np
from equivalence import parametrize

import autograph as ag


def nested(n):
    def go(k):
        if k == n:
            return 0
        return 1 + go(k + 1)

    return go(0)


def nested_text(n):
    def go(s):
        if len(s) == n:
            return s
        return go(s + "a")

    return go("")


def nested_array(a):
    def go(i):
        if i < len(a):
            return a[i] + go(i + 1)
        return 0

    return go(0)


def swap_perms(a):
    out = []

    def go(i):
        if i == len(a):
            out.append(list(a))
            return
        for j in range(i, len(a)):
            a[i], a[j] = a[j], a[i]
            go(i + 1)
            a[i], a[j] = a[j], a[i]

    go(0)
    return out


def parens(n):
    out = []

    def go(s, o, c):
        if len(s) == 2 * n:
            out.append(s)
            return
        if o < n:
            go(s + "(", o + 1, c)
        if c < o:
            go(s + ")", o, c + 1)

    go("", 0, 0)
    return out


def by_state(n):
    i = 0

    def go():
        nonlocal i
        if i < n:
            i += 1
            go()

    go()
    return i


def by_array(x):
    if x[0] > 0:
        x[0] -= 1
        by_array(x)
    return x


def solve(g):
    for r in range(2):
        if g[r] == 0:
            g[r] = 1
            return solve(g)
    return g


def solve2(g):
    def go():
        for r in range(2):
            if g[r] == 0:
                g[r] = 1
                return go()
        return True

    return go(), g


def sudoku(g):
    n = len(g)

    def ok(r, c, v):
        for k in range(n):
            if g[r][k] == v or g[k][c] == v:
                return False
        return True

    def go():
        for r in range(n):
            for c in range(n):
                if g[r][c] == 0:
                    for v in range(1, n + 1):
                        if ok(r, c, v):
                            g[r][c] = v
                            if go():
                                return True
                            g[r][c] = 0
                    return False
        return True

    return go(), g


def gensum(n):
    if n == 0:
        return 1
    return sum(gensum(n - k) for k in range(1, n + 1))


def genmax(n):
    if n == 0:
        return 1
    return 1 + max((genmax(n - k) for k in range(1, n + 1)), default=0)


def det(m):
    if len(m) == 1:
        return m[0][0]
    return sum((-1) ** j * m[0][j] * det([r[:j] + r[j + 1 :] for r in m[1:]]) for j in range(len(m)))


def calc(tokens):
    pos = 0

    def expr():
        nonlocal pos
        v = term()
        while pos < len(tokens) and tokens[pos] in "+-":
            op = tokens[pos]
            pos += 1
            w = term()
            v = v + w if op == "+" else v - w
        return v

    def term():
        nonlocal pos
        v = factor()
        while pos < len(tokens) and tokens[pos] in "*/":
            op = tokens[pos]
            pos += 1
            w = factor()
            v = v * w if op == "*" else v / w
        return v

    def factor():
        nonlocal pos
        t = tokens[pos]
        pos += 1
        if t == "(":
            v = expr()
            pos += 1
            return v
        return float(t)

    return expr()


def calcpop(t):
    def expr():
        v = factor()
        while t and t[0] in "+-":
            op = t.pop(0)
            w = factor()
            v = v + w if op == "+" else v - w
        return v

    def factor():
        x = t.pop(0)
        if x == "(":
            v = expr()
            t.pop(0)
            return v
        return int(x)

    return expr()


def huff(freq):
    items = sorted((f, s) for s, f in freq.items())
    nodes = [(f, s, None) for f, s in items]
    while len(nodes) > 1:
        nodes.sort(key=lambda t: t[0])
        a, b = nodes.pop(0), nodes.pop(0)
        nodes.append((a[0] + b[0], None, (a, b)))
    codes = {}

    def assign(node, pre):
        if node[2] is None:
            codes[node[1]] = pre
        else:
            assign(node[2][0], pre + "0")
            assign(node[2][1], pre + "1")

    assign(nodes[0], "")
    return codes


def json(s):
    pos = 0

    def ws():
        nonlocal pos
        while pos < len(s) and s[pos] == " ":
            pos += 1

    def value():
        nonlocal pos
        ws()
        if s[pos] == "[":
            pos += 1
            out = []
            ws()
            while s[pos] != "]":
                out.append(value())
                ws()
                if s[pos] == ",":
                    pos += 1
                ws()
            pos += 1
            return out
        start = pos
        while pos < len(s) and s[pos] in "0123456789":
            pos += 1
        return int(s[start:pos])

    return value()


def simpson(a, b, eps):
    def f(x):
        return np.sin(x)

    def s(a, b):
        return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))

    def rec(a, b, eps, whole):
        m = (a + b) / 2
        left, right = s(a, m), s(m, b)
        if abs(left + right - whole) <= 15 * eps:
            return left + right + (left + right - whole) / 15
        return rec(a, m, eps / 2, left) + rec(m, b, eps / 2, right)

    return rec(a, b, eps, s(a, b))


def lisp(x, env):
    if isinstance(x, str):
        return env[x]
    if not isinstance(x, list):
        return x
    if x[0] == "if":
        return lisp(x[2], env) if lisp(x[1], env) else lisp(x[3], env)
    if x[0] == "lambda":
        return lambda *args: lisp(x[2], {**env, **dict(zip(x[1], args))})
    f = lisp(x[0], env)
    return f(*[lisp(e, env) for e in x[1:]])


_PLUS = {"+": lambda a, b: a + b}


@parametrize(
    [
        (nested, 3),
        (nested_text, 3),
        (nested_array, np.arange(4.0)),
        (nested_array, [1, 2, 3]),
        (swap_perms, [1, 2, 3]),
        (parens, 3),
        (by_state, 4),
        (by_array, np.array([3, 1])),
        (by_array, [3, 1]),
        (solve, [0, 0]),
        (solve, np.array([0, 0])),
        (solve2, [0, 0]),
        (sudoku, [[0, 2, 0], [0, 0, 1], [0, 0, 0]]),
        (gensum, 4),
        (genmax, 3),
        (det, [[2, 0, 1], [1, 3, 2], [1, 1, 1]]),
        (calc, list("2+3*(4-1)")),
        (calcpop, list("2+(4-1)")),
        (huff, {"a": 5, "b": 2, "c": 1, "d": 1}),
        (json, "[1, [2, 3], [], 44]"),
        (simpson, 0.0, 1.0, 1e-6),
        (lisp, ["+", 1, ["if", 0, 2, 3]], _PLUS),
        (lisp, [["lambda", ["x"], ["+", "x", 1]], 5], _PLUS),
    ]
)
def test_recursion_that_data_ends(f, args):
    """Parsers, searches, and walks of all kinds."""
    ag.testing.check(f, *args)
