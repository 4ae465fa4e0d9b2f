"""The rows of products of arrays, and of ``np.linalg``."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..types import Type
from . import table
from .rules import (
    Unclear,
    array_or_scalar,
    as_array,
    broadcast,
    known,
    resolved,
    rule,
)
from .ufuncs import in_place, out_type

# ------------------------------------------------------------------------------------------------------ types


@rule
def dot_type(a: Any, b: Any, out: Any = None) -> Type:
    """``dot``: over the last dimension of the first and the last but one of the second."""
    if out is not None:
        return out_type(out)
    left, right = as_array(a), as_array(b)
    dtype = None
    if left.dtype is not None and right.dtype is not None:
        dtype = np.promote_types(known(left.dtype), known(right.dtype))
    if left.shape is None or right.shape is None:
        raise Unclear
    if not left.shape or not right.shape:
        return array_or_scalar(dtype, broadcast([left.shape, right.shape]))
    inner = left.shape[-1], right.shape[-1 if len(right.shape) == 1 else -2]
    if all(isinstance(size, int) for size in inner) and inner[0] != inner[1]:
        raise Unclear
    rest = () if len(right.shape) == 1 else (*right.shape[:-2], right.shape[-1])
    return array_or_scalar(dtype, left.shape[:-1] + rest)


_ = resolved

in_place(table.call(np.dot, "np.dot", infer=dot_type), 2)
