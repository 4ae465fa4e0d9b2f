"""The registry of the op table: rows are added by the modules beside this one, and found by what is called.

A callable or method without a row still stages, by :func:`unknown_call` and :func:`unknown_method`: a row
made on the spot with unknown type that may read, change and keep whatever it is given.
"""

from __future__ import annotations

import functools
import operator
import sys
from collections.abc import Callable
from typing import Any

from ..graph import Op

_by_callable: dict[Any, Op] = {}
_by_method: dict[str, Op] = {}
_by_operator: dict[str, Op] = {}
_by_class: dict[tuple[type, str], Op] = {}
_by_attribute: dict[str, Op] = {}
_variants: dict[Op, Callable[[tuple[Any, ...], dict[str, Any]], Op | None]] = {}
_later: dict[str, Callable[[], None]] = {}


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


def method_of(cls: type, name: str, **row: Any) -> Op:
    """Add the row of a method of instances of exactly ``cls``, written ``args[0].name(...)``."""
    op = Op(f"{cls.__name__}_{name}", operator_of_method(name), "method", name, **row)
    _by_class[cls, name] = op
    return op


def attribute(name: str, **row: Any) -> Op:
    """Add the row of an array attribute, written ``args[0].name``."""
    op = Op(f"array.{name}", operator.attrgetter(name), "attribute", name, **row)
    _by_attribute[name] = op
    return op


def variants(op: Op, choose: Callable[[tuple[Any, ...], dict[str, Any]], Op | None]) -> Op:
    """Let ``choose(args, kwargs)`` name another row for some operands of ``op``; see :func:`resolve`."""
    _variants[op] = choose
    return op


def later(module: str, build: Callable[[], None]) -> None:
    """Add the rows of a module's functions when the user has imported it and something of it is looked up."""
    _later[module] = build


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


def resolve(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Op:
    """The row for these very operands (types for values, as in ``infer``): same name, same text.

    A call with ``out=`` changes that array and gives it back; an operator on an object may run code of the
    object's.
    """
    choose = _variants.get(op)
    return op if choose is None else choose(args, kwargs) or op


def find_call(function: Any) -> Op | None:
    """The row of a function, or None."""
    try:
        found = _by_callable.get(function)
        if found is None and _later and _build_imported():
            found = _by_callable.get(function)
    except TypeError:  # unhashable callables have no row
        return None
    return found


def find_method(name: str, cls: type | None = None) -> Op | None:
    """The row of an array method, or of a method of ``cls`` (such as ``list``), or None."""
    if cls is None:
        return _by_method.get(name)
    found = _by_class.get((cls, name))
    if found is None and _later and _build_imported():
        found = _by_class.get((cls, name))
    return found


def find_attribute(name: str) -> Op | None:
    """The row of an array attribute, or None."""
    return _by_attribute.get(name)


def _build_imported() -> bool:
    """Build the rows that wait for a module imported by now; whether there were any."""
    builds = [_later.pop(name) for name in tuple(_later) if name in sys.modules]
    for build in builds:
        build()
    return bool(builds)


def operator_of_method(name: str) -> Callable[..., Any]:
    """A function that calls the method ``name`` of its first argument."""

    def call_method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        return getattr(self, name)(*args, **kwargs)

    call_method.__name__ = call_method.__qualname__ = name
    return call_method


def apart(name: str, function: Any = None) -> str:
    """A name for a row made on the spot, such as that of a function of the user's, that no other row has.

    >>> apart("simulate"), apart("call")
    ('simulate', 'call_')
    """
    while name in _by_operator and (function is None or _by_operator[name].function is not function):
        name += "_"
    return name


@functools.lru_cache(maxsize=1024)
def unknown_method(name: str) -> Op:
    """A method of a value of unknown type: it may do anything."""
    return Op(
        f".{name}",
        operator_of_method(name),
        "method",
        name,
        writes=(0,),
        stores=True,
        result="alias",
        region="outside",
    )


def unknown_call(function: Callable[..., Any], symbol: str) -> Op:
    """A function without a row: it may do anything to what it is given, and to the outside."""
    return Op(
        apart(symbol, function),
        function,
        "call",
        symbol,
        writes=("*",),
        stores=True,
        result="alias",
        region="outside",
    )


CALL_VALUE = define(
    Op(
        "call_value",
        lambda function, /, *args, **kwargs: function(*args, **kwargs),
        "call",
        "",
        writes=("*",),
        stores=True,
        result="alias",
        region="outside",
    )
)
IF = define(Op("if", syntax="statement"))
WHILE = define(Op("while", syntax="statement"))
FOR = define(Op("for", syntax="statement"))
FOR_OF_COMPREHENSION = Op("for", syntax="statement")
"""The same where the names that the loop sets are gone behind it."""
CALL = define(Op("call", syntax="statement"))
TRY = define(Op("try", syntax="statement"))
WITH = define(Op("with", syntax="statement"))
RAISE = define(Op("raise", syntax="statement"))
RAISE_AGAIN = Op("raise", syntax="statement")
"""``raise`` alone: a traceback gets no entry of it."""
UNPACK = define(Op("unpack", lambda items: tuple(items), "statement", result="alias"))
"""``a, b = items``: as many outputs as names, and Python's error when the count differs."""
