"""The rows of what is inside containers: indexing, and the displays that make them."""

from __future__ import annotations

import operator
from typing import Any

from ..graph import Op
from ..types import (
    BOOL,
    NONE,
    STR,
    UNKNOWN,
    Array,
    Dict,
    Iterator,
    List,
    Python,
    Scalar,
    Tuple,
    Type,
    join_all,
)
from . import table
from .operators import choose_foreign
from .rules import Unclear, always, as_type, constant, indexed, is_integer, rule, unknown
from .ufuncs import foreign, runs_code

# --------------------------------------------------------------------------------------------------- indexing


@rule
def item_type(container: Any, index: Any) -> Type:
    """The type of ``container[index]``."""
    kind = as_type(container)
    if isinstance(kind, Array):
        return indexed(kind, index)
    if isinstance(kind, Scalar):
        return indexed(Array(kind.dtype, ()), index)
    if isinstance(index, slice) or index == Python(slice):
        if isinstance(kind, Tuple):
            return as_type(Tuple(kind.items[constant(index)]))
        if kind == STR or isinstance(kind, List):
            return kind
        raise Unclear
    if isinstance(kind, Dict):
        return kind.value
    if is_integer(index) or index == BOOL or isinstance(index, bool):
        if isinstance(kind, Tuple):
            return join_all(kind.items) if isinstance(index, Type) else kind.items[index]
        if isinstance(kind, (List, Iterator)):
            return kind.item
        if kind == STR:
            return STR
    raise Unclear


def item_never_raises(container: Any, index: Any) -> bool:
    """Whether the index is surely inside: constant, on known sizes."""
    kind = as_type(container)
    if isinstance(kind, Tuple):
        return type(index) is int and -len(kind.items) <= index < len(kind.items)
    if not isinstance(kind, Array) or kind.shape is None:
        return False
    places = index if isinstance(index, tuple) else (index,)
    if len([place for place in places if place is not None and place is not Ellipsis]) > len(kind.shape):
        return False
    if any(place is Ellipsis for place in places):
        return False
    sizes = iter(kind.shape)
    for place in places:
        if place is None:
            continue
        size = next(sizes)
        if type(place) is slice:
            if (
                not all(part is None or type(part) is int for part in (place.start, place.stop, place.step))
                or place.step == 0
            ):
                return False
        elif not (type(place) is int and isinstance(size, int) and -size <= place < size):
            return False
    return True


def set_item(container: Any, index: Any, value: Any) -> None:
    """``container[index] = value``."""
    container[index] = value


def del_item(container: Any, index: Any) -> None:
    """``del container[index]``."""
    del container[index]


choose_foreign(
    table.define(
        Op("get_item", operator.getitem, "subscript", "", item_type, result="alias", total=item_never_raises)
    )
)
SET_ITEM = table.define(Op("set_item", set_item, "statement", "", always(NONE), writes=(0,), stores=True))


def _choose_set_item(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Op | None:
    """A list or dict keeps an object as it is; an array asks it for its number."""
    keeps = isinstance(as_type(args[0]), (List, Dict)) if args else False
    looked_at = args[:2] if keeps else args
    return foreign(SET_ITEM) if any(map(runs_code, looked_at)) else None


table.variants(SET_ITEM, _choose_set_item)
choose_foreign(table.define(Op("del_item", del_item, "statement", "", always(NONE), writes=(0,))))


# --------------------------------------------------------------------------------------------------- displays


def make_list(*items: Any) -> list[Any]:
    """``[...]``."""
    return list(items)


def make_tuple(*items: Any) -> tuple[Any, ...]:
    """``(...)``."""
    return items


def make_set(*items: Any) -> set[Any]:
    """``{...}``."""
    return set(items)


def make_dict(keys: tuple[Any, ...], values: tuple[Any, ...]) -> dict[Any, Any]:
    """``{key: value, ...}`` of as many keys as values."""
    return dict(zip(keys, values, strict=True))


def join_pieces(*pieces: str) -> str:
    """The pieces of an f-string put together."""
    return "".join(pieces)


@rule
def _list_type(*items: Any) -> Type:
    return List(join_all(map(as_type, items)))


@rule
def _tuple_type(*items: Any) -> Type:
    return Tuple(tuple(map(as_type, items)))


@rule
def _dict_type(keys: Any, values: Any) -> Type:
    kinds = as_type(values)
    return Dict(join_all(kinds.items)) if isinstance(kinds, Tuple) else Dict(UNKNOWN)


for _name, _make, _rule in (("make_list", make_list, _list_type), ("make_tuple", make_tuple, _tuple_type)):
    table.define(
        Op(_name, _make, "statement", "", _rule, reads=False, result="alias", total=lambda *items: True)
    )
table.define(Op("make_set", make_set, "statement", "", unknown, result="alias"))
table.define(Op("make_dict", make_dict, "statement", "", _dict_type, result="alias"))
table.define(
    Op(
        "join",
        join_pieces,
        "statement",
        "",
        always(STR),
        total=lambda *pieces: all(as_type(piece) == STR for piece in pieces),
    )
)
