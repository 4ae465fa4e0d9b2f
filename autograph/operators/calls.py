"""Calls in transpiled code: the callee is converted first when it is the user's own."""
from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from autograph.convert import converted, is_converted_code
from autograph.operators import warned
from autograph.operators.plain import Backend
from autograph.operators.registry import backend_for, lookup

_plain = Backend()


def call_converted(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call the converted form of ``function``, or ``function`` itself where conversion leaves it alone."""
    return converted(function)(*args, **kwargs)


class Keywords(str):
    """Stands among the names of keyword arguments for all items of a mapping."""

    __slots__ = ()
    __hash__ = object.__hash__
    __eq__ = object.__eq__


class NotIterable:
    """Stands for the arguments that ``f(*items)`` does not get: ``f`` is in Python's words about it."""

    __slots__ = ("items",)

    def __init__(self, items: Any) -> None:
        self.items = items


def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """``function(*args, **kwargs)``.

    >>> call(max, 1, 2)
    2
    """
    if kwargs:
        kwargs = merged(function, kwargs)
    if len(args) == 1 and type(args[0]) is NotIterable:
        return function(*args[0].items)
    backend = backend_for(function, *args, *kwargs.values())
    if backend is None:
        if function is warnings.warn:
            return warned.warn(is_converted_code, args, kwargs)
        return converted(function)(*args, **kwargs)
    return backend.call(function, args, kwargs, call_converted)


def decorator(function: Any) -> Callable[[Any], Any]:
    """What stands behind ``@`` for a decorator that is called as the user's functions are.

    >>> decorator(len)([1, 2])
    2
    """
    return lambda made: call(function, made)


def arguments(items: Any) -> Any:
    """What stands behind the star of ``f(*items)``, where it is all that ``f`` gets by place.

    >>> call(max, *arguments([1, 2]))
    2
    >>> call(max, *arguments(3))
    Traceback (most recent call last):
    TypeError: max() argument after * must be an iterable, not int
    """
    return or_not_iterable((backend_for(items) or _plain).arguments(items))


def or_not_iterable(items: Any) -> Any:
    """The items of something to go through, or what stands for those that it has not."""
    kind = type(items)
    return items if hasattr(kind, "__iter__") or hasattr(kind, "__getitem__") else (NotIterable(items),)


def keywords(mapping: Any) -> Any:
    """What stands behind the stars of ``f(**mapping)``.

    >>> call(dict, a=1, **keywords({"a": 2}))
    Traceback (most recent call last):
    TypeError: dict() got multiple values for keyword argument 'a'
    """
    found = (backend_for(mapping) or _plain).keywords(mapping)
    of_the_run = type(found) is dict and len(found) == 1 and type(next(iter(found))) is Keywords
    return found if of_the_run else {Keywords("**"): found}


def merged(function: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The keyword arguments with the items of mappings among them, but for what only a run can go through."""
    if not any(type(name) is Keywords for name in kwargs):
        return kwargs
    found: dict[Any, Any] = {}
    for name, value in kwargs.items():
        if type(name) is not Keywords:
            _add(function, found, name, value)
        elif backend_for(value) is not None and lookup(value) is not None:
            found[name] = value
        elif not hasattr(value, "keys"):
            function(**value)  # Python has its own words for it
        else:
            for key in value.keys():  # noqa: SIM118 (a mapping need not be iterable)
                _add(function, found, key, value[key])
    return found


def _add(function: Any, found: dict[Any, Any], key: Any, value: Any) -> None:
    if key not in found:
        found[key] = value
    elif lookup(function) is not None:
        found[Keywords("**")] = {key: value}  # what is called is known to a run only, and so is its name
    else:
        function(**{key: found[key]}, **{key: value})  # which Python refuses
