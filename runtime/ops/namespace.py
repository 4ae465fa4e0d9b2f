"""The rows of all that is left of NumPy: nothing is known of their types, but what they touch is.

Most functions only read their arguments.  Those that take functions may run anything, those of files and
settings touch the outside, and a few change an argument.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph import Op
from ..types import Array, Type
from . import table
from .operators import choose_foreign
from .rules import FLOAT_DTYPE, Unclear, as_array, normal_axis, rule, unknown
from .ufuncs import in_place

CALL_FUNCTIONS = (
    "apply_along_axis",
    "apply_over_axes",
    "fromfunction",
    "piecewise",
    "frompyfunc",
    "mask_indices",
    "fromiter",
    "nested_iters",
)
"""Functions that run code they are given."""

OUTSIDE = (
    "save",
    "savetxt",
    "savez",
    "savez_compressed",
    "load",
    "loadtxt",
    "genfromtxt",
    "fromfile",
    "fromregex",
    "seterr",
    "geterr",
    "seterrcall",
    "geterrcall",
    "setbufsize",
    "getbufsize",
    "set_printoptions",
    "get_printoptions",
    "printoptions",
    "array2string",
    "array_repr",
    "array_str",
    "info",
    "show_config",
    "show_runtime",
    "test",
    "get_include",
    "get_array_wrap",
    "from_dlpack",
    "frombuffer",
)
"""Functions that read or change files, settings, or memory that is not an array's."""

STATIC = (
    np.dtype,
    np.finfo,
    np.iinfo,
    np.promote_types,
    np.issubdtype,
    np.isdtype,
    np.can_cast,
    np.min_scalar_type,
    np.broadcast_shapes,
    np.iterable,
    np.isscalar,
)
"""Functions that may run while tracing when all that they are given is constant."""

OUT = {"fix": 1, "isneginf": 1, "isposinf": 1, "is_busday": 4, "busday_count": 5, "busday_offset": 6}
"""Functions with ``out`` at this place; the others take it by keyword only, where they have it."""


def pure_unknown(function: Callable[..., Any], symbol: str) -> Op:
    """A row that reads its arguments, may hand them back, and touches nothing else."""
    return in_place(
        table.call(function, symbol, infer=unknown, result="alias"), OUT.get(function.__name__, 99)
    )


def _add_namespace() -> None:
    for name, function in vars(np).items():
        if (
            name.startswith("_")
            or not callable(function)
            or isinstance(function, (type, np.ufunc))
            or table.find_call(function) is not None
        ):
            continue
        symbol = f"np.{getattr(function, '__name__', name)}"
        if name in CALL_FUNCTIONS:
            table.call(
                function, symbol, infer=unknown, writes=("*",), stores=True, result="alias", region="outside"
            )
        elif name in OUTSIDE:
            table.call(function, symbol, infer=unknown, result="alias", region="outside")
        else:
            pure_unknown(function, symbol)


_add_namespace()

for _cls in (np.ndenumerate, np.ndindex, np.broadcast, np.str_, np.bytes_, np.datetime64, np.timedelta64):
    choose_foreign(table.call(_cls, f"np.{_cls.__name__}", infer=unknown, result="alias"))

# ------------------------------------------------------------------- modules that are not always imported


def _pure_module(module: str, symbol: str) -> Callable[[], None]:
    def build() -> None:
        room = sys.modules[module]
        for name in getattr(room, "__all__", ()):
            function = getattr(room, name, None)
            if (
                callable(function)
                and not isinstance(function, (type, np.ufunc))
                and table.find_call(function) is None
            ):
                pure_unknown(function, f"{symbol}.{name}")

    return build


@rule
def transform_type(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Type:
    """``fft`` and ``ifft``: complex, as long as ``n`` or as the operand."""
    of = as_array(a)
    if of.shape is None or out is not None:
        raise Unclear
    place = normal_axis(axis, len(of.shape))
    size = of.shape[place] if n is None else n if type(n) is int else None
    double = of.dtype is not None and (of.dtype.kind in "iu" or of.dtype in (FLOAT_DTYPE, np.complex128))
    return Array(
        np.dtype(np.complex128) if double else None, (*of.shape[:place], size, *of.shape[place + 1 :])
    )


def _fourier() -> None:
    module = sys.modules["numpy.fft"]
    for name in ("fft", "ifft"):
        in_place(table.call(getattr(module, name), f"np.fft.{name}", infer=transform_type), 99)
    _pure_module("numpy.fft", "np.fft")()


table.later("numpy.fft", _fourier)
table.later("numpy.strings", _pure_module("numpy.strings", "np.strings"))
table.later("numpy.char", _pure_module("numpy.char", "np.char"))
table.later("numpy.emath", _pure_module("numpy.emath", "np.emath"))
table.later(
    "numpy.polynomial.polynomial", _pure_module("numpy.polynomial.polynomial", "np.polynomial.polynomial")
)
table.later(
    "numpy.polynomial.chebyshev", _pure_module("numpy.polynomial.chebyshev", "np.polynomial.chebyshev")
)
table.later("numpy.polynomial.legendre", _pure_module("numpy.polynomial.legendre", "np.polynomial.legendre"))
