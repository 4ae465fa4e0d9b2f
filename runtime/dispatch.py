"""The function that a call enters: generated Python that tells the newest traces apart by itself.

It has the parameters of the user's function, so Python binds the arguments and says what does not bind. One
expression a trace checks the arguments and the guards; when none fits, the slow way decides. It is compiled
under the user's file at the line of the ``def``, so that a traceback shows nothing of ours.
"""

from __future__ import annotations

import ast
import inspect
import os
from collections.abc import Callable, Iterable, Sequence
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.silence import silent

from .backends.tracebacks import restore
from .guards import NOT_THERE, Constants, equality, is_single, same_keys, unshadowed, unused
from .signature import Key

if TYPE_CHECKING:
    from .concrete_function import ConcreteFunction

MOST = 4
"""How many traces are told apart here; the others are looked up."""


def dispatcher(
    plain: FunctionType, traces: Sequence[ConcreteFunction], slow: Callable[..., Any]
) -> FunctionType:
    """What one staged function does when it is called: a function of the parameters of ``plain``."""
    signature = signature_of(plain)
    constants = Constants(signature.parameters)
    names = tuple(signature.parameters)
    values = f"({''.join(f'{name}, ' for name in names)})"
    run = unused("_run", names)
    lines = [*_header(plain, signature, constants), "    try:"]
    word = "if"
    for trace in traces[-MOST:][::-1]:
        test = _test(names, trace, constants)
        if test is not None:
            lines.append(f"        {word} {test}:")
            lines.append(f"            {run} = {constants.add(trace.program)}")
            word = "elif"
    if word == "elif":
        lines.append(f"        else:\n            {run} = None")
        lines.append(f"    except {constants.add(NOT_THERE)}:\n        {run} = None")
        lines += [f"    if {run} is not None:", *_running(run, names, "        ", constants)]
    else:
        lines.pop()
    lines.append(f"    {run} = {constants.add(slow)}({values})")
    lines.append(f"    if {constants.add(isinstance)}({run}, {constants.add(BaseException)}):")
    lines.append(f"        raise {run}")
    lines += _running(run, names, "    ", constants)
    return _compile("\n".join(lines), plain, constants)


def _running(run: str, names: Sequence[str], margin: str, constants: Constants) -> list[str]:
    """Lines that run a program; from an exception that it raises, the frame of these lines is taken off."""
    return [
        f"{margin}try:",
        f"{margin}    return {run}({', '.join(names)})",
        f"{margin}except:",
        f"{margin}    {constants.add(restore)}()",
        f"{margin}    raise",
    ]


def show_internal_frames() -> bool:
    """Whether the frames of ours stay in tracebacks: the environment has ``AUTOGRAPH_INTERNAL_FRAMES=1``."""
    return os.environ.get("AUTOGRAPH_INTERNAL_FRAMES", "") not in ("", "0")


def binder(plain: Any) -> FunctionType:
    """A function with the parameters of ``plain`` that gives their values as a tuple."""
    signature = signature_of(plain)
    constants = Constants(signature.parameters)
    values = "".join(f"{name}, " for name in signature.parameters)
    text = "\n".join([*_header(plain, signature, constants), f"    return ({values})"])
    return _compile(text, plain, constants)


def signature_of(plain: Any) -> inspect.Signature:
    """The parameters that the function has itself, whatever it says that it wraps."""
    bare = FunctionType(
        plain.__code__, plain.__globals__, plain.__name__, plain.__defaults__, plain.__closure__
    )
    bare.__kwdefaults__ = plain.__kwdefaults__
    return inspect.signature(bare)


def _header(plain: Any, signature: inspect.Signature, constants: Constants) -> list[str]:
    """The ``def`` line, and lines that take the defaults from ``plain``, which may have got new ones."""
    missing, owner = constants.add(_MISSING), constants.add(plain)
    lines = [f"def call({_parameters(signature, missing)}):"]
    optional = [p for p in signature.parameters.values() if p.default is not p.empty]
    places = [p for p in optional if p.kind is not p.KEYWORD_ONLY]
    for parameter in optional:
        name = parameter.name
        if parameter in places:
            found = f"{owner}.__defaults__[{places.index(parameter) - len(places)}]"
        else:
            found = f"{owner}.__kwdefaults__[{name!r}]"
        lines.append(f"    if {name} is {missing}:\n        {name} = {found}")
    return lines


_MISSING = object()


def _parameters(signature: inspect.Signature, missing: str) -> str:
    """The parameter list as text, with a mark for every default."""
    texts: list[str] = []
    positional = [p for p in signature.parameters.values() if p.kind is p.POSITIONAL_ONLY]
    starred = False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            texts.append("*")
            starred = True
        text = parameter.name
        if parameter.kind is parameter.VAR_POSITIONAL:
            text, starred = f"*{text}", True
        elif parameter.kind is parameter.VAR_KEYWORD:
            text = f"**{text}"
        if parameter.default is not parameter.empty:
            text += f"={missing}"
        texts.append(text)
        if positional and parameter is positional[-1]:
            texts.append("/")
    return ", ".join(texts)


