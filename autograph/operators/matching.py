"""What the patterns of a ``match`` statement ask of a value, as PEP 634 says it."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autograph.operators.calls import call
from autograph.operators.expressions import and_, not_

_WHOLE = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)
_TEXTS = (str, bytes, bytearray)
_SEQUENCES = (list, tuple, Sequence)  # the usual ones first: to ask an abstract class takes long
_MAPPINGS = (dict, Mapping)


def is_sequence(value: Any, length: int, more: bool = False) -> Any:
    """Whether a sequence pattern for ``length`` items (or ``more``) fits ``value``.

    >>> is_sequence([1, 2], 2), is_sequence("ab", 2), is_sequence((1, 2, 3), 1, True)
    (True, False, True)
    """
    return and_(
        call(isinstance, value, _SEQUENCES),
        lambda: not_(call(isinstance, value, _TEXTS)),
        lambda: call(len, value) >= length if more else call(len, value) == length,
    )


def is_mapping(value: Any) -> Any:
    """Whether a mapping pattern fits ``value``, its keys aside.

    >>> is_mapping({}), is_mapping([])
    (True, False)
    """
    return call(isinstance, value, _MAPPINGS)


def is_instance(value: Any, cls: Any, positional: int = 0, attributes: tuple[str, ...] = ()) -> Any:
    """Whether a class pattern fits ``value``: its class, and that it has what the pattern names.

    >>> is_instance(3, int, 1), is_instance(3j, complex, 0, ("real", "size"))
    (True, False)
    """
    if not isinstance(cls, type):
        match None:
            case cls():  # Python has its own words for it
                pass

    def complete() -> Any:
        names = [name for name in _names(cls, positional) if name is not None]
        return and_(True, *(lambda name=name: call(hasattr, value, name) for name in (*names, *attributes)))

    return and_(call(isinstance, value, cls), complete)


def part(value: Any, cls: Any, position: int) -> Any:
    """What the positional sub-pattern of a class pattern gets.

    >>> part(3, int, 0)
    3
    """
    name = _names(cls, position + 1)[position]
    return value if name is None else getattr(value, name)


def items_between(value: Any, start: int, stop: int | None) -> Any:
    """What ``*rest`` of a sequence pattern binds.

    >>> items_between((1, 2, 3), 1, None)
    [2, 3]
    """
    return call(list, value[start:stop])


def without(value: Any, *keys: Any) -> Any:
    """What ``**rest`` of a mapping pattern binds.

    >>> without({"a": 1, "b": 2}, "a")
    {'b': 2}
    """
    rest = call(dict, value)
    for key in keys:
        call(rest.pop, key)
    return rest


def _names(cls: type, positional: int) -> list[str | None]:
    """The attributes that stand for positional sub-patterns; ``None`` for the value itself."""
    if not positional:
        return []
    given = getattr(cls, "__match_args__", None)
    if given is None and issubclass(cls, _WHOLE):
        allowed = 1
        names: list[str | None] = [None]
    else:
        given = () if given is None else given
        if type(given) is not tuple:
            raise TypeError(f"{cls.__name__}.__match_args__ must be a tuple (got {type(given).__name__})")
        names, allowed = list(given), len(given)
    if positional > allowed:
        patterns = "sub-pattern" if allowed == 1 else "sub-patterns"
        raise TypeError(f"{cls.__name__}() accepts {allowed} positional {patterns} ({positional} given)")
    return names
