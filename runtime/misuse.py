"""What is said to someone who would have staged what is no Python function."""

from __future__ import annotations

from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np


def not_a_function(given: Any) -> TypeError:
    """The error for an object that ``function`` cannot stage.

    >>> print(not_a_function(len))  # doctest: +ELLIPSIS
    function() takes a Python function, not <built-in function len>: there is nothing in it to stage, ...
    """
    text = f"function() takes a Python function, not {given!r}"
    instead = _instead(given)
    return TypeError(f"{text}: {instead}" if instead else text)


def _instead(given: Any) -> str:
    """What helps."""
    if isinstance(given, type):
        return "stage its methods, or a function that makes the object"
    if isinstance(given, BuiltinFunctionType | np.ufunc):
        return "there is nothing in it to stage, call it as it is"
    if isinstance(given, np.vectorize):
        return "stage a function that calls it"
    if isinstance(getattr(given, "__wrapped__", None), FunctionType):
        return "stage the function that it wraps, and wrap the staged one"
    return ""
