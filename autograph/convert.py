"""``convert(f)`` and ``to_code(f)``: what is converted, what is left alone, and the caches.

Converted code runs in the user's own module: same globals, same closure cells, the user's file and lines.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import enum
import os
import site
import sys
import sysconfig
import types
import weakref
from collections.abc import Callable, Collection, Iterator
from typing import Any, TypeVar

import gast

from autograph import source
from autograph.analysis.scopes import identifiers, stores
from autograph.errors import ConversionError, SourceError
from autograph.passes import Context, run
from autograph.tree import blocks, define, is_docstring, is_generator, to_ast, walk

F = TypeVar("F", bound=Callable[..., Any])


class _ByIdentity:
    """A weak dictionary by identity: code objects with the same content are not the same code."""

    def __init__(self) -> None:
        self.entries: dict[int, tuple[weakref.ref[Any], Any]] = {}

    def get(self, key: Any) -> Any:
        entry = self.entries.get(id(key))
        return entry[1] if entry is not None else None

    def set(self, key: Any, value: Any) -> None:
        number = id(key)
        entries = self.entries
        entries[number] = (weakref.ref(key, lambda _: entries.pop(number, None)), value)


_made = _ByIdentity()  # every code object that conversion produced
_kept_plain = _ByIdentity()  # marked by do_not_convert
_staged_tests = _ByIdentity()  # functions whose every test is staged: see ``stage_tests``
_codes = _ByIdentity()  # code -> {outer names that are data: conversion}
_functions = _ByIdentity()  # function without a closure -> converted function, or the function itself
_Function, _Builtin, _seen = types.FunctionType, types.BuiltinFunctionType, _functions.entries.get
_PLAIN = object()  # in ``_functions``: left alone (the function itself would keep itself alive)
_home: dict[str, bool] = {}  # file name -> the user's own?


class Conversion:
    """What converting one code object gave: a code object to make functions from, and the tree behind it."""

    def __init__(self, code: types.CodeType, tree: Any, context: Context) -> None:
        self.code, self.tree, self.context = code, tree, context
        self.static_names = tuple(context.static_names)


class Origin:
    """Where converted code comes from: the user's code object, and whether tests were left native in it."""

    __slots__ = ("code", "native_tests")

    def __init__(self, code: types.CodeType, native_tests: bool) -> None:
        self.code, self.native_tests = weakref.ref(code), native_tests


# Which functions


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


def left_alone(f: Any, also: Collection[str] = ()) -> str | None:
    """Why ``f`` would not be converted, or ``None`` when it would be.

    >>> left_alone(len)
    'not a Python function'
    """
    if type(f) is types.MethodType:
        f = f.__func__
    if not isinstance(f, types.FunctionType):
        return "not a Python function"
    code = f.__code__
    if _made.get(code) is not None:
        return "converted already"
    if _kept_plain.get(code) is not None:
        return "marked with do_not_convert"
    package = str(f.__globals__.get("__name__", "")).partition(".")[0]
    if not is_users(code.co_filename) and package not in also:
        return "not the user's own code"
    if code.co_flags & 0x20:
        return "a generator function"
    if code.co_flags & (0x80 | 0x100 | 0x200):
        return "a coroutine or asynchronous generator function"
    return None


def is_converted(f: types.FunctionType) -> bool:
    """Whether the code of ``f`` came from conversion.

    >>> is_converted(is_converted)
    False
    """
    return is_converted_code(f.__code__)


def is_converted_code(code: types.CodeType) -> bool:
    """Whether conversion made this code."""
    return _made.get(code) is not None


def has_native_tests(f: types.FunctionType) -> bool:
    """Whether the converted ``f``, or the function that it is nested in, has tests left native as static ones."""
    origin = _made.get(f.__code__)
    return origin is not None and origin.native_tests


def stage_tests(code: types.CodeType) -> bool:
    """Stage, from now on, also the tests that look static where this converted code comes from.

    ``isinstance(x, str)`` and ``x is None`` are left native, which does not do for an ``x`` that only the run
    knows.

    Returns:
        Whether this changes anything: else they are staged already, or there are none.
    """
    origin = _made.get(code)
    original = origin.code() if origin is not None and origin.native_tests else None
    if original is None or _staged_tests.get(original):
        return False
    _staged_tests.set(original, True)
    _codes.entries.pop(id(original), None)
    _functions.entries.clear()
    return True


