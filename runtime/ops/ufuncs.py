"""The rows of NumPy's ufuncs and of their methods, such as ``np.add.reduce``, by one loop over ``np``.

A call with ``out=`` is another row than one without: it changes that array and hands it back;
``table.resolve`` tells them apart.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from enum import Enum
from types import BuiltinFunctionType, FunctionType, ModuleType, NoneType
from typing import Any

import numpy as np

from ..graph import Op
from ..types import INT, NONE, UNKNOWN, Array, Instance, List, Scalar, Tuple, Type, is_number
from . import table
from .rules import (
    Unclear,
    always,
    array_or_scalar,
    as_array,
    as_dtype,
    as_type,
    broadcast,
    constant,
    elementwise,
    known,
    normal_axis,
    promoted,
    reduced_shape,
    resolved,
    rule,
    surely_broadcasts,
    unknown,
)

COMPARISONS = frozenset({"less", "less_equal", "equal", "not_equal", "greater", "greater_equal"})

# ------------------------------------------------------------------------------------------------------ types


def ufunc_type(ufunc: np.ufunc) -> Callable[..., Type]:
    """The type rule of calls of ``ufunc``."""

    @rule
    def infer(*args: Any, **kwargs: Any) -> Type:
        if len(args) == ufunc.nin and not kwargs:
            return elementwise(ufunc, tuple(map(as_type, args)))
        if len(args) > ufunc.nin:
            kwargs["out"] = args[ufunc.nin :]
        return _with_keywords(ufunc, tuple(map(as_type, args[: ufunc.nin])), **kwargs)

    return infer if ufunc.signature is None else gufunc_type(ufunc)


def _with_keywords(
    ufunc: np.ufunc,
    operands: tuple[Type, ...],
    *,
    out: Any = None,
    where: Any = True,
    dtype: Any = None,
    casting: Any = "same_kind",
    order: Any = "K",
    subok: Any = True,
) -> Type:
    if out is not None:
        return out_type(out, ufunc.nout)
    result = elementwise(ufunc, operands)
    if not isinstance(result, (Array, Scalar)):
        raise Unclear
    found, shape = result.dtype, result.shape if isinstance(result, Array) else ()
    if dtype is not None:
        kinds = [promoted(each) for each in operands]
        signature = (None,) * ufunc.nin + (as_dtype(dtype),)
        found = known(ufunc.resolve_dtypes((*kinds, None), signature=signature, casting=casting)[-1])
    if where is not True:
        shape = broadcast([as_array(where).shape, shape])
    if shape is None and isinstance(result, Array):
        return Array(found, None)
    return array_or_scalar(found, shape)


def out_type(out: Any, count: int = 1) -> Type:
    """The type of a result that is the ``out=`` array itself."""
    kinds = as_type(out)
    items = kinds.items if isinstance(kinds, Tuple) else (kinds,)
    if len(items) != count or not all(isinstance(each, Array) for each in items):
        raise Unclear
    return items[0] if count == 1 else Tuple(items)


def gufunc_type(ufunc: np.ufunc) -> Callable[..., Type]:
    """The type rule of a generalized ufunc, from its signature: ``(n?,k),(k,m?)->(n?,m?)``."""
    inputs, output = str(ufunc.signature).split("->")
    cores = [core.split(",") for core in inputs.strip("()").split("),(")]
    result_core = [name for name in output.strip("()").split(",") if name]

    @rule
    def infer(*args: Any, out: Any = None, dtype: Any = None, **kwargs: Any) -> Type:
        if out is not None:
            return out_type(out)
        if kwargs or len(args) != ufunc.nin or ufunc.nout != 1:
            raise Unclear
        operands = [as_array(each) for each in args]
        found = None
        if dtype is None and all(each.dtype is not None for each in operands):
            found = resolved(ufunc, tuple(known(each.dtype) for each in operands))[0]
        sizes: dict[str, Any] = {}
        batches = []
        missing = set()
        for operand, core in zip(operands, cores, strict=True):
            if operand.shape is None or not operand.shape:
                raise Unclear
            names = list(core)
            if len(operand.shape) < len(names):
                optional = [name for name in names if name.endswith("?")]
                missing.update(optional)
                names = [name for name in names if name not in optional]
            if len(operand.shape) < len(names):
                raise Unclear
            batches.append(operand.shape[: len(operand.shape) - len(names)])
            for name, size in zip(names, operand.shape[len(operand.shape) - len(names) :], strict=True):
                if isinstance(size, int) and isinstance(sizes.get(name), int) and sizes[name] != size:
                    raise Unclear
                sizes[name] = size if sizes.get(name) is None else sizes[name]
        batch = broadcast(batches)
        if batch is None:
            raise Unclear
        return array_or_scalar(
            found, batch + tuple(sizes[name] for name in result_core if name not in missing)
        )

    return infer


# ------------------------------------------------------------------------------------------------------ total


def never_raises(ufunc: np.ufunc) -> Callable[..., bool]:
    """Whether a call surely raises nothing: known numeric dtypes with a loop, and shapes that surely fit.

    Floating point errors are warnings here, as NumPy has it unless told otherwise.
    """

    def total(*args: Any, **kwargs: Any) -> bool:
        if kwargs or len(args) != ufunc.nin or ufunc.signature is not None:
            return False
        kinds = tuple(map(as_type, args))
        dtypes = []
        shapes: list[Any] = []
        for operand, kind in zip(args, kinds, strict=True):
            if isinstance(kind, (Array, Scalar)):
                if kind.dtype is None or kind.dtype.kind not in "biufc":
                    return False
                dtypes.append(kind.dtype)
                shapes.append(kind.shape if isinstance(kind, Array) else ())
            elif kind == INT:
                # a Python int must fit the dtype that it meets; 0 to 127 fits all of them
                if not (type(operand) is int and 0 <= operand <= 127):
                    return False
            elif not is_number(kind):
                return False
        if not dtypes and INT in kinds:
            return False
        try:
            found = resolved(ufunc, tuple(promoted(kind) for kind in kinds))
        except Unclear:
            return False
        if ufunc in (np.power, np.float_power) and any(dtype.kind in "biu" for dtype in found):
            return False
        return surely_broadcasts(shapes)

    return total


# ---------------------------------------------------------------------------------------------------- methods


def reduce_type(ufunc: np.ufunc) -> Callable[..., Type]:
    """The type rule of ``ufunc.reduce``."""

    @rule
    def infer(
        array: Any,
        axis: Any = 0,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = None,
        where: Any = True,
    ) -> Type:
        if out is not None:
            return out_type(out)
        operand = as_array(array)
        found = reduction_dtype(ufunc, operand.dtype, dtype)
        return array_or_scalar(found, reduced_shape(operand.shape, axis, keepdims))

    return infer


def reduction_dtype(ufunc: np.ufunc, of: np.dtype[Any] | None, dtype: Any = None) -> np.dtype[Any] | None:
    """The dtype of a reduction, with NumPy's widening of small integers in sums and products."""
    if dtype is not None and dtype is not np._NoValue:
        wanted = as_dtype(dtype)
        return (
            wanted
            if ufunc.resolve_dtypes(
                (None, known(of), None), signature=(None, None, wanted), casting="unsafe", reduction=True
            )[0]
            == wanted
            else None
        )
    if of is None:
        return None
    found = ufunc.resolve_dtypes((None, known(of), None), reduction=True)
    return known(found[2])


