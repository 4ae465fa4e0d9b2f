"""All of NumPy, random numbers and the outside: every function has a row, and it tells the truth."""

from __future__ import annotations

import copy
import datetime
import inspect
import io
import logging
import math
import random
import time
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ops.soundness import NAMED, Const, admits, any_array, any_operand, check, same

from autograph.runtime.ops import methods, namespace, table
from autograph.runtime.types import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    UNKNOWN,
    Array,
    Dict,
    Instance,
    Iterator,
    List,
    Optional,
    Python,
    Scalar,
    Tuple,
    Type,
    Unknown,
    type_of,
)

seeds = st.integers(0, 2**32)
FUNCTIONS = sorted(
    name
    for name, each in vars(np).items()
    if callable(each) and not name.startswith("_") and not isinstance(each, type)
)
PURE = [
    name
    for name in FUNCTIONS
    if table.find_call(getattr(np, name)).region is None
    and not table.find_call(getattr(np, name)).writes
    and name not in ("asmatrix", "bmat")
]


def test_every_function_of_numpy_has_a_row():
    """Nothing of the np namespace is called as an unknown function."""
    assert [name for name in FUNCTIONS if table.find_call(getattr(np, name)) is None] == []
    assert [
        name
        for name in np.linalg.__all__
        if callable(each := getattr(np.linalg, name))
        and not isinstance(each, type)
        and table.find_call(each) is None
    ] == []


def test_every_method_and_attribute_of_arrays_has_a_row():
    """Nothing of ndarray is an unknown method."""
    array = np.zeros((1, 1))  # before NumPy 2.3 the class has names that are no attributes of any array
    names = {name for name in dir(np.ndarray) if not name.startswith("_") and hasattr(array, name)}
    names.discard("tostring")  # gone from NumPy 2.3 on
    assert {
        name for name in names if table.find_method(name) is None and table.find_attribute(name) is None
    } == set()


def test_every_function_of_math_has_a_row():
    """Nothing of math is an unknown call."""
    assert [
        name
        for name, each in vars(math).items()
        if callable(each) and not name.startswith("_") and table.find_call(each) is None
    ] == []


@settings(max_examples=2500, deadline=None)
@given(seeds)
def test_functions_said_to_change_nothing_change_nothing(seed):
    """Random operands of every kind, whatever the function makes of them."""
    rng = random.Random(seed)
    name = rng.choice(PURE)
    args = [any_operand(rng) for _ in range(rng.choice((1, 1, 2, 2, 3)))]
    if any(
        isinstance(each.value if isinstance(each, Const) else each, int)
        and abs(each.value if isinstance(each, Const) else each) > 1000
        for each in args
    ):
        return
    if name in ("require", "isdtype", "busday_offset"):
        return
    row = table.find_call(getattr(np, name))
    row = table.resolve(
        row, tuple(type_of(each.value if isinstance(each, Const) else each) for each in args), {}
    )
    if row.writes or row.region:
        return
    real = [each.value if isinstance(each, Const) else each for each in args]
    before = copy.deepcopy(real)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            result = row.function(*real)
        except Exception:
            result = None
    assert same(before, real), f"{name}{before} changed an operand"
    if row.result == "fresh" and isinstance(result, np.ndarray):
        assert not any(np.shares_memory(result, each) for each in real if isinstance(each, np.ndarray)), (
            name,
            before,
        )


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (np.put, (np.zeros(3), [0], 1.0)),
        (np.copyto, (np.zeros(3), 1.0)),
        (np.fill_diagonal, (np.zeros((2, 2)), 1.0)),
        (np.place, (np.zeros(3), np.ones(3, bool), [1.0])),
        (np.putmask, (np.zeros(3), np.ones(3, bool), [1.0])),
        (np.add.at, (np.zeros(3), [0], 1.0)),
        (np.put_along_axis, (np.zeros((2, 2)), np.array([[0, 1]]), 1.0, 0)),
        (np.random.shuffle, (np.arange(9.0),)),
    ],
)
def test_functions_that_change_an_argument_say_so(function, arguments):
    """Exactly the arguments that change are listed."""
    row = table.find_call(function)
    before = copy.deepcopy(arguments)
    while same(before, arguments):
        function(*arguments)
    assert row.writes == (0,)


