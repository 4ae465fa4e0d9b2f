"""A plugin of pytest that converts the functions of networkx, in place, before its own tests run.

    python -m pytest -p third_party.converting --pyargs networkx.algorithms.shortest_paths

Transpiled code on plain values must be the plain function.  Generator functions stay as they are.
"""
from __future__ import annotations

import importlib
import pkgutil
import sys
import types
from typing import Any

from autograph.convert import converted
from autograph.errors import StagingError

PACKAGE = "networkx"
done: dict[int, Any] = {}
refused: list[str] = []


def convert_function(function: Any) -> Any:
    """The converted form of a function, and of what it wraps."""
    if not isinstance(function, types.FunctionType) or not str(function.__module__).startswith(PACKAGE):
        return function
    if id(function) not in done:
        done[id(function)] = function  # also keeps it alive, so that its id stays its own
        wrapped = getattr(function, "__wrapped__", None)
        if hasattr(function, "__argmap__"):  # networkx compiles the wrapper at its first call, around this
            function.__wrapped__ = convert_function(wrapped)
            return function
        if wrapped is None:
            try:
                done[id(function)] = new = converted(function, also=(PACKAGE,))
                done[id(new)] = new
            except StagingError as error:
                refused.append(f"{function.__module__}.{function.__qualname__}: {error}")
    return done[id(function)]


def convert_class(cls: type) -> None:
    for name, member in [*vars(cls).items()]:
        kind = type(member)
        if isinstance(member, types.FunctionType):
            new: Any = convert_function(member)
        elif kind in (staticmethod, classmethod):
            new = kind(convert_function(member.__func__))
        elif kind is property:
            parts = (member.fget, member.fset, member.fdel)
            new = property(*(each and convert_function(each) for each in parts), doc=member.__doc__)
        else:
            continue
        if not name.startswith("__") or name == "__call__":
            setattr(cls, name, new)


def convert_module(module: types.ModuleType) -> None:
    for name, value in [*vars(module).items()]:
        if hasattr(value, "orig_func"):
            value.orig_func = convert_function(value.orig_func)
        elif isinstance(value, types.FunctionType):
            setattr(module, name, convert_function(value))
        elif isinstance(value, type) and value.__module__ == module.__name__:
            convert_class(value)


def convert_package() -> None:
    """Convert every function of the algorithms, wherever a module has it."""
    import networkx.algorithms

    for each in pkgutil.walk_packages(networkx.algorithms.__path__, "networkx.algorithms."):
        if ".tests" not in each.name:
            importlib.import_module(each.name)
    for name, module in [*sys.modules.items()]:
        if name.startswith("networkx.algorithms") and ".tests" not in name:
            convert_module(module)


def pytest_sessionstart() -> None:
    convert_package()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    count = sum(1 for each in done.values() if hasattr(each, "__static_names__"))
    terminalreporter.write_line(f"converted {count} functions of {PACKAGE}, {len(refused)} refused")
    for line in refused:
        terminalreporter.write_line(line.splitlines()[0])