def accumulate_type(ufunc: np.ufunc) -> Callable[..., Type]:
    """The type rule of ``ufunc.accumulate``."""

    @rule
    def infer(array: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Type:
        if out is not None:
            return out_type(out)
        operand = as_array(array)
        if not operand.shape:
            raise Unclear
        return Array(reduction_dtype(ufunc, operand.dtype, dtype), operand.shape)

    return infer


def reduceat_type(ufunc: np.ufunc) -> Callable[..., Type]:
    """The type rule of ``ufunc.reduceat``."""

    @rule
    def infer(array: Any, indices: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Type:
        if out is not None:
            return out_type(out)
        operand, places = as_array(array), as_array(indices)
        if not operand.shape or places.shape is None or len(places.shape) != 1:
            raise Unclear
        at = normal_axis(constant(axis), len(operand.shape))
        shape = (*operand.shape[:at], *places.shape, *operand.shape[at + 1 :])
        return Array(reduction_dtype(ufunc, operand.dtype, dtype), shape)

    return infer


def outer_type(ufunc: np.ufunc) -> Callable[..., Type]:
    """The type rule of ``ufunc.outer``."""

    @rule
    def infer(left: Any, right: Any) -> Type:
        first, second = as_array(left), as_array(right)
        if first.shape is None or second.shape is None:
            raise Unclear
        # unlike a call, `outer` makes strong arrays of Python numbers
        result = elementwise(ufunc, (Array(first.dtype, ()), Array(second.dtype, ())))
        shape = first.shape + second.shape
        if isinstance(result, Scalar):
            return array_or_scalar(result.dtype, shape)
        return Array(None, shape) if shape else UNKNOWN

    return infer


# ------------------------------------------------------------------------------------------------------- rows


def in_place(op: Op, position: int, count: int = 1) -> Op:
    """Give a row its variants with ``out``, a keyword or ``count`` arguments from ``position`` on.

    Operands that are objects, or hold them, may run any code.
    """

    def choose(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Op | None:
        written: list[int | str] = [
            place for place in range(position, min(position + count, len(args))) if not _is_none(args[place])
        ]
        if not _is_none(kwargs.get("out")):
            written.append("out")
        if any(map(holds_code, args)):
            return foreign(op)
        return writing(op, tuple(written)) if written else None

    return table.variants(op, choose)


def _is_none(operand: Any) -> bool:
    return operand is None or operand == NONE or (type(operand) is tuple and all(map(_is_none, operand)))


_PLAIN = (
    *(int, float, bool, complex, str, bytes, NoneType, slice, range, type(Ellipsis), tuple, list, dict),
    *(np.ndarray, np.generic, np.dtype, np.ufunc, type, FunctionType, BuiltinFunctionType, ModuleType, Enum),
    type(np._NoValue),
)
"""Constants whose arithmetic is Python's and NumPy's own."""


def runs_code(operand: Any) -> bool:
    """Whether arithmetic on this operand may run code that is not Python's or NumPy's own."""
    if isinstance(operand, (Array, Scalar)):
        return operand.dtype is not None and operand.dtype.kind == "O"
    return isinstance(operand, Instance) or not isinstance(operand, (Type, *_PLAIN))


def holds_code(operand: Any) -> bool:
    """Whether the operand, or what is in it, may run other code."""
    if isinstance(operand, (tuple, list)):
        return any(map(holds_code, operand))
    if isinstance(operand, Tuple):
        return any(map(holds_code, operand.items))
    return holds_code(operand.item) if isinstance(operand, List) else runs_code(operand)


@functools.lru_cache(maxsize=1024)
def writing(op: Op, places: tuple[int | str, ...]) -> Op:
    """The variant of a row that changes the arguments at ``places`` and hands them back."""
    return dataclasses.replace(op, writes=places, result="alias", total=None)


@functools.lru_cache(maxsize=1024)
def foreign(op: Op) -> Op:
    """The variant of a row whose operands may run any code."""
    return dataclasses.replace(
        op, writes=("*",), stores=True, result="alias", region="outside", total=None, infer=unknown
    )


def _names() -> dict[np.ufunc, str]:
    """Every ufunc of the ``np`` namespace by the name it calls itself, where there is one."""
    found: dict[np.ufunc, str] = {}
    for name in sorted(vars(np)):
        each = vars(np)[name]
        if isinstance(each, np.ufunc) and (each not in found or name == each.__name__):
            found[each] = name
    return found


NAMES = _names()

for _ufunc, _name in NAMES.items():
    _op = table.call(_ufunc, f"np.{_name}", infer=ufunc_type(_ufunc), total=never_raises(_ufunc))
    in_place(_op, _ufunc.nin, _ufunc.nout)
    if _ufunc.signature is None and _ufunc.nin == 2 and _ufunc.nout == 1:
        in_place(table.call(_ufunc.reduce, f"np.{_name}.reduce", infer=reduce_type(_ufunc)), 3)
        in_place(table.call(_ufunc.accumulate, f"np.{_name}.accumulate", infer=accumulate_type(_ufunc)), 3)
        in_place(table.call(_ufunc.reduceat, f"np.{_name}.reduceat", infer=reduceat_type(_ufunc)), 4)
    if _ufunc.signature is None and _ufunc.nin == 2:
        table.call(_ufunc.outer, f"np.{_name}.outer", infer=outer_type(_ufunc))
    if _ufunc.signature is None:
        table.call(_ufunc.at, f"np.{_name}.at", infer=always(NONE), writes=(0,))