def do_not_convert(f: F) -> F:
    """Leave ``f`` as it is wherever converted code calls it (usable as a decorator)."""
    target: Any = f.__func__ if isinstance(f, types.MethodType) else f
    if isinstance(target, types.FunctionType):
        _kept_plain.set(target.__code__, True)
        _functions.entries.pop(id(target), None)
    elif isinstance(target, type):
        for member in vars(target).values():
            if isinstance(member, types.FunctionType):
                _kept_plain.set(member.__code__, True)
    return f


def converted(f: Any, also: Collection[str] = ()) -> Any:
    """What converted code calls in place of ``f``: its converted form if it is the user's own, else ``f``
    itself.

    Args:
        f: whatever is called.
        also: names of installed packages to convert as well.
    """
    kind = type(f)
    if kind is _Function:
        entry = _seen(id(f))
        if entry is not None and not also:
            return f if entry[1] is _PLAIN else entry[1]
        return _converted_function(f, also)
    if kind is _Builtin or kind is type:
        return f
    if kind is types.MethodType:
        function = converted(f.__func__, also)
        return f if function is f.__func__ else types.MethodType(function, f.__self__)
    if isinstance(f, type):
        return f
    method = next((base.__dict__["__call__"] for base in kind.__mro__ if "__call__" in base.__dict__), None)
    if type(method) is types.FunctionType:
        function = converted(method, also)
        if function is not method:
            return types.MethodType(function, f)
    return f


def _converted_function(f: types.FunctionType, also: Collection[str]) -> Any:
    result: Any = f
    if left_alone(f, also) is None:
        try:
            result = _instance(f, _conversion(f))
        except SourceError:
            result = f
    if not also:
        if result is f:
            _functions.set(f, _PLAIN)
        elif f.__closure__ is None:
            # a function with a closure may be held by its own cells, and an entry would keep it alive
            _functions.set(f, result)
    return result


def convert(f: Any) -> Any:
    """The converted form of ``f``: on plain values it does what ``f`` does, on symbolic ones it stages.

    Args:
        f: a function, bound method or lambda of the user's.

    Raises:
        SourceError: its text cannot be found.
        UnsupportedSyntaxError: it uses a construct that cannot be staged.
        TypeError: ``f`` is not a Python function.
    """
    if isinstance(f, types.MethodType):
        return types.MethodType(convert(f.__func__), f.__self__)
    if not isinstance(f, types.FunctionType):
        method = getattr(type(f), "__call__", None)  # noqa: B004
        if isinstance(method, types.FunctionType):
            return types.MethodType(convert(method), f)
        raise TypeError(f"convert() takes a Python function, not {f!r}")
    if _made.get(f.__code__) is not None:
        return f
    return _instance(f, _conversion(f))


def to_code(f: Any) -> str:
    """The transpiled source of ``f`` as text, comments kept; it runs when pasted behind ``import autograph as
    ag``.
    """
    from autograph.comments import attach_comments, settle_comments
    from autograph.emit import to_text

    def attach(tree: Any, text: str) -> None:
        attach_comments(tree, text)
        settle_comments(tree)

    f = getattr(f, "python_function", f)
    f = f.__func__ if isinstance(f, types.MethodType) else f
    if not isinstance(f, types.FunctionType):
        method = getattr(type(f), "__call__", None)  # noqa: B004
        if not isinstance(method, types.FunctionType):
            raise TypeError(f"to_code() takes a Python function, not {f!r}")
        f = method
    with _room():
        node, text = source.find(f)
        tree, _ = _transpile(f, node, text, attach)
        return str(to_text(tree))


def _is_ours(decorator: Any, names: Collection[str] = ("ag", "autograph")) -> bool:
    """``@ag.function``, ``@autograph.convert(...)``, ``@function``: decorators that the text would apply
    again.
    """
    target = decorator.func if isinstance(decorator, (gast.Call, ast.Call)) else decorator
    if isinstance(target, (gast.Attribute, ast.Attribute)):
        base = getattr(target.value, "id", None)
        return base in names and target.attr in ("function", "convert")
    return getattr(target, "id", None) in ("function", "convert")


# Converting one code object


def _outer_value(f: types.FunctionType, name: str) -> tuple[str, Any, bool]:
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
    if package in ("autograph", "typing", "types"):
        return True
    return callable(value) and (package in sys.stdlib_module_names or package == "numpy")


def _conversion(f: types.FunctionType) -> Conversion:
    by_data = _codes.get(f.__code__)
    if by_data is None:
        by_data = {}
        _codes.set(f.__code__, by_data)
    for known, conversion in by_data.items():
        if all(_ANSWERS[question](f, name) == answer for (question, name), answer in known):
            return conversion  # type: ignore[no-any-return]
    asked: dict[tuple[str, str], bool] = {}
    with _room():
        node, text = source.find(f)
        tree, context = _transpile(f, node, text, None, asked)
        conversion = Conversion(_compile(f, tree, context), tree, context)
    by_data[tuple(asked.items())] = conversion
    return conversion


