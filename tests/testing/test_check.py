"""``autograph.testing.check`` sees every difference that the promise names, and says it in words.

The runs that it compares are replaced by faulty ones here: each test breaks one thing.
"""
from __future__ import annotations

import random
from types import SimpleNamespace

import numpy as np
import pytest

from autograph.runtime import testing
from autograph.runtime.testing import Difference, check


@pytest.fixture
def broken(monkeypatch):
    """Make the converted run of any function the given one."""

    def use(other):
        monkeypatch.setattr(testing, "convert", lambda f: other)

    return use


def difference(f, *args, **kwargs) -> str:
    with pytest.raises(Difference) as caught:
        check(f, *args, modes=["converted"], **kwargs)
    return str(caught.value)


def test_a_numpy_scalar_in_place_of_a_python_int_is_named_with_its_place(broken):
    """Kinds count, not only values."""
    broken(lambda n: (n, np.int64(n)))
    text = difference(lambda n: (n, n), 3)
    assert "result[1]: plain gave int 3, converted gave np.int64 3" in text
    assert "called with int 3" in text


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (0.0, -0.0, "plain gave float 0.0, converted gave float -0.0"),
        (1, True, "plain gave int 1, converted gave bool True"),
        (np.float32(1), np.float64(1), "plain gave np.float32 1.0, converted gave np.float64 1.0"),
        ([1, 2], [1, 2, 3], "plain gave 2 items, converted gave 3"),
        ([1], (1,), "plain gave list [1], converted gave tuple (1,)"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, "plain has the keys ['a', 'b'], converted has ['b', 'a']"),
        (np.zeros(2), np.zeros((2, 1)), "of shape (2,)"),
        (np.zeros(2), np.zeros(2, np.float32), "float32 array"),
        (np.array([1.0, 2.0]), np.array([1.0, 3.0]), "result[1]: plain gave np.float64 2.0"),
        (np.array([0.0]), np.array([-0.0]), "plain gave np.float64 0.0, converted gave np.float64 -0.0"),
        (None, 0, "plain gave None, converted gave int 0"),
        (SimpleNamespace(a=1), SimpleNamespace(a=2), "result.a: plain gave int 1, converted gave int 2"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_results_differ_in_type_structure_or_bits(broken, one, other, words):
    """One row of the promise: value bit for bit, dtype, shape, kind and structure."""
    broken(lambda: other)
    assert words in difference(lambda: one)


def test_nan_is_nan_and_equal_values_pass():
    """What is equal passes, and the plain result comes back."""
    assert np.isnan(check(lambda x: x, float("nan"), modes=[]))
    assert check(lambda x: {"a": [x, x * 2]}, 3, modes=[]) == {"a": [3, 6]}


def test_a_change_of_an_argument_that_is_missing_or_wrong_is_seen(broken):
    """Arrays, lists and dicts changed in place are changed for the caller."""

    def fill(x):
        x[1:] = 7.0

    broken(lambda x: None)
    text = difference(fill, np.zeros(3))
    assert "args[0] after the call[1]: plain gave np.float64 7.0, converted gave np.float64 0.0" in text
    assert "1 more place" in text


def test_arguments_of_each_mode_keep_their_aliases():
    """Two names for one array, and a view of it, are so in every run; the caller's own are left alone."""
    seen = []

    def look(x, y, view):
        seen.append((x is y, np.shares_memory(x, view)))
        view[:] = 1.0

    x = np.zeros(4)
    check(look, x, x, x[::2], modes=[])
    assert seen == [(True, True)]
    assert x.tolist() == [0.0] * 4


def test_a_copy_in_place_of_a_view_is_seen(broken):
    """Memory that a result shares with an argument."""
    broken(lambda x: x[1:].copy())
    assert "result shares memory with args[0] in plain, and is apart from it in converted" in difference(
        lambda x: x[1:], np.arange(4.0)
    )


def test_two_names_for_one_result_are_not_two_results(broken):
    """Identity among results."""

    def twice():
        x = [1]
        return x, x

    broken(lambda: ([1], [1]))
    assert "result[0] is result[1] in plain, and is apart from it in converted" in difference(twice)


def test_printed_text_is_compared(broken):
    """Output once, in order."""
    broken(lambda: print("b", "a"))
    assert r"plain printed 'a b\n', converted printed 'b a\n'" in difference(lambda: print("a", "b"))


def test_exceptions_are_compared_by_type_arguments_and_line(broken):
    """Same type, same message, at the same line of the user's file."""

    def plain(x):
        raise ValueError("small", x)

    def moved(x):
        raise ValueError("small", x)

    broken(lambda x: x)
    assert "plain raised ValueError('small', 1) at line" in difference(plain, 1)
    broken(moved)
    assert f"converted at line {moved.__code__.co_firstlineno + 1}" in difference(plain, 1)


def test_random_numbers_drawn_twice_are_seen(broken):
    """The global generators end in the same state."""
    broken(lambda: (random.random(), random.random())[0])
    assert "drew different random numbers" in difference(random.random)


def test_state_outside_is_compared_after_each_call_and_brought_back(broken):
    """``state`` and ``restore``: a counter that a mode counts up twice."""
    counter = SimpleNamespace(value=0)

    def count():
        counter.value += 1

    def count_twice():
        counter.value += 2

    broken(count_twice)
    text = difference(
        count, calls=2, state=lambda: counter.value, restore=lambda value: setattr(counter, "value", value)
    )
    assert "call 1 of the converted run" in text
    assert "state: plain gave int 1, converted gave int 2" in text
    assert counter.value == 0


def test_misuse_is_refused():
    """A mode that does not exist; a state that nobody can bring back."""
    with pytest.raises(ValueError, match="not compiled"):
        check(lambda: 1, modes=["compiled"])
    with pytest.raises(TypeError, match="needs both"):
        check(lambda: 1, state=lambda: 1)
