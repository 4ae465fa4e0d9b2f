"""When objects go, and what they do then: a comprehension keeps nothing of its variables."""

from __future__ import annotations

import numpy as np
from equivalence import check, parametrize


class Loud:
    def __init__(self, k):
        self.k = k

    def __del__(self):
        print("gone", self.k)


def noisy(k):
    try:
        yield k
    finally:
        print("clean", k)


def generators_in_a_list(n):
    gens = [noisy(k) for k in range(n)]
    firsts = [next(g, None) for g in gens]
    gens.pop()
    print("popped")
    return firsts


def objects_in_a_list(n):
    objects = [Loud(k) for k in range(n)]
    total = sum(each.k for each in objects)
    seen = {each.k for each in objects}
    objects.pop()
    print("popped")
    return total, seen


def objects_in_a_dict(n):
    objects = {k: Loud(k) for k in range(n)}
    keys = [each.k for key, each in objects.items() if key >= 0]
    objects.clear()
    print("cleared")
    return keys


def comprehensions_in_each_other(n):
    objects = [[Loud(k + j) for k in range(n)] for j in range(2)]
    total = [each.k for row in objects for each in row if each.k > 0]
    objects.pop()
    print("popped")
    return total


def of_what_the_variables_are_not(n):
    each = n
    objects = [Loud(k) for k in range(n)]
    other = [each.k for each in objects]
    objects.clear()
    print("cleared", each)
    return other, each


def a_loop_keeps_its_variable(n):
    objects = [Loud(k) for k in range(n)]
    for each in objects:
        print(each.k)
    objects.clear()
    print("cleared")


@parametrize(
    [
        (generators_in_a_list, (3,)),
        (objects_in_a_list, (3,)),
        (objects_in_a_dict, (3,)),
        (comprehensions_in_each_other, (3,)),
        (of_what_the_variables_are_not, (3,)),
        (a_loop_keeps_its_variable, (3,)),
        (generators_in_a_list, (np.int64(2),)),
        (objects_in_a_list, (1,)),
    ]
)
def test_objects_go_when_they_go_in_plain_python(f, args):
    """What they print comes between what the function prints."""
    check(f, *args)
