"""Arguments that do not bind: the error is Python's, with its words."""

from __future__ import annotations

import numpy as np
from callees import D, K, P, two
from equivalence import check, parametrize


def too_few(n):
    return two(n)


def too_many(n):
    return two(n, 1, 2)


def unknown_name(n):
    return two(n, c=1)


def twice(n):
    return two(n, 1, a=2)


def len_two(n):
    return len(n, 1)


def len_none(n):
    return len()


def no_such_method(n):
    return K().nothing(n)


def named_tuple_too_many(n):
    return P(n, 1, 2)


def dataclass_too_few(n):
    return D()


def isinstance_one(n):
    return isinstance(n)


def range_none(n):
    return range()


def sorted_two(n):
    return sorted(n, 1)


def name_twice_in_display(n):
    return print(1, end="x", **{"end": "y"})  # noqa: PLE1132


def name_twice_in_mapping(n, d):
    return print(1, end="x", **d)


def place_and_name(n, d):
    return two(1, a=2, **d)


def sum_three(n):
    return sum(1, 2, 3)


def abs_two(n):
    return abs(n, 2)


def min_none(n):
    return min()


def ufunc_none(n):
    return np.sin()


def int_four(n):
    return int(n, 1, 2, 3)


def lambda_two(n):
    return (lambda a: a)(n, 2)


def text_method(n):
    return "abc".upper(n)


def append_none(n):
    return [1].append()


def get_none(n):
    return {}.get()


def zip_of_number(n):
    return zip(1, n, strict=False)


def enumerate_none(n):
    return enumerate()


def getattr_one(n):
    return getattr(n)


def star_of_number(n):
    return two(*n)


def stars_of_number(n):
    return two(**n)


def star_of_none(n):
    return two(*None)


def name_that_is_no_text(n):
    return two(**{1: n})


def number_called(n):
    return n()


def text_called(n):
    text = "abc"
    return text(n)


def hasattr_one(n):
    return hasattr(n)


def sort_by_place(n):
    return [].sort(1)


def tuple_two(n):
    return tuple(1, n)


def dict_of_number(n):
    return dict(1)


def next_of_number(n):
    return next(n)


def map_one(n):
    return map(n)


def reversed_of_number(n):
    return reversed(n)


def list_of_number(n):
    return list(n)


def set_of_number(n):
    return set(n), 1


def float_two(n):
    return float(n, 2)


def len_of_number(n):
    return len(n)


def len_of_none(n):
    return len(None)


def round_none(n):
    return round()


def type_none(n):
    return type(), n


def setattr_one(n):
    return setattr(n)


CASES = [
    (too_few, 3),
    (too_many, 3),
    (unknown_name, 3),
    (twice, 3),
    (len_two, 3),
    (len_none, 3),
    (no_such_method, 3),
    (named_tuple_too_many, 3),
    (dataclass_too_few, 3),
    (isinstance_one, 3),
    (range_none, 3),
    (sorted_two, 3),
    (name_twice_in_display, 3),
    (name_twice_in_mapping, 3, {"end": "y"}),
    (place_and_name, 3, {"a": 3}),
    (sum_three, 3),
    (abs_two, 3),
    (min_none, 3),
    (ufunc_none, 3),
    (int_four, 3),
    (lambda_two, 3),
    (text_method, 3),
    (append_none, 3),
    (get_none, 3),
    (zip_of_number, 3),
    (enumerate_none, 3),
    (getattr_one, 3),
    (star_of_number, 3),
    (stars_of_number, 3),
    (star_of_none, 3),
    (name_that_is_no_text, 3),
    (number_called, 3),
    (text_called, 3),
    (hasattr_one, 3),
    (sort_by_place, 3),
    (tuple_two, 3),
    (dict_of_number, 3),
    (next_of_number, 3),
    (map_one, 3),
    (reversed_of_number, 3),
    (list_of_number, 3),
    (set_of_number, 3),
    (float_two, 3),
    (len_of_number, 3),
    (len_of_none, 3),
    (round_none, 3),
    (type_none, 3),
    (setattr_one, 3),
]


@parametrize(CASES)
def test_arguments_that_do_not_bind(f, args):
    """Each program gives in every mode what plain Python gives, and raises where it raises."""
    check(f, *args)
