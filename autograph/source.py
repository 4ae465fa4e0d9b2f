"""Finding a function's text and tree: in its file, in ``linecache``, or in a text that the module carries.

A file is parsed whole, once, so every node has its true place; a function is then found by its first line,
and a lambda by the place of its code.  A text that ``exec`` runs is known only while it runs, to the frame
that called ``exec``; :func:`remember_executed` takes it from there when a function is decorated in it.
"""

from __future__ import annotations
import __future__

import ast
import contextlib
import linecache
import os
import stat
import sys
import types
import weakref
from dataclasses import dataclass, field
from importlib.machinery import SourceFileLoader
from typing import Any

from autograph.errors import SourceError
from autograph.silence import silent

HOOK = "__graph_source__"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass
class Text:
    """One source file: its lines, its tree, and its functions by their first line."""

    lines: list[str]
    tree: ast.Module
    by_line: dict[int, list[Any]] = field(default_factory=dict)
    compiled: types.CodeType | None = None


_texts: dict[str, Text] = {}
_executed: weakref.WeakKeyDictionary[types.CodeType, list[str]] = weakref.WeakKeyDictionary()


def find(function: types.FunctionType) -> tuple[Any, Text]:
    """The ``ast`` node of a function, method or lambda, and the text it is in.

    Raises:
        SourceError: there is no text, or it does not match the running code.
    """
    code = function.__code__
    text = _text(function)
    node = _node(text, code)
    if node is not None and _compiles_to_function(text, code):
        return node, text
    linecache.checkcache(code.co_filename)  # the module may have been edited, and imported again
    again = _text(function)
    if again is not text:
        text, node = again, _node(again, code)
        if node is not None and _compiles_to_function(text, code):
            return node, text
    if node is None:
        raise _edited(code, "there is no such function at that line")
    if _is_as_written(function):
        raise _edited(code, "the text there compiles to other code")
    return node, text


def _node(text: Text, code: types.CodeType) -> Any:
    """The function in the text that a code object may come from."""
    candidates = [node for node in text.by_line.get(code.co_firstlineno, ()) if _matches(node, code)]
    if len(candidates) > 1:
        candidates = _by_position(candidates, code) or _by_code(candidates, code)
    return candidates[0] if candidates else None


def _edited(code: types.CodeType, what: str) -> SourceError:
    return SourceError(
        f"the source of `{code.co_name}` does not match the running code",
        why=f"{what}; the file was probably edited after the import",
        fix="restart Python, or import the module again",
        filename=code.co_filename,
        lineno=code.co_firstlineno,
    )


def _is_as_written(function: types.FunctionType) -> bool:
    """Whether the code is what Python makes of the file: no import hook has had a hand in it."""
    module = function.__globals__
    return (
        type(module.get("__loader__")) is SourceFileLoader
        and module.get("__file__") == function.__code__.co_filename
    )


def _compiles_to_function(text: Text, code: types.CodeType) -> bool:
    """Whether the text has a function that compiles to this code."""
    if text.compiled is None:
        with silent(code.co_filename):
            text.compiled = compile(
                text.tree, code.co_filename, "exec", flags=features(code), dont_inherit=True
            )
    stack = [text.compiled]
    while stack:
        each = stack.pop()
        if each.co_firstlineno == code.co_firstlineno and _is_alike(each, code):
            return True
        stack += [inner for inner in each.co_consts if isinstance(inner, types.CodeType)]
    return False


def _is_alike(left: types.CodeType, right: types.CodeType) -> bool:
    """Whether two code objects do the same, whatever their names are and where they come from."""
    return (
        left.co_code == right.co_code
        and left.co_names == right.co_names
        and left.co_varnames == right.co_varnames
        and len(left.co_consts) == len(right.co_consts)
        and all(
            _is_alike(one, other)
            if isinstance(one, types.CodeType) and isinstance(other, types.CodeType)
            else repr(one) == repr(other) or (isinstance(one, frozenset | tuple) and one == other)
            for one, other in zip(left.co_consts, right.co_consts, strict=True)
        )
    )


def _text(function: types.FunctionType) -> Text:
    code = function.__code__
    filename = code.co_filename
    lines = linecache.getlines(filename, function.__globals__)
    hook = function.__globals__.get(HOOK)
    if not lines and isinstance(hook, str):
        lines = hook.splitlines(keepends=True)
    if not lines:
        lines = _executed.get(code) or _given_to_python(code)
    if not lines:
        where, fix = _why_missing(filename)
        raise SourceError(
            f"no source text for `{code.co_name}`",
            why=f"conversion reads the function's text: {where}",
            fix=fix,
            filename=filename,
            lineno=code.co_firstlineno,
        )
    known = _texts.get(filename)
    if known is not None and known.lines == lines:
        return known
    try:
        with silent(filename):
            tree = ast.parse("".join(lines), filename)
    except SyntaxError as error:
        raise SourceError(
            f"the text found for `{code.co_name}` is not Python: {error.msg}",
            why="the file was edited after the import, or is not the one that the code came from",
            fix="restart Python, or correct the file",
            filename=filename,
            lineno=error.lineno,
        ) from None
    text = Text(lines=list(lines), tree=tree)
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            text.by_line.setdefault(first_line(node), []).append(node)
    _texts[filename] = text
    return text