def _is_data(f: types.FunctionType, name: str) -> bool:
    _, value, present = _outer_value(f, name)
    return not present or not is_steady(value)


def _lookup(f: types.FunctionType, path: str) -> Any:
    """What a dotted path leads to, through modules and classes only; ``None`` where it leads nowhere."""
    name, *attributes = path.split(".")
    value = _outer_value(f, name)[1]
    for attribute in attributes:
        if not isinstance(value, (types.ModuleType, type)):
            return None
        value = getattr(value, attribute, None)
    return value


_NOTHING = object()


def _owner(f: types.FunctionType, path: str) -> Any:
    """What has the last attribute of the path, if it is a module, class or function of the user's."""
    name, *attributes = path.split(".")
    value = _outer_value(f, name)[1]
    for attribute in attributes[:-1]:
        if not _is_users_own(value):
            return _NOTHING
        value = getattr(value, attribute, None)
    return value if _is_users_own(value) else _NOTHING


def _is_users_own(value: Any) -> bool:
    if isinstance(value, types.FunctionType):
        return is_users(value.__code__.co_filename)
    if isinstance(value, type):
        value = sys.modules.get(value.__module__)
    elif not isinstance(value, types.ModuleType):
        return False
    filename = getattr(value, "__file__", None)
    if filename is None:
        return getattr(value, "__name__", None) == "__main__" or isinstance(value, types.ModuleType) and (
            value.__name__.partition(".")[0] not in sys.stdlib_module_names
        )
    return is_users(filename)


def _attribute(f: types.FunctionType, path: str) -> Any:
    """The value of an attribute of an outer module, class or function of the user's, and nothing of others."""
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
_TRANSPARENT = {
    "numpy": {"errstate", "printoptions"},
    "contextlib": {"nullcontext", "closing", "redirect_stdout", "redirect_stderr"},
    "warnings": {"catch_warnings"},
    "decimal": {"localcontext"},
    "autograph": {"GradientTape"},
    "_io": {"open"},
    "io": {"open"},
}


def _is_transparent(f: types.FunctionType, path: str) -> bool:
    value = _lookup(f, path)
    package = str(getattr(value, "__module__", None)).partition(".")[0]
    return getattr(value, "__name__", None) in _TRANSPARENT.get(package, ())


_ANSWERS: dict[str, Callable[[types.FunctionType, str], bool]] = {
    "data": _is_data,
    "container": _is_container,
    "data attribute": _is_data_attribute,
    "code attribute": _is_code_attribute,
    "transparent": _is_transparent,
}
"""What the passes ask about the world outside; a conversion holds as long as the answers are the same."""


def _transpile(
    f: types.FunctionType,
    node: Any,
    text: source.Text,
    attach: Any = None,
    asked: dict[tuple[str, str], bool] | None = None,
) -> tuple[Any, Context]:
    """The transpiled module tree with the function alone in it."""
    new = gast.ast_to_gast(node)
    is_lambda = isinstance(new, gast.Lambda)
    if isinstance(new, gast.FunctionDef):
        new.decorator_list = [d for d in new.decorator_list if not _is_ours(d)]
    tree = gast.Module(
        body=[gast.copy_location(gast.Expr(value=new), new) if is_lambda else new], type_ignores=[]
    )
    if attach is not None:
        first, last = source.first_line(node), _last_line(node, text.lines)
        attach(tree, "\n" * (first - 1) + "".join(text.lines[first - 1 : last]))
    answers = asked if asked is not None else {}

    subject = weakref.ref(f)  # the context is kept with the code, which outlives the function

    def ask(question: str, name: str) -> bool:
        if (question, name) not in answers:
            answers[question, name] = _ANSWERS[question](subject(), name)
        return answers[question, name]

    used = identifiers(tree) | set(f.__code__.co_freevars)
    if _outer_value(f, "ag")[1] is sys.modules["autograph"] and not _binds(tree, "ag"):
        used -= {"ag"} - set(f.__code__.co_freevars)  # it is what we call it, too
    context = Context(used=used, filename=f.__code__.co_filename, lines=text.lines, ask=ask)
    context.ag = context.fresh("ag")
    context.stage_tests = _staged_tests.get(f.__code__) is not None
    return run(tree, context), context


