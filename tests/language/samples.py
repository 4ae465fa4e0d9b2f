"""Sample functions, each about one corner of the language, with arguments to call them with."""

from __future__ import annotations

import contextlib
from typing import Any

SAMPLES: list[tuple[Any, tuple[Any, ...]]] = []
HITS = 0
RATE = 3


def sample(*arguments: Any) -> Any:
    def keep(f: Any) -> Any:
        SAMPLES.append((f, arguments))
        return f

    return keep


@sample((5,), (-1,))
def early_return(x):
    if x > 3:
        return "big"
    y = x + 1
    return y


@sample(([1, 2, 3], 2), ([1], 5), ([], 1))
def search(items, wanted):
    for index, item in enumerate(items):
        if item == wanted:
            break
    else:
        return None
    return index


@sample((3,), (0,))
def late_binding(n):
    made = []
    for i in range(n):
        j = i * 2
        made.append(lambda: (i, j))
    return [one() for one in made]


@sample((1,), (0,))
def unset(flag):
    if flag:
        y = 1
    return y


@sample((4,))
def counts_through_a_closure(n):
    count = 0

    def step():
        nonlocal count
        count += 1
        return count

    while count < n:
        if step() > 2:
            count += 10
    return count


@sample((3,), (0,))
def what_a_handler_sees(n):
    done = []
    total = 0
    try:
        for i in range(3):
            total += i
            done.append(10 // (n - i))
    except ZeroDivisionError as error:
        return total, done, str(error)
    finally:
        done.append("end")
    return total, done


@sample((3, 4))
def writes_a_global(a, b):
    global HITS
    HITS = 0
    for _ in range(a):
        HITS += b
    return HITS, RATE


@sample((5,), (12,), ("x",))
def matching(value):
    match value:
        case 1 | 2:
            return "few"
        case int(n) if n > 10:
            return f"many: {n:>4}"
        case n:
            return "some", n


@sample((0, 3), (1, 9), (2, 2))
def matching_a_pair(a, b):
    match (a, b):
        case (0, y):
            return y
        case (1, y) if y > 5:
            return -y
        case (x, y):
            return x + y


@sample((range(4),), ([],))
def comprehensions(items):
    squares = [i * i for i in items if i % 2 or i > 2]
    table = {i: [j for j in range(i)] for i in items}
    return squares, table, {v + 1 for v in items}, sum(i for i in items)


@sample(([3, 0, 1],), ([],))
def walrus_in_while(items):
    seen = []
    items = list(items)
    while items and (last := items.pop()) != 3:
        seen.append(last)
    else:
        seen.append("else")
    return seen, items


@sample((2,), (None,))
def static_tests(x=None):
    if x is None:
        x = 7
    if isinstance(x, int) and x is not None:
        return x
    return "never"


@sample((0, 1, 2), (1, 2, 3), (5, 1, 2))
def chains(a, b, c):
    log = []

    def say(v):
        log.append(v)
        return v

    return say(a) < say(b) < say(c), a < b <= 2, 0 < a, log, a in (1, 2), a not in say([b])


@sample((3,))
def inner_with(n):
    out = []
    for i in range(n):
        with contextlib.suppress(ValueError):
            if i == 1:
                raise ValueError
            if i == 2:
                break
            out.append(i)
        out.append("after")
    return out


@sample((2,), (3,))
def deep_jump(n):
    for i in range(n):
        if i:
            if i == 2:
                return "deep", i
            i += 10
        j = i
    return j


@sample((1,))
def deleted(x):
    y = x
    del y
    if x:
        x = 2
    return y


@sample((3,))
def generator_inside(n):
    def numbers():
        for i in range(n):
            if i == 1:
                continue
            yield i

    return list(numbers())


@sample(("a",))
def asserts(x):
    assert isinstance(x, str), "text"
    assert x == "b", f"not {x!r}"


@sample(((1, 2),))
def unpacking(pair):
    a, *rest = [*pair, 3]
    (b, c), d = pair, a
    for b, (c, d) in [(1, (2, 3))]:
        a += d
    return a, rest, b, c, d


@sample((3,))
def aliases(n):
    a = [n]
    b = a
    if n:
        b += [1]
    return a, b, a is b


class Account:
    """A class with a private name, ``super`` and a property."""

    def __init__(self, balance):
        self.__balance = balance

    def draw(self, amount):
        if amount > self.__balance:
            raise ValueError(f"only {self.__balance}")
        self.__balance -= amount
        return super().__eq__(self), self.__balance, __class__.__name__


@sample((5,), (50,))
def methods(amount):
    return Account(20).draw(amount)


@sample((5,), (0,), (2,))
def any_and_all_stop_early(n):
    seen = []

    def big(v):
        seen.append(v)
        return v > 1

    first = any(big(i) for i in range(n))
    second = all(not big(i) for i in range(n) if i != 1)
    third = any(big(i * j) for i in range(n) for j in range(i))
    return first, second, third, seen, max((i for i in range(n)), default=-1)


@sample((6,), (1,))
def comprehension_in_while(n):
    while [i for i in range(n) if i > 2]:
        n -= 1
    else:
        n += 100
    return n, sorted(abs(i - 2) for i in range(n - 98)), tuple(str(i) for i in range(2))


@sample(([1, 2],), ([],))
def shadowed_consumer(items):
    def any(values):
        return type(values).__name__

    return any(i for i in items)


q = 5  # not the one that the next function means


@sample((1,), (0,))
def assigned_where_nobody_looks(b):
    """``q`` is a variable of this function, though nothing reads what the ``if`` gives it."""
    try:
        found = sum([v + q for v in range(2)])  # noqa: F821
    except NameError as error:
        found = str(error)
    if b:
        q = 1  # noqa: F841
    return found
