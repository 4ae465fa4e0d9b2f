"""``@function``: a Python function that runs as a graph.

A call looks up the traces by the keys of its arguments (``signature.py``), checks the guards of each, and
runs the program of the first that fits; when none does, the function is traced again, with the sizes that
changed left free. How a call finds the newest traces without any of this is told in ``dispatch.py``.
"""

from __future__ import annotations

import contextlib
import functools
import linecache
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from autograph import operators
from autograph.convert import converted, left_alone
from autograph.errors import SignatureError, StagingError
from autograph.source import remember_executed

from . import attempts, dispatch, eager, explaining, misuse, signature
from .assumptions import Assumptions, Restart
from .bound_function import BoundFunction
from .concrete_function import ConcreteFunction
from .options import CACHE_SIZE, CacheInfo, Options
from .signature import Key
from .specs import TensorSpec

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")
Q = ParamSpec("Q")


def _of_plain(name: str) -> Any:
    """An attribute that is the plain function's, to read and to write: ``inspect`` and ``dis`` look at it."""

    def write(self: Function[..., Any], value: Any) -> None:
        setattr(self.python_function, name, value)
        self._take_defaults()

    def delete(self: Function[..., Any]) -> None:
        delattr(self.python_function, name)
        self._take_defaults()

    return property(lambda self: getattr(self.python_function, name), write, delete)


