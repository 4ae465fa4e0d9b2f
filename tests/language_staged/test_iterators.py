"""Generator expressions, and ``iter``, ``next``, ``zip``, ``map``, ... over what is known and what is not.

Also dicts and sets with keys that only the run knows.
"""

from __future__ import annotations

import collections
import functools
import itertools

import numpy as np
from equivalence import Cases, check

case = Cases()
V = np.array([1.0, -2.0, 3.0, 4.0])
ROWS = np.array([[1.0, -2.0], [3.0, 4.0]])


def scaled(items, factor):
    total = 0
    for x in items:
        total += x * factor
    return total


# ---------------------------------------------------------------------- kept in a variable


@case((4,), (1,))
def kept_and_asked(n):
    g = (i * i for i in range(n))
    first = next(g)
    total = 0
    for x in g:
        total += x
    return first, total, next(g, None)


@case((5,))
def with_a_test(n):
    g = (i * i for i in range(n) if i > 1)
    return list(zip(g, range(n))), list(g)


@case((V, 2.0), (V, 9.0))
def first_that_fits(v, k):
    return next((x for x in v if x > k), None)


@case((3,))
def given_to_functions(n):
    g = (i for i in range(n))
    return (
        (list(map(lambda x: x + n, g)), list(enumerate(i for i in range(n)))),
        (scaled((i for i in range(n)), n), sum(scaled((j for j in range(i)), 2) for i in range(n))),
    )


@case((3,))
def names_are_looked_up_late(n):
    k = 1
    g = (i * k for i in range(n))
    k = 10
    return list(g)


@case((3,))
def loop_variables_are_looked_up_late(n):
    kept = []
    for i in range(n):
        kept.append(x * i for x in range(3))
    return [list(g) for g in kept]


@case((np.array([1.0, 2.0, 3.0]),))
def arrays_are_looked_into_late(v):
    g = (x * 2 for x in v)
    first = next(g)
    v[1] = 50.0
    return first, list(g)


@case((1,))
def lists_are_looked_into_late(n):
    items = [1, 2]
    g = (x + n for x in items)
    items.append(3)
    return list(g)


class Holder:
    """Something with an attribute."""


@case((3,))
def attributes_are_looked_up_late(n):
    holder = Holder()
    holder.x = n
    g = (holder.x + i for i in range(n))
    first = next(g)
    holder.x = 100
    return first, list(g)


FACTOR = 1


@case((3,))
def globals_are_looked_up_late(n):
    global FACTOR
    g = (i * FACTOR for i in range(n))
    first = next(g)
    FACTOR = 5
    rest = list(g)
    FACTOR = 1
    return first, rest


@case((4,), (1,))
def made_in_one_arm(n):
    g = (i for i in range(n)) if n > 2 else iter([7])
    if n > 3:
        h = (i * 2 for i in range(n))
    else:
        h = iter((n,))
    return sum(g), list(h)


@case((4,))
def made_in_a_loop(n):
    g = None
    for i in range(n):
        if i == 1:
            g = (k * 10 for k in range(n))
        if g is not None:
            print(next(g, -1))
    return n


@case((4,))
def nested(n):
    found = []
    for i in range(n):
        for x in (j * i for j in range(i)):
            found.append(x)
            if x > 3:
                break
        else:
            found.append("else")
    return (
        found,
        sum(sum(k for k in range(j)) for j in range(n)),
        [m for m in (q + n for q in range(n)) if m % 2],
    )


@case((3,))
def inside_lambdas(n):
    f = lambda m: sum(i for i in range(m) if i != n)
    g = lambda m: (i + m for i in range(m))
    return f(n + 2), list(g(n)), [(lambda: sum(i * j for j in range(n)))() for i in range(n)]


@case((3,))
def kept_in_comprehensions(n):
    by_key = {k: (i * k for i in range(n)) for k in (1, 2)}
    listed = list((i * k for i in range(n)) for k in (1, 2))
    made = [(i * k for i in range(n)) for k in range(n)]
    first = [next(g, None) for g in ((i + k for i in range(n)) for k in (1, 2))]
    return next(by_key[2], 0), sum(by_key[1]), [list(g) for g in listed], [list(g) for g in made], first


@case(([3, 4, 5, 10],), (np.array([3.0, 4.0, 5.0, 10.0]),))
def any_does_not_use_it_up(v):
    k = 3
    g = (x > k for x in v)
    found = any(g)
    k = 9
    return found, any(g), list(g)


@case((3, 1), (2, 1))
def a_name_that_is_deleted(n, k):
    g = (i + k for i in range(n))
    if n > 2:
        del k
    return list(g)


@case((4,))
def unpacked(n):
    a, b, *rest = (i for i in range(n))
    return a, b, rest, [*(i for i in range(n))], max(*(i for i in range(n)))


@case((4,))
def generator_expressions_have_methods(n):
    g = (i for i in range(n))
    return g.__next__(), type(g).__name__, isinstance(g, type(x for x in ())), sum(1 for _ in g)


# ---------------------------------------------------------------------------------- folded


@case((ROWS,))
def over_rows(v):
    return (
        ([sum(x for x in row if x > 0) for row in v], max(sum(abs(x) for x in row) for row in v)),
        [list(y for y in row) for row in v],
    )