def test_out_given_by_place_is_written():
    """Every function of NumPy whose signature has a positional ``out`` is known to write there."""
    array = Array(np.dtype(float), (3,))
    for name in FUNCTIONS:
        function = getattr(np, name)
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            continue
        for place, parameter in enumerate(parameters):
            if parameter.name == "out" and not isinstance(function, np.ufunc):
                row = table.find_call(function)
                assert "out" in table.resolve(row, (array,), {"out": array}).writes, name
                if parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
                    assert table.resolve(row, (array,) * (place + 1), {}).writes == (place,), name


RANDOM = {
    "normal": ((0.0, 1.0), {}),
    "uniform": ((), {"size": Const(3)}),
    "exponential": ((2.0,), {"size": Const((2, 3))}),
    "random": ((), {}),
    "standard_normal": ((Const((2, 2)),), {}),
    "poisson": ((3.0,), {}),
    "binomial": ((5, 0.5), {"size": 4}),
    "permutation": ((np.arange(3.0),), {}),
    "bytes": ((Const(3),), {}),
    "gamma": ((np.array([1.0, 2.0]),), {}),
    "choice": ((np.arange(4),), {}),
    "lognormal": ((0.0, 1.0, Const(3)), {}),
    "triangular": ((0.0, 1.0, 2.0), {}),
    "standard_cauchy": ((), {}),
}


@pytest.mark.parametrize("name", sorted(RANDOM))
def test_random_numbers_have_the_type_that_their_rows_say(name):
    """np.random.f, RandomState.f and Generator.f."""
    args, kwargs = RANDOM[name]
    check(table.find_call(getattr(np.random, name)), args, kwargs)
    for generator in (np.random.RandomState(0), np.random.default_rng(0)):
        check(table.find_method(name, type(generator)), (generator, *args), kwargs)
    row = table.find_method(name, np.random.Generator)
    assert row.region == "random" and 0 in row.writes


@pytest.mark.parametrize(
    ("name", "args", "kwargs"),
    [
        ("integers", (Const(5),), {}),
        ("integers", (0, 5), {"size": Const(3)}),
        ("integers", (0, Const(5)), {"dtype": np.int8, "size": Const((2,))}),
        ("random", (Const(3),), {"dtype": np.float32}),
        ("integers", (np.array([3, 4]),), {}),
    ],
)
def test_generators_draw_the_type_that_their_rows_say(name, args, kwargs):
    """Sizes and dtypes."""
    rng = np.random.default_rng(0)
    check(table.find_method(name, np.random.Generator), (rng, *args), kwargs)


@pytest.mark.parametrize("name", ["rand", "randn"])
def test_legacy_draws_take_dimensions(name):
    """A float without dimensions."""
    check(table.find_call(getattr(np.random, name)), ())
    check(table.find_call(getattr(np.random, name)), (Const(2), 3))
    check(table.find_call(np.random.randint), (5,))
    check(table.find_call(np.random.randint), (0, 5, Const((2, 2))))


def test_pythons_random_numbers_have_rows():
    """random.random, and a random.Random of one's own."""
    row = table.find_call(random.random)
    assert (row.region, row.infer()) == ("random", FLOAT)
    assert table.find_call(random.shuffle).writes == (0,)
    assert table.find_method("randint", random.Random).infer(Instance(random.Random), INT, INT) == INT


def test_clocks_output_and_logging_touch_the_outside():
    """They keep their order with everything, print only with output."""
    assert table.find_call(time.perf_counter).region == "outside"
    assert table.find_call(datetime.datetime.now).region == "outside"
    assert table.find_method("info", logging.Logger).region == "outside"
    assert table.find_call(warnings.warn).region == "outside"
    assert table.find_call(open).region == "outside"
    row = table.find_call(print)
    assert row.region == "output" and row.writes == ()
    assert table.resolve(row, (INT,), {"file": Instance(io.StringIO)}).region == "outside"
    assert all(
        table.find_call(getattr(np, name)).region == "outside"
        for name in namespace.OUTSIDE
        if hasattr(np, name)
    )


def test_resizing_an_array_in_place_is_refused():
    """The tracer finds the reason in the list of refused methods."""
    assert "resize" in methods.REFUSED_METHODS


