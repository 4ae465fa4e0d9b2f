"""Functions made, called and chosen in staged parts; closures, decorators, recursion."""

from __future__ import annotations

import functools
import operator

import numpy as np
from equivalence import check, parametrize

A = np.array([3.0, -1.0, 2.5])


def late_binding(n, x):
    factor = 2

    def scale(v):
        return v * factor

    a = scale(x)
    if n > 2:
        factor = n
    b = scale(x)
    for k in range(n):
        factor += k
    return a, b, scale(x), factor


def nonlocal_writes(n):
    total = 0

    def add(k):
        nonlocal total
        if k % 2:
            total += k
        return total

    seen = []
    for k in range(n):
        seen.append(add(k))
    return total, seen


def made_in_loop(n, x):
    out = 0
    for k in range(n):

        def term(v, k=k):
            return v * k if v > 0 else -k

        out += term(x) + (lambda v: v + k)(x)
    return out


def arguments(x, n):
    def f(a, /, b, *rest, c=3, **options):
        if a > b:
            return a, rest, c, options
        return b, len(rest), sum(rest), options.get("d", 0)

    args = (n, x, 1)
    kw = {"c": n, "d": x}
    return f(x, n), f(n, x, 1, 2, c=x), f(*args, **kw), f(1, b=n)


def partials(x, n):
    def power(base, exp=2, *, plus=0):
        r = 1
        for _ in range(exp):
            r *= base
        return r + plus

    cube = functools.partial(power, exp=3)
    of_n = functools.partial(power, n, plus=x)
    return (
        cube(x),
        of_n(2),
        cube(n, plus=1),
        functools.reduce(operator.add, [x, n, 1]),
        functools.reduce(lambda a, b: a * 2 + b, [x, n, 1], n),
    )


def traced(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        r = f(*args, **kwargs)
        if r > 10:
            r = 10
        return r

    return wrapper


def times(k):
    def decorate(f):
        @functools.wraps(f)
        def wrapper(*args):
            return f(*args) * k

        return wrapper

    return decorate


@traced
@times(3)
def decorated(x, n):
    if x > n:
        return x - n
    return n


def calls_decorated(x, n):
    @traced
    def inner(v):
        return v * n

    return decorated(x, n), inner(x), decorated.__name__


def list_of_functions(x, n):
    fs = [lambda v: v + 1, lambda v: v * 2, abs, lambda v: v if v > 2 else -v]
    return fs[n](x), [f(x) for f in fs], fs[-1](n)


def functions_with_capture_indexed(x, n):
    fs = [lambda v: v + x, lambda v: v * x]
    return fs[n % 2](3)


def dict_of_functions(x, n):
    table = {"up": lambda v: v + 1, "down": lambda v: v - 1}
    key = "up" if n > 1 else "down"
    return table[key](x)


def up(v):
    return v + 1 if v > 0 else v


def down(v):
    total = v
    for k in range(3):
        total -= k
    return total


def function_chosen(x, n):
    if n > 2:
        f = up
    else:
        f = down
    g = up if x > n else (lambda v: v * 10)
    return f(x), g(n)


def function_chosen_in_loop(x, n):
    f = up
    for k in range(n):
        x = f(x)
        f = down if k % 2 else up
    return x


def functions_kept(n):
    fs = []
    for k in range(n):
        fs.append(up if k % 2 else down)
    return [f(3) for f in fs]


def closure_chosen(x, n):
    if n > 2:
        f = lambda v: v + x
    else:
        f = lambda v: v - x
    return f(n)


def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)


def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def hanoi(n, a, b, c, moves):
    if n == 0:
        return 0
    k = hanoi(n - 1, a, c, b, moves)
    moves.append((a, c))
    return k + 1 + hanoi(n - 1, b, a, c, moves)


def towers(n):
    moves = []
    return hanoi(n, "a", "b", "c", moves), moves


def quicksort(items):
    if len(items) <= 1:
        return items
    pivot = items[0]
    less = [v for v in items[1:] if v < pivot]
    more = [v for v in items[1:] if v >= pivot]
    return quicksort(less) + [pivot] + quicksort(more)


def sorts(n):
    return quicksort([k * 7 % 11 for k in range(n)])


def merge_sort_array(a):
    if len(a) < 2:
        return a
    m = len(a) // 2
    left, right = merge_sort_array(a[:m]), merge_sort_array(a[m:])
    out = np.empty_like(a)
    i = j = 0
    for k in range(len(a)):
        if j >= len(right) or (i < len(left) and left[i] <= right[j]):
            out[k] = left[i]
            i += 1
        else:
            out[k] = right[j]
            j += 1
    return out


