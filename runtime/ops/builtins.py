"""The rows of Python's built-in functions, and of the methods of lists, dicts and texts.

Functions are found with ``table.find_call(len)`` and, as operators are, by name with ``table.get("len")``;
methods with ``table.find_method("append", list)``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators import unpack_star
from autograph.operators.calls import NotIterable, or_not_iterable

from ..graph import Op
from ..types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    UNKNOWN,
    Array,
    Dict,
    Instance,
    Iterator,
    List,
    Python,
    Scalar,
    Tuple,
    Type,
    element,
    join,
    join_all,
)
from . import table
from .operators import choose_foreign
from .rules import Unclear, always, as_type, element_of, rule, unknown
from .ufuncs import foreign, runs_code

Rule = Callable[..., Type]


def builtin(function: Callable[..., Any], infer: Rule, **row: Any) -> None:
    """Add the row of a built-in function, found by itself and by its name."""
    name = function.__name__
    op = table.call(function, name, infer=infer, **row)
    if name not in ("divmod", "map", "filter", "pow"):
        table.define(op)
    if row.get(
        "reads", True
    ):  # those that only look at the class or the identity run no code of the object's
        choose_foreign(op)


def items_of(container: Any) -> Type:
    """The type of what iterating yields, sound for element dtypes that depend on values."""
    kind = as_type(container)
    if isinstance(kind, Array):
        if not kind.shape:
            raise Unclear
        return Array(kind.dtype, kind.shape[1:]) if len(kind.shape) > 1 else element_of(kind.dtype)
    return element(kind)


# ------------------------------------------------------------------------------------------------ conversions


def _converts(*kinds: Type) -> Callable[..., bool]:
    """Total on these Python numbers; an infinite float has no int, a big int has no float."""

    def total(operand: Any = 0, *rest: Any) -> bool:
        kind = as_type(operand)
        return not rest and (kind in kinds or (isinstance(kind, Scalar) and kind.dtype.kind in "biu"))

    return total


@rule
def _absolute_type(operand: Any) -> Type:
    infer = table.get("absolute").infer
    assert infer is not None
    found: Type = infer(operand)
    return found


@rule
def _round_type(number: Any, ndigits: Any = None) -> Type:
    kind = as_type(number)
    none = ndigits is None or ndigits == NONE
    if kind in (BOOL, INT):
        return INT
    if kind == FLOAT:
        return INT if none else FLOAT
    if isinstance(kind, Scalar) and kind.dtype.kind in "iuf":
        return INT if none else kind
    raise Unclear


builtin(int, always(INT), total=_converts(BOOL, INT))
builtin(float, always(FLOAT), total=_converts(BOOL, FLOAT))
builtin(complex, always(COMPLEX), total=_converts(BOOL, FLOAT, COMPLEX))
builtin(bool, always(BOOL), total=table.get("truth").total)
builtin(str, always(STR))
builtin(repr, always(STR))
builtin(ascii, always(STR))
builtin(format, always(STR))
builtin(chr, always(STR))
builtin(ord, always(INT))
builtin(bin, always(STR))
builtin(hex, always(STR))
builtin(oct, always(STR))
builtin(hash, always(INT))
builtin(id, always(INT), reads=False)
builtin(abs, _absolute_type, total=table.get("absolute").total)
builtin(round, _round_type)
_divmod = table.get("divmod")
table.call(divmod, "divmod", infer=_divmod.infer, total=_divmod.total)


# ---------------------------------------------------------------------------------------------------- folding


@rule
def _extreme_type(*args: Any, key: Any = None, default: Any = None) -> Type:
    if len(args) > 1:
        kinds = [as_type(each) for each in args]
    else:
        kinds = [items_of(args[0])] + ([] if default is None else [as_type(default)])
    return join_all(kinds)


@rule
def _sum_type(iterable: Any, start: Any = 0) -> Type:
    first, item = as_type(start), items_of(iterable)
    kind = as_type(iterable)
    infer = table.get("add").infer
    assert infer is not None
    once: Type = infer(start, item)
    again: Type = infer(once, item)
    if once != again:
        raise Unclear
    if isinstance(kind, Array) and kind.shape and isinstance(kind.shape[0], int):
        return once if kind.shape[0] else first
    if isinstance(kind, Tuple):
        return once if kind.items else first
    return join(first, once)


def _comparable(*args: Any, **kwargs: Any) -> bool:
    return len(args) > 1 and not kwargs and all(as_type(each) in (BOOL, INT, FLOAT) for each in args)


builtin(max, _extreme_type, result="alias", total=_comparable)
builtin(min, _extreme_type, result="alias", total=_comparable)
builtin(sum, _sum_type, result="alias")
builtin(any, always(BOOL))
builtin(all, always(BOOL))


# --------------------------------------------------------------------------------------- containers and loops


def _has_length(operand: Any) -> bool:
    kind = as_type(operand)
    return (
        isinstance(kind, (Tuple, List, Dict)) or kind == STR or (isinstance(kind, Array) and bool(kind.shape))
    )


def _integers(*args: Any) -> bool:
    return 1 <= len(args) <= 2 and all(as_type(each) in (INT, BOOL) for each in args)


@rule
def _enumerate_type(iterable: Any, start: Any = 0) -> Type:
    return Iterator(Tuple((INT, items_of(iterable))))


@rule
def _zip_type(*iterables: Any, strict: Any = False) -> Type:
    return Iterator(Tuple(tuple(map(items_of, iterables))))


@rule
def _iterator_type(iterable: Any) -> Type:
    return Iterator(items_of(iterable))


@rule
def _list_type(iterable: Any = (), **kwargs: Any) -> Type:
    return List(items_of(iterable))


@rule
def _sorted_type(iterable: Any, *, key: Any = None, reverse: Any = False) -> Type:
    return List(items_of(iterable))


@rule
def _tuple_type(iterable: Any = ()) -> Type:
    kind = as_type(iterable)
    if isinstance(kind, Tuple):
        return kind
    if isinstance(kind, Array) and kind.shape and isinstance(kind.shape[0], int) and kind.shape[0] <= 64:
        return Tuple((items_of(kind),) * kind.shape[0])
    raise Unclear


@rule
def _next_type(iterator: Any, *default: Any) -> Type:
    item = items_of(iterator)
    return join(item, as_type(default[0])) if default else item


@rule
def _unpack_star_type(items: Any, before: int, after: int) -> Type:
    item = items_of(items)
    return Tuple((*(item,) * before, List(UNKNOWN), *(item,) * after))


def star(items: Any) -> list[Any]:
    """``[*items]``."""
    return [*items]


def all_arguments(items: Any) -> Any:
    """``[*items]`` for a call that gets nothing else by place, which words it where they are none."""
    found = or_not_iterable(items)
    return [*items] if found is items else found[0]


def all_keywords(mapping: Any) -> Any:
    """``{**mapping}`` for a call, which words it where it is no mapping."""
    return {**mapping} if hasattr(mapping, "keys") else mapping


def double_star(mapping: Any) -> dict[Any, Any]:
    """``{**mapping}``."""
    return {**mapping}


def call_star(function: Any, args: Any, /, *mappings: Any) -> Any:
    """``function(*args, **mapping, ...)``, in Python's words where two mappings have one key."""
    if type(args) is NotIterable:
        return function(*args.items)
    merged: dict[Any, Any] = {}
    for mapping in mappings:
        if type(mapping) is not dict:
            return function(**mapping)
        for key in mapping:
            if key in merged:
                return function(*args, **{key: merged[key]}, **{key: mapping[key]})
        merged.update(mapping)
    return function(*args, **merged)


