"""Guards: what a trace read from outside and relied on, checked before its program runs again.

They become one generated function of the arguments, so that a guard costs little more than the read itself;
when it says no, :meth:`Guards.failed` tells which one and what it saw.
"""

from __future__ import annotations

import abc
import contextlib
import os
import re
import weakref
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType
from typing import Any

import numpy as np

from . import paths
from .paths import Path
from .types import Array, Scalar, Type

_GONE = object()
_OTHERWISE = object()
_HEAP_TYPE = 1 << 9
"""The flag of classes that Python code made (``Py_TPFLAGS_HEAPTYPE``)."""
_IMMUTABLE = 1 << 8
"""The flag of classes that get no new attributes (``Py_TPFLAGS_IMMUTABLETYPE``)."""
MISSING = object()
"""What a class holds under a name that it has not."""
NOT_THERE = (AttributeError, LookupError, ValueError, TypeError)
"""What the expression of a guard raises when what it reads is no longer there."""


def unused(name: str, names: Iterable[str]) -> str:
    """``name``, or something like it, so that none of ``names`` begins with it.

    >>> unused("_c", ["x", "_c1"])
    '__c'
    """
    while any(each.startswith(name) for each in names):
        name = f"_{name}"
    return name


class Constants:
    """The objects that a generated function refers to, by the names that it has for them.

    ``names`` are those of its parameters, which no object gets.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._prefix = unused("_ag_c", names)
        self.namespace: dict[str, Any] = {}
        self._names: dict[int, str] = {}

    def add(self, value: Any) -> str:
        """The name of a constant, the same one for the same object."""
        name = self._names.get(id(value))
        if name is None:
            name = self._names[id(value)] = f"{self._prefix}{len(self.namespace)}"
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
    cls: type | None = None
    """The class of what was seen, where a value is relied on."""

    def is_of_numbers(self, value: Any) -> bool:
        """Whether a number was seen where another one of its class is now."""
        return self.kind == "value" and type(value) is self.cls and self.cls in _NUMBERS

    def explain(self, value: Any) -> str:
        """What was seen where, and what is there instead, in words."""
        if value is _OTHERWISE:
            return f"{self.seen} no longer"
        if self.kind == "names":
            return f"{self.path.text} {self.seen} no longer"
        if self.kind == "order" and type(value) is dict:
            return f"{self.path.text} {self.seen} -> {_listed(value)}"
        now = _kind(value) if self.kind in ("class", "structure") else describe(value)
        seen = self.seen
        if self.kind == "value" and value is not _GONE and type(value) is not self.cls:
            seen, now = self.cls.__name__ if self.cls in _NUMBERS else seen, _kind(value)
        return f"{self.path.text} {seen} -> {now}"


class Guards:
    """The guards of one trace, in the order in which they were met."""

    def __init__(self) -> None:
        self.all: dict[Hashable, Guard] = {}
        self._unnamed: dict[Hashable, set[str]] = {}

    def __len__(self) -> int:
        return len(self.all)

    def add(
        self,
        path: Path,
        seen: str,
        kind: str,
        test: Callable[[Any], bool],
        code: Callable[[str, Constants], str],
        cls: type | None = None,
    ) -> None:
        """Add a guard; the first of a kind at a place stays."""
        self.all.setdefault((path.key, kind), Guard(path, seen, kind, test, code, cls))

    def same(self, path: Path, raw: Any) -> None:
        """A number or a string by value, everything else by identity."""
        if isinstance(raw, int | float | complex | str | bytes) and not isinstance(raw, bool):
            kind = type(raw)
            # nan equals nothing, and the zeros with and without a sign equal each other: their texts tell
            by_text = isinstance(raw, float | complex) and (
                raw != raw or "0.0" in repr(raw) or "0j" in repr(raw)
            )
            by_text = by_text and type(raw) in (float, complex)
            wanted = repr(raw) if by_text else raw

            def code(v: str, c: Constants) -> str:
                held = f"{c.add(repr)}({v})" if by_text else v
                # most often it is the very object that was seen
                return f"({v} is {c.add(raw)} or type({v}) is {c.add(kind)} and {held} == {c.add(wanted)})"

            def test(v: Any) -> bool:
                return type(v) is kind and bool((repr(v) if by_text else v) == wanted)

            self.add(path, repr(raw), "value", test, code, kind)
        else:
            self.identity(path, raw)

    def identity(self, path: Path, raw: Any) -> None:
        """The very same object, which is not kept alive where it is one of many of a class of the user's."""
        held: Callable[[], Any] | None = None
        if type(raw).__flags__ & _HEAP_TYPE and not isinstance(raw, type | FunctionType):
            with contextlib.suppress(TypeError):
                held = weakref.ref(raw)
        if held is not None:
            self._weak(path, held)
            return

        def code(v: str, c: Constants) -> str:
            return f"{v} is {c.add(raw)}"

        self.add(path, describe(raw), "identity", lambda v: v is raw, code)

    def _weak(self, path: Path, held: Callable[[], Any]) -> None:
        def code(v: str, c: Constants) -> str:
            return f"{v} is {c.add(held)}() is not None"

        self.add(path, describe(held()), "identity", lambda v: v is not None and v is held(), code)

    def lacking(self, path: Path, name: str) -> None:
        """An object, class or module without an attribute of this name."""

        def code(v: str, c: Constants) -> str:
            return f"not {c.add(hasattr)}({v}, {name!r})"

        self.add(path, f"no {name}", f"no {name}", lambda v: not hasattr(v, name), code)

    def unheld(self, path: Path, raw: Any, name: str) -> None:
        """An object that has no attribute of this name itself: that of its class is meant."""
        if not hasattr(raw, "__dict__"):
            return

        def code(v: str, c: Constants) -> str:
            return f"{name!r} not in {v}.__dict__"

        kind = f"no {name} of its own"
        self.add(path, kind, kind, lambda v: name not in v.__dict__, code)

    def attributes(self, path: Path, function: Any) -> None:
        """A function that gets no more attributes, and loses none."""
        count = len(vars(function))

        def code(v: str, c: Constants) -> str:
            return f"len({v}.__dict__) == {count}"

        self.add(path, "attributes", "attributes", lambda v: len(vars(v)) == count, code)

    def class_attribute(self, cls: type, name: str) -> Any:
        """What a class holds under this name, unbound, or ``MISSING``: the trace relies on it from now on."""
        for base in cls.__mro__:
            found = self.own_attribute(base, name)
            if found is not MISSING:
                return found
        return MISSING

    def own_attribute(self, cls: type, name: str) -> Any:
        """The same of a class without its bases."""
        held, fixed = cls.__dict__, cls.__flags__ & _IMMUTABLE
        found = held.get(name, MISSING)
        if found is MISSING and not fixed:
            self.unnamed(paths.Constant(cls.__name__, ("names of", id(cls)), held.keys()), name)
        elif not fixed:
            self._member(cls, name, found)
        return found

    def _member(self, cls: type, name: str, found: Any) -> None:
        """A class that holds this itself; data may change as long as it stays data."""
        held = paths.Constant(cls.__name__, ("class", id(cls)), cls.__dict__)
        path = paths.Item(f"{cls.__name__}.{name}", (held.key, name), held, name)
        if self.class_attribute(type(found), "__get__") is MISSING:
            self.kind(path, type(found))
        else:
            self.identity(path, found)

    def present(self, path: Path) -> None:
        """A name that holds something: reading it for the guard is the test."""
        self.add(path, "held", "held", lambda v: True, lambda v, c: f"{v} is {v}")

    def registered(self) -> None:
        """Which classes abstract classes take for their own."""
        tokens = paths.Constant("abstract classes", "abc", abc)
        token = abc.get_cache_token()

        def code(v: str, c: Constants) -> str:
            return f"{v}.get_cache_token() == {token}"

        self.add(tokens, "as registered", "names", lambda v: v.get_cache_token() == token, code)

    def unnamed(self, path: Path, name: str) -> None:
        """A collection of names, which is what ``path`` leads to, without this one."""
        names = self._unnamed.setdefault(path.key, set())
        names.add(name)

        def code(v: str, c: Constants) -> str:
            return f"{v}.isdisjoint({c.add(frozenset(names))})"

        seen = f"without {', '.join(sorted(names))}"
        self.all[path.key, "names"] = Guard(path, seen, "names", lambda v: v.isdisjoint(names), code)

    def method(self, path: Path, function: Any) -> None:
        """A method that is this function: neither the object nor its class has another one now."""

        def code(v: str, c: Constants) -> str:
            return f"{v}.__func__ is {c.add(function)}"

        def test(v: Any) -> bool:
            return getattr(v, "__func__", None) is function

        self.add(path, describe(function), "method", test, code)

    def aliases(self, met: Iterable[tuple[Path, Any]], distinct: bool) -> None:
        """Which of the containers and objects that are arguments, or held by them, are one and the same.

        With ``distinct`` those that are not must stay apart, else only those that are must stay together.
        """
        groups: dict[int, list[Path]] = {}
        kinds: dict[type, list[Path]] = {}
        for path, raw in met:
            group = groups.setdefault(id(raw), [])
            group.append(path)
            if len(group) == 1:
                kinds.setdefault(type(raw), []).append(path)
        for first, *others in groups.values():
            for other in others:
                self._together(first, other)
        if distinct:
            for paths in kinds.values():
                if len(paths) > 1:
                    self._apart(paths)

    def _together(self, first: Path, other: Path) -> None:
        def code(v: str, c: Constants) -> str:
            return f"{v} is {other.expression(c)}"

        self.add(first, f"{first.text} is {other.text}", f"is {other.text}", _never, code)

    def _apart(self, paths: Sequence[Path]) -> None:
        first, *others = paths

        def code(v: str, c: Constants) -> str:
            if len(others) == 1:
                return f"{v} is not {others[0].expression(c)}"
            number = c.add(id)
            texts = [v, *(other.expression(c) for other in others)]
            return f"len({{{', '.join(f'{number}({text})' for text in texts)}}}) == {len(texts)}"

        seen = f"{', '.join(path.text for path in paths)} are apart"
        self.add(first, seen, "apart", _never, code)

    def kind(self, path: Path, cls: type) -> None:
        """An object of exactly this class."""

        def code(v: str, c: Constants) -> str:
            return f"type({v}) is {c.add(cls)}"

        self.add(path, cls.__name__, "class", lambda v: type(v) is cls, code)

    def structure(self, path: Path, raw: Any) -> None:
        """A list, tuple or dict of this class with this length and these keys, in whatever order."""
        cls, length = type(raw), len(raw)
        keys = tuple(raw) if cls is dict else ()

        def code(v: str, c: Constants) -> str:
            text = f"type({v}) is {c.add(cls)} and len({v}) == {length}"
            return f"{text} and {same_keys(v, keys, c)}" if cls is dict else text

        def test(v: Any) -> bool:
            return (
                type(v) is cls
                and len(v) == length
                and (cls is not dict or {(type(k), k) for k in v} == {(type(k), k) for k in keys})
            )

        self.add(path, f"{cls.__name__} of {length}", "structure", test, code)

    def order(self, path: Path, raw: dict[Any, Any]) -> None:
        """A dict with its keys in this order: the trace has gone through them."""
        keys = tuple(raw)

        def code(v: str, c: Constants) -> str:
            return f"{c.add(tuple)}({v}) == {c.add(keys)}"

        self.add(path, f"in the order {_listed(keys)}", "order", lambda v: tuple(v) == keys, code)

    def type(self, path: Path, raw: Any, known: Type) -> None:
        """A value of the class of ``raw``; for an array, of its dtype and the known part of its shape."""
        cls = raw.__class__
        if isinstance(known, Scalar):
            self._scalar(path, known.dtype)
            return
        if not isinstance(known, Array):
            self.kind(path, cls)
            return
        dtype, shape = known.dtype, known.shape
        assert shape is not None and dtype is not None
        rank = len(shape)
        exact = None not in shape

        def code(v: str, c: Constants) -> str:
            text = f"type({v}) is {c.add(np.ndarray)} and {v}.dtype {equality(dtype)} {c.add(dtype)}"
            return text + (f" and {v}.shape == {shape!r}" if exact else f" and {v}.ndim == {rank}")

        def test(v: Any) -> bool:
            return (
                type(v) is np.ndarray and v.dtype == dtype and (v.shape == shape if exact else v.ndim == rank)
            )

        self.add(path, f"array {known}", "shape" if exact else "rank", test, code)

    def _scalar(self, path: Path, dtype: np.dtype[Any]) -> None:
        """A NumPy scalar of this dtype."""

        def code(v: str, c: Constants) -> str:
            same_class = f"type({v}) is {c.add(dtype.type)}"
            return same_class if is_single(dtype) else f"{same_class} and {v}.dtype == {c.add(dtype)}"

        self.add(path, f"np.{dtype}", "class", lambda v: type(v) is dtype.type and v.dtype == dtype, code)

    def release(self) -> None:
        """Let go of the arguments of the call that was traced."""
        for guard in self.all.values():
            guard.path.release()

    def tests(
        self, constants: Constants, local: str = "_g", known: Mapping[str, str] | None = None
    ) -> list[str]:
        """The guards as expressions of the function's parameters; they may raise what is in ``NOT_THERE``.

        What a guard looks up is bound to a local, which those after it begin at; so they go into one ``and``.

        Args:
            constants: takes the objects that the expressions refer to.
            local: what the names of locals begin with.
            known: expressions that are bound to locals already.
        """
        names = dict(known or {})
        found = []
        for guard in self.all.values():
            expression = guard.path.expression(constants)
            place = _shortened(expression, names)
            if place.isidentifier():
                found.append(guard.code(place, constants))
                continue
            name = names[expression] = f"{local}{len(names)}"
            found.append(guard.code(name, constants).replace(name, f"({name} := {place})", 1))
        return found

    def compile(self, names: tuple[str, ...]) -> Callable[[tuple[Any, ...]], bool] | None:
        """A function of the tuple of arguments that says whether all guards hold; None without guards."""
        if not self.all:
            return None
        constants = Constants(names)
        tests = " and ".join(self.tests(constants, unused("_g", names)))
        failure = constants.add(NOT_THERE)
        arguments = "".join(f"{name}, " for name in names)
        tests = unshadowed(tests, names, constants)
        source = "def holds(values):\n"
        if arguments:
            source += f"    {arguments} = values\n"
        source += f"    try:\n        return {tests}\n    except {failure}:\n        return False\n"
        exec(compile(source, "<autograph guards>", "exec"), constants.namespace)
        holds: Callable[[tuple[Any, ...]], bool] = constants.namespace["holds"]
        return holds

    def failed(self, arguments: dict[str, Any]) -> Iterator[tuple[Guard, Any]]:
        """The guards that do not hold for these arguments, and what is there instead."""
        for guard in self.all.values():
            constants = Constants(arguments)
            expression = guard.path.expression(constants)
            try:
                value = eval(expression, constants.namespace, arguments)
            except Exception:
                yield guard, _GONE
                continue
            if guard.test is _never:
                test = guard.code(expression, constants)
                if not eval(test, constants.namespace, arguments):
                    yield guard, _OTHERWISE
            elif not guard.test(value):
                yield guard, value