@case((V,), (V[:0],))
def by_every_builtin(v):
    return (
        (sum(scaled([x], 2) for x in v), min((scaled([x], 2) for x in v), default=7)),
        (any(scaled([x], 2) > 3 for x in v), all(scaled([x], 2) > -3 for x in v)),
        (sorted((scaled([x], 2) for x in v), key=lambda x: -x), ",".join(str(x) for x in v if x > 0)),
        (list(scaled([x], 2) for x in v), tuple(scaled([x], 2) for x in v), {scaled([x], 2) for x in v}),
        (dict((scaled([x], 2), x) for x in v), set(scaled([x], 2) for x in v)),
        (np.fromiter((x * 2 for x in v), dtype=float), np.array(list(x for x in v))),
    )


@case((3,))
def by_other_libraries(n):
    def g():
        for i in range(n):
            print("give", i)
            yield i

    found = [list(itertools.chain(g(), g())), list(itertools.islice(g(), 2)), list(itertools.accumulate(g()))]
    print("listed")
    found += [
        functools.reduce(lambda a, b: a + b, g()),
        collections.Counter(g()),
        list(collections.deque(g())),
    ]
    z = zip(g(), itertools.count(n))
    print("made")
    found.append(next(z))
    m = map(lambda x: print("map", x) or x, g())
    print("mapped")
    found.append(next(m))
    for k, _ in enumerate(g()):
        print("at", k)
        if k == 1:
            break
    one, two = itertools.tee(g())
    found.append((next(one), list(two), list(one)))
    return found


# ------------------------------------------------------------------------------- iterators


@case((1,))
def zip_is_used_up(n):
    z = zip((1, 2, 3), (4, 5, 6))
    first = next(z)
    return first, list(z), list(z), n


@case((1,))
def map_is_lazy(n):
    def f(x):
        print("f", x)
        return x + n

    m = map(f, (1, 2, 3))
    print("made")
    return next(m), list(m), list(m)


@case((2,), (9,))
def filter_by_data(n):
    f = filter(lambda x: x > n, (1, 2, 3, 4))
    return next(f, None), list(f)


@case((1,))
def enumerate_goes_on_after_a_break(n):
    e = enumerate((5, 6, 7, 8))
    for i, x in e:
        if i == n:
            break
    return x, list(e)


@case((1,))
def strict_zip_raises_at_its_end(n):
    try:
        for a, b in zip((1, 2, 3), (4, 5), strict=True):
            print(a, b)
    except ValueError as error:
        print(error)
    return n


@case((5,), (0,))
def an_iterator_goes_on_in_a_staged_loop(n):
    it = iter([1, 2, 3])
    total = 0
    for _ in range(n):
        total += next(it, 10)
    return total, list(it)


@case((5,), (4,))
def an_iterator_is_asked_inside_its_loop(n):
    it = iter(range(n))
    pairs = []
    for a in it:
        pairs.append((a, next(it, None)))
    twice = iter(range(n))
    return pairs, list(zip(twice, twice))


@case((3,), (2,))
def iter_with_a_sentinel(n):
    it = iter(lambda: n, 3)
    return list(it) if n == 3 else next(it)


@case((V,))
def over_arrays(v):
    it = iter(v)
    return (
        (next(it), next(it), sum(it)),
        (list(map(lambda x, y: x + y, v, (1, 2))), list(reversed(v)), sum(map(abs, v))),
        (max(map(lambda x: -x, v)), max(v, key=lambda x: -x), max((x for x in v if x > 9), default=7)),
    )


# ------------------------------------------------------------------------------------ keys


@case((2,))
def dicts_with_symbolic_keys(k):
    known = {k: 1, "a": k, k + 1: {k}}
    taken = {}
    taken.update(known)
    taken.update(a=k)
    taken.update([(k, 2)])
    taken.update(zip((1, 2), (k, k)))
    taken.update({k + 3: k})
    return (
        known,
        taken,
        {**known, k: 5},
        known[k],
        k in known,
        known.get(k + 5, 3),
        list(known),
        known | {k: 9},
    )


@case((3,))
def sets_with_symbolic_items(k):
    s = {1, k}
    s |= {k + 1}
    s.add(k + 2)
    s ^= {1}
    return s, {k} == {k}, {k} <= s, frozenset({k}), {1, 2}.union([k]), {k + 1} & s, s - {k}, {k, 1} - {1}


@case((3,))
def comprehensions_with_symbolic_keys(n):
    made = {}
    for i in range(n):
        made[i] = {j: {i, j} for j in range(i)}
        made.setdefault(i, {}).update({i: i})
    return (
        made,
        {x + n for x in (1, 2)},
        {n: 1 for _ in range(2)},
        dict([(n, 1)]),
        dict((i, n) for i in range(n)),
    )


@case((4,))
def lists_are_extended_by_generators(n):
    items = [x for x in range(n)]
    items.extend(x for x in items[:] if x != 2)
    items += (x for x in range(n) if x == 2)
    return items


@case(*((each,) for n in range(4) for each in (np.arange(n), list(range(n)), np.arange(n) * 1.5)))
def the_default_of_next_may_be_none(x):
    it = iter(x)
    first = next(it, None)
    asked = first is None, next(it, -1), next(it, "end")
    pairs = 0
    it = iter(x)
    while (each := next(it, None)) is not None:
        if next(it, None) is None:
            return first, asked, pairs, each
        pairs += 1
    return first, asked, pairs


@case.parametrize()
def test_iterators_do_what_the_plain_ones_do(f, args):
    """Results, and effects in their order: in every mode, in random orders."""
    check(f, *args)
