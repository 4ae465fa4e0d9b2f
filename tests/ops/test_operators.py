"""Operators and ufuncs: what the table says of them is what happens."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ops.soundness import Const, any_array, any_operand, check

from autograph.runtime.ops import table, ufuncs
from autograph.runtime.types import BOOL, FLOAT, INT, Array, Python, Scalar

BINARY = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "floor_divide",
    "remainder",
    "power",
    "matmul",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "left_shift",
    "right_shift",
    "less",
    "less_equal",
    "equal",
    "not_equal",
    "greater",
    "greater_equal",
    "divmod",
]
UNARY = [
    "negative",
    "positive",
    "invert",
    "absolute",
    "not",
    "truth",
    "int",
    "float",
    "complex",
    "bool",
    "str",
    "abs",
    "round",
    "len",
    "sum",
    "max",
    "min",
    "any",
    "all",
    "sorted",
    "list",
    "tuple",
    "enumerate",
    "reversed",
    "iter",
    "repr",
    "hash",
]
seeds = st.integers(0, 2**32)


def too_big(*operands):
    """Whether the run would take forever: a power or shift of, or by, a huge int."""
    values = [each.value if isinstance(each, Const) else each for each in operands]
    return any(isinstance(each, int) and abs(each) > 1000 for each in values)


@settings(max_examples=1500, deadline=None)
@given(seeds)
def test_binary_operators_do_what_their_rows_say(seed):
    """Type, total, writes and freshness hold for random operands, with types partly forgotten."""
    rng = random.Random(seed)
    name = rng.choice(BINARY)
    left, right = any_operand(rng), any_operand(rng)
    if name in ("power", "left_shift", "multiply") and too_big(left, right):
        return
    check(table.get(name), (left, right), rng=rng if rng.random() < 0.5 else None)


@settings(max_examples=600, deadline=None)
@given(seeds)
def test_augmented_assignments_do_what_their_rows_say(seed):
    """The result has the type that the rule gives, whether the target is changed or replaced."""
    rng = random.Random(seed)
    name = rng.choice([each for each in BINARY[:13] if each != "divmod"])
    left, right = any_operand(rng), any_operand(rng)
    if name in ("power", "left_shift", "multiply") and too_big(left, right):
        return
    check(table.get("inplace_" + name), (left, right), rng=rng if rng.random() < 0.5 else None)


@settings(max_examples=800, deadline=None)
@given(seeds)
def test_unary_operators_and_conversions_do_what_their_rows_say(seed):
    """As for binary operators."""
    rng = random.Random(seed)
    check(table.get(rng.choice(UNARY)), (any_operand(rng),), rng=rng if rng.random() < 0.5 else None)


@settings(max_examples=2500, deadline=None)
@given(seeds)
def test_ufuncs_do_what_their_rows_say(seed):
    """Every ufunc of NumPy, with and without keywords."""
    rng = random.Random(seed)
    ufunc = rng.choice(sorted(ufuncs.NAMES, key=ufuncs.NAMES.get))
    args = tuple(any_operand(rng) for _ in range(ufunc.nin))
    if too_big(*args) and ufunc in (np.power, np.left_shift):
        return
    kwargs = {}
    keywords = (
        ufunc.__name__ not in ufuncs.COMPARISONS
    )  # NumPy 2.4 crashes on np.less(np.uint8(1), 300, where=True)
    if keywords and rng.random() < 0.2:
        kwargs["where"] = rng.choice((True, any_array(rng, dtypes=[np.dtype(bool)])))
    if keywords and rng.random() < 0.2:
        kwargs["dtype"] = rng.choice((np.float32, np.dtype("int64"), float, "complex128", bool))
    if keywords and rng.random() < 0.2:
        kwargs["out"] = any_array(rng) if ufunc.nout == 1 else (any_array(rng),) * ufunc.nout
    check(table.find_call(ufunc), args, kwargs, rng=rng if rng.random() < 0.5 else None)


@settings(max_examples=800, deadline=None)
@given(seeds)
def test_ufunc_methods_do_what_their_rows_say(seed):
    """reduce, accumulate, reduceat, outer and at."""
    rng = random.Random(seed)
    ufunc = rng.choice(
        [
            u
            for u in sorted(ufuncs.NAMES, key=ufuncs.NAMES.get)
            if u.nin == 2 and u.nout == 1 and u.signature is None
        ]
    )
    which = rng.choice(("reduce", "accumulate", "reduceat", "outer", "at"))
    op = table.find_call(getattr(ufunc, which))
    array = any_array(rng)
    kwargs = {}
    if which in ("reduce", "accumulate", "reduceat") and rng.random() < 0.6:
        kwargs["axis"] = Const(rng.choice((0, 1, -1, None)))
    if which == "reduce" and rng.random() < 0.3:
        kwargs["keepdims"] = Const(True)
    args = {
        "reduce": (array,),
        "accumulate": (array,),
        "reduceat": (array, np.array([0])),
        "outer": (array, any_operand(rng)),
        "at": (array, np.array([0]), 1),
    }[which]
    if too_big(*args) and ufunc in (np.power, np.left_shift):
        return
    check(op, args, kwargs, rng=rng if rng.random() < 0.4 else None)


F8, F4, I8 = np.dtype(float), np.dtype("f4"), np.dtype("i8")


@pytest.mark.parametrize(
    ("name", "operands", "result"),
    [
        ("add", (INT, INT), INT),
        ("add", (BOOL, BOOL), INT),
        ("divide", (INT, INT), FLOAT),
        ("power", (INT, 2), INT),
        ("power", (FLOAT, 2), FLOAT),
        ("power", (2.0, INT), FLOAT),
        ("multiply", (3, INT), INT),
        ("floor_divide", (INT, 2), INT),
        ("remainder", (INT, 2), INT),
        ("equal", (INT, FLOAT), BOOL),
        ("add", (Array(F4, (3,)), 1.5), Array(F4, (3,))),
        ("add", (Array(F4, ("n",)), Scalar(F8)), Array(F8, ("n",))),
        ("add", (Array(F8, ("n", 1)), Array(F8, ("m",))), Array(F8, ("n", "m"))),
        ("less", (Array(F8, ()), 0), Scalar(np.dtype(bool))),
        ("less", (Scalar(I8), INT), Scalar(np.dtype(bool))),
        ("multiply", (Scalar(I8), FLOAT), Scalar(F8)),
        ("matmul", (Array(F8, ("n", "k")), Array(F8, ("k", 3))), Array(F8, ("n", 3))),
        ("matmul", (Array(F8, (4,)), Array(F8, (4,))), Scalar(F8)),
        ("negative", (BOOL,), INT),
        ("absolute", (Python(complex),), FLOAT),
        ("inplace_add", (Array(F4, ("n",)), FLOAT), Array(F4, ("n",))),
        ("inplace_add", (INT, FLOAT), FLOAT),
    ],
)
def test_common_operators_are_known_exactly(name, operands, result):
    """The types that a numerical program is full of."""
    found = table.get(name).infer(*operands)
    assert str(found) == str(result)  # as objects, unknown dtypes equal float64 ones


@pytest.mark.parametrize(
    ("name", "operands"),
    [
        ("add", (INT, INT)),
        ("multiply", (FLOAT, 2)),
        ("less", (INT, FLOAT)),
        ("floor_divide", (INT, 2)),
        ("add", (Array(F8, ("n",)), Array(F8, ("n",)))),
        ("multiply", (Array(F8, (3, "n")), 2)),
        ("divide", (Array(F8, ("n",)), Scalar(F8))),
        ("negative", (Array(F8, (3,)),)),
    ],
)
def test_common_arithmetic_is_known_never_to_raise(name, operands):
    """Dead code may go, and order is free, only where an op is total."""
    assert table.get(name).total(*operands)


def test_an_out_argument_selects_the_row_that_writes():
    """np.add(a, b, out=c) changes c and hands it back; np.add(a, b) changes nothing."""
    op, array = table.find_call(np.add), Array(F8, (3,))
    assert table.resolve(op, (array, array), {}) is op
    assert op.writes == ()
    assert table.resolve(op, (array, array), {"out": array}).writes == ("out",)
    assert table.resolve(op, (array, array, array), {}).writes == (2,)
    assert table.resolve(op, (array, array, array), {}).result == "alias"
