"""An array library of its own stages plain Python through the registry, without the runtime.

The library here is a toy: its values are texts, and its graph is a list of lines.
"""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from collections.abc import Iterator

import pytest

import autograph.operators as operators
from autograph.convert import convert


class Symbol:
    """A value of the toy library: an expression as text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __add__(self, other: object) -> Symbol:
        return Symbol(f"({show(self)} + {show(other)})")

    def __mul__(self, other: object) -> Symbol:
        return Symbol(f"({show(self)} * {show(other)})")

    def __lt__(self, other: object) -> Symbol:
        return Symbol(f"({show(self)} < {show(other)})")

    def __gt__(self, other: object) -> Symbol:
        return Symbol(f"({show(other)} < {show(self)})")

    def __bool__(self) -> bool:
        raise TypeError("a symbol has no truth")


class Positive(Symbol):
    """A subclass, which the registration of its base covers."""


def show(value: object) -> str:
    return value.text if isinstance(value, Symbol) else repr(value)


class Toy(operators.Backend):
    """Stages ``if`` and ``while``; everything else is plain Python."""

    def if_stmt(self, test, then, orelse, state, names):
        if not isinstance(test, Symbol):
            return super().if_stmt(test, then, orelse, state, names)
        taken = operators.as_state(then(*state), names or ("result",))
        other = state if orelse is None else operators.as_state(orelse(*state), names or ("result",))
        chosen = tuple(
            Symbol(f"({show(a)} if {show(test)} else {show(b)})") for a, b in zip(taken, other, strict=True)
        )
        return operators.as_result(chosen, names or ("result",))

    def while_stmt(self, test, body, state, names, stop):
        inner = tuple(Symbol(name) for name in names)
        step = ", ".join(map(show, operators.as_state(body(*inner), names)))
        loop = f"while {show(test(*inner))}: {', '.join(names)} = {step}"
        start = ", ".join(map(show, state))
        return operators.as_result(tuple(Symbol(f"[{loop} from {start}].{name}") for name in names), names)

    def not_(self, operand):
        return Symbol(f"(not {show(operand)})") if isinstance(operand, Symbol) else super().not_(operand)


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    operators.register(Symbol, Toy())
    yield
    operators.unregister(Symbol)


def clip(x, limit):
    if x < limit:
        y = x * 2
    else:
        y = limit
    return y


def early(x):
    if x < 0:
        return 0
    return x + 1


def double_until(x, limit):
    steps = 0
    while x < limit:
        x = x * 2
        steps = steps + 1
    return x, steps


def test_an_if_is_staged():
    """The toy gets both arms, and its own value comes back."""
    assert show(convert(clip)(Symbol("x"), 10)) == "((x * 2) if (x < 10) else 10)"


def test_an_if_whose_arms_return_is_staged():
    """Without names the result of the arms is the result."""
    assert show(convert(early)(Symbol("x"))) == "(0 if (x < 0) else (x + 1))"


def test_a_while_is_staged():
    """The loop is met with plain state, and handed to the backend as soon as its test is symbolic."""
    x, steps = convert(double_until)(1, Symbol("n"))
    loop = "while (x < n): x, steps = (x * 2), (steps + 1) from 1, 0"
    assert show(x) == f"[{loop}].x"
    assert show(steps) == f"[{loop}].steps"


def test_subclasses_are_covered():
    """A type stands for its subclasses."""
    assert show(convert(clip)(Positive("p"), 1)) == "((p * 2) if (p < 1) else 1)"


def test_plain_values_stay_plain():
    """The same converted functions on numbers are the plain functions."""
    assert convert(clip)(3, 10) == 6
    assert convert(early)(-1) == 0
    assert convert(double_until)(1, 10) == (16, 4)


def test_classes_that_cannot_be_hashed_are_plain_values_too():
    """The registry asks nothing of the user's classes, and keeps none of them alive."""

    class Equal(type):
        def __eq__(cls, other):
            return True

    class Odd(metaclass=Equal):
        pass

    def f(x):
        return 1 if x else 2

    assert convert(f)(Odd()) == 1
    known = weakref.ref(Odd)
    del Odd
    gc.collect()
    assert known() is None


def test_what_the_toy_does_not_stage_is_its_own_error():
    """No operator falls back in silence: the symbol refuses to have a truth."""

    def choose(x):
        return 1 if x < 0 else 2

    with pytest.raises(TypeError, match="a symbol has no truth"):
        convert(choose)(Symbol("x"))


def test_unregister_ends_it():
    """After ``unregister`` the value is nobody's."""
    operators.unregister(Symbol)
    with pytest.raises(TypeError, match="a symbol has no truth"):
        convert(clip)(Symbol("x"), 1)


def test_register_takes_a_class():
    """Anything else is refused with what was given."""
    with pytest.raises(TypeError, match="takes a class first, not 3"):
        operators.register(3, Toy())  # type: ignore[arg-type]


def test_the_transpiler_does_not_load_the_runtime():
    """An array library that uses the operators pays for nothing else."""
    code = (
        "import sys, autograph.operators, autograph.convert; "
        "print([m for m in sys.modules if m.startswith('autograph.runtime')])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
