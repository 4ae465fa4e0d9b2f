"""The rows of random numbers: ``np.random``, its generators, and Python's ``random``.

Every draw changes the generator's state, so all of them are ordered: region ``random``, and a method also
writes the generator that it is called on.  The rows are made once the user has imported the module.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any

from ..types import FLOAT, INT, NONE, Array, Instance, Python, Type, is_number
from . import table
from .rules import (
    FLOAT_DTYPE,
    INT_DTYPE,
    DType,
    Unclear,
    always,
    as_array,
    as_dtype,
    as_shape,
    as_type,
    element_of,
    rule,
    unknown,
)

# ------------------------------------------------------------------------------------------- types


def drawn(parameters: int, dtype: DType = FLOAT_DTYPE, single: Type = FLOAT) -> Callable[..., Type]:
    """The rule of a draw ``f(p1, ..., size=None)``: ``single`` for numbers without a size."""

    @rule
    def infer(*args: Any, size: Any = None, **others: Any) -> Type:
        if len(args) > parameters + 1:
            raise Unclear
        if len(args) == parameters + 1:
            args, size = args[:parameters], args[parameters]
        if size is None or size == NONE:
            if all(is_number(as_type(each)) for each in (*args, *others.values())):
                return single
            raise Unclear
        return Array(dtype, as_shape(size))

    return infer


@rule
def uniform_random_type(size: Any = None, dtype: Any = None, out: Any = None) -> Type:
    """``Generator.random`` and ``standard_normal``."""
    if out is not None:
        return as_type(out)
    found = FLOAT_DTYPE if dtype is None else as_dtype(dtype)
    if size is None or size == NONE:
        return FLOAT if found == FLOAT_DTYPE else _unclear()
    return Array(found, as_shape(size))


@rule
def integers_type(
    low: Any, high: Any = None, size: Any = None, dtype: Any = None, endpoint: Any = False
) -> Type:
    """``Generator.integers``."""
    found = INT_DTYPE if dtype is None else as_dtype(dtype)
    if size is not None and size != NONE:
        return Array(found, as_shape(size))
    if all(each is None or is_number(as_type(each)) for each in (low, high)):
        return element_of(found) if dtype is None else _unclear()
    raise Unclear


@rule
def randint_type(low: Any, high: Any = None, size: Any = None, dtype: Any = None) -> Type:
    """``randint``: a Python int without a size."""
    if size is not None and size != NONE:
        return Array(INT_DTYPE if dtype is None else as_dtype(dtype), as_shape(size))
    if dtype is None and all(each is None or is_number(as_type(each)) for each in (low, high)):
        return INT
    raise Unclear


@rule
def dimensions_type(*sizes: Any) -> Type:
    """``rand``, ``randn``: one argument a dimension."""
    return Array(FLOAT_DTYPE, as_shape(sizes)) if sizes else FLOAT


@rule
def permutation_type(x: Any, axis: Any = 0) -> Type:
    """``permutation``: a shuffled copy, or the shuffled integers below a number."""
    if as_type(x) == INT:
        return Array(INT_DTYPE, (x if type(x) is int else None,))
    kind = as_type(x)
    if not isinstance(kind, Array):
        raise Unclear
    return as_array(kind)


def _unclear() -> Type:
    raise Unclear


# -------------------------------------------------------------------------------------------- rows

_PARAMETERS = {
    "beta": 2, "chisquare": 1, "exponential": 1, "f": 2, "gamma": 2, "gumbel": 2, "laplace": 2, "logistic": 2,
    "lognormal": 2, "noncentral_chisquare": 2, "noncentral_f": 3, "normal": 2, "pareto": 1, "power": 1,
    "rayleigh": 1, "standard_cauchy": 0, "standard_t": 1, "triangular": 3, "uniform": 2, "vonmises": 2,
    "wald": 2, "weibull": 1,
}  # fmt: skip
"""Continuous distributions, and how many parameters come before the size."""

_COUNTS = {"binomial": 2, "geometric": 1, "hypergeometric": 3, "logseries": 1, "negative_binomial": 2,
           "poisson": 1, "zipf": 1}  # fmt: skip

_LEGACY: dict[str, Callable[..., Type]] = {
    **{name: drawn(count) for name, count in _PARAMETERS.items()},
    **{name: drawn(count, INT_DTYPE, INT) for name, count in _COUNTS.items()},
    **{
        name: drawn(0)
        for name in ("random", "random_sample", "standard_normal", "standard_exponential", "sample", "ranf")
    },
    "standard_gamma": drawn(1),
    "rand": dimensions_type,
    "randn": dimensions_type,
    "randint": randint_type,
    "permutation": permutation_type,
    "bytes": always(Python(bytes)),
    **dict.fromkeys(
        (
            "choice",
            "dirichlet",
            "multinomial",
            "multivariate_normal",
            "get_state",
            "random_integers",
            "tomaxint",
        ),
        unknown,
    ),
    **dict.fromkeys(("seed", "set_state", "shuffle"), always(NONE)),
}

_GENERATOR: dict[str, Callable[..., Type]] = {
    **{name: drawn(count) for name, count in _PARAMETERS.items()},
    **{name: drawn(count, INT_DTYPE, unknown()) for name, count in _COUNTS.items()},
    "random": uniform_random_type,
    "standard_normal": uniform_random_type,
    "standard_exponential": unknown,
    "standard_gamma": unknown,
    "integers": integers_type,
    "permutation": permutation_type,
    "bytes": always(Python(bytes)),
    **dict.fromkeys(
        (
            "choice",
            "dirichlet",
            "multinomial",
            "multivariate_hypergeometric",
            "multivariate_normal",
            "permuted",
            "spawn",
        ),
        unknown,
    ),
    "shuffle": always(NONE),
}


def _method_type(infer: Callable[..., Type]) -> Callable[..., Type]:
    """The rule of a method whose first operand is the generator."""

    def method(*args: Any, **kwargs: Any) -> Type:
        return infer(*args[1:], **kwargs)

    return method


def _build_numpy() -> None:
    module = sys.modules["numpy.random"]
    for name, infer in _LEGACY.items():
        function = getattr(module, name, None)
        if function is not None:
            table.call(
                function,
                f"np.random.{name}",
                infer=infer,
                region="random",
                writes=(0,) if name == "shuffle" else (),
            )
        if hasattr(module.RandomState, name):
            table.method_of(
                module.RandomState,
                name,
                infer=_method_type(infer),
                region="random",
                writes=(0, 1) if name == "shuffle" else (0,),
            )
    for name, infer in _GENERATOR.items():
        if hasattr(module.Generator, name):
            writes: tuple[int | str, ...] = (0, "out")
            table.method_of(
                module.Generator,
                name,
                infer=_method_type(infer),
                region="random",
                writes=(0, 1) if name == "shuffle" else writes,
                result="alias" if name in ("random", "permuted", "standard_normal") else "fresh",
            )
    for name, kind in (
        ("default_rng", module.Generator),
        ("RandomState", module.RandomState),
        ("Generator", module.Generator),
    ):
        table.call(
            getattr(module, name),
            f"np.random.{name}",
            infer=always(Instance(kind)),
            region="random",
            result="alias",
        )


_PYTHON: dict[str, Type | None] = {
    **dict.fromkeys(
        (
            "random",
            "uniform",
            "triangular",
            "betavariate",
            "expovariate",
            "gammavariate",
            "gauss",
            "lognormvariate",
            "normalvariate",
            "vonmisesvariate",
            "paretovariate",
            "weibullvariate",
        ),
        FLOAT,
    ),
    **dict.fromkeys(("randint", "randrange", "getrandbits", "binomialvariate"), INT),
    "randbytes": Python(bytes),
    **dict.fromkeys(("seed", "setstate", "shuffle"), NONE),
    **dict.fromkeys(("choice", "choices", "sample", "getstate"), None),
}


def _build_python() -> None:
    for name, kind in _PYTHON.items():
        if not hasattr(random, name):
            continue
        infer = unknown if kind is None else always(kind)
        alias: dict[str, Any] = {"result": "alias"} if kind is None else {}
        table.call(
            getattr(random, name),
            f"random.{name}",
            infer=infer,
            region="random",
            writes=(0,) if name == "shuffle" else (),
            **alias,
        )
        table.method_of(
            random.Random,
            name,
            infer=infer,
            region="random",
            writes=(0, 1) if name == "shuffle" else (0,),
            **alias,
        )
    table.call(
        random.Random, "random.Random", infer=always(Instance(random.Random)), region="random", result="alias"
    )


table.later("numpy.random", _build_numpy)
table.later("random", _build_python)
