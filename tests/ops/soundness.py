"""What the tests of the op table share: values of types, random operands, and one checked run."""

from __future__ import annotations

import copy
import random
import warnings
from typing import Any

import numpy as np

from autograph.runtime.ops import table
from autograph.runtime.types import (
    Array,
    Dict,
    Iterator,
    List,
    Optional,
    Scalar,
    Tuple,
    Type,
    Unknown,
    type_of,
)

DTYPES = [
    np.dtype(name)
    for name in (
        "bool",
        "int8",
        "int32",
        "int64",
        "uint8",
        "uint64",
        "float16",
        "float32",
        "float64",
        "complex64",
        "complex128",
    )
]


def admits(kind: Type, value: Any, sizes: dict[str, int] | None = None) -> bool:
    """Whether ``value`` is one of ``kind``; a named dimension stands for the size in ``sizes``."""
    if isinstance(kind, Unknown):
        return True
    if isinstance(kind, Optional):
        return admits(kind.of, value, sizes)
    if isinstance(kind, Array):
        if type(value) is not np.ndarray or (kind.dtype is not None and value.dtype != kind.dtype):
            return False
        if kind.shape is None:
            return True
        sizes = sizes or {}
        return len(kind.shape) == value.ndim and all(
            d is None or sizes.get(d, d) == n for d, n in zip(kind.shape, value.shape)
        )
    if isinstance(kind, Scalar):
        return isinstance(value, np.generic) and value.dtype == kind.dtype
    if isinstance(kind, Tuple):
        return (
            type(value) is tuple
            and len(value) == len(kind.items)
            and all(admits(k, v, sizes) for k, v in zip(kind.items, value))
        )
    if isinstance(kind, List):
        return type(value) is list and all(admits(kind.item, each, sizes) for each in value)
    if isinstance(kind, Dict):
        return type(value) is dict and all(admits(kind.value, each, sizes) for each in value.values())
    if isinstance(kind, Iterator):
        return not isinstance(value, np.ndarray) and all(admits(kind.item, each, sizes) for each in value)
    return type_of(value) == kind


def abstract(operand: Any) -> Any:
    """The operand as ``infer`` gets it, every value replaced by its type."""
    if type(operand) is tuple:
        return tuple(map(abstract, operand))
    if type(operand) is slice:
        return slice(*map(abstract, (operand.start, operand.stop, operand.step)))
    if isinstance(operand, Const):
        return operand.value
    if operand is None or operand is Ellipsis or isinstance(operand, (str, type, np.dtype)):
        return operand
    return type_of(operand)


class Const:
    """An operand that is a constant of the graph."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"Const({self.value!r})"


def concrete(operand: Any) -> Any:
    """The operand as the op's function gets it."""
    if isinstance(operand, Const):
        return operand.value
    if type(operand) is tuple:
        return tuple(map(concrete, operand))
    if type(operand) is slice:
        return slice(*map(concrete, (operand.start, operand.stop, operand.step)))
    return operand


def forget(kind: Any, rng: random.Random) -> Any:
    """The type with something forgotten, as after a join."""
    if isinstance(kind, Array) and kind.shape is not None:
        dtype = None if rng.random() < 0.15 else kind.dtype
        if rng.random() < 0.15:
            return Array(dtype, None)
        names = {n: f"n{n}" for n in kind.shape}
        return Array(
            dtype,
            tuple(d if (r := rng.random()) < 0.6 else (None if r < 0.8 else names[d]) for d in kind.shape),
        )
    if isinstance(kind, Array) or not isinstance(kind, Type):
        if type(kind) is tuple:
            return tuple(forget(each, rng) for each in kind)
        return kind
    return Unknown() if rng.random() < 0.05 else kind


NAMED = {f"n{n}": n for n in range(20)}


