"""Functions and methods of arrays: what the table says of them is what happens."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ops.soundness import DTYPES, Const, any_array, any_number, any_operand, check

from autograph.runtime.ops import table
from autograph.runtime.types import FLOAT, INT, UNKNOWN, Array, Iterator, List, Scalar, Tuple

seeds = st.integers(0, 2**32)
C = Const


def axis(rng):
    """An axis: constant, unknown, several or none."""
    return rng.choice((C(None), C(0), C(-1), C(1), C((0, 1)), 0, 1, (0, 1)))


def maybe(rng, kwargs):
    """Some of the keywords."""
    return {name: make() for name, make in kwargs.items() if rng.random() < 0.4}


REDUCTIONS = [
    "sum",
    "prod",
    "mean",
    "std",
    "var",
    "max",
    "min",
    "any",
    "all",
    "argmax",
    "argmin",
    "ptp",
    "median",
    "nansum",
    "nanprod",
    "nanmean",
    "nanstd",
    "nanvar",
    "nanmax",
    "nanmin",
    "nanmedian",
    "nanargmax",
    "nanargmin",
    "count_nonzero",
]


@settings(max_examples=1200, deadline=None)
@given(seeds)
def test_reductions_do_what_their_rows_say(seed):
    """With axes, kept dimensions, dtypes and out arrays, as functions and as methods."""
    rng = random.Random(seed)
    name = rng.choice(REDUCTIONS)
    keywords = {"axis": lambda: axis(rng), "keepdims": lambda: C(True)}
    if name in ("sum", "prod", "mean", "nansum", "nanprod", "nanmean", "std", "var"):
        keywords["dtype"] = lambda: rng.choice((np.float32, "float64", int, bool))
    kwargs = maybe(rng, keywords)
    if name != "count_nonzero" and rng.random() < 0.1:
        kwargs["out"] = any_array(rng)
    operand = any_operand(rng) if rng.random() < 0.4 else any_array(rng)
    forget = rng if rng.random() < 0.5 else None
    method = table.find_method(name)
    if method is not None and isinstance(operand, np.ndarray | np.generic) and rng.random() < 0.5:
        check(method, (operand,), kwargs, rng=forget)
    else:
        check(table.find_call(getattr(np, name)), (operand,), kwargs, rng=forget)


@settings(max_examples=600, deadline=None)
@given(seeds)
def test_scans_and_quantiles_do_what_their_rows_say(seed):
    """cumsum, cumprod, percentile and quantile."""
    rng = random.Random(seed)
    name = rng.choice(
        ("cumsum", "cumprod", "nancumsum", "nancumprod", "percentile", "quantile", "nanpercentile")
    )
    kwargs = maybe(rng, {"axis": lambda: axis(rng)})
    args = (any_operand(rng),)
    if "cum" in name:
        kwargs |= maybe(rng, {"dtype": lambda: rng.choice((np.float32, "float64", int))})
    else:
        args += (
            rng.choice(
                (0.5, 1, C(0.25), C(1), [0.5, 0.25], np.array([0.5]), C((0.5, 0.75)), np.float32(0.5))
            ),
        )
        kwargs |= maybe(rng, {"keepdims": lambda: C(True)})
    check(table.find_call(getattr(np, name)), args, kwargs, rng=rng if rng.random() < 0.5 else None)


def shape(rng):
    """A shape: constant, partly unknown, or one number."""
    return rng.choice((C(3), C((2, 3)), (2, C(3)), 2, (1, 2), C(()), C((0,)), C((2, 0, 1))))


def dtype(rng):
    """A dtype argument."""
    return rng.choice((np.float32, "int64", float, bool, np.dtype("complex64"), int, None))


CREATION = {
    "zeros": lambda r: ((shape(r),), {"dtype": lambda: dtype(r)}),
    "ones": lambda r: ((shape(r),), {"dtype": lambda: dtype(r)}),
    "full": lambda r: ((shape(r), any_operand(r)), {"dtype": lambda: dtype(r)}),
    "zeros_like": lambda r: ((any_operand(r),), {"dtype": lambda: dtype(r), "shape": lambda: shape(r)}),
    "ones_like": lambda r: ((any_operand(r),), {"dtype": lambda: dtype(r)}),
    "full_like": lambda r: ((any_operand(r), any_number(r)), {"dtype": lambda: dtype(r)}),
    "arange": lambda r: (
        tuple(
            r.choice((C(1), C(5), C(0), C(-2), 3, 1.5, C(2.0), np.int64(4), np.float32(3)))
            for _ in range(r.choice((1, 1, 2, 3)))
        ),
        {"dtype": lambda: dtype(r)},
    ),
    "linspace": lambda r: (
        (any_operand(r), any_operand(r), r.choice((C(3), 4))),
        {"dtype": lambda: dtype(r), "endpoint": lambda: C(False)},
    ),
    "logspace": lambda r: ((C(0), 1.5, r.choice((C(3), 4))), {"dtype": lambda: dtype(r), "base": lambda: 2}),
    "geomspace": lambda r: ((C(1), r.choice((1.5, C(2), np.float32(3))), C(3)), {}),
    "eye": lambda r: (
        (r.choice((C(3), 2)),),
        {"M": lambda: r.choice((C(2), 4)), "k": lambda: 1, "dtype": lambda: dtype(r)},
    ),
    "identity": lambda r: ((r.choice((C(3), 2)),), {"dtype": lambda: dtype(r)}),
    "tri": lambda r: ((r.choice((C(3), 2)),), {"M": lambda: C(2)}),
    "indices": lambda r: ((r.choice((C((2, 3)), (2, C(3)))),), {"dtype": lambda: np.float32}),
    "hanning": lambda r: ((r.choice((C(3), 2)),), {}),
    "array": lambda r: ((any_operand(r),), {"dtype": lambda: dtype(r), "copy": lambda: C(None)}),
    "asarray": lambda r: ((any_operand(r),), {"dtype": lambda: dtype(r)}),
    "ascontiguousarray": lambda r: ((any_operand(r),), {"dtype": lambda: dtype(r)}),
    "copy": lambda r: ((any_operand(r),), {}),
}


@settings(max_examples=1000, deadline=None)
@given(seeds)
def test_creation_does_what_its_rows_say(seed):
    """Constant and unknown sizes, dtypes, and values of every kind."""
    rng = random.Random(seed)
    name = rng.choice(list(CREATION))
    args, keywords = CREATION[name](rng)
    check(
        table.find_call(getattr(np, name)),
        args,
        maybe(rng, keywords),
        rng=rng if rng.random() < 0.4 else None,
    )


def ax(r):
    """One axis."""
    return r.choice((C(0), C(-1), C(1), 0))


SHAPING = {
    "reshape": lambda r: (
        (any_array(r), r.choice((C(-1), C((2, -1)), (C(-1), 2), C((3, 2)), (2, 3), C((1, 1)), 6))),
        {},
    ),
    "ravel": lambda r: ((any_operand(r),), {}),
    "transpose": lambda r: ((any_array(r),), {"axes": lambda: r.choice((C((1, 0)), C((0, 2, 1)), C(None)))}),
    "swapaxes": lambda r: ((any_array(r), ax(r), ax(r)), {}),
    "moveaxis": lambda r: ((any_array(r), r.choice((C(0), C((0, 1)))), r.choice((C(-1), C((1, 0))))), {}),
    "expand_dims": lambda r: ((any_operand(r), r.choice((C(0), C(-1), C((0, 1))))), {}),
    "squeeze": lambda r: ((any_operand(r),), {"axis": lambda: ax(r)}),
    "flip": lambda r: ((any_array(r),), {"axis": lambda: axis(r)}),
    "roll": lambda r: ((any_array(r), r.choice((C(1), 2))), {"axis": lambda: axis(r)}),
    "rot90": lambda r: ((any_array(r),), {"k": lambda: C(r.choice((1, 2, 3)))}),
    "atleast_1d": lambda r: ((any_operand(r),), {}),
    "atleast_2d": lambda r: ((any_operand(r),), {}),
    "atleast_3d": lambda r: ((any_operand(r),), {}),
    "broadcast_to": lambda r: ((any_operand(r), shape(r)), {}),
    "broadcast_arrays": lambda r: ((any_array(r), any_array(r)), {}),
    "diagonal": lambda r: (
        (any_array(r),),
        {"offset": lambda: r.choice((C(1), C(-2), 1)), "axis1": lambda: C(1), "axis2": lambda: C(0)},
    ),
    "diag": lambda r: ((any_array(r),), {"k": lambda: r.choice((C(1), C(-2), 1))}),
    "diagflat": lambda r: ((any_array(r),), {"k": lambda: C(-1)}),
    "tril": lambda r: ((any_array(r),), {"k": lambda: C(-1)}),
    "triu": lambda r: ((any_array(r),), {"k": lambda: C(-1)}),
    "repeat": lambda r: ((any_operand(r), r.choice((C(2), 2, [1, 2]))), {"axis": lambda: axis(r)}),
    "tile": lambda r: ((any_operand(r), r.choice((C(2), 2, C((2, 1)), (1, 2, C(1))))), {}),
    "pad": lambda r: ((any_array(r), r.choice((C(1), C(((1, 2),)), 1, C(0)))), {}),
    "append": lambda r: ((any_array(r), any_operand(r)), {"axis": lambda: axis(r)}),
    "concatenate": lambda r: (((any_array(r), any_array(r)),), {"axis": lambda: axis(r)}),
    "stack": lambda r: (
        (r.choice((tuple([any_array(r)] * 2), tuple(any_array(r, (2,)) for _ in range(3)))),),
        {"axis": lambda: ax(r)},
    ),
    "vstack": lambda r: (((any_array(r), any_array(r)),), {}),
    "hstack": lambda r: (((any_array(r), any_array(r)),), {"dtype": lambda: np.complex128}),
    "dstack": lambda r: (((any_array(r), any_array(r)),), {}),
    "column_stack": lambda r: (((any_array(r), any_array(r)),), {}),
    "split": lambda r: ((any_array(r), r.choice((C(2), C(1), 3, C([1]), C(3)))), {"axis": lambda: ax(r)}),
    "array_split": lambda r: ((any_array(r), r.choice((C(2), 3))), {"axis": lambda: ax(r)}),
    "hsplit": lambda r: ((any_array(r), r.choice((C(2), C(1), 3))), {}),
    "vsplit": lambda r: ((any_array(r), r.choice((C(2), C(1), 3))), {}),
    "meshgrid": lambda r: (
        (any_array(r), any_array(r, (2,)), any_array(r, (3,)))[: r.choice((1, 2, 3))],
        {"indexing": lambda: C("ij"), "sparse": lambda: C(True)},
    ),
    "shape": lambda r: ((any_operand(r),), {}),
    "matrix_transpose": lambda r: ((any_array(r),), {}),
}

SELECTION = {
    "where": lambda r: ((any_operand(r), any_operand(r), any_operand(r)), {}),
    "nonzero": lambda r: ((any_operand(r),), {}),
    "flatnonzero": lambda r: ((any_operand(r),), {}),
    "argwhere": lambda r: ((any_operand(r),), {}),
    "clip": lambda r: ((any_operand(r), any_operand(r), any_operand(r)), {"out": lambda: any_array(r)}),
    "take": lambda r: (
        (any_operand(r), r.choice((0, C(0), np.array([0, 1]), [0], C([0, 0]), np.int64(0), C(())))),
        {"axis": lambda: axis(r)},
    ),
    "sort": lambda r: ((any_operand(r),), {"axis": lambda: axis(r)}),
    "argsort": lambda r: ((any_operand(r),), {"axis": lambda: axis(r)}),
    "partition": lambda r: ((any_array(r), C(0)), {"axis": lambda: axis(r)}),
    "argpartition": lambda r: ((any_array(r), C(0)), {"axis": lambda: axis(r)}),
    "searchsorted": lambda r: ((any_array(r, (3,)), any_operand(r)), {}),
    "digitize": lambda r: ((any_operand(r), np.array([0.0, 1.0])), {}),
    "unique": lambda r: ((any_operand(r),), {"axis": lambda: axis(r), "return_counts": lambda: C(True)}),
    "isin": lambda r: ((any_operand(r), any_operand(r)), {}),
    "bincount": lambda r: ((r.choice((np.array([1, 2]), [1, 2])),), {"weights": lambda: np.array([1, 2])}),
    "diff": lambda r: ((any_array(r),), {"n": lambda: r.choice((C(2), C(1), 1)), "axis": lambda: ax(r)}),
    "interp": lambda r: ((any_operand(r), np.array([0.0, 1.0]), any_array(r, (2,))), {}),
    "take_along_axis": lambda r: ((any_array(r), np.array([[0]])), {"axis": lambda: ax(r)}),
    "select": lambda r: (((any_array(r, (2,), [np.dtype(bool)]),), (any_array(r),)), {}),
}


@settings(max_examples=1500, deadline=None)
@given(seeds)
def test_shaping_does_what_its_rows_say(seed):
    """Views and joins, with axes known and unknown."""
    rng = random.Random(seed)
    name = rng.choice(list(SHAPING))
    args, keywords = SHAPING[name](rng)
    check(
        table.find_call(getattr(np, name)),
        args,
        maybe(rng, keywords),
        rng=rng if rng.random() < 0.5 else None,
    )


@settings(max_examples=1200, deadline=None)
@given(seeds)
def test_selection_does_what_its_rows_say(seed):
    """Searching, sorting, clipping and choosing."""
    rng = random.Random(seed)
    name = rng.choice(list(SELECTION))
    args, keywords = SELECTION[name](rng)
    check(
        table.find_call(getattr(np, name)),
        args,
        maybe(rng, keywords),
        rng=rng if rng.random() < 0.5 else None,
    )


def square(r):
    """A regular matrix, or a stack of them."""
    lead = r.choice(((), (), (2,), (1, 2)))
    return (any_array(r, (*lead, 2, 2), DTYPES) + np.eye(2) * 9).astype(
        r.choice((np.float64, np.float32, np.complex64, int))
    )


LINEAR = {
    "inv": lambda r: ((square(r),), {}),
    "cholesky": lambda r: ((np.eye(3, dtype=r.choice(("f4", "f8", "i8", "c8"))),), {}),
    "solve": lambda r: ((square(r), r.choice((any_array(r, (2,)), any_array(r, (2, 3)), square(r)))), {}),
    "det": lambda r: ((square(r),), {}),
    "eigvals": lambda r: ((square(r),), {}),
    "eigvalsh": lambda r: ((square(r),), {}),
    "svd": lambda r: ((any_array(r),), {"compute_uv": lambda: C(False)}),
    "svdvals": lambda r: ((any_array(r),), {}),
    "pinv": lambda r: ((any_array(r),), {}),
    "matrix_power": lambda r: ((square(r), r.choice((C(2), C(0), C(-1), 3, C(1)))), {}),
    "norm": lambda r: (
        (any_operand(r),),
        {
            "ord": lambda: r.choice((C(1), C(2), "fro", C(np.inf), C(0), 2)),
            "axis": lambda: axis(r),
            "keepdims": lambda: C(True),
        },
    ),
    "lstsq": lambda r: ((any_array(r, (3, 2)), r.choice((any_array(r, (3,)), any_array(r, (3, 2))))), {}),
    "multi_dot": lambda r: (((any_array(r, (2,)), any_array(r, (2, 3)), any_array(r, (3, 1))),), {}),
    "trace": lambda r: ((any_array(r),), {"offset": lambda: C(1)}),
    "diagonal": lambda r: ((any_array(r),), {"offset": lambda: C(1)}),
    "matrix_transpose": lambda r: ((any_array(r),), {}),
    "outer": lambda r: ((any_array(r, (2,)), any_array(r, (3,))), {}),
    "matmul": lambda r: ((any_array(r), any_array(r)), {}),
}
PRODUCTS = {
    "dot": lambda r: ((any_operand(r), any_operand(r)), {}),
    "inner": lambda r: ((any_operand(r), any_operand(r)), {}),
    "outer": lambda r: ((any_operand(r), any_operand(r)), {"out": lambda: any_array(r)}),
    "vdot": lambda r: ((any_operand(r), any_operand(r)), {}),
    "tensordot": lambda r: (
        (any_array(r), any_array(r)),
        {"axes": lambda: r.choice((C(1), C(0), 1, C(((0,), (0,))), C((0, -1))))},
    ),
    "kron": lambda r: ((any_operand(r), any_operand(r)), {}),
    "trace": lambda r: ((any_array(r),), {"offset": lambda: 1, "dtype": lambda: np.float32}),
    "einsum": lambda r: r.choice(
        (
            (("ij,jk", any_array(r, (2, 3)), any_array(r, (3, 2))), {}),
            (("ii", any_array(r, (2, 2))), {}),
            (("ii->i", any_array(r, (2, 2))), {}),
            (("ij->ji", any_array(r, (2, 3))), {}),
            (("i,i->", any_array(r, (3,)), any_array(r, (3,))), {}),
            (("i,i->i", any_array(r, (1,)), any_array(r, (3,))), {}),
            (("ij,j->i", any_array(r), any_array(r)), {}),
            (("...i,i", any_array(r), any_array(r)), {}),
        )
    ),
    "matmul": lambda r: ((any_operand(r), any_operand(r)), {}),
    "vecdot": lambda r: ((any_array(r), any_array(r)), {}),
    "cross": lambda r: ((any_array(r), any_array(r)), {}),
    "isclose": lambda r: ((any_operand(r), any_operand(r)), {}),
    "allclose": lambda r: ((any_operand(r), any_operand(r)), {}),
    "array_equal": lambda r: ((any_operand(r), any_operand(r)), {}),
    "round": lambda r: ((any_operand(r),), {"decimals": lambda: C(1)}),
    "sinc": lambda r: ((any_operand(r),), {}),
    "unwrap": lambda r: ((any_operand(r),), {}),
    "isreal": lambda r: ((any_operand(r),), {}),
    "nan_to_num": lambda r: ((any_operand(r),), {"copy": lambda: C(False)}),
    "average": lambda r: ((any_operand(r),), {"axis": lambda: axis(r), "keepdims": lambda: C(True)}),
    "histogram": lambda r: (
        (any_array(r),),
        {"bins": lambda: r.choice((C(3), 4)), "density": lambda: C(True)},
    ),
    "trapezoid": lambda r: ((any_operand(r),), {"dx": lambda: 0.5, "axis": lambda: ax(r)}),
    "convolve": lambda r: ((any_array(r), any_array(r)), {"mode": lambda: r.choice(("same", "valid"))}),
    "gradient": lambda r: ((any_array(r),), {"axis": lambda: ax(r)}),
    "polyval": lambda r: ((any_operand(r), any_operand(r)), {}),
    "polyfit": lambda r: ((np.arange(4.0), any_array(r, (4,)), r.choice((C(1), 2))), {}),
    "float32": lambda r: ((any_operand(r),), {}),
    "int64": lambda r: ((any_operand(r),), {}),
    "bool_": lambda r: ((any_operand(r),), {}),
}


@settings(max_examples=800, deadline=None)
@given(seeds)
def test_linear_algebra_does_what_its_rows_say(seed):
    """np.linalg on matrices and stacks of them."""
    rng = random.Random(seed)
    name = rng.choice(list(LINEAR))
    args, keywords = LINEAR[name](rng)
    check(
        table.find_call(getattr(np.linalg, name)),
        args,
        maybe(rng, keywords),
        rng=rng if rng.random() < 0.5 else None,
    )


@settings(max_examples=1200, deadline=None)
@given(seeds)
def test_products_and_numerics_do_what_their_rows_say(seed):
    """Products of arrays, statistics, signals and polynomials."""
    rng = random.Random(seed)
    name = rng.choice(list(PRODUCTS))
    args, keywords = PRODUCTS[name](rng)
    check(
        table.find_call(getattr(np, name)),
        args,
        maybe(rng, keywords),
        rng=rng if rng.random() < 0.5 else None,
    )


METHODS = {
    "reshape": lambda r: (r.choice(((C(-1),), (C(2), C(-1)), (C((3, 2)),), (3, C(2)), (C(-1), 2))), {}),
    "ravel": lambda r: ((), {}),
    "flatten": lambda r: ((), {}),
    "transpose": lambda r: (r.choice(((), (C(1), C(0)), (C((1, 0)),))), {}),
    "swapaxes": lambda r: ((ax(r), ax(r)), {}),
    "squeeze": lambda r: ((), {"axis": lambda: ax(r)}),
    "diagonal": lambda r: ((), {}),
    "view": lambda r: (r.choice(((), (np.int64,), (np.int8,), (np.float32,))), {}),
    "conj": lambda r: ((), {}),
    "copy": lambda r: ((), {}),
    "astype": lambda r: ((r.choice((np.float32, int, "complex128", bool)),), {"copy": lambda: C(False)}),
    "item": lambda r: ((), {}),
    "tolist": lambda r: ((), {}),
    "round": lambda r: ((), {"decimals": lambda: r.choice((C(1), 2))}),
    "clip": lambda r: ((any_number(r), any_number(r)), {}),
    "repeat": lambda r: ((C(2),), {"axis": lambda: axis(r)}),
    "take": lambda r: ((r.choice((C(0), 0, np.array([0]))),), {"axis": lambda: axis(r)}),
    "dot": lambda r: ((any_operand(r),), {}),
    "nonzero": lambda r: ((), {}),
    "argsort": lambda r: ((), {"axis": lambda: axis(r)}),
    "searchsorted": lambda r: ((any_number(r),), {}),
    "sort": lambda r: ((), {"axis": lambda: ax(r)}),
    "fill": lambda r: ((any_number(r),), {}),
    "trace": lambda r: ((), {"offset": lambda: 1}),
    "byteswap": lambda r: ((), {"inplace": lambda: C(True)}),
    "cumsum": lambda r: ((), {"axis": lambda: axis(r)}),
    "tobytes": lambda r: ((), {}),
}


@settings(max_examples=1200, deadline=None)
@given(seeds)
def test_methods_do_what_their_rows_say(seed):
    """Methods of arrays and of NumPy scalars."""
    rng = random.Random(seed)
    name = rng.choice(list(METHODS))
    args, keywords = METHODS[name](rng)
    # numbers only: byteswapped text has no repr
    operand = any_array(rng, None, DTYPES) if rng.random() < 0.8 else any_array(rng, (), DTYPES)[()]
    check(
        table.find_method(name),
        (operand, *args),
        maybe(rng, keywords),
        rng=rng if rng.random() < 0.4 else None,
    )


@settings(max_examples=400, deadline=None)
@given(seeds)
def test_attributes_do_what_their_rows_say(seed):
    """shape, T, real, flat and the others."""
    rng = random.Random(seed)
    name = rng.choice(
        (
            "shape",
            "ndim",
            "size",
            "dtype",
            "T",
            "mT",
            "real",
            "imag",
            "flat",
            "itemsize",
            "nbytes",
            "base",
            "strides",
            "flags",
        )
    )
    operand = any_array(rng) if rng.random() < 0.7 else any_array(rng, ())[()]
    check(table.find_attribute(name), (operand,), rng=rng if rng.random() < 0.5 else None)


def index(r):
    """One place of an index."""
    return r.choice(
        (
            C(0),
            C(-1),
            1,
            0,
            C(None),
            C(...),
            C(slice(None)),
            C(slice(1, None)),
            C(slice(None, None, -1)),
            slice(C(0), 1),
            C(slice(None, -1, 2)),
            np.int64(0),
            np.array(0),
            np.array([0, 1]),
            np.array([[0], [1]]),
            C([0, 1]),
            C([0]),
            C(True),
            True,
            np.bool_(False),
            np.array([True, False]),
            C([True, False]),
            any_array(r, dtypes=[np.dtype(bool)]),
            [0, 1],
            slice(0, 1, 1),
            C(5),
        )
    )


@settings(max_examples=2500, deadline=None)
@given(seeds)
def test_indexing_does_what_its_row_says(seed):
    """Basic and advanced indices of every kind, alone and in tuples, on arrays and NumPy scalars."""
    rng = random.Random(seed)
    container = any_array(rng) if rng.random() < 0.95 else any_array(rng, ())[()]
    place = (
        index(rng) if rng.random() < 0.4 else tuple(index(rng) for _ in range(rng.choice((0, 1, 2, 2, 3))))
    )
    check(table.get("get_item"), (container, place), rng=rng if rng.random() < 0.4 else None)


@settings(max_examples=400, deadline=None)
@given(seeds)
def test_containers_do_what_their_rows_say(seed):
    """Indexing, slicing and the methods of lists, tuples, texts and dicts."""
    rng = random.Random(seed)
    container = rng.choice(
        ([1.0, 2.0, 3.0], (1, 2.0, "a"), "text", {"a": 1, 0: 2}, [any_array(rng)], range(5), [[1], [2]])
    )
    choice = rng.random()
    if choice < 0.4:
        check(
            table.get("get_item"),
            (container, rng.choice((0, C(0), C(1), C(slice(1, None)), C("a"), C(-1), True))),
        )
    elif type(container) is list:
        name = rng.choice(
            (
                "append",
                "extend",
                "insert",
                "pop",
                "remove",
                "clear",
                "sort",
                "reverse",
                "index",
                "count",
                "copy",
            )
        )
        args = {
            "append": (1,),
            "extend": ([1],),
            "insert": (0, 1),
            "remove": (1.0,),
            "index": (1.0,),
            "count": (1.0,),
        }.get(name, ())
        check(table.find_method(name, list), (container, *args))
    elif type(container) is dict:
        name = rng.choice(("get", "pop", "keys", "values", "items", "copy", "setdefault"))
        args = {"get": ("a", 1.0), "pop": ("a",), "setdefault": ("b", "x")}.get(name, ())
        check(table.find_method(name, dict), (container, *args))
    else:
        check(
            table.get(rng.choice(("len", "list", "tuple", "enumerate", "max", "sorted", "reversed"))),
            (container,),
        )


F8, I8 = np.dtype(float), np.dtype("i8")
M = Array(F8, ("n", "m"))


@pytest.mark.parametrize(
    ("op", "args", "kwargs", "result"),
    [
        (np.sum, (M,), {}, Scalar(F8)),
        (np.sum, (M, 0), {}, Array(F8, ("m",))),
        (np.mean, (Array(np.dtype("i4"), (3, 4)),), {"axis": 1, "keepdims": True}, Array(F8, (3, 1))),
        (np.argmin, (M,), {"axis": 1}, Array(I8, ("n",))),
        (np.sum, (Array(F8, None),), {}, Scalar(F8)),
        (np.zeros, (3,), {}, Array(F8, (3,))),
        (np.zeros, ((INT, 2),), {}, Array(F8, (None, 2))),
        (np.zeros_like, (M,), {}, M),
        (np.arange, (5,), {}, Array(I8, (5,))),
        (np.linspace, (0, 1, 11), {}, Array(F8, (11,))),
        (np.array, ([1.0, 2.0],), {}, Array(F8, (2,))),
        (np.array, ((FLOAT, FLOAT),), {}, Array(F8, (2,))),
        (np.reshape, (Array(F8, (4, 6)), (3, -1)), {}, Array(F8, (3, 8))),
        (np.concatenate, ((M, M),), {"axis": 1}, Array(F8, ("n", None))),
        (np.stack, ((Array(F8, ("n",)),) * 2,), {}, Array(F8, (2, "n"))),
        (np.where, (Array(np.dtype(bool), ("n",)), Array(F8, ("n",)), 0.0), {}, Array(F8, ("n",))),
        (np.clip, (M, 0, 1), {}, M),
        (np.dot, (M, Array(F8, ("m",))), {}, Array(F8, ("n",))),
        (np.sort, (M,), {}, M),
        (len, (M,), {}, INT),
        (sum, (Array(F8, (3,)),), {}, Scalar(F8)),
        (enumerate, (Array(F8, ("n",)),), {}, Iterator(Tuple((INT, Scalar(F8))))),
        (range, (INT,), {}, Iterator(INT)),
        (list, (Array(F8, ("n",)),), {}, List(Scalar(F8))),
        (sum, (List(FLOAT),), {}, UNKNOWN),
    ],
)
def test_common_functions_are_known_exactly(op, args, kwargs, result):
    """The types that a numerical program is full of."""
    assert str(table.find_call(op).infer(*args, **kwargs)) == str(
        result
    )  # as objects, unknown dtypes equal float64


@pytest.mark.parametrize(
    ("container", "place", "result"),
    [
        (M, 0, Array(F8, ("m",))),
        (M, INT, Array(F8, ("m",))),
        (M, (INT, INT), Scalar(F8)),
        (M, (slice(None), 0), Array(F8, ("n",))),
        (M, (slice(None), None), Array(F8, ("n", 1, "m"))),
        (M, slice(1, None), Array(F8, (None, "m"))),
        (Array(F8, (5,)), slice(1, None), Array(F8, (4,))),
        (M, Array(np.dtype(bool), ("n",)), Array(F8, (None, "m"))),
        (M, Array(I8, (4,)), Array(F8, (4, "m"))),
        (Array(F8, ("n",)), Scalar(I8), Scalar(F8)),
        (List(FLOAT), INT, FLOAT),
        (Tuple((INT, FLOAT)), 1, FLOAT),
    ],
)
def test_common_indices_are_known_exactly(container, place, result):
    """Rows, elements, columns, slices, masks and index arrays."""
    assert str(table.get("get_item").infer(container, place)) == str(result)