builtin(unpack_star, _unpack_star_type, result="alias")
builtin(star, unknown, result="alias")
builtin(all_arguments, unknown, result="alias")
builtin(all_keywords, unknown, result="alias")
builtin(double_star, unknown, result="alias")
table.define(
    table.call(
        call_star, "call_star", infer=unknown, writes=("*",), stores=True, result="alias", region="outside"
    )
)
builtin(len, always(INT), total=_has_length)
builtin(range, always(Iterator(INT)), total=_integers)
builtin(enumerate, _enumerate_type, result="alias")
builtin(zip, _zip_type, result="alias")
builtin(reversed, _iterator_type, result="alias")
builtin(iter, _iterator_type, result="alias")
builtin(next, _next_type, result="alias", writes=(0,))
builtin(sorted, _sorted_type, result="alias")
builtin(list, _list_type, result="alias")
builtin(tuple, _tuple_type, result="alias")
builtin(dict, always(Dict(UNKNOWN)), result="alias")
builtin(set, unknown, result="alias")
builtin(frozenset, unknown, result="alias")
builtin(slice, always(Python(slice)), result="alias")
builtin(isinstance, always(BOOL), reads=False)
builtin(callable, always(BOOL), reads=False, total=lambda operand: True)
builtin(type, unknown, reads=False)


# ---------------------------------------------------------------------------------------------------- methods


@rule
def _list_item(container: Any, *args: Any) -> Type:
    kind = as_type(container)
    if not isinstance(kind, List):
        raise Unclear
    return kind.item


@rule
def _same_type(container: Any) -> Type:
    return as_type(container)