def _compile(text: str, plain: FunctionType, constants: Constants) -> FunctionType:
    """Compile one ``def`` under the file, name and first line of ``plain``."""
    line = plain.__code__.co_firstlineno
    with silent(plain.__code__.co_filename):
        tree = ast.parse(text)
        for node in ast.walk(tree):
            if hasattr(node, "lineno"):
                node.lineno = node.end_lineno = line  # type: ignore[attr-defined]
                node.col_offset = node.end_col_offset = -1  # type: ignore[attr-defined]
        module = compile(tree, plain.__code__.co_filename, "exec")
    namespace = dict(constants.namespace)
    exec(module, namespace)
    made = next(
        value for value in namespace.values() if isinstance(value, FunctionType) and _is_of(value, module)
    )
    made.__code__ = made.__code__.replace(co_name=plain.__name__)
    made.__name__, made.__qualname__ = plain.__name__, plain.__qualname__
    return made


def _is_of(function: FunctionType, module: CodeType) -> bool:
    return function.__code__ in module.co_consts


def _test(names: tuple[str, ...], trace: ConcreteFunction, constants: Constants) -> str | None:
    """The expression that says whether a trace fits; None when only the slow way can say."""
    tests = KeyTests(constants, names)
    for name, key in zip(names, trace.keys, strict=True):
        if not tests.add(name, name, key):
            return None
    guards = trace.guards.tests(constants, f"{tests.local}_", tests.locals)
    every = dict.fromkeys([*tests.found, *guards])
    return unshadowed(" and ".join(every) or "True", names, constants)


class KeyTests:
    """The tests that arguments have certain keys, as expressions; items are named as they are looked up."""

    def __init__(self, constants: Constants, names: tuple[str, ...]) -> None:
        self.found: list[str] = []
        self._constants = constants
        self.local = unused("_v", names)
        self.locals: dict[str, str] = {}
        """What is looked up, as an expression of the parameters, and the local that holds it."""
        self._whole: dict[str, str] = {}

    def _items(self, place: str, items: Iterable[tuple[str, Key]]) -> bool:
        """Tests of items: each is looked up once."""
        for suffix, key in items:
            name = f"{self.local}{len(self.locals)}"
            whole = self._whole[name] = self._whole.get(place, place) + suffix
            self.locals[whole] = name
            if not self.add(f"({name} := {place}{suffix})", name, key):
                return False
        return True

    def add(self, first: str, place: str, key: Key) -> bool:
        """Add the tests that a value has this key; whether that can be told quickly.

        ``first`` is how the first test has to write the value, ``place`` how the others may.
        """
        kind, constant, test = key[0], self._constants.add, self.found.append
        if kind == "array":
            if key[1] is None or key[2] is None:
                return False
            test(f"type({first}) is {constant(np.ndarray)}")
            test(f"{place}.dtype {equality(key[1])} {constant(key[1])}")
            if None not in key[2]:
                test(f"{place}.shape == {key[2]!r}")
            else:
                test(f"{place}.ndim == {len(key[2])}")
                self.found.extend(f"{place}.shape[{k}] == {d}" for k, d in enumerate(key[2]) if d is not None)
        elif kind == "number":
            test(f"type({first}) is {constant(key[1])}")
        elif kind == "scalar":
            test(f"type({first}) is {constant(key[1].type)}")
            if not is_single(key[1]):
                test(f"{place}.dtype == {constant(key[1])}")
        elif kind == "static":
            value = key[2]
            if value is None or value is True or value is False:
                test(f"{first} is {value}")
            elif key[1] in (str, int, bytes, range):
                test(f"type({first}) is {constant(key[1])}")
                test(f"{place} == {value!r}" if key[1] is not range else f"{place} == {constant(value)}")
            elif key[1] in (float, complex):
                test(f"type({first}) is {constant(key[1])}")
                test(f"{constant(repr)}({place}) == {key[3]!r}")
            else:
                return False
        elif kind == "same":
            test(f"{first} is {constant(key[1].value)}")
        elif kind == "function":
            if key[2] is not None:
                test(f"{first} is {constant(key[2].value)}")
            else:
                test(f"type({first}) is {constant(FunctionType)}")
                test(f"{place}.__code__ is {constant(key[1].value)}")
                test(f"{place}.__defaults__ is {place}.__kwdefaults__ is None")
                test(f"not {place}.__dict__")
        elif kind in ("object", "value"):
            test(f"type({first}) is {constant(key[1].value)}")
        elif kind == "set":
            test(f"type({first}) is {constant(set)}")
        elif kind in ("tuple", "list", "arguments"):
            test(f"type({first}) is {constant(list if kind == 'list' else tuple)}")
            test(f"len({place}) == {len(key) - 1}")
            return self._items(place, ((f"[{k}]", item) for k, item in enumerate(key[1:])))
        elif kind == "named tuple":
            test(f"type({first}) is {constant(key[1].value)}")
            return self._items(place, ((f"[{k}]", item) for k, item in enumerate(key[2:])))
        elif kind == "dict":
            test(f"type({first}) is {constant(dict)}")
            test(same_keys(place, tuple(name for name, _ in key[1:]), self._constants))
            return self._items(place, ((f"[{name!r}]", item) for name, item in key[1:]))
        elif kind == "method":
            test(f"type({first}) is {constant(key[1].value)}")
            test(f"{place}.__func__ is {constant(key[2].value)}")
            return self._items(place, [(".__self__", key[3])])
        elif kind == "long arguments":
            test(f"type({first}) is {constant(tuple)}")
        elif kind in ("long list", "long dict"):
            test(f"type({first}) is {constant(list if kind == 'long list' else dict)}")
        else:
            return False
        return True