def _binds(tree: Any, name: str) -> bool:
    """Whether anything in the tree binds the name."""
    return any(
        getattr(node, "name", None) == name
        or (isinstance(node, gast.Name) and node.id == name and not isinstance(node.ctx, gast.Load))
        or (isinstance(node, gast.alias) and name in (node.asname, node.name))
        for node in walk(tree)
    )


def _last_line(node: Any, lines: list[str]) -> int:
    """The last line of a function, the comments at its end included."""
    last: int = node.end_lineno
    for number, line in enumerate(lines[last:], last + 1):
        text = line.strip()
        if text and not (text.startswith("#") and line.index("#") > node.col_offset):
            break
        last = number if text else last
    return last


@contextlib.contextmanager
def _room() -> Iterator[None]:
    """Room for deep trees: an ``elif`` chain nests as deep as it is long."""
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(max(limit, 20_000))
        yield
    finally:
        sys.setrecursionlimit(limit)


def _compile(f: types.FunctionType, tree: Any, context: Context) -> types.CodeType:
    """Compile the function inside a factory that binds ``ag`` and the free names, and take its code out."""
    from autograph.emit import to_code_object

    root = tree.body[0]
    if isinstance(root, gast.FunctionDef):
        root = gast.copy_location(
            gast.FunctionDef(
                name=root.name,
                args=_bare(root.args),
                body=root.body,
                decorator_list=[],
                returns=None,
                type_comment=None,
                type_params=[],
            ),
            root,
        )
        inner: list[Any] = [root]
    else:
        inner = [gast.copy_location(gast.Return(value=root.value), root)]
    parts = f.__qualname__.split(".")
    if (
        len(parts) > 1
        and parts[-2] != "<locals>"
        and parts[-2].isidentifier()
        and isinstance(root, gast.FunctionDef)
    ):
        # inside a class, so that private names are mangled as they were
        inner = [
            gast.copy_location(
                gast.ClassDef(
                    name=parts[-2], bases=[], keywords=[], body=inner, decorator_list=[], type_params=[]
                ),
                root,
            )
        ]
    bound = getattr(inner[0], "name", None)
    if bound is not None and bound not in f.__code__.co_freevars:
        # where the function reads its own name, or its class's, that is the global one
        inner.insert(0, gast.copy_location(gast.Global(names=[bound]), root))
    factory = gast.copy_location(define("factory", [context.ag, *f.__code__.co_freevars], inner), root)
    module = gast.Module(body=[factory], type_ignores=[])
    code = to_code_object(to_ast(module), f.__code__.co_filename)
    found = _find_code(code, f.__code__.co_name, f.__code__.co_firstlineno)
    found = found.replace(co_qualname=f.__code__.co_qualname) if hasattr(found, "co_qualname") else found
    if found.co_firstlineno != f.__code__.co_firstlineno:
        found = found.replace(co_firstlineno=found.co_firstlineno)
    _register(found, Origin(f.__code__, context.native_tests))
    return found


def _bare(args: Any) -> Any:
    """The parameters without annotations, their defaults as placeholders: the real ones are taken from the
    function.
    """
    copy = gast.arguments(
        args=[_param(p) for p in args.args],
        posonlyargs=[_param(p) for p in args.posonlyargs],
        vararg=args.vararg and _param(args.vararg),
        kwonlyargs=[_param(p) for p in args.kwonlyargs],
        kw_defaults=[default and gast.Constant(value=None, kind=None) for default in args.kw_defaults],
        kwarg=args.kwarg and _param(args.kwarg),
        defaults=[gast.Constant(value=None, kind=None) for _ in args.defaults],
    )
    return copy


def _param(node: Any) -> Any:
    new = gast.Name(id=node.id, ctx=gast.Param(), annotation=None, type_comment=None)
    return gast.copy_location(new, node)


def _find_code(code: types.CodeType, name: str, line: int) -> types.CodeType:
    factory = next(c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == "factory")
    stack = [factory]
    while stack:
        current = stack.pop(0)
        for constant in current.co_consts:
            if isinstance(constant, types.CodeType):
                if constant.co_name == name:
                    return constant
                stack.append(constant)
    raise ConversionError(
        f"the converted code of `{name}` was not found", why="this is a defect of autograph"
    )


def _register(code: types.CodeType, origin: Origin) -> None:
    _made.set(code, origin)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            _register(constant, origin)


