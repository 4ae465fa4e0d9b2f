"""The rows of Python itself: operators, augmented assignment, tests and attributes.

They are found by name with ``table.get``; what they do on arrays is what the ufunc of the same name does.
Indexing and displays are in ``items.py``, the built-in functions and the methods of containers in
``builtins.py``.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
from collections.abc import Callable
from types import FunctionType, GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any

import numpy as np

from autograph.operators.names import defined as defined_function

from ..graph import Op, Syntax
from ..types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    NUMBERS,
    STR,
    UNKNOWN,
    Array,
    Dict,
    Instance,
    List,
    Optional,
    Python,
    Scalar,
    Tuple,
    Type,
    element,
    is_immutable,
    is_number,
    join,
)
from . import table
from .rules import (
    EXACT,
    Unclear,
    always,
    as_array,
    as_type,
    elementwise,
    rule,
    unknown,
)
from .ufuncs import COMPARISONS, foreign, gufunc_type, holds_code, never_raises, runs_code

# --------------------------------------------------------------------------------------- Python's own numbers


def number_type(name: str, left: Type, right: Type) -> Type:
    """The type of an arithmetic operator on two Python numbers whose values are unknown."""
    wider = NUMBERS[max(NUMBERS.index(left), NUMBERS.index(right))]
    at_least_int = INT if wider == BOOL else wider
    if name in COMPARISONS:
        if wider == COMPLEX and name not in ("equal", "not_equal"):
            raise Unclear
        return BOOL
    if name in ("add", "subtract", "multiply"):
        return at_least_int
    if name == "divide":
        return COMPLEX if wider == COMPLEX else FLOAT
    if name in ("floor_divide", "remainder", "divmod"):
        if wider == COMPLEX:
            raise Unclear
        return Tuple((at_least_int, at_least_int)) if name == "divmod" else at_least_int
    if name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
        if wider not in (BOOL, INT):
            raise Unclear
        return wider
    if name in ("left_shift", "right_shift") and wider in (BOOL, INT):
        return INT
    if name == "power":
        if wider == COMPLEX:
            return COMPLEX
        if left == FLOAT and right in (BOOL, INT):
            return FLOAT
        if left in (BOOL, INT) and right == BOOL:
            return INT
    raise Unclear


def power_of_constants(left: Any, right: Any) -> Type | None:
    """What a constant base or exponent tells about a power of Python numbers: its sign decides the type."""
    base, exponent = as_type(left), as_type(right)
    if (
        type(right) in (int, float)
        and base in (BOOL, INT, FLOAT)
        and right == right
        and abs(right) < float("inf")
    ):
        if type(right) is int and base != FLOAT:
            return INT if right >= 0 else FLOAT
        if right == int(right):
            return FLOAT
    if type(left) in (int, float) and left > 0 and FLOAT in (base, exponent) and is_number(exponent):
        return COMPLEX if exponent == COMPLEX else FLOAT
    return None


def number_never_raises(name: str, left: Any, right: Any) -> bool:
    """Whether an operator on Python numbers surely raises nothing; a big int may not fit a float."""
    kinds = as_type(left), as_type(right)
    integers = all(kind in (BOOL, INT) for kind in kinds)
    # a constant below 2**53 can meet a float; an int of unknown size cannot
    floats = all(
        kind in (FLOAT, BOOL) or (type(each) is int and abs(each) < 2**53)
        for each, kind in zip((left, right), kinds, strict=True)
    )
    if name in COMPARISONS:
        return integers or all(kind in (BOOL, INT, FLOAT) for kind in kinds) or name in ("equal", "not_equal")
    if name in ("add", "subtract", "multiply"):
        return integers or floats
    if name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
        return integers
    nonzero = type(right) in (int, float) and right != 0
    if name in ("floor_divide", "remainder", "divmod"):
        return nonzero and (integers or floats)
    if name == "divide":
        return nonzero and floats
    if name == "power":
        return integers and type(right) is int and 0 <= right <= 64
    return False


# ------------------------------------------------------------------------------------------- binary operators

_BINARY: tuple[tuple[str, str, np.ufunc, Callable[[Any, Any], Any]], ...] = (
    ("add", "+", np.add, operator.add),
    ("subtract", "-", np.subtract, operator.sub),
    ("multiply", "*", np.multiply, operator.mul),
    ("divide", "/", np.divide, operator.truediv),
    ("floor_divide", "//", np.floor_divide, operator.floordiv),
    ("remainder", "%", np.remainder, operator.mod),
    ("power", "**", np.power, operator.pow),
    ("matmul", "@", np.matmul, operator.matmul),
    ("bitwise_and", "&", np.bitwise_and, operator.and_),
    ("bitwise_or", "|", np.bitwise_or, operator.or_),
    ("bitwise_xor", "^", np.bitwise_xor, operator.xor),
    ("left_shift", "<<", np.left_shift, operator.lshift),
    ("right_shift", ">>", np.right_shift, operator.rshift),
    ("less", "<", np.less, operator.lt),
    ("less_equal", "<=", np.less_equal, operator.le),
    ("equal", "==", np.equal, operator.eq),
    ("not_equal", "!=", np.not_equal, operator.ne),
    ("greater", ">", np.greater, operator.gt),
    ("greater_equal", ">=", np.greater_equal, operator.ge),
)


def binary_type(name: str, ufunc: np.ufunc) -> Callable[..., Type]:
    """The type rule of a binary operator on anything."""
    matmul = gufunc_type(ufunc) if ufunc.signature is not None else None

    @functools.lru_cache(maxsize=4096)
    def of_types(left: Type, right: Type) -> Type:
        numpy = isinstance(left, (Array, Scalar)) or isinstance(right, (Array, Scalar))
        if answers_itself(left, right):
            return number_type(name, COMPLEX, FLOAT)
        if any(isinstance(each, Scalar) and each.dtype.kind not in EXACT for each in (left, right)):
            raise Unclear  # NumPy's texts are Python's too
        if numpy:
            if matmul is not None:
                return matmul(left, right)
            if not (isinstance(left, Array) or isinstance(right, Array)) and not all(
                map(_is_numeric, (left, right))
            ):
                raise Unclear  # a NumPy scalar beside a list repeats it, beside None compares as objects do
            if name == "power" and as_array(left).dtype == np.bool_:
                raise Unclear  # depends on the exponent's value: `flags ** 2` is int8
            return elementwise(ufunc, (left, right))
        if is_number(left) and is_number(right):
            return number_type(name, left, right)
        if name in COMPARISONS:
            return comparison_type(name, left, right)
        return sequence_type(name, left, right)

    @rule
    def infer(left: Any, right: Any) -> Type:
        if name == "power":
            found = power_of_constants(left, right)
            if found is not None:
                return found
        if name == "multiply" and isinstance(right, int) and isinstance(as_type(left), Tuple):
            return as_type(left * right) if isinstance(left, tuple) else Tuple(as_type(left).items * right)  # type: ignore[attr-defined]
        return of_types(as_type(left), as_type(right))

    return infer


def comparison_type(name: str, left: Type, right: Type) -> Type:
    """The type of a comparison of what are no numbers.

    Of sequences of one class ``==`` is a bool; ``<`` is what their first different items answer.
    """
    both = [kind for kind in (Tuple, List) if isinstance(left, kind) and isinstance(right, kind)]
    if (both and name in ("equal", "not_equal")) or (_has_no_numpy(left) and _has_no_numpy(right)):
        return BOOL
    raise Unclear


def _has_no_numpy(kind: Type) -> bool:
    """Whether all in a value of this type are Python's own immutable objects."""
    return all(map(_has_no_numpy, kind.items)) if isinstance(kind, Tuple) else isinstance(kind, Python)


