"""What the command line is told to work on: functions, named by file or module, and arguments for them.

Importing the user's module and evaluating the arguments is all that happens here; nothing is converted.
"""
from __future__ import annotations

import ast
import contextlib
import difflib
import importlib
import importlib.util
import inspect
import os
import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

USAGE, RAISED = 2, 4  # exit statuses; the whole list is in autograph.cli


class CommandError(Exception):
    """What stops the command: one line for the user, and the exit status."""

    def __init__(self, message: str, status: int = USAGE) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Target:
    """A function that was asked for.  ``function`` may be a staged one; ``plain`` never is."""

    name: str
    function: Any
    module: ModuleType

    @property
    def plain(self) -> Callable[..., Any]:
        """The function as the user wrote it."""
        return plain_function(self.function)

    @property
    def place(self) -> str:
        """``file.py:line`` of the function."""
        code = _code(self.plain)
        return f"{shown_path(code.co_filename)}:{code.co_firstlineno}" if code else self.module.__name__


def plain_function(function: Any) -> Callable[..., Any]:
    """The Python function of a staged one; any other as it is."""
    plain: Callable[..., Any] = getattr(function, "python_function", function)
    return plain


def shown_path(filename: str) -> str:
    """The path as the user would type it: relative where that is shorter."""
    try:
        relative = os.path.relpath(filename)
    except ValueError:  # another drive
        return filename
    return relative if len(relative) < len(filename) else filename


def targets(text: str) -> list[Target]:
    """The functions that a TARGET of the command line names.

    ``file.py`` and ``package.module`` give every function written there, ``...:name`` gives one, or all
    methods of a class.

    Raises:
        CommandError: there is no such file, module or name, or importing it failed.
    """
    place, name = _split(text)
    module = _load_file(place) if place.endswith(".py") else _load_module(place)
    if not name:
        found = list(_functions(module, module, ""))
        if not found:
            raise CommandError(f"{place}: no function is defined there")
        return found
    value = _lookup(module, name, place)
    if isinstance(value, property) and value.fget is not None:
        value = value.fget
    if inspect.isclass(value):
        methods = list(_functions(value, module, f"{name}."))
        if not methods:
            raise CommandError(f"{place}: class {name} has no methods of its own")
        return methods
    if not callable(value):
        raise CommandError(f"{place}: {name} is not a function but of type {type(value).__name__}")
    target = Target(name, value, module)
    if not _is_written_in_python(target.plain):
        raise CommandError(f"{place}: {name} is not written in Python, so there is no source to convert")
    return [target]


def _is_written_in_python(function: Any) -> bool:
    """Whether it is a Python function or method, or an object whose class defines ``__call__`` as one."""
    function = getattr(function, "__func__", function)
    return inspect.isfunction(function) or inspect.isfunction(getattr(type(function), "__call__", None))  # noqa: B004


def only_target(text: str) -> Target:
    """The one function that a TARGET names.

    Raises:
        CommandError: it names several.
    """
    found = targets(text)
    if len(found) > 1:
        names = ", ".join(target.name for target in found)
        place, name = _split(text)
        what = f"class {name}" if name else "it"
        example = f"{place}:{found[0].name}"
        raise CommandError(f"{place}: {what} has several functions; name one, as in {example} ({names})")
    return found[0]


def evaluated(text: str, target: Target) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of ``--args``, evaluated with the names of the target's module, ``np`` and ``ag``.

    Raises:
        CommandError: they are no arguments of a call, raise, or do not bind to the function's parameters.
    """
    try:
        call = ast.parse(f"call({text}\n)", "--args", mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise CommandError(f'--args "{text}": {getattr(error, "msg", error)}') from None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != "call":
        raise CommandError(f'--args "{text}": not the arguments of a call')
    names = {**vars(target.module), **_offered_names(), "call": lambda *args, **kwargs: (args, kwargs)}
    try:
        args, kwargs = eval(compile(ast.Expression(call), "--args", "eval"), names)
    except Exception as error:
        raise CommandError(f'--args "{text}": {type(error).__name__}: {error}') from None
    try:
        inspect.signature(target.plain).bind(*args, **kwargs)
    except TypeError as error:
        signature = f"{target.name}{inspect.signature(target.plain)}"
        what = f'--args "{text}" does not fit' if text else "--args is needed for"
        raise CommandError(f"{target.place}: {what} {signature}: {error}") from None
    except ValueError:  # a function that cannot tell its signature
        pass
    return args, kwargs


def _offered_names() -> dict[str, Any]:
    names = {"np": importlib.import_module("numpy")}
    return {**names, "numpy": names["np"], "ag": importlib.import_module("autograph")}


def _split(text: str) -> tuple[str, str]:
    """The file or module, and the name in it or nothing.  A drive letter's colon separates nothing."""
    if text.endswith(".py"):
        return text, ""
    place, _, name = text.rpartition(":")
    return (place, name) if place else (name, "")


