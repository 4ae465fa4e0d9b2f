"""The op table: one row an op, with its type rule, what it reads and writes, and how it is written.

Look rows up in :mod:`table`; the rooms beside it, a theme each, fill it when this package is imported.
``namespace`` comes last: it adds what the others have left out.
"""

from __future__ import annotations

from . import (
    attributes,
    builtins,
    creation,
    items,
    linear_algebra,
    math,
    methods,
    numerics,
    operators,
    outside,
    random,
    reductions,
    selection,
    shaping,
    table,
    ufuncs,
)
from . import namespace as namespace

__all__ = [
    "attributes",
    "builtins",
    "creation",
    "items",
    "linear_algebra",
    "math",
    "methods",
    "namespace",
    "numerics",
    "operators",
    "outside",
    "random",
    "reductions",
    "selection",
    "shaping",
    "table",
    "ufuncs",
]
