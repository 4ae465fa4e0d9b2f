"""``convert(f)`` and ``to_code(f)``: what is converted, what is left alone, and the caches.

Converted code runs in the user's own module: same globals, same closure cells, the user's file and lines.
"""

from __future__ import annotations

import sys
import types
import weakref
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from autograph.errors import SourceError
from autograph.outer_names import ANSWERS, is_users, outer_value

if TYPE_CHECKING:
    from autograph.passes import Context

Generators = frozenset[tuple[str, int]]
"""Generators of one function, the ones inside it included, by name and line."""

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
_variants = _ByIdentity()  # the code of functions that are not converted as the others are: a Variant
_codes = _ByIdentity()  # code -> {generators, outer names that are data: conversion}
_functions = _ByIdentity()  # function -> (its code, converted function without a closure, or _PLAIN)
_Function, _Builtin, _seen = types.FunctionType, types.BuiltinFunctionType, _functions.entries.get
_ARGS, _KWARGS = 0x4, 0x8  # as in ``inspect``, which takes long to import
_PLAIN = object()  # in ``_functions``: left alone (the function itself would keep itself alive)


GENERATOR = "a generator function"
"""Why a generator function is left alone, but by a tracer: see :func:`with_generators`."""


class Variant(NamedTuple):
    """How one function is converted: what a trace found out about it may ask for more operators."""

    tests: bool = False
    """Also the tests that look static are staged: see :func:`stage_tests`."""
    comparisons: bool = False
    """Comparisons may be of tuples: see :func:`stage_comparisons`."""
    cells: frozenset[str] = frozenset()
    """The variables to keep in cells: see :func:`keep_in_cells`."""
    stars: bool = False
    """Parameters with stars may hold values of a graph: see :func:`open_stars`."""
    keys: bool = False
    """What displays of dicts and sets hash may be symbolic: see :func:`open_keys`."""
    operands: bool = False
    """Texts may be formatted with ``%``, and anything sliced: see :func:`open_operands`."""


class Conversion:
    """What converting one code object gave: a code object to make functions from."""

    def __init__(self, code: types.CodeType, context: Context) -> None:
        self.code, self.ag, self.generator = code, context.ag, context.generator
        self.static_names = tuple(context.static_names)


class Origin:
    """Where converted code comes from: the user's code object, and whether tests were left native in it."""

    __slots__ = ("code", "native_tests")

    def __init__(self, code: types.CodeType, native_tests: bool) -> None:
        self.code, self.native_tests = weakref.ref(code), native_tests


# Which functions


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
        return GENERATOR
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
    """Whether tests were left native, as static ones, in the converted ``f`` or the function around it."""
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
    return origin is not None and origin.native_tests and _convert_anew(origin, tests=True)


def stage_comparisons(code: types.CodeType) -> bool:
    """Let operators compare, from now on, where this converted code comes from.

    ``a < b`` is left native, which does not do for tuples with symbols inside: Python compares the items at
    once.

    Returns:
        Whether this changes anything.
    """
    origin = _made.get(code)
    return origin is not None and _convert_anew(origin, comparisons=True)


def keep_in_cells(code: types.CodeType, name: str) -> bool:
    """Keep, from now on, the variables of this name in cells where this converted code comes from.

    A function that is needed when a graph runs looks at such a variable of the function around it, or assigns
    it, when it is called.

    Returns:
        Whether this changes anything.
    """
    origin = _made.get(code)
    original = origin.code() if origin is not None else None
    if origin is None or original is None or name in original.co_freevars:
        return False
    return _convert_anew(origin, cells=_variant(original).cells | {name})