def test_objects_may_run_any_code():
    """An operator on an object is a call of unknown code; one on arrays is not."""
    array, thing = Array(np.dtype(float), (3,)), Instance(datetime.date)
    assert table.resolve(table.get("add"), (array, thing), {}).region == "outside"
    assert table.resolve(table.get("add"), (array, array), {}).region is None
    assert isinstance(table.resolve(table.get("add"), (array, thing), {}).infer(array, thing), Unknown)


def test_objects_are_kept_without_running_their_code():
    """A list takes an object as it is, an array asks it for its number."""
    thing, row = Instance(datetime.date), table.get("set_item")
    assert table.resolve(row, (List(thing), INT, thing), {}) is row
    assert table.resolve(row, (Array(np.dtype(float), (3,)), INT, thing), {}).region == "outside"
    assert table.resolve(table.get("isinstance"), (thing, datetime.date), {}).region is None
    assert table.resolve(table.find_call(np.sum), (List(thing),), {}).region == "outside"
    assert table.resolve(table.get("add"), (Array(np.dtype(float), (3,)), object()), {}).region == "outside"
    assert table.resolve(table.find_call(np.zeros), ((3,), np.float32), {}).region is None


def test_fourier_transforms_are_known():
    """np.fft has rows as soon as it is imported."""
    import numpy.fft

    check(table.find_call(numpy.fft.fft), (any_array(random.Random(0), (4,)),))
    assert table.find_call(numpy.fft.rfft) is not None
    assert table.find_call(numpy.fft.fft).infer(Array(np.dtype(float), ("n",))) == Array(
        np.dtype(complex), ("n",)
    )


KINDS = [
    UNKNOWN,
    INT,
    FLOAT,
    BOOL,
    STR,
    NONE,
    Python(complex),
    Python(slice),
    Scalar(np.dtype("f4")),
    Scalar(np.dtype("U3")),
    Array(None, None),
    Array(np.dtype(float), None),
    Array(None, (2, "n")),
    Array(np.dtype(object), (3,)),
    Array(np.dtype("i4"), ()),
    Array(np.dtype("M8[s]"), (2,)),
    Array(np.dtype([("a", "i4")]), (2,)),
    Array(np.dtype(">f8"), (None,)),
    List(INT),
    List(UNKNOWN),
    Tuple(()),
    Tuple((INT, FLOAT)),
    Dict(FLOAT),
    Iterator(UNKNOWN),
    Instance(object),
    Optional(INT),
    0,
    -1,
    2,
    1.5,
    True,
    None,
    "ij,jk",
    ...,
    slice(None),
    slice(INT, None),
    (),
    (0, 1),
    (INT, slice(None, 2)),
    [0, 1],
    np.float32,
    "f8",
    object(),
    10**30,
    {"a": INT},
    np.float64(1.0),
]


@settings(max_examples=1500, deadline=None)
@given(seeds)
def test_no_rule_ever_raises(seed):
    """Whatever the operands are, a type rule gives a type and totality a bool."""
    rng = random.Random(seed)
    rows = [
        *table._by_callable.values(),
        *table._by_method.values(),
        *table._by_operator.values(),
        *table._by_class.values(),
        *table._by_attribute.values(),
    ]
    row = rng.choice(rows)
    args = tuple(rng.choice(KINDS) for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4))))
    kwargs = {
        name: rng.choice(KINDS)
        for name in ("axis", "out", "dtype", "keepdims", "nonsense", "where", "copy")
        if rng.random() < 0.1
    }
    row = table.resolve(row, args, kwargs)
    if row.infer is not None:
        assert isinstance(row.infer(*args, **kwargs), Type), row
    if row.total is not None and len(args) in (1, 2):
        try:
            assert row.total(*args) in (True, False)
        except TypeError as error:  # not as many arguments as the op has
            assert "positional argument" in str(error)


def test_the_checks_of_these_tests_find_wrong_rows():
    """A type rule, a totality and a freshness that are wrong are found."""
    from autograph.runtime.graph import Op

    array = np.array([3.0, 2.0, 1.0])
    wrong = [
        Op("a", np.sin, infer=lambda x: Scalar(np.dtype(float))),
        Op("b", np.linalg.inv, infer=lambda x: x, total=lambda x: True),
        Op("c", np.ravel, infer=lambda x: x),
        Op("d", lambda x: x.sort(), infer=lambda x: type_of(None)),
    ]
    for op in wrong:
        with pytest.raises(AssertionError):
            check(op, (array,))
    assert admits(Array(None, ("n3",)), array, NAMED)
