"""Branches and the values of expressions on data: ``if``, ternaries, ``and``/``or``/``not``, ``in``, ``is
None``."""

from __future__ import annotations

import numpy as np
from equivalence import check, parametrize

A = np.array([3.0, -1.0, 2.5])


def chain(x):
    if x > 10:
        kind = "big"
    elif x > 5:
        kind = "middle"
    elif x > 0:
        kind = "small"
    else:
        kind = "none"
    return kind


def one_arm_returns(x, n):
    if n > 3:
        return x
    x = x + 1
    if n < 0:
        return -x
    elif n == 0:
        x *= 2
    return x, n


def arms_of_other_types(n):
    if n > 2:
        y = n / 2
    elif n > 1:
        y = "two"
    elif n > 0:
        y = None
    else:
        y = (n, [n])
    return y


def bare_expressions(x):
    if x > 0:
        ...
    else:
        pass
    x + 1
    return x


def nested_ternary(x, y):
    return (x if x < y else y) if x > 0 else ("zero" if x == 0 else -y)


def ternary_in_arguments(x, n):
    return (
        max(x if n else 0, n if x > 1 else -n),
        [x if n > k else k for k in range(3)],
        f"{x if n else 'no'}",
    )


def ternary_in_lambda(x, n):
    choose = lambda a, b=n if n > 2 else 2: a if a > b else b
    return choose(x), choose(n, x)


def or_default(x, n):
    return x or 3, n and x, not n, not (x and n), (n or x or 7), (n and x and 5)


def guarded_index(a, n):
    return n < len(a) and a[n] > 0


def guarded_or(a, n):
    return n >= len(a) or a[n]


def chained_comparison(x, n):
    seen = []

    def note(v):
        seen.append(v)
        return v

    return 0 < note(x) <= note(n) < 9, seen, x < n < 5, x == n != 3


def in_array(a, x):
    return x in a, x not in a, (x in a and x > 0)


def in_list(x, n):
    return (
        x in [1, n, 3],
        x not in (n, n + 1),
        n in range(5),
        n in range(0, 20, x),
        n in {1, 2, 3},
        n in {1: x, 5: n},
    )


def in_text(n):
    word = "abc" if n > 1 else "xyz"
    return "b" in word, word in ("abc", "q"), word == "abc", word + "!"


def none_in_one_arm(x):
    best = None
    if x > 2:
        best = x
    if best is None:
        return "nothing"
    return best * 2


def none_in_loop(a):
    best = None
    for v in a:
        if v > 1 and (best is None or v < best):
            best = v
    return best


def none_argument_chosen(a, n):
    def scale(v, factor=None):
        if factor is None:
            factor = 10.0
        return v * factor

    f = None
    if n > 2:
        f = 2.0
    return scale(a, f), scale(a)


def none_tests_mixed(x, n):
    y = None if n > 2 else x
    return y is None, y is not None, (y is None or y > 1), (0 if y is None else y + 1)


def none_from_function(x, n):
    def find(limit):
        for k in range(10):
            if k * x > limit:
                return k

    found = find(n)
    if found is None:
        return -1
    return found


def helper_none(value):
    if value is None:
        return "none"
    if isinstance(value, str):
        return "text " + value
    if isinstance(value, tuple | list):
        return len(value)
    if hasattr(value, "shape"):
        return "array"
    return value + 1


def native_tests_on_unknown(n):
    if n > 3:
        v = None
    elif n > 2:
        v = "abc"
    elif n > 1:
        v = np.arange(3.0)
    elif n > 0:
        v = [n, n]
    else:
        v = n
    return helper_none(v)


def callable_on_unknown(n):
    f = 3
    if n > 1:
        f = abs
    if callable(f):
        return f(-n)
    return f


def isinstance_in_loop(n):
    items = []
    for k in range(n):
        items.append(k if k % 2 else str(k))
    out = 0
    for item in items:
        if isinstance(item, str):
            out += 10
        else:
            out += item
    return out, items


