"""Classes that extend those of Python, the user's and the library's: methods with ``super()``, operators."""

from __future__ import annotations

from collections import Counter, OrderedDict, UserDict, UserList, defaultdict, deque

import pytest
from equivalence import check, parametrize


class Doubling(list):
    def append(self, x):
        super().append(x * 2)

    def total(self):
        return sum(self)

    def __getitem__(self, i):
        return super().__getitem__(i) + 1

    def __len__(self):
        return super().__len__() + 10

    def __iter__(self):
        return super().__iter__()

    def __contains__(self, x):
        return super().__contains__(x)

    def __setitem__(self, i, v):
        super().__setitem__(i, v * 2)

    def __eq__(self, other):
        return super().__eq__(other)

    def __add__(self, other):
        return Doubling(super().__add__(other))

    __hash__ = None


class Counting(dict):
    def __setitem__(self, k, v):
        super().__setitem__(k, v + 1)

    def __getitem__(self, k):
        return super().__getitem__(k) * 10

    def __missing__(self, k):
        return -1

    def get(self, k, d=None):
        return super().get(k, d)

    def update(self, *a, **k):
        super().update(*a, **k)


class Shouting(str):
    def upper(self):
        return "<" + super().upper() + ">"

    def __add__(self, other):
        return Shouting(super().__add__(other))

    def __len__(self):
        return 3 + super().__len__()


class Whole(int):
    def __add__(self, other):
        return super().__add__(other)

    def __lt__(self, other):
        return super().__lt__(other)

    def double(self):
        return self * 2


class Half(float):
    def half(self):
        return self / 2


class Pair(tuple):
    def first(self):
        return self[0]

    def __len__(self):
        return super().__len__() * 2


class Base:
    def __init__(self, x):
        self.x = x

    def __setattr__(self, name, value):
        super().__setattr__(name, value * 2)

    def __eq__(self, other):
        return super().__eq__(other)

    def __hash__(self):
        return super().__hash__()


class Derived(Base):
    def __init__(self, x):
        super().__init__(x)
        self.y = 1

    @property
    def z(self):
        return self.x


class Last(Derived):
    @property
    def z(self):
        return super().z + 1

    def nothing(self):
        return super().nothing_there


def of_a_list(items, x):
    items.append(x)
    items.append(x + 1)
    items[0] = 7
    asked = items.total(), items[0], len(items), x in items, items == [14], bool(items)
    return asked, [y for y in items], list(items), (items + [1])[0], sorted(items), sum(items), max(items)


def of_a_dict(d, x):
    d["a"] = x
    d[x] = x
    d.update({"b": x}, c=x)
    asked = d["a"], d["zz"], d.get("a"), d.get("zz", 5), len(d), "a" in d, d == {"a": 1}
    gone_through = list(d), [v for v in d.values()], sorted(map(str, d.items()))
    del d["a"]
    d |= {"z": 1}
    made = {**d}, dict(d), d | {"m": 2}
    return asked, gone_through, made, d.setdefault("q", x), d.pop("b"), list(reversed(d))


def of_values(s, i, g, t):
    texts = s.upper(), s + "a", len(s), s[0], f"{s}", s == "ab", s * 2, "a" in s, s.join(["a", "b"])
    numbers = i + 1, i.double(), i - 1, -i, i < 3, i & 1, divmod(i, 2), 2 - i, g.half(), g + 1, round(g)
    return texts, numbers, t.first(), len(t), t + (1,), [x for x in t], [*t], {s: 1}, isinstance(i, int)


def adds_and_compares(i, x):
    return i + x, i < x


def of_the_library(od, dd, c, q, u, ul, x):
    od["a"] = x
    od.move_to_end("a")
    od.popitem(last=False)
    dd["k"].append(x)
    c["z"] += x
    c.update("zzy")
    q.append(x)
    q.appendleft(x + 1)
    u["n"] = x
    ul.append(x)
    ul += [3]
    dicts = list(od.items()), sorted(dd.items()), c.most_common(1), c["none"], dict(u), {**u}
    lists = list(q), q[0], len(q), list(u), u["n"], "n" in u, list(ul), ul[0], x in ul, [*ul], [*q]
    loops = sorted(u.items()), [k for k in u], [k for k in ul], [k for k in q], [k for k in c]
    asked = bool(u), bool(ul), sum(ul), max(q), list(reversed(ul)), ul == [1], ul.count(3), q == q, c + c
    return dicts, lists, loops, asked


def of_objects(o, x):
    o.x = x
    made = Last(x)
    made.y = x
    return o.x, o.z, made.x, made.y, made.z, o == o, o == made, hash(o) == hash(o)


def of_nothing(o):
    return o.nothing()


def library(x=2):
    dicts = OrderedDict(z=1, y=2), defaultdict(list), Counter("ab")
    return *dicts, deque([1, 2], 4), UserDict(), UserList([5]), x


@parametrize(
    [
        (of_a_list, Doubling(), 1),
        (of_a_list, Doubling([1, 2]), 5.5),
        (of_a_dict, Counting(), 2),
        (of_a_dict, Counting(a=3), 4),
        (of_values, Shouting("ab"), Whole(2), Half(2.5), Pair((3, 4))),
        (adds_and_compares, Whole(2), 1),
        (adds_and_compares, Whole(2), 1.5),
        (adds_and_compares, Whole(2), "a"),
        (adds_and_compares, Whole(2), Whole(3)),
        (of_objects, Last(1), 2),
        (of_nothing, Last(1)),
    ]
)
def test_the_users_own_do_the_same(f, args):
    """Methods with ``super()`` in them, operators and builtins do on the subclass what they do plain."""
    check(f, *args)


@pytest.mark.parametrize("x", [2, 3.5])
def test_those_of_collections_do_the_same(x):
    """Arguments of the classes of ``collections`` are changed and gone through as in the plain run."""
    check(of_the_library, *library(x))