def _listed(keys: Iterable[Any]) -> str:
    """Keys in words.

    >>> _listed(["a", 1])
    "'a', 1"
    """
    return ", ".join(map(repr, keys))


def _kind(value: Any) -> str:
    """What kind of value this is: a number's class, an array's dtype and shape, a container's length.

    >>> _kind(2), _kind(np.float32(1)), _kind([2]), _kind("a")
    ('int', 'np.float32', 'list of 1', "'a'")
    """
    cls = type(value)
    if value is _GONE or value is None or cls in (str, bytes, bool, np.ndarray) or is_function(cls):
        return describe(value)
    if issubclass(cls, np.generic):
        return f"np.{value.dtype}"
    return f"{cls.__name__} of {len(value)}" if cls in (list, tuple, dict, set) else cls.__name__


def same_keys(place: str, keys: tuple[Any, ...], constants: Constants) -> str:
    """The test that a dict has these keys, in whatever order: ``True`` is not ``1``."""
    text = f"{place}.keys() == {constants.add(frozenset(keys))}"
    if all(type(key) is str for key in keys):
        return text
    types = constants.add(frozenset(map(type, keys)))
    return f"{text} and {constants.add(set)}({constants.add(map)}({constants.add(type)}, {place})) == {types}"


def unshadowed(tests: str, names: Sequence[str], constants: Constants) -> str:
    """The tests where parameters of the user's hide the builtins that they call."""
    for builtin in (type, len, tuple):
        if builtin.__name__ in names:
            tests = re.sub(rf"(?<![\w.]){builtin.__name__}\(", f"{constants.add(builtin)}(", tests)
    return tests