def walrus(a, n):
    if (m := n * 2) > 5:
        n = m
    while (n := n - 3) > 0:
        m += n
    kept = [y for v in a if (y := v * 2) > 1]
    return n, m, kept, y, max(z := n + 1, m), z


def match_literal(n, x):
    match n:
        case 0:
            return "zero"
        case 1 | 2:
            r = "few"
        case k if k > 10:
            r = ("many", k)
        case _:
            r = x
    return r


def match_sequence(x, n):
    match (x, n):
        case (0, y):
            return "first", y
        case (y, 0):
            return "second", y
        case (a, b) if a == b:
            return "same", a
        case _:
            return "none"


def match_mapping(x, n):
    match {"kind": n, "value": x}:
        case {"kind": 1, "value": v}:
            return v
        case {"kind": k, **rest}:
            return k, rest


def identical(x, n):
    y = x
    z = y if n > 1 else n
    return y is x, (z is None), z is not None


def fstrings(x, n):
    text = f"{n:>4}|{x!r}|{x + n:.2f}|{'even' if n % 2 == 0 else 'odd'}"
    if n > 2:
        text += f"{n=}"
    return text


CASES = [
    *[(chain, x) for x in (11, 7.5, np.float64(1), -2)],
    *[(one_arm_returns, A, n) for n in (5, -1, 0, 2)],
    *[(arms_of_other_types, n) for n in (3, 2, 1, 0)],
    *[(bare_expressions, x) for x in (1, -1.5)],
    *[(nested_ternary, x, y) for x, y in ((1, 2), (3, 2), (0, 1), (-1, 4.5))],
    *[(ternary_in_arguments, x, n) for x, n in ((2.5, 2), (0, 0), (7, -1))],
    *[(ternary_in_lambda, x, n) for x, n in ((2.5, 1), (1, 4))],
    *[(or_default, x, n) for x, n in ((0, 0), (1.5, 0), (0, 2), (4, 5))],
    *[(guarded_index, A, n) for n in (0, 1, 5)],
    *[(guarded_or, A, n) for n in (0, 1, 5)],
    *[(chained_comparison, x, n) for x, n in ((1, 3), (-1, 3), (5, 2), (3, 3))],
    *[(in_array, A, x) for x in (3.0, 7, -1)],
    *[(in_list, x, n) for x, n in ((1, 4), (3, 9), (2, 2))],
    *[(in_text, n) for n in (1, 2)],
    *[(none_in_one_arm, x) for x in (1, 3, 2.5)],
    *[(none_in_loop, a) for a in (A, np.array([0.5, 0.0]), np.array([9.0, 4.0, 5.0]))],
    *[(none_argument_chosen, A, n) for n in (1, 3)],
    *[(none_tests_mixed, x, n) for x, n in ((5, 3), (5, 1), (0.5, 2))],
    *[(none_from_function, x, n) for x, n in ((2, 7), (1, 100), (0.5, 3))],
    *[(native_tests_on_unknown, n) for n in range(5)],
    *[(callable_on_unknown, n) for n in (1, 2)],
    *[(isinstance_in_loop, n) for n in (0, 4)],
    *[(walrus, A, n) for n in (1, 5)],
    *[(match_literal, n, 2.5) for n in (0, 1, 2, 5, 11)],
    *[(match_sequence, x, n) for x, n in ((0, 1), (1, 0), (4, 4), (2, 3))],
    *[(match_mapping, x, n) for x, n in ((5, 1), (5, 2))],
    *[(identical, A, n) for n in (0, 3)],
    *[(fstrings, x, n) for x, n in ((1.5, 2), (np.float64(2.0), 3))],
]


@parametrize(CASES)
def test_values_of_branches(f, args):
    """Each program gives in every mode what plain Python gives."""
    check(f, *args)
