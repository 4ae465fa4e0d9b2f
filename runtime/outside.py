"""Calls of the host on purpose: :func:`py_function`.  What is called by nature is in ``ops/outside.py``."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import calls
from .builtins import handles

if TYPE_CHECKING:
    from .tracing import Tracer


def py_function(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call ``function(*args, **kwargs)`` as it is: a staged function runs it in its place, untraced.

    Args:
        function: any callable.  In a graph it is called once per execution, in program order with everything
            else that can be seen from outside, and gets real arrays.

    Returns:
        What the function gives; nothing is known about it while tracing.

    Raises:
        CapturedSymbolError: in a staged function, when ``function`` captures values of the trace.

    >>> import autograph as ag
    >>> @ag.function
    ... def total(x):
    ...     ag.py_function(print, "sum of", x)
    ...     return x.sum()
    >>> import numpy as np
    >>> total(np.arange(3)), total(np.arange(3) + 1)
    sum of [0 1 2]
    sum of [1 2 3]
    (np.int64(3), np.int64(6))
    """
    return function(*args, **kwargs)


@handles(py_function)
def _py_function(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    function, *rest = args
    return calls.unknown(tracer, function, tuple(rest), kwargs)