def _load_file(place: str) -> ModuleType:
    path = Path(place)
    if path.is_dir():
        raise CommandError(f"{place}: is a directory, not a file")
    if not path.exists():
        raise CommandError(f"{place}: no such file")
    path = path.resolve()
    root, names = path.parent, [] if path.stem == "__init__" else [path.stem]
    while (root / "__init__.py").exists() and root.parent != root:
        root, names = root.parent, [root.name, *names]
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    name = ".".join(names)
    present = sys.modules.get(name)
    if present is not None and getattr(present, "__file__", None) == str(path):
        return present
    if present is not None or not all(part.isidentifier() for part in names):
        name = f"autograph_target_{abs(hash(str(path)))}"
    with _user_code(place):
        if len(names) > 1 and not name.startswith("autograph_target_"):
            return importlib.import_module(name)
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise CommandError(f"{place}: cannot be imported")
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
        return module


def _load_module(name: str) -> ModuleType:
    if os.sep in name or Path(name).exists():
        raise CommandError(f"{name}: {'not a Python file' if Path(name).exists() else 'no such file'}")
    if not all(part.isidentifier() for part in name.split(".")):
        raise CommandError(f"{name}: not the name of a file (*.py) or a module")
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())  # as python -m does
    try:
        with _user_code(name):
            return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or name
        if name == missing or name.startswith(f"{missing}."):
            raise CommandError(f"{name}: no such module") from None
        raise CommandError(f"{name}: importing it needs the module {missing}, which is not there") from None


@contextlib.contextmanager
def _user_code(place: str) -> Iterator[None]:
    """Import the user's code: what it prints goes to standard error, what it raises becomes one line."""
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    except CommandError:
        raise
    except ModuleNotFoundError as error:
        if place.endswith(".py"):
            raise CommandError(f"{_line_of(error) or place}: ModuleNotFoundError: {error}") from None
        raise
    except SyntaxError as error:
        where = f"{shown_path(error.filename or place)}:{error.lineno}"
        raise CommandError(f"{where}: {type(error).__name__}: {error.msg}") from None
    except SystemExit as error:
        raise CommandError(f"{_line_of(error) or place}: importing it exits with {error.code}") from None
    except Exception as error:
        raise CommandError(
            f"{_line_of(error) or place}: importing it raises {type(error).__name__}: {one_line(error)}"
        ) from None


def _line_of(error: BaseException) -> str:
    """``file:line`` of the last frame that is the user's, not a library's."""
    ours = os.path.dirname(os.path.abspath(__file__))
    runtime = getattr(sys.modules.get("autograph.runtime"), "__path__", [])
    paths = sysconfig.get_paths()
    others = [ours, *runtime, paths["stdlib"], paths["platstdlib"], paths["purelib"], paths["platlib"]]
    prefixes = ("<frozen", *(path + os.sep for path in others))
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(prefixes)
    ]
    return f"{shown_path(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""


def user_line(error: BaseException, module: ModuleType) -> str:
    """``file:line`` of the last frame in the target's own file, or nothing where there is none."""
    filename = getattr(module, "__file__", None)
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == filename
    ]
    return f"{shown_path(filename)}:{lines[-1]}" if filename and lines else ""


def one_line(error: BaseException) -> str:
    """The message of an error on one line."""
    return "; ".join(line.strip() for line in str(error).splitlines() if line.strip())


def _code(function: Any) -> Any:
    return getattr(inspect.unwrap(getattr(function, "__func__", function)), "__code__", None)


def _functions(holder: Any, module: ModuleType, prefix: str) -> Iterator[Target]:
    """The functions that a module's file or a class's body holds, by line, methods of classes included."""
    found: list[tuple[int, Target]] = []
    _collect(holder, module, prefix, found, set())
    yield from (target for _, target in sorted(found, key=lambda pair: pair[0]))


def _collect(
    holder: Any, module: ModuleType, prefix: str, found: list[tuple[int, Target]], seen: set[Any]
) -> None:
    for name, value in list(vars(holder).items()):
        if isinstance(value, staticmethod | classmethod):
            value = value.__func__
        elif isinstance(value, property):
            value = value.fget
        if inspect.isclass(value):
            if value.__module__ == module.__name__ and value not in seen:
                seen.add(value)
                _collect(value, module, f"{prefix}{name}.", found, seen)
            continue
        plain = plain_function(value)
        if not inspect.isfunction(plain):
            continue
        code = plain.__code__
        if code.co_filename != getattr(module, "__file__", None):
            wrapped = inspect.unwrap(plain)
            if wrapped is plain or not inspect.isfunction(wrapped):
                continue
            value, code = wrapped, wrapped.__code__
        if code.co_filename == module.__file__ and code not in seen:
            seen.add(code)
            found.append((code.co_firstlineno, Target(f"{prefix}{name}", value, module)))


def _lookup(module: ModuleType, name: str, place: str) -> Any:
    value: Any = module
    for at, part in enumerate(name.split(".")):
        try:
            value = getattr(value, part)
        except AttributeError:
            holder = place if at == 0 else f"{place}: {'.'.join(name.split('.')[:at])}"
            close = difflib.get_close_matches(part, dir(value), n=1)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise CommandError(f"{holder}: no {part} there{hint}") from None
    return value
