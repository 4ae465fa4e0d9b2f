"""Imports inside functions.

A module that is loaded already is known while tracing, under guards, as importing it touches nothing.  Every
other import may run the code of a module, or fail: it happens when the graph runs.
"""

from __future__ import annotations

import builtins
import importlib.util
import sys
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

from . import paths, state
from .ops import table
from .paths import Path

if TYPE_CHECKING:
    from .tracing import Tracer

_IMPORT = builtins.__import__


def import_(tracer: Tracer, importing: Callable[[], Any], module: str, names: tuple[str, ...]) -> Any:
    """What ``import module`` or ``from module import names`` binds, which ``importing`` does and gives."""
    loaded = _loaded(tracer, _absolute(importing, module), names)
    if loaded and names:
        attributes = [paths.attribute(loaded[-1], name) for name in names]
        found = tuple([state.find_in_module(tracer, path, path.read()) for path in attributes])
        return found if len(found) > 1 else found[0]
    if loaded:
        raw = importing()  # the package, or the module itself where it is named
        for path in loaded:
            if path.read() is raw:
                return state.proxy(tracer, path, raw)
    result = tracer.record(table.unknown_call(importing, f"import_{module.strip('.')}".replace(".", "_")), ())
    return tuple(tracer.unpack_into(result, len(names))) if len(names) > 1 else result


def _absolute(importing: Callable[[], Any], module: str) -> str:
    """The full name of a module; where there is no package, Python says so when the graph runs."""
    if not module.startswith("."):
        return module
    try:
        return importlib.util.resolve_name(module, importing.__globals__.get("__package__") or "")
    except ImportError:
        return module


def _loaded(tracer: Tracer, module: str, names: tuple[str, ...]) -> list[Path]:
    """Where the module and the packages around it are found, outermost first; none where one is missing."""
    if builtins.__import__ is not _IMPORT:
        return []
    functions = paths.Constant("builtins", ("object", id(builtins)), builtins)
    tracer.guards.identity(paths.attribute(functions, "__import__"), _IMPORT)
    modules = paths.Constant("sys.modules", ("object", id(sys.modules)), sys.modules)
    found: list[Path] = []
    parts = module.split(".")
    for length in range(1, len(parts) + 1):
        name = ".".join(parts[:length])
        held = sys.modules.get(name)
        if name not in sys.modules:
            keys = paths.Constant("sys.modules", ("names of", id(sys.modules)), sys.modules.keys())
            tracer.guards.unnamed(keys, name)
        if not isinstance(held, ModuleType) or getattr(held.__spec__, "_initializing", False):
            return []
        tracer.guards.identity(paths.item(modules, name), held)
        found.append(paths.Constant(name, ("object", id(held)), held))
    for name in names:
        if name not in vars(held):
            tracer.guards.unheld(found[-1], held, name)
            return []
    return found
