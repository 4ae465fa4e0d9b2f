"""Guards: what a trace read from outside and relied on, checked before its program runs again.

They become one generated function of the arguments, so that a guard costs little more than the read itself; when it says
no, :meth:`Guards.failed` tells which one and what it saw.
"""
from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .paths import Path
from .types import Array, Type

_GONE = object()
NOT_THERE = (AttributeError, LookupError, ValueError, TypeError)
"""What the expression of a guard raises when what it reads is no longer there."""


class Constants:
    """The objects that a generated function refers to, by the names that it has for them."""

    def __init__(self) -> None:
        self.namespace: dict[str, Any] = {}

    def add(self, value: Any) -> str:
        """The name of a constant."""
        name = f"_c{len(self.namespace)}"
        self.namespace[name] = value
        return name


@dataclass(frozen=True, slots=True)
class Guard:
    """One thing relied on.  ``test`` is an expression in which ``v`` is the value and ``c`` the constants."""

    path: Path
    seen: str
    kind: str
    test: Callable[[Any], bool]
    code: Callable[[str, Constants], str]


class Guards:
    """The guards of one trace, in the order in which they were met."""

    def __init__(self) -> None:
        self.all: dict[Hashable, Guard] = {}

    def __len__(self) -> int:
        return len(self.all)

    def _add(
        self, path: Path, seen: str, kind: str, test: Callable[[Any], bool], code: Callable[[str, Constants], str]
    ) -> None:
        self.all.setdefault((path.key, kind), Guard(path, seen, kind, test, code))

    def same(self, path: Path, raw: Any) -> None:
        """A number or a string by value, everything else by identity."""
        if isinstance(raw, int | float | complex | str | bytes) and not isinstance(raw, bool):
            kind = type(raw)

            def code(v: str, c: Constants) -> str:
                same_class = f"type({v}) is {c.add(kind)}"
                return same_class if raw != raw else f"{v} == {c.add(raw)} and {same_class}"

            self._add(path, repr(raw), "value", lambda v: type(v) is kind and (v == raw or v != v), code)
        else:
            self.identity(path, raw)

    def identity(self, path: Path, raw: Any) -> None:
        """The very same object."""

        def code(v: str, c: Constants) -> str:
            return f"{v} is {c.add(raw)}"

        self._add(path, describe(raw), "identity", lambda v: v is raw, code)

    def kind(self, path: Path, cls: type) -> None:
        """An object of exactly this class."""

        def code(v: str, c: Constants) -> str:
            return f"type({v}) is {c.add(cls)}"

        self._add(path, cls.__name__, "class", lambda v: type(v) is cls, code)

    def structure(self, path: Path, raw: Any) -> None:
        """A list, tuple or dict of this class with this length and these keys."""
        cls, length = type(raw), len(raw)
        keys = tuple(raw) if cls is dict else ()

        def code(v: str, c: Constants) -> str:
            text = f"type({v}) is {c.add(cls)} and len({v}) == {length}"
            return text + (f" and tuple({v}) == {c.add(keys)}" if cls is dict else "")

        def test(v: Any) -> bool:
            return type(v) is cls and len(v) == length and (cls is not dict or tuple(v) == keys)

        self._add(path, f"{cls.__name__} of {length}", "structure", test, code)

    def type(self, path: Path, raw: Any, known: Type) -> None:
        """A value of the class of ``raw``; for an array, of its dtype and the known part of its shape."""
        cls = raw.__class__
        if not isinstance(known, Array):
            self.kind(path, cls)
            return
        dtype, shape = known.dtype, known.shape
        assert shape is not None
        rank = len(shape)
        exact = None not in shape

        def code(v: str, c: Constants) -> str:
            text = f"type({v}) is {c.add(np.ndarray)} and {v}.dtype is {c.add(dtype)}"
            return text + (f" and {v}.shape == {shape!r}" if exact else f" and {v}.ndim == {rank}")

        def test(v: Any) -> bool:
            return type(v) is np.ndarray and v.dtype is dtype and (v.shape == shape if exact else v.ndim == rank)

        self._add(path, f"array {known}", "shape" if exact else "rank", test, code)

    def tests(self, constants: Constants) -> list[str]:
        """The guards as expressions of the function's parameters; they may raise what is in ``NOT_THERE``."""
        return [guard.code(guard.path.expression(constants), constants) for guard in self.all.values()]

    def compile(self, names: tuple[str, ...]) -> Callable[[tuple[Any, ...]], bool] | None:
        """A function of the tuple of arguments that says whether every guard holds; None when there are none."""
        if not self.all:
            return None
        constants = Constants()
        tests = " and ".join(self.tests(constants))
        failure = constants.add(NOT_THERE)
        arguments = "".join(f"{name}, " for name in names)
        source = "def holds(values):\n"
        if arguments:
            source += f"    {arguments} = values\n"
        source += f"    try:\n        return {tests}\n    except {failure}:\n        return False\n"
        exec(compile(source, "<autograph guards>", "exec"), constants.namespace)
        holds: Callable[[tuple[Any, ...]], bool] = constants.namespace["holds"]
        return holds

    def failed(self, arguments: dict[str, Any]) -> tuple[Guard, Any] | None:
        """The first guard that does not hold for these arguments, and what is there instead."""
        for guard in self.all.values():
            constants = Constants()
            expression = guard.path.expression(constants)
            try:
                value = eval(expression, constants.namespace, arguments)
            except Exception:
                return guard, _GONE
            if not guard.test(value):
                return guard, value
        return None


def describe(value: Any) -> str:
    """A short text for a value without addresses."""
    if value is _GONE:
        return "nothing"
    if isinstance(value, int | float | complex | str | bytes | type(None)):
        text = repr(value)
        return text if len(text) <= 40 else text[:37] + "..."
    if isinstance(value, np.ndarray):
        return f"array {value.dtype}{list(value.shape)}"
    name = getattr(value, "__qualname__", None)
    return name if isinstance(name, str) else f"a {type(value).__qualname__}"