def answers_itself(left: Type, right: Type) -> bool:
    """Whether it is a Python complex before a ``np.float64``: to it that is a Python float."""
    return left == COMPLEX and isinstance(right, Scalar) and right.dtype == np.float64


def _is_numeric(kind: Type) -> bool:
    return isinstance(kind, (Array, Scalar)) or is_number(kind)


def sequence_type(name: str, left: Type, right: Type) -> Type:
    """The type of ``+``, ``*`` and ``%`` on texts, tuples and lists."""
    if name == "add":
        if left == right == STR:
            return STR
        if isinstance(left, Tuple) and isinstance(right, Tuple):
            return Tuple(left.items + right.items)
        if isinstance(left, List) and isinstance(right, List):
            return List(join(left.item, right.item))
    if name == "multiply":
        for one, other in ((left, right), (right, left)):
            if other in (INT, BOOL) and (one == STR or isinstance(one, List)):
                return one
    if name == "remainder" and left == STR:
        return STR
    raise Unclear


def binary_never_raises(name: str, ufunc: np.ufunc) -> Callable[..., bool]:
    """Whether a binary operator surely raises nothing."""
    on_arrays = never_raises(ufunc)

    def total(left: Any, right: Any) -> bool:
        kinds = as_type(left), as_type(right)
        if is_number(kinds[0]) and is_number(kinds[1]):
            return number_never_raises(name, left, right)
        if answers_itself(*kinds):
            return False
        if any(isinstance(kind, (Array, Scalar)) for kind in kinds):
            return on_arrays(left, right)
        return (name in ("equal", "not_equal") and all(map(_has_no_numpy, kinds))) or (
            name == "add" and kinds == (STR, STR)
        )

    return total


