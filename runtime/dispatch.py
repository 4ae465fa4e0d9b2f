"""The function that a call enters: generated Python that tells the newest traces apart by itself.

It has the parameters of the user's function, so Python binds the arguments and says what does not bind.  One expression a
trace checks the arguments and the guards; when none fits, the slow way decides.  It is compiled under the user's file at
the line of the ``def``, so that a traceback shows nothing of ours.
"""
from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Sequence
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from .guards import NOT_THERE, Constants
from .signature import Key

if TYPE_CHECKING:
    from .function import ConcreteFunction

MOST = 4
"""How many traces are told apart here; the others are looked up."""


def dispatcher(
    plain: FunctionType, traces: Sequence[ConcreteFunction], slow: Callable[..., Any]
) -> FunctionType:
    """The ``__call__`` of one staged function: of itself (not used) and the parameters of ``plain``."""
    constants = Constants()
    signature = inspect.signature(plain)
    names = tuple(signature.parameters)
    values = f"({''.join(f'{name}, ' for name in names)})"
    own, run = _unused("_function", names), _unused("_run", names)
    lines = [f"def call({_parameters(signature, constants, own)}):", "    try:"]
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
        lines.append(f"    if {run} is not None:\n        return {run}({', '.join(names)})")
    else:
        lines.pop()
    lines.append(f"    return {constants.add(slow)}({values})")
    return _compile("\n".join(lines), plain, constants)


def binder(plain: FunctionType) -> FunctionType:
    """A function with the parameters of ``plain`` that gives their values as a tuple."""
    constants = Constants()
    signature = inspect.signature(plain)
    values = "".join(f"{name}, " for name in signature.parameters)
    text = f"def bind({_parameters(signature, constants, None)}):\n    return ({values})"
    return _compile(text, plain, constants)


def _unused(name: str, names: tuple[str, ...]) -> str:
    """A local that is none of the parameters."""
    while name in names:
        name = f"_{name}"
    return name


def _parameters(signature: inspect.Signature, constants: Constants, first: str | None) -> str:
    """The parameter list as text, with defaults by name."""
    texts: list[str] = [] if first is None else [first, "/"]
    positional = [p for p in signature.parameters.values() if p.kind is p.POSITIONAL_ONLY]
    if positional and first is not None:
        texts.remove("/")
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
            text += f"={constants.add(parameter.default)}"
        texts.append(text)
        if positional and parameter is positional[-1]:
            texts.append("/")
    return ", ".join(texts)


def _compile(text: str, plain: FunctionType, constants: Constants) -> FunctionType:
    """Compile one ``def`` under the file, name and first line of ``plain``."""
    tree = ast.parse(text)
    line = plain.__code__.co_firstlineno
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = line  # type: ignore[attr-defined]
            node.col_offset = node.end_col_offset = -1  # type: ignore[attr-defined]
    module = compile(tree, plain.__code__.co_filename, "exec")
    namespace = dict(constants.namespace)
    exec(module, namespace)
    made = next(value for value in namespace.values() if isinstance(value, FunctionType) and _is_of(value, module))
    made.__code__ = made.__code__.replace(co_name=plain.__name__)
    made.__name__, made.__qualname__ = plain.__name__, plain.__qualname__
    return made


def _is_of(function: FunctionType, module: CodeType) -> bool:
    return function.__code__ in module.co_consts


def _test(names: tuple[str, ...], trace: ConcreteFunction, constants: Constants) -> str | None:
    """The expression that says whether a trace fits; None when only the slow way can say."""
    tests: list[str] = []
    for name, key in zip(names, trace.keys, strict=True):
        if not key_test(name, key, constants, tests):
            return None
    return " and ".join(tests + trace.guards.tests(constants)) or "True"


def key_test(place: str, key: Key, constants: Constants, tests: list[str]) -> bool:
    """Append the tests that the value at ``place`` has this key; whether that can be told quickly."""
    kind = key[0]
    if kind == "array":
        if key[1] is None or key[2] is None:
            return False
        tests.append(f"type({place}) is {constants.add(np.ndarray)}")
        tests.append(f"{place}.dtype is {constants.add(key[1])}")
        if None not in key[2]:
            tests.append(f"{place}.shape == {key[2]!r}")
        else:
            tests.append(f"{place}.ndim == {len(key[2])}")
            tests.extend(f"{place}.shape[{k}] == {d}" for k, d in enumerate(key[2]) if d is not None)
    elif kind == "number":
        tests.append(f"type({place}) is {key[1].__name__}")
    elif kind == "scalar":
        tests.append(f"type({place}) is {constants.add(key[1].type)}")
        if key[1].kind in "SUVMm":
            tests.append(f"{place}.dtype == {constants.add(key[1])}")
    elif kind == "static":
        value = key[2]
        if value is None or value is True or value is False:
            tests.append(f"{place} is {value}")
        elif key[1] is str or key[1] is int:
            tests.append(f"type({place}) is {key[1].__name__} and {place} == {value!r}")
        else:
            return False
    elif kind == "same":
        tests.append(f"{place} is {constants.add(key[1].value)}")
    elif kind in ("tuple", "list"):
        tests.append(f"type({place}) is {kind} and len({place}) == {len(key) - 1}")
        return all(key_test(f"{place}[{k}]", item, constants, tests) for k, item in enumerate(key[1:]))
    elif kind == "dict":
        names = tuple(name for name, _ in key[1:])
        tests.append(f"type({place}) is dict and tuple({place}) == {names!r}")
        return all(key_test(f"{place}[{name!r}]", item, constants, tests) for name, item in key[1:])
    else:
        return False
    return True
