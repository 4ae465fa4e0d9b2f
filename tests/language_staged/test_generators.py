"""Generator functions in staged code: laziness, what they see, order of effects, whole programs."""

from __future__ import annotations

import itertools

import numpy as np
from equivalence import Cases, check

import autograph as ag

case = Cases()


# ------------------------------------------------------------------------- what is yielded


@case((4,), (0,))
def yields_under_a_test(n):
    def g():
        for i in range(n):
            if n > i + 1:
                yield i

    return list(g()), sum(g()), [x + n for x in g()]


@case((3,))
def yields_from_others(n):
    def inner():
        yield from range(n)
        return 5

    def outer():
        left = yield from inner()
        yield left

    return sum(outer()), list(outer())


@case((3,), (6,))
def calls_itself(n):
    def down(k):
        if k > 0:
            yield k
            yield from down(k - 1)

    def tree(k):
        if k <= 0:
            return
        yield from tree(k - 1)
        yield k
        yield from tree(k - 2)

    return list(down(n)), list(tree(n)), sum(tree(n))


@case((5,), (12,))
def jumps_inside(n):
    def g():
        x = 0
        while x < n:
            x += 1
            if x % 2:
                continue
            if x > 6:
                return "big"
            yield x
        else:
            yield "end"

    def h():
        left = yield from g()
        yield left

    return list(h())


@case((10,))
def never_ends(n):
    def fibonacci():
        a, b = 0, 1
        while True:
            yield a
            a, b = b, a + b

    found = []
    for x in fibonacci():
        if x > n:
            break
        found.append(x)
    return found, list(itertools.islice(fibonacci(), n)), next(fibonacci())


@case((3,), (1,))
def returns_before_it_yields(n):
    def g():
        if n > 2:
            return 5
        yield 1

    return list(g()), [x for x in g()], tuple(g()), set(g())


@case((3,))
def takes_every_kind_of_argument(n):
    def g(a, *rest, b=2, **named):
        yield a + b
        yield from rest
        yield from named.values()

    return list(g(n)), list(g(n, 7, b=n)), list(g(n, c=n))


@case((3,))
def does_not_bind(n):
    def g(a):
        yield a

    try:
        g()
    except TypeError as error:
        return str(error), n


@case((np.arange(6.0).reshape(2, 3),))
def changes_rows_in_place(v):
    def rows():
        for row in v:
            row *= 2
            yield row.sum()

    total = 0.0
    for x in rows():
        total += x
    return total


@case((np.array([3.0, -1.0, 2.0]),))
def takes_turns_with_its_caller(v):
    def g():
        for i in range(len(v)):
            v[i] += 1
            yield v[i]

    total = 0.0
    for x in g():
        total += v.sum() + x
        v *= 2
    return total


# ---------------------------------------------------------------------------- what it sees


@case((1,))
def sees_a_list_that_grows(n):
    items = [1, 2]

    def g():
        for x in items:
            yield x + n

    it = g()
    first = next(it)
    items.append(9)
    return first, list(it)


@case((3,))
def sees_a_dict_that_changes(n):
    known = {"a": 1}

    def g():
        for i in range(n):
            yield known["a"] + i

    it = g()
    first = next(it)
    known["a"] = 10
    return first, list(it)


@case((4,))
def assigns_a_variable_around_it(n):
    total = 0

    def g():
        nonlocal total
        for i in range(n):
            total += i
            yield total

    return list(g()), total


@case((3,))
def is_made_by_a_function(n):
    def make(k):
        def g():
            for i in range(k):
                yield i * n

        return g

    f, h = make(n), make(n + 1)
    return list(f()), list(h()), sum(f()), [list(each()) for each in (f, h)]


@case((3,))
def gives_functions(n):
    def g():
        for i in range(n):
            yield lambda: i

    return [f() for f in g()], [f() for f in list(g())]


# -------------------------------------------------------------------- the order of effects


@case((3,))
def prints_between(n):
    def g(k):
        print("start", k)
        yield k
        print("more", k)

    x, y = g(n), g(n + 1)
    print(next(y))
    print(next(x))
    print(list(y))
    print(list(x))
    print(*g(7))
    return f"{next(x, 'none')}"


@case((3,), (0,))
def is_gone_through_by_everything(n):
    def g():
        for i in range(n):
            print("give", i)
            yield i
        print("end")

    found = []
    for k in range(2):
        found.append(k)
    found.extend(g())
    print("extended")
    found += g()
    print("added")
    found.append(",".join(str(x) for x in g()))
    print("joined")
    found.append(np.fromiter(g(), dtype=int))
    found.append(sum(g(), 10))
    print("summed")
    found.append(max(g(), key=lambda x: -x, default=7))
    found.append(sorted(g(), reverse=True))
    found.append(any(x > 1 for x in g()))
    print("any")
    found.append(1 in g())
    print("in")
    found.append((tuple(g()), frozenset(g()), list(zip(g(), g()))))
    print("zipped")
    found.append(list(map(lambda x: x * n, g())))
    found.append(list(filter(lambda x: x != 1, g())))
    found.append(list(enumerate(g(), 5)))
    print("enumerated")
    seen = set()
    seen.update(g())
    pairs = {}
    pairs.update((x, 1) for x in g())
    print("updated")
    return found, seen, pairs, dict(enumerate(g()))


