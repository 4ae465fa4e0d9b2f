"""Objects of the user's that give items, by number only or by an iterator: datasets, ranges of their own."""

from __future__ import annotations

import numpy as np
from equivalence import check, parametrize


class Items:
    def __init__(self, *v):
        self.v = v

    def __len__(self):
        return len(self.v)

    def __getitem__(self, i):
        return self.v[i]


class Endless:
    def __init__(self):
        self.asked = []

    def __getitem__(self, i):
        self.asked.append(i)
        if i > 2:
            raise IndexError
        return i


class Samples:
    def __init__(self, xs, ys):
        self.xs, self.ys = xs, ys

    def __len__(self):
        return len(self.xs)

    def __getitem__(self, i):
        return self.xs[i], self.ys[i]


class Steps:
    def __init__(self, n):
        self.n, self.i = n, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i


class Yielding:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        yield from range(self.n)


class Empty:
    pass


def is_gone_through(s):
    total = 0
    for x in s:
        total += x
    a, b = s
    c, *d = s
    return total, a, b, c, d, [y + 1 for y in s], [*s], {*s}, {y: 1 for y in s}


def is_given_to_builtins(s):
    eager = sum(s), list(s), tuple(s), sorted(s), max(s), min(s, default=1), set(s), any(s), all(s), len(s)
    lazy = list(enumerate(s)), list(zip(s, s)), list(map(abs, s)), list(filter(None, s)), list(iter(s))
    asked = next(iter(s)), 2 in s, 7 in s, max(*s, 3), bool(s), s[-1]
    return eager, lazy, asked, list(reversed(s)), np.array(s)


def sees_each_item_when_it_is_due(s):
    seen = []
    for x in s:
        seen.append((x, len(s.asked)))
    for i, x in enumerate(s):
        seen.append((i, x, len(s.asked)))
        if x == 1:
            break
    seen.extend(s)
    seen += s
    return seen, s.asked


def unpacks(s):
    a, b = s
    return a, b


def learns(samples, w):
    loss = 0.0
    for x, y in samples:
        loss += (x @ w - y) ** 2
    for i in range(len(samples)):
        x, y = samples[i]
        loss += y
    return loss


def steps(s):
    first = next(s)
    for i, x in enumerate(s):
        if s.i > 3:
            break
    return first, i, x, list(zip("ab", s)), sum(s), next(s, None), s.i


def yields(s):
    return list(s), sum(s), [*s], [y for y in s], list(enumerate(s)), list(zip(s, s)), 1 in s, max(s)


def loops(o):
    for _ in o:
        pass


def stars(o):
    return [*o]


def lists(o):
    return list(o)


def asks(o):
    return 1 in o


@parametrize(
    [
        *((f, Items(*v)) for f in (is_gone_through, is_given_to_builtins) for v in ((1, 2), (3, 4.5))),
        (sees_each_item_when_it_is_due, Endless()),
        (unpacks, Items(1, 2, 3)),
        (unpacks, Endless()),
        (learns, Samples(np.ones((3, 2)), np.arange(3.0)), np.ones(2)),
        (learns, Samples(np.ones((5, 2)), np.arange(5.0)), np.ones(2)),
        (steps, Steps(9)),
        (yields, Yielding(3)),
    ]
)
def test_items_come_as_in_the_plain_run(f, args):
    """Loops, stars, unpacking and builtins get the same items, each when it is due."""
    check(f, *args)


@parametrize([(f, Empty()) for f in (loops, stars, lists, unpacks, asks)])
def test_what_gives_no_items_is_refused_in_the_words_of_python(f, args):
    """The error names the class of the user's, at the line."""
    check(f, *args)