def takes_in(op: Op) -> Op:
    """A method that goes through its arguments: where they are objects, that may run any code."""

    def choose(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Op | None:
        runs = any(runs_code(each) and each not in _SETS for each in args[1:])
        return foreign(op) if runs else None

    return table.variants(op, choose)


_SETS = (Instance(set), Instance(frozenset))


table.define(
    table.method_of(
        list,
        "append",
        infer=always(NONE),
        writes=(0,),
        stores=True,
        total=lambda container, item: isinstance(as_type(container), List),
    )
)
takes_in(table.define(table.method_of(list, "extend", infer=always(NONE), writes=(0,), stores=True)))
table.define(table.method_of(list, "insert", infer=always(NONE), writes=(0,), stores=True))
table.define(table.method_of(list, "pop", infer=_list_item, writes=(0,), result="alias"))
table.define(table.method_of(list, "remove", infer=always(NONE), writes=(0,)))
table.define(table.method_of(list, "clear", infer=always(NONE), writes=(0,)))
table.define(table.method_of(list, "sort", infer=always(NONE), writes=(0,)))
table.define(table.method_of(list, "reverse", infer=always(NONE), writes=(0,)))
table.define(table.method_of(list, "index", infer=always(INT)))
table.define(table.method_of(list, "count", infer=always(INT)))
table.define(table.method_of(list, "copy", infer=_same_type, result="alias"))


@rule
def _dict_value(container: Any, key: Any, default: Any = None) -> Type:
    kind = as_type(container)
    if not isinstance(kind, Dict):
        raise Unclear
    return join(kind.value, as_type(default))


@rule
def _dict_pop(container: Any, key: Any, *default: Any) -> Type:
    kind = as_type(container)
    if not isinstance(kind, Dict):
        raise Unclear
    return join_all([kind.value, *map(as_type, default)])


@rule
def _dict_items(container: Any) -> Type:
    kind = as_type(container)
    if not isinstance(kind, Dict):
        raise Unclear
    return Iterator(Tuple((UNKNOWN, kind.value)))


@rule
def _dict_values(container: Any) -> Type:
    kind = as_type(container)
    if not isinstance(kind, Dict):
        raise Unclear
    return Iterator(kind.value)


table.define(table.method_of(dict, "get", infer=_dict_value, result="alias"))
table.define(table.method_of(dict, "setdefault", infer=_dict_value, writes=(0,), stores=True, result="alias"))
table.define(table.method_of(dict, "pop", infer=_dict_pop, writes=(0,), result="alias"))
table.define(table.method_of(dict, "popitem", infer=unknown, writes=(0,), result="alias"))
takes_in(table.define(table.method_of(dict, "update", infer=always(NONE), writes=(0,), stores=True)))
table.define(table.method_of(dict, "clear", infer=always(NONE), writes=(0,)))
table.define(table.method_of(dict, "copy", infer=_same_type, result="alias"))
table.define(table.method_of(dict, "keys", infer=always(Iterator(UNKNOWN)), result="alias"))
table.define(table.method_of(dict, "values", infer=_dict_values, result="alias"))
table.define(table.method_of(dict, "items", infer=_dict_items, result="alias"))

for _name in (
    "add",
    "discard",
    "remove",
    "update",
    "clear",
    "difference_update",
    "intersection_update",
    "symmetric_difference_update",
):
    takes_in(table.define(table.method_of(set, _name, infer=always(NONE), writes=(0,), stores=True)))
table.define(table.method_of(set, "pop", infer=unknown, writes=(0,), result="alias"))
for _name in ("copy", "union", "intersection", "difference", "symmetric_difference"):
    takes_in(table.define(table.method_of(set, _name, infer=unknown, result="alias")))
for _name in ("isdisjoint", "issubset", "issuperset"):
    takes_in(table.define(table.method_of(set, _name, infer=always(BOOL))))
for _name in ("index", "count"):
    table.define(table.method_of(tuple, _name, infer=always(INT)))

_TEXT: dict[str, Type] = {
    **dict.fromkeys(("capitalize", "casefold", "center", "expandtabs", "format", "format_map", "join",
                     "ljust", "lower", "lstrip", "removeprefix", "removesuffix", "replace", "rjust",
                     "rstrip", "strip", "swapcase", "title", "translate", "upper", "zfill"), STR),
    **dict.fromkeys(("endswith", "startswith", "isalnum", "isalpha", "isascii", "isdecimal", "isdigit",
                     "isidentifier", "islower", "isnumeric", "isprintable", "isspace", "istitle",
                     "isupper"), BOOL),
    **dict.fromkeys(("count", "find", "index", "rfind", "rindex"), INT),
    **dict.fromkeys(("split", "rsplit", "splitlines"), List(STR)),
    **dict.fromkeys(("partition", "rpartition"), Tuple((STR, STR, STR))),
}  # fmt: skip

for _name, _kind in _TEXT.items():
    takes_in(table.define(table.method_of(str, _name, infer=always(_kind))))

_NUMBER: dict[type, dict[str, Type]] = {
    int: {"bit_length": INT, "bit_count": INT, "conjugate": INT},
    float: {"is_integer": BOOL, "hex": STR, "conjugate": FLOAT, "as_integer_ratio": Tuple((INT, INT))},
    complex: {"conjugate": COMPLEX},
}

for _cls, _methods in _NUMBER.items():
    for _name, _kind in _methods.items():
        if hasattr(_cls, _name):
            table.define(table.method_of(_cls, _name, infer=always(_kind)))
