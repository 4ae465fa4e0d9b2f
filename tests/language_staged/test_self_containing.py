"""Lists and dicts of the traced code that contain themselves."""

from __future__ import annotations

import copy

from equivalence import Cases

import autograph as ag

case = Cases()


@ag.function
def _first(items):
    return items[0]


@ag.function
def _whole(items):
    return items


def _second(items):
    return items[1]


@case((1,))
def a_dict_is_returned(x):
    d = {"d": x}
    d["self"] = d
    return d["self"]["self"]["d"], d["self"] is d, repr(d), d


@case((1,))
def a_list_is_returned(x):
    items = [x]
    items.append(items)
    return items[1] is items, items[1][1][0], len(items), str(items), items


@case((1,))
def each_contains_the_other(x):
    items = [x]
    d = {"d": items}
    items.append(d)
    return f"{d} {items}", d["d"][1] is d, [d, items]


@case((1,))
def within_a_tuple(x):
    items = [x]
    items.append((items, x))
    print(items)
    return items[1][0] is items


@case((1,))
def it_is_compared(x):
    items = [x]
    items.append(items)
    try:
        return items == items, [1, items] == [1, items], items in items, items.index(items)  # noqa: PLR0124
    except RecursionError:
        return "too deep"


@case((1,))
def two_that_are_compared(x):
    one, two = [x], [x]
    one.append(one)
    two.append(two)
    try:
        return one == two
    except RecursionError:
        return "too deep"


@case((1,))
def it_is_copied(x):
    items = [x]
    items.append(items)
    other = copy.deepcopy(items)
    return other[1] is other, other is items, other


@case((1,), (0,))
def in_an_arm(x):
    items = [x]
    if x > 0:
        items.append(items)
        d = {}
        d["d"] = d
        items.append(repr(d))
    return repr(items), items


@case((3,))
def in_a_loop(x):
    items = []
    for _ in range(x):
        items = [items]
        items.append(items)
    return repr(items), items


@case((1,))
def given_to_staged_functions(x):
    items = [x]
    items.append(items)
    return _first(items), _whole(items) is items, _second(items) is items


@case((1,))
def of_a_call(x):
    items = [x]
    items.append(items)
    return sum(map(len, items[1:])), sorted(items, key=str), list(items)[1] is items


@case.parametrize()
def test_a_container_may_contain_itself(f, args):
    """What it holds, its text, and what is done with it are those of the plain run."""
    staged = ag.function(f)
    for _ in range(2):
        assert repr(staged(*args)) == repr(f(*args))
