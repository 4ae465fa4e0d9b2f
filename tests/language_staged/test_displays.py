"""Containers written inside calls and loops live on where something else holds them: later changes show."""

from __future__ import annotations

import numpy as np
from equivalence import parametrize

import autograph as ag


def by_setdefault(keys):
    groups = {}
    for key in keys:
        groups.setdefault(key, []).append(key)
    return groups


def by_append(keys):
    groups = []
    for key in keys:
        groups.append([])
        groups[-1].append(key)
    return groups


def by_extend_and_insert(keys):
    groups = []
    groups.extend([[], []])
    groups += [[], []]
    groups.insert(0, {})
    for key in keys:
        groups[1].append(key)
        groups[3].append(key)
        groups[0][key] = key
    return groups


def by_default(keys):
    groups = {}
    for key in keys:
        group = groups.get(key, [])
        group.append(key)
        groups[key] = group
    rest = groups.pop(100, [])
    rest.append(1)
    return groups, rest


def by_or(keys):
    groups = {}
    for key in keys:
        group = groups.get(key) or groups.setdefault(key, [])
        group.append(key)
    return groups


def by_constructor(keys):
    named = dict(a=[], b=[1])
    named["a"].append(3)
    paired = dict([("a", [])])
    paired["a"].append(4)
    zipped = dict(zip("ab", [[], []]))
    zipped["a"].append(4)
    shared = dict.fromkeys("ab", [])
    shared["a"].append(4)
    of_dict = {}.fromkeys("ab", [])
    of_dict["b"].append(5)
    items = list([[], []])
    items[0].append(keys)
    pair = tuple([[], []])
    pair[0].append(3)
    return named, paired, zipped, shared, of_dict, items, pair


def by_builtin(keys):
    ordered = sorted([[2], [1]])
    ordered[0].append(3)
    largest = max([2], [3])
    largest.append(5)
    first = next(iter([[1], [2]]))
    first.append(3)
    return ordered, largest, first


def by_loop(keys):
    found = [each for each in [[], []]]
    for each in [[1], [2]]:
        each.append(4)
        found.append(each)
    for items, names in [([], {}), ([1], {2: 3})]:
        items.append(4)
        names[1] = 2
        found += [items, names]
    for items, names in zip([[], []], [{}, {}]):
        items.append(4)
        names[1] = 2
        found += [items, names]
    for _, items in enumerate([[], []]):
        items.append(4)
        found.append(items)
    return found


_FUNCTIONS = [
    by_setdefault,
    by_append,
    by_extend_and_insert,
    by_default,
    by_or,
    by_constructor,
    by_builtin,
    by_loop,
]


@parametrize([(f, keys) for f in _FUNCTIONS for keys in ([1, 1, 2], (1, 1, 2), range(3))])
def test_a_display_in_a_call_or_loop_lives_on(f, args):
    """What is known while tracing."""
    ag.testing.check(f, *args)


@parametrize([(f, np.array([1, 1, 2])) for f in _FUNCTIONS])
def test_a_display_in_a_staged_loop_lives_on(f, args):
    """The keys are known to the run only."""

    def of_array(keys):
        return f(keys.tolist())

    ag.testing.check(of_array, *args)
