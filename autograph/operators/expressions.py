"""Expressions of transpiled code whose Python form decides on a truth value or builds a container or a text.
"""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from autograph.operators.plain import Backend
from autograph.operators.registry import backend_for

_plain = Backend()


def if_exp(test: Any, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """``then() if test else orelse()``: only the chosen one is evaluated.

    >>> if_exp(0, lambda: 1 / 0, lambda: "zero")
    'zero'
    """
    return (backend_for(test) or _plain).if_exp(test, then, orelse)


def and_(left: Any, *rest: Callable[[], Any]) -> Any:
    """``left and rest[0]() and ...`` with Python's values and short circuit.

    >>> and_([], lambda: 1 / 0)
    []
    """
    for right in rest:
        left = (backend_for(left) or _plain).and_(left, right)
    return left


def or_(left: Any, *rest: Callable[[], Any]) -> Any:
    """``left or rest[0]() or ...`` with Python's values and short circuit.

    >>> or_(0, lambda: 3)
    3
    """
    for right in rest:
        left = (backend_for(left) or _plain).or_(left, right)
    return left


def not_(operand: Any) -> Any:
    """``not operand``.

    >>> not_([])
    True
    """
    return (backend_for(operand) or _plain).not_(operand)


def is_(left: Any, right: Any) -> Any:
    """``left is right``.

    >>> is_(None, None)
    True
    """
    return (backend_for(left, right) or _plain).is_(left, right)


def is_not(left: Any, right: Any) -> Any:
    """``left is not right``.

    >>> is_not(None, 1)
    True
    """
    return not_(is_(left, right))


COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
}


def compare(left: Any, symbol: str, right: Any) -> Any:
    """``left symbol right`` where an operand may be a tuple, whose items Python compares at once.

    >>> compare((1, 2), "<", (1, 3))
    True
    """
    return (backend_for(left, right) or _plain).compare(left, COMPARISONS[symbol], right)


def class_of(operand: Any) -> Any:
    """``operand.__class__``.

    >>> class_of(3)
    <class 'int'>
    """
    return (backend_for(operand) or _plain).class_of(operand)


def contains(container: Any, item: Any) -> Any:
    """``item in container``.

    >>> contains((1, 2), 2)
    True
    """
    return (backend_for(container, item) or _plain).contains(container, item)


def not_contains(container: Any, item: Any) -> Any:
    """``item not in container``.

    >>> not_contains((1, 2), 2)
    False
    """
    return not_(contains(container, item))


def get_item(container: Any, index: Any) -> Any:
    """``container[index]`` where the index is not written as a constant.

    >>> get_item((1.0, 2.0), 1)
    2.0
    """
    return (backend_for(container, index) or _plain).get_item(container, index)


def class_(cls: Any) -> Any:
    """A class that a function has just defined; it is a decorator of the statement.

    >>> @class_
    ... class Point: ...
    >>> Point.__name__
    'Point'
    """
    return (backend_for() or _plain).new_class(cls)


def slice_(start: Any, stop: Any, step: Any = None) -> slice:
    """``start:stop:step`` in an index.

    >>> get_item("abc", slice_(1, None))
    'bc'
    """
    return slice(start, stop, step)


def modulo(left: Any, right: Any) -> Any:
    """``left % right`` where ``left`` may be a text to fill in.

    >>> modulo("%d items", 3)
    '3 items'
    """
    return (backend_for(left, right) or _plain).modulo(left, right)


def list_(items: list[Any]) -> Any:
    """A list display: ``[...]``.

    >>> list_([1, 2])
    [1, 2]
    """
    return (backend_for() or _plain).new_list(items)


def dict_(items: Any) -> Any:
    """A dict display: ``{key: value}``; a list of pairs, and of mappings, where a key may be symbolic.

    >>> dict_({"a": 1}), dict_([("a", 1), {"b": 2}])
    ({'a': 1}, {'a': 1, 'b': 2})
    """
    return (backend_for() or _plain).new_dict(items)


def set_(items: Any) -> Any:
    """A set display: ``{...}``; a list of its items where there is a star among them.

    >>> set_({1})
    {1}
    """
    return (backend_for() or _plain).new_set(items)


def tuple_(items: tuple[Any, ...]) -> Any:
    """A tuple display with a star in it: ``(*a, b)``.

    >>> tuple_((*star([1, 2]), 3))
    (1, 2, 3)
    """
    return (backend_for() or _plain).new_tuple(items)


def star(items: Any) -> Any:
    """What stands behind the star of ``*items``, in a display or a call.

    >>> [*star("ab")]
    ['a', 'b']
    """
    return (backend_for(items) or _plain).star(items)


def double_star(mapping: Any) -> Any:
    """What stands behind the stars of ``**mapping``, in a display or a call.

    >>> dict(**double_star({"a": 1}))
    {'a': 1}
    """
    return (backend_for(mapping) or _plain).double_star(mapping)


def unpack_star(items: Any, before: int, after: int) -> tuple[Any, ...]:
    """What ``a, *b, c = items`` binds, with ``before`` and ``after`` targets around the star.

    >>> unpack_star("abcd", 1, 2)
    ('a', ['b'], 'c', 'd')
    """
    return (backend_for(items) or _plain).unpack_star(items, before, after)


def format_(value: Any, spec: Any = "", conversion: str = "") -> Any:
    """One replacement field of an f-string, ``{value!conversion:spec}``.

    >>> format_(3.14159, ".2f")
    '3.14'
    """
    return (backend_for(value, spec) or _plain).format(value, conversion, spec)


def join(*pieces: Any) -> Any:
    """An f-string from its pieces: texts and :func:`format_` results in turn.

    >>> join("n = ", format_(3))
    'n = 3'
    """
    return (backend_for(*pieces) or _plain).join(pieces)