def stars_as_parameters(f: types.FunctionType) -> types.FunctionType:
    """The converted ``f`` with ``*args`` and ``**kwargs`` as keyword-only parameters of these names."""
    code = f.__code__
    stars = bool(code.co_flags & _ARGS) + bool(code.co_flags & _KWARGS)
    if not stars:
        return f
    bare = code.replace(
        co_flags=code.co_flags & ~(_ARGS | _KWARGS), co_kwonlyargcount=code.co_kwonlyargcount + stars
    )
    _made.set(bare, _made.get(code))
    new = types.FunctionType(bare, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
    new.__kwdefaults__ = f.__kwdefaults__
    new.__dict__.update(f.__dict__)
    new.__qualname__ = f.__qualname__
    return new


def open_stars(code: types.CodeType) -> bool:
    """Let operators go, from now on, through ``*args`` and ``**kwargs`` where this converted code comes from.

    ``f(*args)`` is left native where ``args`` is a parameter, which does not do for one that the run bound.

    Returns:
        Whether this changes anything.
    """
    origin = _made.get(code)
    return origin is not None and _convert_anew(origin, stars=True)


def open_keys(code: types.CodeType) -> bool:
    """Let operators hash, from now on, what is in displays of dicts and sets where this converted code comes
    from.

    ``{k: 1}`` is made by Python, which asks for the hash of ``k`` at once.

    Returns:
        Whether this changes anything.
    """
    origin = _made.get(code)
    return origin is not None and _convert_anew(origin, keys=True)


def open_operands(code: types.CodeType) -> bool:
    """Let operators do ``x % y`` and ``x[a:b]``, from now on, where this converted code comes from.

    A symbol does them itself where it is ``x``, but a text or ``np.mgrid`` asks for the value of a symbol.

    Returns:
        Whether this changes anything.
    """
    origin = _made.get(code)
    return origin is not None and _convert_anew(origin, operands=True)


def origin_of(code: types.CodeType) -> types.CodeType | None:
    """The user's code that this converted code was made of, or is a part of."""
    origin = _made.get(code)
    return None if origin is None else origin.code()


def with_generators(f: types.FunctionType, generators: Generators) -> types.FunctionType:
    """The converted form of ``f`` in which these generators yield through operators: for a tracer only."""
    return _instance(f, _conversion(f, generators))


def _convert_anew(origin: Origin, **changes: Any) -> bool:
    """Convert with these changes from now on; whether they are any."""
    original = origin.code()
    if original is None:
        return False
    known = _variant(original)
    variant = known._replace(**changes)
    if variant == known:
        return False
    _variants.set(original, variant)
    _codes.entries.pop(id(original), None)
    _functions.entries.clear()
    return True


def _variant(code: types.CodeType) -> Variant:
    """How this code is converted."""
    return _variants.get(code) or Variant()


def keep_plain(code: types.CodeType) -> None:
    """Leave functions of this code as they are: its place in a file is that of other code."""
    _kept_plain.set(code, True)


def do_not_convert(f: F) -> F:
    """Leave ``f`` as it is wherever converted code calls it (usable as a decorator).

    A staged function calls it when the graph runs, with real arrays, once per execution and in its place.

    Args:
        f: a function or method, or a class: then all its methods.

    Returns:
        ``f`` itself.

    >>> @do_not_convert
    ... def plain(x):
    ...     return x and -x
    >>> convert(lambda x: plain(x) + 1)(4)
    -3
    """
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
            code, made = entry[1]
            if code is f.__code__:  # all of them may be exchanged at any time
                if made is _PLAIN:
                    return f
                if made.__defaults__ is not f.__defaults__:
                    made.__defaults__ = f.__defaults__
                if made.__kwdefaults__ is not f.__kwdefaults__:
                    made.__kwdefaults__ = f.__kwdefaults__
                return made
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
            _functions.set(f, (f.__code__, _PLAIN))
        elif f.__closure__ is None:
            # a function with a closure may be held by its own cells, and an entry would keep it alive
            _functions.set(f, (f.__code__, result))
    return result


def convert(f: Any) -> Any:
    """The converted form of ``f``: on plain values it does what ``f`` does, on symbolic ones it stages.

    Args:
        f: a function, bound method or lambda of the user's.

    Raises:
        SourceError: its text cannot be found.
        UnsupportedSyntaxError: it uses a construct that cannot be staged.
        TypeError: ``f`` is not a Python function.

    >>> def halve(n):
    ...     while n % 2 == 0:
    ...         n //= 2
    ...     return n
    >>> convert(halve)(24)
    3
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
    """The transpiled source of ``f`` as text, comments kept.

    It runs when pasted behind ``import autograph as ag``.

    Args:
        f: a function, method or lambda of the user's, staged or not.

    Raises:
        SourceError: its text cannot be found.
        UnsupportedSyntaxError: it uses a construct that cannot be staged.
        TypeError: ``f`` is not a Python function.

    >>> def clip(x, limit):
    ...     if x > limit:
    ...         x = limit  # no more than that
    ...     return x
    >>> print(to_code(clip), end="")
    def clip(x, limit):
        # if x > limit:
        def then(x):
            x = limit  # no more than that
            return x
    <BLANKLINE>
        x = ag.if_stmt(x > limit, then, None, (x,), ('x',))
        return x
    """
    from autograph.transpile import text_of

    f = getattr(f, "python_function", f)
    f = f.__func__ if isinstance(f, types.MethodType) else f
    if not isinstance(f, types.FunctionType):
        method = getattr(type(f), "__call__", None)  # noqa: B004
        if not isinstance(method, types.FunctionType):
            raise TypeError(f"to_code() takes a Python function, not {f!r}")
        f = method
    return text_of(f, _variant(f.__code__))


def convert_module(source_text: str, filename: str = "<module>") -> str:
    """The text of a module with its functions and methods transpiled in place.

    Imports, constants, classes, docstrings, comments and decorators (other than ours) stay; one import
    is added.

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
    from autograph.transpile import text_of_module

    return text_of_module(source_text, filename)


# Converting one code object


def _conversion(f: types.FunctionType, generators: Generators = frozenset()) -> Conversion:
    by_data = _codes.get(f.__code__)
    if by_data is None:
        by_data = {}
        _codes.set(f.__code__, by_data)
    for (which, known), conversion in by_data.items():
        if which == generators and all(ANSWERS[q](f, name) == answer for (q, name), answer in known):
            return conversion  # type: ignore[no-any-return]
    from autograph.transpile import transpiled  # all that is heavy to import is behind it

    asked: dict[tuple[str, str], bool] = {}
    code, context = transpiled(f, _variant(f.__code__), asked, generators)
    _register(code, Origin(f.__code__, context.native_tests))
    conversion = Conversion(code, context)
    by_data[generators, tuple(asked.items())] = conversion
    return conversion


def _register(code: types.CodeType, origin: Origin) -> None:
    _made.set(code, origin)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            _register(constant, origin)


def _instance(f: types.FunctionType, conversion: Conversion) -> types.FunctionType:
    """A function object of the converted code with everything else that ``f`` has."""
    code = conversion.code
    cells = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
    cells[conversion.ag] = types.CellType(sys.modules["autograph"])
    closure = tuple(cells[name] for name in code.co_freevars)
    new = types.FunctionType(code, f.__globals__, f.__name__, f.__defaults__, closure or None)
    if f.__kwdefaults__ is not None:
        new.__kwdefaults__ = f.__kwdefaults__
    if f.__dict__:
        new.__dict__.update(f.__dict__)
    if conversion.generator:
        new.__autograph_generator__ = True  # type: ignore[attr-defined]
    new.__doc__ = f.__doc__
    new.__qualname__ = f.__qualname__
    new.__module__ = f.__module__
    if sys.version_info < (3, 14):
        new.__annotations__ = f.__annotations__
    else:
        new.__annotate__ = f.__annotate__
    new.__static_names__ = tuple(  # type: ignore[attr-defined]
        (name, outer_value(f, name.partition(".")[0])[0]) for name in conversion.static_names
    )
    return new
