"""What conversion makes of constructs that an attack on it found: on plain values nothing may change."""

from __future__ import annotations

import copy
from typing import Any

from equivalence import Cases

import autograph as ag

case = Cases()


def outcome(f: Any, args: Any, capsys: Any) -> Any:
    args = copy.deepcopy(args)
    try:
        result = f(*args)
    except Exception as error:
        result = (type(error), str(error), type(error.__context__), type(error.__cause__))
    return repr((result, args)), capsys.readouterr().out


ERR = ValueError("one object of the module")


@case((1,), (-1,))
def raise_an_object(x):
    if x > 0:
        raise ERR
    raise (KeyError if x else TypeError)(x) from ERR


@case((1,), (-1,))
def raise_no_exception(x):
    if x > 0:
        raise x
    raise ValueError from x


@case((0,), (1,), (4,), ("ab",))
def star_in_targets(n):
    items = range(n) if type(n) is int else n
    log = []
    a, *b = items
    *c, d = items
    log.append((a, b, c, d))
    for k, *rest in zip(items, items, items):
        log.append((k, rest))
    [*whole] = items
    p = q, *r = items
    return log, whole, p, q, r, [(k, m) for k, *m in zip(items, items)]


@case(([1, (2, 3, 4), 5],), ([1, (), 5],), ([1, 2, 3],), (7,))
def star_inside_a_target(v):
    log = {}
    a, (b, *log["rest"]), log["last"] = v
    (x, *y), x = "pq", len(v)
    *(s, t), u = v
    return a, b, log, x, y, s, t, u


LAST = [0]


@case((3,))
def star_into_names_outside(n):
    global LAST
    a, *LAST = range(n)
    for LAST, *b in zip(range(n), range(n)):
        pass
    return a, LAST, b


@case((3,))
def star_of_what_is_written_there(n):
    a, *b = 1, n, 3
    *b[:1], c = (9, 8)
    return a, b, c


@case((3, {"a": 1}), ((5, 6), {"sep": "-", "end": "|"}), (3, 4), ([], {1: 2}))
def stars_in_displays_and_calls(n, d):
    items = range(n) if type(n) is int else n
    log = [*items, 1], (*items, n), {*items, *"ab"} - set("ab"), {**d, "b": n, **d}
    every = lambda *args, **kwargs: (args, kwargs, print(*args), [*args, *kwargs], {**kwargs})
    print(*items, *log[:2], **({} if "a" in d else d))
    return log, every(*items, n, *d, **{f"k{k}": v for k, v in d.items()}), [[*items], *[(*items,)]]


@case((3,))
def stars_are_taken_in_order(n):
    log = []

    def each(name, count):
        log.append(name)
        for k in range(count):
            log.append((name, k))
            yield k

    def value(name):
        log.append(name)
        return name

    a = [*each("a", n), value("b"), *each("c", 2)]
    b = max(*each("d", n), *each("e", 2), key=value("f") and (lambda v: -v))
    c = {**{value("g"): 1}, value("h"): value("i")}
    for k in (*each("j", 2), value("k")):
        log.append(k)
    return a, b, c, log


@case((1,))
def star_of_what_has_no_items(n):
    return [*n]


@case((2,))
def stars_of_parameters(*args, **kwargs):
    def inner(*more, x=0, **options):
        args = (1, 2)
        return [*args, *more], x, {**options, "q": 1}

    kwargs["x"] = 3
    return inner(*args, **kwargs), (lambda *a: inner(*a))(*args)


def test_exceptions_of_python_are_raised_as_written():
    """Only what may be no exception while tracing goes through an operator."""

    def f(x):
        try:
            raise ValueError(x) from None
        except ValueError as error:
            raise KeyError from error

    assert "raised" not in ag.to_code(f)
    assert "raise ag.raised(ag.outer(lambda: ERR))" in ag.to_code(raise_an_object)


@case.parametrize()
def test_plain_and_converted_do_the_same(f, args, capsys):
    """Results, arguments afterwards, prints, exceptions with what they came from."""
    assert outcome(ag.convert(f), args, capsys) == outcome(f, args, capsys)