class Function(Generic[P, R]):
    """A staged function: called like the plain one, and does what the plain one does.

    Make one with :func:`function`.

    Attributes:
        python_function: the plain function.
        trace_count: how many graphs were made of it, those inside another function's graph included.
        concrete_functions: these graphs, oldest first, as far as they are kept.

    All other attributes without an underscore in front are the user's.
    """

    def __init__(self, python_function: Callable[P, R], options: Options | None = None) -> None:
        functools.update_wrapper(self, python_function)
        self._options = options or Options()
        if self._options.name is not None:
            self.__name__ = self._options.name
        self.python_function: Any = python_function
        self.__qualname__: str = python_function.__qualname__
        self._kinds = dispatch.signature_of(self.python_function).parameters
        self._parameters = tuple(self._kinds)
        starred = [k for k, p in enumerate(self._kinds.values()) if p.kind is p.VAR_POSITIONAL]
        self._starred = starred[0] if starred else None
        """The place of ``*args`` among the parameters."""
        named = [k for k, p in enumerate(self._kinds.values()) if p.kind is p.VAR_KEYWORD]
        self._named = named[0] if named else None
        """The place of ``**options``."""
        self._static_argnames = self._options.static_argnames
        unknown = self._static_argnames - {*self._parameters}
        if unknown:
            raise ValueError(
                f"static_argnames: {self.__name__}() has no parameter {', '.join(sorted(unknown))}"
            )
        self._lock = threading.RLock()
        self._specs = self._signature_keys()
        self._bind = dispatch.binder(self.python_function)
        self._reset()
        self._own_names = frozenset(vars(self)) - frozenset(vars(python_function))
        """The attributes that are the package's."""
        self._enter()
        eager.register(self)

    def _take_defaults(self) -> None:
        """Other parameters may have a default now; code with other ones is refused by the next trace."""
        now = dispatch.signature_of(self.python_function).parameters
        if [(p.name, p.kind) for p in now.values()] == [(p.name, p.kind) for p in self._kinds.values()]:
            self._kinds = now
            self._bind = dispatch.binder(self.python_function)
            self._enter()

    def _signature_keys(self) -> tuple[Key, ...]:
        """The keys that ``input_signature`` asks for."""
        specs = self._options.input_signature
        if specs is None:
            return ()
        if len(specs) > len(self._parameters):
            raise ValueError(
                f"input_signature has {len(specs)} entries, "
                f"{self.__name__}() has {len(self._parameters)} parameters"
            )
        return tuple(map(signature.key_of_spec, specs))

    def _enter(self) -> None:
        """Make calls of this function enter at the newest traces: each function is of a class of its own."""
        call = self.python_function
        if not eager.is_eager():
            call = dispatch.dispatcher(self.python_function, self.concrete_functions, self._slow)
        type(self).__call__ = staticmethod(call)  # type: ignore[method-assign]

    def _reset(self) -> None:
        self._traces: dict[Any, list[ConcreteFunction]] = {}
        self._patterns: dict[Any, list[ConcreteFunction]] = {}
        self._assumptions = Assumptions()
        self.concrete_functions: list[ConcreteFunction] = []
        self.trace_count = 0
        self._inside = 0
        """How many of these are parts of the graphs of other functions."""
        self._reasons: list[tuple[str, ...]] = []
        """Why the latest traces were made."""
        self._warned: set[str] = set()
        """The causes of growth that a warning has named."""
        self._exact: dict[Any, str] = {}
        """What cannot be staged with sizes left free, and why."""

    # Calling

    if TYPE_CHECKING:

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
            """Run the function as a graph, tracing it first where no trace fits."""
            raise NotImplementedError

    def _slow(self, values: tuple[Any, ...]) -> Callable[..., Any] | StagingError:
        """What a call runs that none of the newest traces fits; a refusal is for the call to raise.

        So a traceback shows the user's frames alone, whether the program raises or the function is refused.
        """
        tracer = operators.active()
        if tracer is not None:
            args, kwargs = self._unbind(values)
            return lambda *_: tracer.call(self, args, kwargs, _call)
        try:
            return self._concrete(values).program
        except StagingError as error:
            return error if dispatch.show_internal_frames() else error.with_traceback(None)

    @overload
    def __get__(self, instance: None, owner: Any = None) -> Function[P, R]: ...
    @overload
    def __get__(
        self: Function[Concatenate[S, Q], R], instance: S, owner: Any = None
    ) -> BoundMethod[Q, R]: ...
    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else BoundFunction(self, instance)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The graph for arguments like these; :class:`TensorSpec` stands for an array.

        With an ``input_signature`` no arguments are needed.

        Raises:
            TypeError: the arguments do not bind to the parameters.
            StagingError: the function cannot be staged for them.

        >>> @function
        ... def mean(x):
        ...     return x.sum() / len(x)
        >>> concrete = mean.get_concrete_function(TensorSpec((None,)))
        >>> print(concrete.code, end="")
        def mean(x):
            return x.sum() / len(x)
        >>> concrete.signature
        {'x': 'array float64 shape (?,)'}
        """
        if not args and not kwargs and self._options.input_signature:
            args = tuple(signature.sample(spec) for spec in self._options.input_signature)
        values = self._bind(*args, **kwargs)
        concrete = self._concrete(values)
        for name, value in zip(self._parameters, values, strict=True):
            if isinstance(value, TensorSpec) and value.name is not None:
                concrete.aliases[value.name] = name
        return concrete

    def _key(self, values: tuple[Any, ...]) -> tuple[Key, ...]:
        try:
            return self._keys(values)
        except RecursionError:  # an argument contains itself
            return self._keys(values, signature.open_key)

    def _keys(
        self, values: tuple[Any, ...], key_of: Callable[[Any], Key] = signature.key_of
    ) -> tuple[Key, ...]:
        static = self._static_argnames.union(self._assumptions.static_arguments)
        keys = [
            signature.value_key(value) if name in static else key_of(value)
            for name, value in zip(self._parameters, values, strict=True)
        ]
        if self._starred is not None:
            keys[self._starred] = signature.key_of_star(keys[self._starred])
        return self._within_signature(tuple(keys)) if self._specs else tuple(keys)

    def _within_signature(self, keys: tuple[Key, ...]) -> tuple[Key, ...]:
        """The keys of ``input_signature`` in place of those of the arguments.

        Raises:
            SignatureError: an argument does not fit; each is listed.
        """
        wrong = [
            text
            for name, key, spec in zip(self._parameters, keys, self._specs, strict=False)
            if not signature.fits(key, spec) and key[0] != "static"
            for text in signature.differences(spec, key, name)
        ]
        if wrong:
            raise SignatureError(
                f"these arguments do not fit the input_signature of {self.__name__}",
                why="\n       ".join(wrong),
                fix="give what the signature says, or leave sizes free in it with None",
            )
        return (
            tuple(key if key[0] == "static" else spec for key, spec in zip(keys, self._specs, strict=False))
            + keys[len(self._specs) :]
        )

    # Tracing

    def _concrete(self, values: tuple[Any, ...]) -> ConcreteFunction:
        """The trace for these values, made where none fits; one thread makes it, others wait."""
        found = self._known(self._key(values), values)
        if found is not None:
            return found
        with self._lock:
            while True:
                key = self._key(values)
                found = self._known(key, values) or self._similar(key, values)
                if found is not None:
                    return found
                reasons = explaining.reason(self, key, values)
                begin = time.perf_counter()
                try:
                    concrete = self._trace_generalised(key, values)
                except Restart:  # an argument became static: the keys are others now
                    continue
                concrete.seconds = time.perf_counter() - begin
                concrete.reason = explaining.told(reasons)
                if self._assumptions.creates:  # it makes a Variable, which the next call must not
                    self.trace_count += 1
                    return concrete
                self._keep(concrete, key, reasons)
                return concrete

    def _known(self, key: tuple[Key, ...], values: tuple[Any, ...]) -> ConcreteFunction | None:
        """The trace that calls with this key have run before, where its guards hold."""
        for concrete in self._traces.get(key, ()):
            if concrete.holds is None or concrete.holds(values):
                concrete.patience -= 1
                if not concrete.patience:
                    self._promote(concrete)
                return concrete
        return None

    def _similar(self, key: tuple[Key, ...], values: tuple[Any, ...]) -> ConcreteFunction | None:
        """A trace whose free sizes take this key too."""
        for concrete in self._patterns.get(self._relaxed(key), ()):
            if all(map(signature.fits, key, concrete.keys)) and (
                concrete.holds is None or concrete.holds(values)
            ):
                if len(self._traces) > 16 * self._options.cache_size:
                    self._traces.clear()  # an index of traces only
                if not any(map(signature.holds_function, key)):  # which the index would keep alive
                    self._traces.setdefault(key, []).append(concrete)
                return concrete
        return None

    def _relaxed(self, key: tuple[Key, ...]) -> tuple[Any, ...]:
        """What calls that may share a trace have in common; the names in ``**options`` are always known."""
        names = () if self._named is None else signature.names_of(key[self._named])
        return (*map(signature.relaxed, key), names)

    def _trace_generalised(self, key: tuple[Key, ...], values: tuple[Any, ...]) -> ConcreteFunction:
        """Trace with the sizes free that have changed; where that cannot be staged, with these sizes."""
        pattern = key
        relaxed = self._relaxed(key)
        if self._options.reduce_retracing and relaxed not in self._exact:
            for similar in reversed(self._patterns.get(relaxed, ())):
                parts = tuple(map(signature.generalise, similar.keys, key))
                if None not in parts:
                    pattern = parts  # type: ignore[assignment]
                    break
        if pattern == key:
            return attempts.trace(self, key, values)
        try:
            return attempts.trace(self, pattern, values)
        except StagingError as error:
            self._exact[relaxed] = error.what
            return attempts.trace(self, key, values)

    def _keep(self, concrete: ConcreteFunction, key: tuple[Key, ...], reasons: tuple[str, ...]) -> None:
        """Enter a new trace, and drop the one that was used least lately where there are too many."""
        self._patterns.setdefault(self._relaxed(key), []).append(concrete)
        self._traces.setdefault(key, []).append(concrete)
        self.concrete_functions.append(concrete)
        self.trace_count += 1
        self._reasons = [*self._reasons[2 - explaining.GROWING :], reasons]
        while len(self.concrete_functions) > self._options.cache_size:
            dropped = self.concrete_functions.pop(0)
            for index in (self._traces, self._patterns):
                for each, traces in list(index.items()):
                    if dropped in traces:
                        traces.remove(dropped)
                    if not traces:
                        del index[each]
        self._enter()
        explaining.warn_when_growing(self)

    def _promote(self, concrete: ConcreteFunction) -> None:
        """A trace that slow calls run often becomes one of the newest."""
        with self._lock:
            concrete.patience = 256
            if concrete in self.concrete_functions:
                self.concrete_functions.remove(concrete)
                self.concrete_functions.append(concrete)
                self._enter()

    def _unbind(self, values: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The call that binds these values to the parameters."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for parameter, value in zip(self._kinds.values(), values, strict=True):
            if parameter.kind is parameter.VAR_POSITIONAL:
                args += value
            elif parameter.kind is parameter.VAR_KEYWORD:
                kwargs |= {name: value[name] for name in value}
            elif parameter.kind is parameter.KEYWORD_ONLY:
                kwargs[parameter.name] = value
            else:
                args.append(value)
        return tuple(args), kwargs

    __closure__, __code__, __defaults__, __globals__, __kwdefaults__ = map(
        _of_plain, ("__closure__", "__code__", "__defaults__", "__globals__", "__kwdefaults__")
    )

    # Explanation

    def explain(self) -> str:
        """Each trace in words: why it was made, what for, how long it took, and what was made static.

        >>> @function
        ... def double(x):
        ...     return x + x
        >>> double(4), double(4.5)
        (8, 9.0)
        >>> print(double.explain())  # doctest: +ELLIPSIS
        double: 2 traces
        trace 1: the first call
            for (x: int), in ... ms
        trace 2: x int -> float
            for (x: float), in ... ms
        """
        return explaining.explanation(self)

    def cache_info(self) -> CacheInfo:
        """How many traces are kept, how many may be, how many were made and how many of them dropped.

        >>> @function(cache_size=1)
        ... def double(x):
        ...     return x + x
        >>> double(4), double(4.5)
        (8, 9.0)
        >>> double.cache_info()
        CacheInfo(size=1, limit=1, made=2, dropped=1)
        """
        size = len(self.concrete_functions)
        made = self.trace_count - self._inside
        return CacheInfo(size, self._options.cache_size, made, made - size)

    def clear_cache(self) -> None:
        """Forget all traces, and what they have learnt.

        >>> @function
        ... def double(x):
        ...     return x + x
        >>> double(4), double.trace_count
        (8, 1)
        >>> double.clear_cache()
        >>> double.trace_count, double.concrete_functions
        (0, [])
        """
        with self._lock:
            self._reset()
            self._enter()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            raise AttributeError(f"'function' object has no attribute {name!r}", name=name, obj=self)

    # Functions are copied and pickled by reference

    def __copy__(self) -> Function[P, R]:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Function[P, R]:
        return self

    def __reduce__(self) -> Any:
        if _is_importable(self) and not (self.__module__ == "__main__" and _by_value()):
            return self.__qualname__
        filename = self.python_function.__code__.co_filename
        return _restored, (self.python_function, self._options, filename, linecache.getlines(filename))

    def __repr__(self) -> str:
        return f"<Function {getattr(self, '__qualname__', self.__name__)}>"


if TYPE_CHECKING:

    class BoundMethod(Function[P, R]):
        """What type checkers see of a :class:`BoundFunction`."""

        __self__: Any
        __func__: Any


def _call(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return function(*args, **kwargs)


def _is_importable(function: Any) -> bool:
    """Whether the function's module has it under its name."""
    found: Any = sys.modules.get(function.__module__)
    with contextlib.suppress(AttributeError):
        for name in function.__qualname__.split("."):
            found = getattr(found, name)
        return found is function
    return False