def check(
    op: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None = None,
    *,
    rng: random.Random | None = None,
    exact: bool = False,
) -> Any:
    """Run the op; its type rule, ``total``, ``writes`` and ``result`` must hold for what happened."""
    kwargs = kwargs or {}
    types = tuple(map(abstract, args)), {name: abstract(value) for name, value in kwargs.items()}
    if rng is not None:
        types = (
            tuple(forget(each, rng) for each in types[0]),
            {k: forget(v, rng) for k, v in types[1].items()},
        )
    row = table.resolve(op, *types)
    assert row.infer is not None
    predicted = row.infer(*types[0], **types[1])
    assert isinstance(predicted, Type), predicted
    real = tuple(map(concrete, args)), {name: concrete(value) for name, value in kwargs.items()}
    before = copy.deepcopy(real)
    total = row.total is not None and row.total(*types[0], **types[1])
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            result = row.function(*real[0], **real[1])
        except Exception as error:
            assert not total, f"{op}{args} {kwargs} as {types}: said to be total, raised {error!r}"
            return None
    where = f"{op}{args!r} {kwargs!r} as {types}"
    assert admits(predicted, result, NAMED), f"{where}: said {predicted}, got {type_of(result)}: {result!r}"
    if exact:
        assert predicted == type_of(result), f"{where}: only said {predicted}, got {type_of(result)}"
    if not row.writes:
        assert same(before, real), f"{where}: changed an operand"
    if row.result == "fresh":
        for ours in arrays_in(result):
            for theirs in arrays_in(real):
                assert not np.shares_memory(ours, theirs), f"{where}: shares memory"
                assert ours is not theirs
    return result


def same(left: Any, right: Any) -> bool:
    """Whether two operands are equal bit for bit."""
    if isinstance(left, np.ndarray):
        return left.dtype == right.dtype and left.shape == right.shape and left.tobytes() == right.tobytes()
    if isinstance(left, (tuple, list)):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return left is right or repr(left) == repr(right)


def arrays_in(value: Any) -> list[np.ndarray]:
    """The arrays inside a value."""
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, (tuple, list)):
        return [array for each in value for array in arrays_in(each)]
    if isinstance(value, dict):
        return arrays_in(list(value.values()))
    return []


def any_array(rng: random.Random, shape: tuple[int, ...] | None = None, dtypes: Any = None) -> np.ndarray:
    """An array of small numbers."""
    if dtypes is None:
        dtypes = DTYPES if rng.random() < 0.85 else OTHER_DTYPES
    if shape is None:
        shape = tuple(rng.choice((1, 2, 3)) for _ in range(rng.choice((0, 1, 1, 2, 2, 3))))
    values = np.array([rng.choice((-2, -1, 0, 1, 1, 2, 3, 0.5)) for _ in range(int(np.prod(shape)))])
    with np.errstate(all="ignore"):
        return values.reshape(shape).astype(rng.choice(dtypes))


def any_number(rng: random.Random) -> Any:
    """A Python number, at times a constant, at times a big one."""
    value = rng.choice(
        (
            True,
            False,
            0,
            1,
            2,
            3,
            -1,
            300,
            10**30,
            10**400,
            0.5,
            2.0,
            -1.5,
            0.0,
            float("inf"),
            1e300,
            1j,
            2 + 1j,
        )
    )
    return Const(value) if rng.random() < 0.4 and not isinstance(value, bool) else value


def any_operand(rng: random.Random) -> Any:
    """An array, a NumPy scalar, a Python number or a sequence of numbers."""
    choice = rng.random()
    if choice < 0.45:
        return any_array(rng)
    if choice < 0.65:
        return any_array(rng, ())[()]
    if choice < 0.93:
        return any_number(rng)
    return rng.choice(
        ([1.0, 2.0], (1.0, 2.0), [1, 2], (1, 2), [], (), "a", None, [True], [[1.0], [2.0]], (1, 2.5))
    )


OTHER_DTYPES = [
    np.dtype(name) for name in (">f8", ">i4", "f8", "i4", "M8[s]", "m8[s]", "U3", "S2", "longdouble", "bool")
]
"""Byte orders, times and texts: types may say less about them, never anything wrong."""