def choose_foreign(op: Op, keeps_items: bool = False) -> Op:
    """Operators on objects may run any code; on containers the result holds what the operands hold."""

    def choose(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Op | None:
        if any(map(runs_code if keeps_items else holds_code, args)):
            return foreign(op)
        if keeps_items and not all(_is_numeric(kind) or kind == STR for kind in map(as_type, args)):
            return keeping(op)
        return None

    return table.variants(op, choose)


@functools.cache
def keeping(op: Op) -> Op:
    """The variant of a row whose result may hold or be an operand."""
    return dataclasses.replace(op, result="alias")


def flagged(op: Op, flag: str, place: int, usual: bool, other: Op) -> Op:
    """Let calls in which a flag is not surely what it usually is be those of the row ``other``.

    Args:
        op: the row of the usual calls.
        flag: the name of the parameter.
        place: its position.
        usual: its default.
        other: what else the function does.
    """

    def choose(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Op | None:
        if any(map(holds_code, args)):
            return foreign(op)
        given = kwargs.get(flag, args[place] if len(args) > place else usual)
        return None if given is usual else other

    return table.variants(op, choose)


for _name, _symbol, _ufunc, _function in _BINARY:
    _syntax: Syntax = "compare" if _name in COMPARISONS else "binary"
    choose_foreign(
        table.define(
            Op(
                _name,
                _function,
                _syntax,
                _symbol,
                binary_type(_name, _ufunc),
                total=binary_never_raises(_name, _ufunc),
            )
        ),
        keeps_items=_name not in COMPARISONS,
    )

choose_foreign(
    table.define(
        Op(
            "divmod",
            divmod,
            "call",
            "divmod",
            binary_type("divmod", np.divmod),
            total=binary_never_raises("divmod", np.divmod),
        )
    )
)


# -------------------------------------------------------------------------------------------- unary operators


def unary_type(ufunc: np.ufunc, python: dict[Type, Type]) -> Callable[..., Type]:
    """The type rule of a unary operator: the ufunc's, and a table for Python's numbers."""

    @rule
    def infer(operand: Any) -> Type:
        kind = as_type(operand)
        if isinstance(kind, (Array, Scalar)):
            return elementwise(ufunc, (kind,))
        return python[kind]

    return infer


def unary_never_raises(ufunc: np.ufunc, python: dict[Type, Type]) -> Callable[..., bool]:
    """Whether a unary operator surely raises nothing; ``abs`` of a complex number may overflow."""
    on_arrays = never_raises(ufunc)

    def total(operand: Any) -> bool:
        kind = as_type(operand)
        return on_arrays(operand) if isinstance(kind, (Array, Scalar)) else kind in python and kind != COMPLEX

    return total


_SAME: dict[Type, Type] = {BOOL: INT, INT: INT, FLOAT: FLOAT, COMPLEX: COMPLEX}
_MAGNITUDE: dict[Type, Type] = {BOOL: INT, INT: INT, FLOAT: FLOAT, COMPLEX: FLOAT}
_BITS: dict[Type, Type] = {BOOL: INT, INT: INT}

for _name, _symbol, _ufunc, _function1, _python in (
    ("negative", "-", np.negative, operator.neg, _SAME),
    ("positive", "+", np.positive, operator.pos, _SAME),
    ("invert", "~", np.invert, operator.invert, _BITS),
    ("absolute", "abs", np.absolute, abs, _MAGNITUDE),
):
    choose_foreign(
        table.define(
            Op(
                _name,
                _function1,
                "call" if _symbol == "abs" else "unary",
                _symbol,
                unary_type(_ufunc, _python),
                total=unary_never_raises(_ufunc, _python),
            )
        )
    )


# --------------------------------------------------------------------------------------- augmented assignment


def inplace_type(name: str, plain: Callable[..., Type]) -> Callable[..., Type]:
    """The type rule of ``a op= b``: an array or list stays itself, everything else is the plain operator."""

    @rule
    def infer(left: Any, right: Any) -> Type:
        kind, other = as_type(left), as_type(right)
        if isinstance(kind, Array):
            if _is_numeric(other) or isinstance(other, (List, Tuple)):
                return kind
            raise Unclear
        if isinstance(kind, List):
            if name == "add" and not isinstance(other, (Array, Scalar)):
                return List(join(kind.item, element(other)))
            if name == "multiply" and other in (INT, BOOL):
                return kind
            raise Unclear
        return plain(left, right)

    return infer


def _immutable_only(total: Callable[..., bool]) -> Callable[..., bool]:
    def inplace_total(left: Any, right: Any) -> bool:
        return is_immutable(as_type(left)) and total(left, right)

    return inplace_total


_INPLACE = {
    "add": operator.iadd, "subtract": operator.isub, "multiply": operator.imul, "divide": operator.itruediv,
    "floor_divide": operator.ifloordiv, "remainder": operator.imod, "power": operator.ipow,
    "matmul": operator.imatmul, "bitwise_and": operator.iand, "bitwise_or": operator.ior,
    "bitwise_xor": operator.ixor, "left_shift": operator.ilshift, "right_shift": operator.irshift,
}  # fmt: skip

for _name, _function in _INPLACE.items():
    _plain = table.get(_name)
    assert _plain.infer is not None and _plain.total is not None
    choose_foreign(
        table.define(
            Op(
                f"inplace_{_name}",
                _function,
                "inplace",
                _plain.symbol,
                inplace_type(_name, _plain.infer),
                writes=(0,),
                stores=True,
                result="alias",
                total=_immutable_only(_plain.total),
            )
        )
    )


# ----------------------------------------------------------------------------------------- tests and identity


def _never_raises(*args: Any) -> bool:
    return True


def _has_truth(operand: Any) -> bool:
    """Whether ``bool()`` of it surely raises nothing: arrays of one element, and what is not an array."""
    kind = as_type(operand)
    if isinstance(kind, Array):
        return (
            kind.dtype is not None
            and kind.dtype.kind in "biufc"
            and kind.shape is not None
            and all(size == 1 for size in kind.shape)
        )
    return isinstance(kind, (Python, List, Dict, Tuple)) or (
        isinstance(kind, Scalar) and kind.dtype.kind in "biufc"
    )


def identity(operand: Any) -> Any:
    """The operand itself, under another name."""
    return operand


def is_(left: Any, right: Any) -> bool:
    """``left is right``."""
    return left is right


def contains(container: Any, item: Any) -> bool:
    """``item in container``."""
    return item in container


choose_foreign(table.define(Op("not", operator.not_, "unary", "not ", always(BOOL), total=_has_truth)))
choose_foreign(table.define(Op("truth", bool, "call", "bool", always(BOOL), total=_has_truth)))
choose_foreign(table.define(Op("contains", contains, "statement", "in", always(BOOL))))
table.define(
    Op("identity", identity, "statement", "", rule(as_type), reads=False, result="alias", total=_never_raises)
)
table.define(Op("is", is_, "compare", "is", always(BOOL), reads=False, total=_never_raises))


@rule
def defined_type(value: Any, free: bool = False) -> Type:
    """A name that is set has the type of its value."""
    kind = as_type(value)
    return kind.of if isinstance(kind, Optional) else kind


table.define(
    Op(
        "defined",
        defined_function,
        "call",
        "ag.defined",
        defined_type,
        reads=False,
        result="alias",
        total=lambda value, free=False: (
            isinstance(value, Type) and not isinstance(value, (Optional, type(UNKNOWN)))
        ),
    )
)


# ------------------------------------------------------------------------------------------------- attributes


def set_attribute(owner: Any, name: str, value: Any) -> None:
    """``owner.name = value``."""
    setattr(owner, name, value)


def del_attribute(owner: Any, name: str) -> None:
    """``del owner.name``."""
    delattr(owner, name)


def is_stored(owner: Any = UNKNOWN, name: Any = None, *rest: Any) -> bool:
    """Whether an attribute is merely kept in the object: reading or writing it runs no code of a class."""
    if isinstance(owner, (Array, Scalar, Python, List, Dict)):
        return True
    if isinstance(owner, Type):
        if not isinstance(owner, Instance):
            return False
        cls: Any = owner.cls
    else:
        cls = type(owner)
        if isinstance(owner, (type, ModuleType)):
            return cls is type or cls is ModuleType
    return type(name) is str and _keeps(cls, name)


def _keeps(cls: type, name: str) -> bool:
    special = ("__getattribute__", "__getattr__", "__setattr__", "__delattr__")
    if any(isinstance(getattr(cls, each, None), FunctionType) for each in special):
        return False
    found = next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)
    return isinstance(found, (MemberDescriptorType, GetSetDescriptorType)) or not hasattr(
        type(found), "__get__"
    )


for _row in (
    Op("get_attribute", getattr, "statement", "", unknown, result="alias"),
    Op("set_attribute", set_attribute, "statement", "", always(NONE), writes=(0,), stores=True),
    Op("del_attribute", del_attribute, "statement", "", always(NONE), writes=(0,)),
):
    table.variants(
        table.define(_row),
        lambda args, kwargs, row=_row: None if is_stored(*args) else foreign(row),  # type: ignore[misc]
    )
