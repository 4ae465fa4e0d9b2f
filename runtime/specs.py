"""``TensorSpec``: an array that is described."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """An array argument that is described instead of given.

    Args:
        shape: a tuple of sizes, None for a free one; None when even the rank is free.
        dtype: anything that ``np.dtype`` takes; None when it is free.
        name: how the argument is called when the concrete function is called by name.

    Raises:
        TypeError: where it is used, when ``dtype`` is none.

    >>> TensorSpec((None, 3), np.float32).key()
    ('array', dtype('float32'), (None, 3))
    >>> from autograph.runtime.function import function
    >>> @function(input_signature=[TensorSpec((None,))])
    ... def total(x):
    ...     return x.sum()
    >>> total(np.ones(3)), total(np.ones(4)), total.trace_count
    (np.float64(3.0), np.float64(4.0), 1)
    """

    shape: tuple[int | None, ...] | None = None
    dtype: Any = np.float64
    name: str | None = None

    def key(self) -> tuple[Any, ...]:
        """The key of the arrays that fit."""
        dtype = None if self.dtype is None else np.dtype(self.dtype)
        if dtype is not None and dtype.itemsize == 0:
            dtype = None  # str and bytes of any length
        return ("array", dtype, None if self.shape is None else tuple(self.shape))