def _shortened(expression: str, names: Mapping[str, str]) -> str:
    """The expression from the longest of its beginnings on that has a name.

    >>> _shortened("self.layers[0].rate", {"self.layers": "_g0", "self.layers[0]": "_g1"})
    '_g1.rate'
    """
    best = ""
    for known in names:
        if (
            len(known) > len(best)
            and expression.startswith(known)
            and expression[len(known) : len(known) + 1] in ".["
        ):
            best = known
    return names[best] + expression[len(best) :] if best else names.get(expression, expression)


def is_single(dtype: np.dtype[Any]) -> bool:
    """Whether NumPy has but one object for this dtype: identity tells, and a scalar's class says all."""
    return dtype.isbuiltin == 1 and dtype.kind in "?biufcO"


def equality(dtype: np.dtype[Any]) -> str:
    """The operator that compares dtypes with this one."""
    return "is" if is_single(dtype) else "=="


def _never(value: Any) -> bool:
    """Stands for a test that takes more than one value: the code of the guard tells."""
    return False


_NUMBERS = (int, float, complex)
_NAMED = (type, FunctionType, BuiltinFunctionType, MethodType, np.ufunc)
"""Classes whose objects are called by their names."""


def describe(value: Any) -> str:
    """A short text for a value without addresses, which asks nothing of an object of the user's."""
    if value is _GONE:
        return "nothing"
    cls = type(value)
    if issubclass(cls, int | float | complex | str | bytes | type(None)):
        text = repr(value)
        return text if len(text) <= 40 else text[:37] + "..."
    if issubclass(cls, np.ndarray):
        return f"array {value.dtype}{list(value.shape)}"
    if is_function(cls):
        return f"{value.__qualname__} ({line_of(value.__code__)})"
    return str(value.__qualname__) if issubclass(cls, _NAMED) else f"a {cls.__qualname__}"


def is_function(cls: type) -> bool:
    """Whether objects of a class are functions with code, staged or not."""
    staged = cls.__name__ == "Function" and cls.__module__ == "autograph.runtime.function"
    return issubclass(cls, FunctionType) or staged


def line_of(code: CodeType) -> str:
    """Where a function is written, in short."""
    return f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}"