def local_recursion(n):
    calls = 0

    def depth(k):
        nonlocal calls
        calls += 1
        return 0 if k == 0 else 1 + depth(k // 2)

    return depth(n), calls


def permutations(n):
    out = []

    def go(prefix, rest):
        if not rest:
            out.append(prefix)
            return
        for k in range(len(rest)):
            go(prefix + [rest[k]], rest[:k] + rest[k + 1 :])

    go([], list(range(n)))
    return out


def flatten(tree):
    if isinstance(tree, list):
        out = []
        for t in tree:
            out += flatten(t)
        return out
    return [tree]


def flattens(n):
    tree = [n]
    for k in range(n):
        tree = [tree, k]
    return flatten(tree)


def gcd(a, b):
    return a if b == 0 else gcd(b, a % b)


def counter():
    n = 0

    def step(k):
        nonlocal n
        n += k
        return n

    return step


def closure_with_state(n):
    one, two = counter(), counter()
    for k in range(n):
        one(k)
        if k % 2:
            two(1)
    return one(0), two(0)


def compose(*fs):
    def run(x):
        for f in fs:
            x = f(x)
        return x

    return run


def composed(x, n):
    return compose(up, down, lambda v: v * n)(x)


def higher_order(f, x, n):
    for _ in range(n):
        x = f(x)
    return x


def passes_functions(x, n):
    return higher_order(up, x, n), higher_order(lambda v: v * 2 if v < n else v, x, n)


def integrate(f, a, b, n):
    h = (b - a) / n
    total = 0.0
    for k in range(n):
        total += f(a + (k + 0.5) * h)
    return total * h


def adaptive(f, a, b, eps):
    m = (a + b) / 2
    whole = (b - a) * f(m)
    halves = (m - a) * f((a + m) / 2) + (b - m) * f((m + b) / 2)
    if abs(whole - halves) < eps:
        return halves
    return adaptive(f, a, m, eps / 2) + adaptive(f, m, b, eps / 2)


def integrals(x, n):
    return integrate(lambda t: t * t + x, 0.0, x, n), adaptive(lambda t: t * t * t + x, 0.0, x, 0.1)


def lru(n):
    @functools.cache
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    return fib(5) + n


COUNT = 0


def global_counter(n):
    global COUNT
    COUNT = 0
    for k in range(n):
        if k % 2:
            COUNT += k
    return COUNT


def apply_along(a, x):
    return np.array([f(a) for f in (np.sum, np.max, lambda v: v.min() * x)])


def vectorized(a, x):
    f = np.vectorize(lambda v: v * x if v > 0 else -v)
    return f(a)


CASES = [
    *[(late_binding, n, 1.5) for n in (0, 4)],
    *[(nonlocal_writes, n) for n in (0, 5)],
    *[(made_in_loop, n, 1.5) for n in (0, 4)],
    *[(arguments, x, n) for x, n in ((1, 2), (3.5, 2))],
    *[(partials, x, n) for x, n in ((1, 2), (3.5, 3))],
    *[(calls_decorated, x, n) for x, n in ((1, 2), (9, 3))],
    *[(list_of_functions, x, n) for x, n in ((1, 0), (2.5, 3), (-3, 1))],
    *[(functions_with_capture_indexed, x, n) for x, n in ((1, 0), (2.5, 3))],
    *[(dict_of_functions, x, n) for x, n in ((1, 0), (2.5, 3))],
    *[(function_chosen, x, n) for x, n in ((1, 0), (2.5, 3))],
    *[(function_chosen_in_loop, x, n) for x, n in ((1, 0), (2.5, 5))],
    *[(functions_kept, n) for n in (0, 3)],
    *[(closure_chosen, x, n) for x, n in ((1, 0), (2.5, 5))],
    *[(factorial, n) for n in (0, 5)],
    *[(fibonacci, n) for n in (0, 7)],
    *[(is_even, n) for n in (0, 7)],
    *[(towers, n) for n in (0, 3)],
    *[(sorts, n) for n in (0, 6)],
    (merge_sort_array, A),
    (merge_sort_array, np.arange(9.0)[::-1] % 4),
    *[(local_recursion, n) for n in (0, 9)],
    *[(permutations, n) for n in (1, 3)],
    *[(flattens, n) for n in (0, 3)],
    (gcd, 48, 18),
    *[(closure_with_state, n) for n in (0, 5)],
    *[(composed, x, 3) for x in (0, 2.5)],
    *[(passes_functions, x, n) for x, n in ((1, 0), (2.5, 5))],
    *[(integrals, x, 5) for x in (1.0, 3.0)],
    (lru, 3),
    *[(global_counter, n) for n in (0, 5)],
    *[(apply_along, A, x) for x in (1, 2.5)],
    *[(vectorized, A, x) for x in (1, 2.5)],
]


@parametrize(CASES)
def test_functions(f, args):
    """Each program gives in every mode what plain Python gives."""
    check(f, *args)
