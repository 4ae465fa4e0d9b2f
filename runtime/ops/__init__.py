"""The op table: one row an op, with its type rule, what it reads and writes, and how it is written.

Look rows up in :mod:`table`; the rooms beside it, a theme each, fill it when this package is imported.
"""
from __future__ import annotations

from . import (
    attributes,
    builtins,
    creation,
    linear_algebra,
    math,
    methods,
    operators,
    reductions,
    selection,
    shaping,
)
from . import table as table
from . import ufuncs as ufuncs

__all__ = [
    "attributes",
    "builtins",
    "creation",
    "linear_algebra",
    "math",
    "methods",
    "operators",
    "reductions",
    "selection",
    "shaping",
    "table",
    "ufuncs",
]
