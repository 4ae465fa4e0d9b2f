"""The registry of the op table: rows are added by the modules beside this one, and found by callable, method or operator.

A callable or method without a row still stages, by :func:`unknown_call` and :func:`unknown_method`: a row made on the
spot with unknown type that may read, change and keep whatever it is given.
"""
from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

from ..graph import Op

_by_callable: dict[Any, Op] = {}
_by_method: dict[str, Op] = {}
_by_operator: dict[str, Op] = {}


def call(function: Callable[..., Any], symbol: str, **row: Any) -> Op:
    """Add the row of a function, written ``symbol(...)``; ``row`` are further fields of :class:`Op`."""
    op = Op(symbol, function, "call", symbol, **row)
    _by_callable[function] = op
    return op


def method(name: str, **row: Any) -> Op:
    """Add the row of an array method, written ``args[0].name(...)``."""
    op = Op(name, operator_of_method(name), "method", name, **row)
    _by_method[name] = op
    return op


def define(op: Op) -> Op:
    """Add a row found by its name: operators, indexing, attributes, structured ops."""
    if op.name in _by_operator:
        raise ValueError(f"op {op.name} is in the table already")
    _by_operator[op.name] = op
    return op


def get(name: str) -> Op:
    """The row of this name, as given to :func:`define`.

    Raises:
        KeyError: there is none.
    """
    return _by_operator[name]


def find_call(function: Any) -> Op | None:
    """The row of a function, or None."""
    try:
        return _by_callable.get(function)
    except TypeError:  # unhashable callables have no row
        return None


def find_method(name: str) -> Op | None:
    """The row of an array method, or None."""
    return _by_method.get(name)


def operator_of_method(name: str) -> Callable[..., Any]:
    """A function that calls the method ``name`` of its first argument."""

    def call_method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        return getattr(self, name)(*args, **kwargs)

    call_method.__name__ = call_method.__qualname__ = name
    return call_method


@functools.lru_cache(maxsize=1024)
def unknown_method(name: str) -> Op:
    """A method of a value of unknown type: it may do anything."""
    return Op(f".{name}", operator_of_method(name), "method", name, writes=(0,), stores=True, result="alias",
              region="outside")


def unknown_call(function: Callable[..., Any], symbol: str) -> Op:
    """A function without a row: it may do anything to what it is given, and to the outside."""
    return Op(symbol, function, "call", symbol, writes=("*",), stores=True, result="alias", region="outside")


CALL_VALUE = define(Op("call_value", lambda function, /, *args, **kwargs: function(*args, **kwargs), "call", "",
                       writes=("*",), stores=True, result="alias", region="outside"))
IF = define(Op("if", syntax="statement"))
WHILE = define(Op("while", syntax="statement"))
FOR = define(Op("for", syntax="statement"))
CALL = define(Op("call", syntax="statement"))
RAISE = define(Op("raise", syntax="statement"))
UNPACK = define(Op("unpack", lambda items: tuple(items), "statement", result="alias"))
"""``a, b = items``: as many outputs as names, and Python's error when the count differs."""
