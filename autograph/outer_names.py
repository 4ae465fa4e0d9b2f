"""What the passes ask about the world outside a function: where its names live, and what they hold."""

from __future__ import annotations

import builtins
import enum
import os
import site
import sys
import sysconfig
import types
from collections.abc import Callable
from typing import Any

_home: dict[str, bool] = {}  # file name -> the user's own?


def is_users(filename: str) -> bool:
    """Whether a file is the user's own: not the standard library, no installed package, nothing of ours."""
    known = _home.get(filename)
    if known is None:
        path = os.path.abspath(filename) if not filename.startswith("<") else filename
        known = not (path.startswith("<frozen") or path.startswith(_LIBRARIES) or path.startswith(_OURS))
        _home[filename] = known
    return known


def _library_paths() -> tuple[str, ...]:
    paths = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    paths += [*site.getsitepackages(), site.getusersitepackages()]
    paths += [os.path.dirname(os.path.realpath(os.__file__)), os.path.dirname(os.__file__)]
    return tuple(sorted({os.path.join(path, "") for path in paths if path}))


_LIBRARIES = _library_paths()
_HERE = os.path.dirname(os.path.abspath(__file__))
_OURS = (os.path.join(_HERE, ""), os.path.join(os.path.dirname(_HERE), "runtime", ""))


def outer_value(f: types.FunctionType, name: str) -> tuple[str, Any, bool]:
    """Where an outer name lives, what it holds, and whether it holds anything."""
    free = f.__code__.co_freevars
    if name in free:
        cell = (f.__closure__ or ())[free.index(name)]
        try:
            return "free", cell.cell_contents, True
        except ValueError:
            return "free", None, False
    if name in f.__globals__:
        return "global", f.__globals__[name], True
    names = f.__globals__.get("__builtins__", builtins)
    names = names if isinstance(names, dict) else vars(names)
    if name in names:
        return "builtin", names[name], True
    return "global", None, False


_STEADY = (types.ModuleType, type, types.FunctionType, types.BuiltinFunctionType, types.MethodType)
_HOLDERS = (types.SimpleNamespace, types.MappingProxyType)
"""Classes that hold data, among those of code."""


def is_steady(value: Any) -> bool:
    """Whether a value of an outer name is code rather than data: a module, class, function, or object of
    ours.

    >>> is_steady(len), is_steady(3)
    (True, False)
    """
    if isinstance(value, _STEADY):
        return True
    kind = type(value)
    package = kind.__module__.partition(".")[0]
    if package in ("autograph", "typing", "types") and kind not in _HOLDERS:
        return not hasattr(kind, "__autograph_state__")
    return callable(value) and (package in sys.stdlib_module_names or package == "numpy")


def _is_data(f: types.FunctionType, name: str) -> bool:
    _, value, present = outer_value(f, name)
    return not present or not is_steady(value)


def _lookup(f: types.FunctionType, path: str) -> Any:
    """What a dotted path leads to, through modules and classes only; ``None`` where it leads nowhere."""
    name, *attributes = path.split(".")
    value = outer_value(f, name)[1]
    for attribute in attributes:
        if not isinstance(value, (types.ModuleType, type)):
            return None
        value = getattr(value, attribute, None)
    return value


_NOTHING = object()


def _owner(f: types.FunctionType, path: str) -> Any:
    """What has the last attribute of the path, if it is a module, class or function of the user's."""
    name, *attributes = path.split(".")
    value = outer_value(f, name)[1]
    for attribute in attributes[:-1]:
        if not _is_users_own(value):
            return _NOTHING
        value = getattr(value, attribute, None)
    return value if _is_users_own(value) else _NOTHING


def _is_users_own(value: Any) -> bool:
    value = getattr(value, "python_function", value) if is_steady(value) else value  # of a staged function
    if isinstance(value, types.FunctionType):
        return is_users(value.__code__.co_filename)
    if isinstance(value, type):
        value = sys.modules.get(value.__module__)
    elif not isinstance(value, types.ModuleType):
        return False
    if value is sys or value is os:
        return True  # the streams, the environment and the settings in them change
    filename = getattr(value, "__file__", None)
    if filename is None:
        return getattr(value, "__name__", None) == "__main__" or (isinstance(value, types.ModuleType) and (
            value.__name__.partition(".")[0] not in sys.stdlib_module_names
        ))
    return is_users(filename)


def _attribute(f: types.FunctionType, path: str) -> Any:
    """The value of an attribute of an outer module, class or function of the user's."""
    owner = _owner(f, path)
    if owner is _NOTHING:
        return _NOTHING
    found = getattr(owner, path.rpartition(".")[2], None)
    return _NOTHING if isinstance(owner, enum.EnumMeta) and isinstance(found, owner) else found


def _is_container(f: types.FunctionType, path: str) -> bool:
    return _owner(f, path) is not _NOTHING


def _is_data_attribute(f: types.FunctionType, path: str) -> bool:
    value = _attribute(f, path)
    return value is not _NOTHING and not is_steady(value)


def _is_code_attribute(f: types.FunctionType, path: str) -> bool:
    value = _attribute(f, path)
    return value is not _NOTHING and is_steady(value)


# context managers that let every exception through, by the top package that they come from
TRANSPARENT = {
    "numpy": {"errstate", "printoptions"},
    "contextlib": {"nullcontext", "closing", "redirect_stdout", "redirect_stderr"},
    "warnings": {"catch_warnings"},
    "decimal": {"localcontext"},
    "_io": {"open"},
    "io": {"open"},
}


def _is_transparent(f: types.FunctionType, path: str) -> bool:
    value = _lookup(f, path)
    package = str(getattr(value, "__module__", None)).partition(".")[0]
    return getattr(value, "__name__", None) in TRANSPARENT.get(package, ())


ANSWERS: dict[str, Callable[[types.FunctionType, str], bool]] = {
    "data": _is_data,
    "builtin": lambda f, name: outer_value(f, name)[0] == "builtin",
    "container": _is_container,
    "data attribute": _is_data_attribute,
    "code attribute": _is_code_attribute,
    "transparent": _is_transparent,
    "user's": lambda f, name: _is_users_own(outer_value(f, name)[1]),
}
"""What the passes ask about the world outside; a conversion holds as long as the answers are the same."""