def _instance(f: types.FunctionType, conversion: Conversion) -> types.FunctionType:
    """A function object of the converted code with everything else that ``f`` has."""
    code = conversion.code
    cells = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
    cells[conversion.context.ag] = types.CellType(sys.modules["autograph"])
    closure = tuple(cells[name] for name in code.co_freevars)
    new = types.FunctionType(code, f.__globals__, f.__name__, f.__defaults__, closure or None)
    if f.__kwdefaults__ is not None:
        new.__kwdefaults__ = f.__kwdefaults__
    if f.__dict__:
        new.__dict__.update(f.__dict__)
    new.__doc__ = f.__doc__
    new.__qualname__ = f.__qualname__
    new.__module__ = f.__module__
    if sys.version_info < (3, 14):
        new.__annotations__ = f.__annotations__
    else:
        new.__annotate__ = f.__annotate__
    new.__static_names__ = tuple(  # type: ignore[attr-defined]
        (name, _outer_value(f, name)[0]) for name in conversion.static_names
    )
    return new


# A whole module


def convert_module(source_text: str, filename: str = "<module>") -> str:
    """The text of a module with its functions and methods transpiled in place.

    Imports, constants, classes, docstrings, comments and decorators (other than ours) stay; one import is
    added.

    Raises:
        SyntaxError: the text is not Python.
        UnsupportedSyntaxError: a function uses a construct that cannot be staged.

    >>> print(convert_module("def f(x):\\n    return x and g(x)\\n").strip())
    import autograph as ag
    <BLANKLINE>
    <BLANKLINE>
    def f(x):
        return ag.and_(x, lambda: ag.call(ag.outer(lambda: g), x))
    """
    from autograph.comments import attach_comments, settle_comments
    from autograph.emit import to_text

    tree = gast.ast_to_gast(ast.parse(source_text, filename))
    attach_comments(tree, source_text)
    for statement in tree.body:
        if isinstance(statement, (gast.FunctionDef, gast.ClassDef)):
            settle_comments(statement)
    used = identifiers(tree)
    steady, data = _module_names(tree.body)
    defined = {s.name for s in tree.body if isinstance(s, (gast.FunctionDef, gast.ClassDef)) and s.name in steady}
    imported = next((name for name in _imports_of_ours(tree.body)), None)
    lines = source_text.splitlines(keepends=True)

    def ask(question: str, name: str) -> bool:
        if question == "transparent":
            base, _, attribute = name.rpartition(".")
            return base in steady and any(attribute in names for names in _TRANSPARENT.values())
        if question in ("container", "data attribute"):
            return name.partition(".")[0] in defined
        if question == "code attribute":
            return False
        return name in data or (name not in steady and not hasattr(builtins, name))

    ag = imported or Context(used=set(used)).fresh("ag")

    def transpile(statements: list[Any]) -> None:
        for statement in statements:
            if isinstance(statement, gast.FunctionDef) and not is_generator(statement):
                context = Context(used=used | {ag}, filename=filename, lines=lines, ask=ask, ag=ag)
                run(gast.Module(body=[statement], type_ignores=[]), context)
                statement.decorator_list = [
                    d for d in statement.decorator_list if not _is_ours(d, (ag, "autograph"))
                ]
            elif isinstance(statement, gast.ClassDef):
                transpile(statement.body)
            elif not isinstance(statement, gast.AsyncFunctionDef):
                for block in blocks(statement):
                    transpile(block)

    transpile(tree.body)
    if imported is None:
        place = 1 if tree.body and is_docstring(tree.body[0]) else 0
        while place < len(tree.body) and getattr(tree.body[place], "module", None) == "__future__":
            place += 1
        tree.body.insert(place, gast.Import(names=[gast.alias(name="autograph", asname=ag)]))
    return str(to_text(tree))


def _module_names(statements: list[Any]) -> tuple[set[str], set[str]]:
    """The names that a module binds by ``import``, ``def`` and ``class`` only, and the others."""
    steady: set[str] = set()
    data: set[str] = set()
    for statement in statements:
        if isinstance(statement, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            steady.add(statement.name)
        elif isinstance(statement, (gast.Import, gast.ImportFrom)):
            steady.update(stores(statement))
        elif blocks(statement):
            data.update(name for name in stores(statement))
            for block in blocks(statement):
                inner, _ = _module_names(block)
                steady |= inner
                data -= inner
        else:
            data.update(stores(statement))
    return steady - data, data


def _imports_of_ours(statements: list[Any]) -> list[str]:
    """The names under which a module imports ``autograph``."""
    return [
        alias.asname or alias.name
        for statement in statements
        if isinstance(statement, gast.Import)
        for alias in statement.names
        if alias.name == "autograph"
    ]


__all__ = ["Conversion", "convert", "convert_module", "converted", "do_not_convert", "left_alone", "to_code"]