def _why_missing(filename: str) -> tuple[str, str]:
    """Where a text without lines was, and what helps."""
    if filename.endswith((".py", ".pyc", ".pyw")):
        found = "only the compiled file of its module is there", f"put {os.path.basename(filename)} beside it"
    elif filename == "<stdin>":
        found = "Python read this one from its standard input, which keeps no text", "put it in a file"
    else:
        found = (
            "this one was made by exec",
            "put it in a file, or give its text to `linecache` or to the global `__graph_source__`",
        )
    return found


def _given_to_python(code: types.CodeType) -> list[str]:
    """The text that Python was started with (``python -c text``, ``python < file``), if the code is in it."""
    texts: list[str] = []
    if code.co_filename == "<string>":
        for arg in sys.orig_argv[1:]:
            texts += [arg, arg.partition("c")[2]]
    elif code.co_filename == "<stdin>":
        with contextlib.suppress(OSError, ValueError, AttributeError):
            descriptor = sys.__stdin__.fileno()  # type: ignore[union-attr]
            found = os.fstat(descriptor)
            if stat.S_ISREG(found.st_mode):
                texts.append(os.pread(descriptor, found.st_size, 0).decode())
    for text in texts:
        if code.co_name in text and _holds(text, code):
            return text.splitlines(keepends=True)
    return []


def _holds(text: str, code: types.CodeType) -> bool:
    """Whether a function of the text compiles to this very code."""
    try:
        with silent(code.co_filename):
            stack = [compile(text, code.co_filename, "exec", flags=features(code), dont_inherit=True)]
    except (SyntaxError, ValueError):
        return False
    while stack:
        each = stack.pop()
        if each == code:
            return True
        stack += [inner for inner in each.co_consts if isinstance(inner, types.CodeType)]
    return False


def remember_executed(function: types.FunctionType) -> None:
    """Keep the text of a function that is made by ``exec`` just now, if the frame that calls ``exec`` has it.

    A text is the right one when compiling it gives the very code that runs.
    """
    code = function.__code__
    if linecache.getlines(code.co_filename, function.__globals__) or code in _executed:
        return
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        caller = frame.f_back
        running = frame.f_code
        if caller is not None and running.co_name == "<module>" and running.co_filename == code.co_filename:
            known = [*caller.f_code.co_consts, *caller.f_locals.values()]
            for text in known:
                if type(text) is str and code.co_name in text and _compiles_to(text, running):
                    _executed[code] = text.splitlines(keepends=True)
                    return
        frame = caller


def _compiles_to(text: str, code: types.CodeType) -> bool:
    try:
        with silent(code.co_filename):
            found = compile(text, code.co_filename, "exec", flags=features(code), dont_inherit=True)
        return bool(found == code)
    except (SyntaxError, ValueError):
        return False


def features(code: types.CodeType) -> int:
    """The flags of the ``from __future__ import`` that a code object was compiled under."""
    flags: set[int] = {getattr(__future__, name).compiler_flag for name in __future__.all_feature_names}
    return code.co_flags & sum(flags)


def first_line(node: Any) -> int:
    """The line where the code of a function begins: that of its first decorator."""
    decorators = getattr(node, "decorator_list", ())
    return int(min([node.lineno, *(decorator.lineno for decorator in decorators)]))


def _matches(node: Any, code: types.CodeType) -> bool:
    if getattr(node, "name", "<lambda>") != code.co_name and not code.co_name.startswith("_"):
        return False
    args = node.args
    names = [arg.arg for arg in [*args.posonlyargs, *args.args]]
    return (
        len(names) == code.co_argcount
        and len(args.kwonlyargs) == code.co_kwonlyargcount
        and (tuple(names) == code.co_varnames[: len(names)] or any(name.startswith("__") for name in names))
    )


def _by_position(candidates: list[Any], code: types.CodeType) -> list[Any]:
    """The smallest candidate that holds every place of the code (Python 3.11 and later)."""
    if not hasattr(code, "co_positions"):
        return []
    places = [
        ((line, column), (end_line, end_column))
        for line, end_line, column, end_column in code.co_positions()
        if line is not None and column is not None and end_column is not None and end_column > 0
    ]
    if not places:
        return []
    start, end = min(first for first, _ in places), max(last for _, last in places)
    fitting = []
    for node in candidates:
        body: Any = node.body if isinstance(node.body, ast.AST) else node
        first, last = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
        if first <= start and end <= last:
            fitting.append(node)
    return fitting[-1:] if len(fitting) > 1 and not isinstance(fitting[0], ast.Lambda) else fitting[:1]


def _by_code(candidates: list[Any], code: types.CodeType) -> list[Any]:
    """The candidates that compile to the same code."""
    found = []
    for node in candidates:
        expression = node if isinstance(node, ast.Lambda) else None
        if expression is None:
            continue
        with silent(code.co_filename):
            compiled = compile(ast.Expression(expression), code.co_filename, "eval").co_consts[0]
        if compiled.co_code == code.co_code and compiled.co_consts == code.co_consts:
            found.append(node)
    return found[:1]