def _by_value() -> bool:
    """Whether cloudpickle asks: it carries what is in ``__main__`` to where that is another module."""
    frame = sys._getframe(2)
    return "cloudpickle" in str(frame.f_globals.get("__name__"))


def _restored(python_function: Any, options: Options, filename: str, lines: list[str]) -> Function[..., Any]:
    """A function that was pickled by value, with its source text: pickles drop where it was."""
    python_function.__code__ = python_function.__code__.replace(co_filename=filename)
    if not linecache.getlines(filename):
        linecache.cache[filename] = (sum(map(len, lines)), None, lines, filename)
    return _made(python_function, options)


def _made(python_function: Any, options: Options) -> Function[..., Any]:
    """A function of a class of its own."""
    cls = type("Function", (Function,), {"__module__": Function.__module__, "__slots__": ()})
    return cls(python_function, options)  # type: ignore[no-any-return]


@overload
def function(python_function: Callable[P, R], /) -> Function[P, R]: ...
@overload
def function(
    python_function: None = None,
    /,
    *,
    input_signature: Sequence[Any] | None = None,
    static_argnames: str | Iterable[str] = (),
    reduce_retracing: bool = True,
    convert: str | Iterable[Any] = (),
    name: str | None = None,
    cache_size: int = CACHE_SIZE,
) -> Callable[[Callable[P, R]], Function[P, R]]: ...
@overload
def function(
    python_function: Callable[P, R],
    /,
    *,
    input_signature: Sequence[Any] | None = None,
    static_argnames: str | Iterable[str] = (),
    reduce_retracing: bool = True,
    convert: str | Iterable[Any] = (),
    name: str | None = None,
    cache_size: int = CACHE_SIZE,
) -> Function[P, R]: ...
def function(
    python_function: Any = None,
    /,
    *,
    input_signature: Sequence[Any] | None = None,
    static_argnames: str | Iterable[str] = (),
    reduce_retracing: bool = True,
    convert: str | Iterable[Any] = (),
    name: str | None = None,
    cache_size: int = CACHE_SIZE,
) -> Any:
    """Stage a plain function on NumPy arrays: its calls run as a graph and do what the plain function does.

    Args:
        python_function: a function, method, lambda, object with ``__call__`` or ``functools.partial`` of one
            of them, whose source can be found.
        input_signature: what the leading arguments always are (:class:`TensorSpec`, or ``int``, ``float``,
            ``complex`` for numbers): one trace for all of them, an error for anything else.
        static_argnames: parameters that each value has its own trace for.
        reduce_retracing: with False sizes are never left free: each shape has its own trace.
        convert: installed packages (names or modules) whose functions are traced through as the user's own.
        name: the name of the function in graphs and messages.
        cache_size: how many traces are kept.

    Returns:
        A :class:`Function`; without ``python_function`` a decorator that makes one.

    Raises:
        TypeError: it is no Python function.
        ValueError: an option that does not fit the function.
        StagingError: at the first call, before anything has run, when it cannot be staged.

    >>> @function
    ... def double(x):
    ...     return x + x
    >>> double(4)
    8
    """
    if isinstance(static_argnames, str):
        static_argnames = (static_argnames,)
    if isinstance(convert, str) or not isinstance(convert, Iterable):
        convert = (convert,)
    if type(cache_size) is not int or cache_size < 1:
        raise ValueError(f"cache_size must be a whole number from 1 on, not {cache_size!r}")
    options = Options(
        None if input_signature is None else tuple(input_signature),
        frozenset(static_argnames),
        reduce_retracing,
        tuple(each if isinstance(each, str) else each.__name__ for each in convert),
        name,
        cache_size,
    )
    if python_function is None:
        return functools.partial(_staged, options=options)
    return _staged(python_function, options)


def _staged(python_function: Any, options: Options) -> Any:
    """The staged form of whatever can be decorated."""
    if isinstance(python_function, Function):
        return python_function if options == Options() else _staged(python_function.python_function, options)
    if isinstance(python_function, staticmethod | classmethod):
        return type(python_function)(_staged(python_function.__func__, options))
    if isinstance(python_function, MethodType):
        return BoundFunction(_staged(python_function.__func__, options), python_function.__self__)
    if type(python_function) is functools.partial:
        staged = _staged(python_function.func, options)
        return functools.partial(staged, *python_function.args, **python_function.keywords)
    if not isinstance(python_function, FunctionType):
        called = type(python_function).__call__ if callable(python_function) else None
        if not isinstance(called, Function) and left_alone(called) is not None:
            raise misuse.not_a_function(python_function)
        return BoundFunction(_staged(called, options), python_function)
    remember_executed(python_function)
    converted(python_function)
    return _made(python_function, options)