@case((4,), (1,))
def goes_on_in_other_parts(n):
    def g():
        for i in range(n):
            print("give", i)
            yield i

    it = g()
    print("made")
    if n > 2:
        print(next(it))
    while True:
        x = next(it, None)
        if x is None:
            break
        print("got", x)
    return list(it)


@case((2,))
def many_take_turns(n):
    def g(k):
        for i in range(k):
            yield i * n

    found = []
    waiting = [g(1), g(2), g(3)]
    while waiting:
        for it in waiting[:]:
            try:
                found.append(next(it))
            except StopIteration:
                waiting.remove(it)
    return found


# --------------------------------------------------------------------------------- methods


class Stack:
    """A class whose methods and properties are generators."""

    def __init__(self, n):
        self.n = n
        self.log = []

    def __iter__(self):
        for i in range(self.n):
            self.log.append(i)
            yield i

    @property
    def evens(self):
        return (i for i in self if i % 2 == 0)

    def pairs(self):
        yield from zip(self, self.evens)

    @staticmethod
    def down(n):
        while n > 0:
            n -= 1
            yield n

    @classmethod
    def several(cls, n):
        for i in range(n):
            yield cls(i)


@case((5,))
def methods(n):
    stack = Stack(n)
    total = 0
    for x in stack:
        if x > 3:
            break
        total += x
    return (
        (total, sum(stack), list(stack.evens), list(stack.pairs()), stack.log),
        (list(Stack.down(n)), [sum(each) for each in Stack.several(n)], n in stack, max(stack, default=0)),
    )


class Count:
    """An iterator of the user's, with state."""

    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n


@case((6,), (0,))
def iterators_of_classes(n):
    count = Count(n)
    total = 0
    for x in count:
        total += x
        if total > 5:
            break
    return total, count.n, list(count), list(zip(Count(n), Count(n + 1))), next(count, None)


class Doubled:
    """A sequence by ``__getitem__`` alone."""

    def __init__(self, items):
        self.items = items

    def __getitem__(self, index):
        return self.items[index] * 2

    def __len__(self):
        return len(self.items)


@case((np.array([3.0, 1.0, 2.0]),))
def sequences_of_classes(v):
    doubled = Doubled(v)
    total = 0.0
    for x in doubled:
        total += x
    return total, max(doubled), sum(doubled), list(doubled), sorted(doubled), [x for x in reversed(doubled)]


# ------------------------------------------------------------------------------------ whole programs


@case((20,))
def primes(n):
    def sieve():
        crossed = {}
        k = 2
        while True:
            if k not in crossed:
                yield k
                crossed[k * k] = [k]
            else:
                for p in crossed[k]:
                    crossed.setdefault(p + k, []).append(p)
                del crossed[k]
            k += 1

    found = []
    for p in sieve():
        if p > n:
            break
        found.append(p)
    return found


@case((3,))
def puzzles(n):
    def permutations(items):
        if len(items) <= 1:
            yield items
        else:
            for i in range(len(items)):
                for rest in permutations(items[:i] + items[i + 1 :]):
                    yield [items[i], *rest]

    def hanoi(k, a, b, c):
        if k:
            yield from hanoi(k - 1, a, c, b)
            yield a, c
            yield from hanoi(k - 1, b, a, c)

    return list(permutations(list(range(n)))), list(hanoi(n, "A", "B", "C"))


@case((np.arange(5.0),))
def chunks_of_an_array(v):
    def chunks(a, k):
        for i in range(0, len(a), k):
            yield a[i : i + k]

    sums = []
    for part in chunks(v, 2):
        part += 1.0
        sums.append(part.sum())
    return sums, v, [len(part) for part in chunks(list(v), 3)]


@case((5,))
def pipelines(n):
    def producer():
        for i in range(n):
            print("produce", i)
            yield i

    def consumer(items):
        for x in items:
            print("consume", x)
            if x == 2:
                return "stop"
            yield x * x

    doubled = lambda items: (x * 2 for x in items)
    evens = lambda items: (x for x in items if x % 4 == 0)
    return list(consumer(producer())), list(evens(doubled(range(n))))


@case((1,), (5,), (2,))
def yields_in_a_match(n):
    def g():
        match n:
            case 1:
                yield "one"
            case int(k) if k > 2:
                yield k
                yield "many"
            case _:
                yield "other"

    return list(g())


# ------------------------------------------------------------------------------- the tests


@case.parametrize()
def test_generators_do_what_the_plain_ones_do(f, args):
    """Results, effects and their order, exceptions with their lines: in every mode, in random orders."""
    check(f, *args)


def test_the_body_of_a_generator_is_a_graph():
    """No Python of the user's is left to run: the body is in the graph, with its loop and its ``yield``."""
    graph = ag.function(yields_under_a_test).get_concrete_function(4).graph
    bodies = [node.op.function.graph for node in graph.walk() if node.op.name == "generator g"]
    assert bodies and all(body.find("for") and body.find("if") and body.find("yield") for body in bodies)


def test_a_generator_in_which_nothing_depends_on_data_costs_no_node():
    """It runs while tracing, and what it yields is known."""

    def f(x):
        def powers():
            for k in (1, 2, 3):
                yield x**k

        return sum(powers())

    check(f, 3)
    ag.testing.assert_graph(f, (3,), contains=["power"], absent=["generator powers", "for"])
