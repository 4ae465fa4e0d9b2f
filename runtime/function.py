"""``@function``: a Python function that runs as a graph.

A call looks up the traces by the keys of its arguments (``signature.py``), checks the guards of each, and runs the program
of the first that fits; when none does, the function is traced again, with the sizes that changed left free.
"""
from __future__ import annotations

import functools
import inspect
import random
import threading
import time
from collections.abc import Callable, Sequence
from types import FunctionType, MethodType
from typing import Any

from autograph import operators
from autograph.convert import converted
from autograph.errors import SignatureError, StagingError, UnsettledTraceError

from . import control_flow, dispatch, signature
from .assumptions import Assumptions, Restart
from .backends import interpreter, numpy_code
try:
    from .checking import check
    from .passes import optimise
except ImportError:
    check = optimise = lambda g: g
from . import made_functions
from .effects import add_control_edges
from .graph import Graph, Location
from .guards import Guards
from .guards import describe as describe_value
from .naming import name_values
from .signature import Key, TensorSpec
from .tracing import Tracer
from .user_names import take_names

RESTARTS = 200
"""How often one trace may begin anew."""


class ConcreteFunction:
    """One trace of a function: a graph for arguments of certain types, and the NumPy program that runs it.

    Attributes:
        name: the function's name.
        graph: the :class:`~autograph.runtime.graph.Graph`; ``str(graph)`` is its text.
        code: the text of the NumPy program.
        program: the program itself: a function of the arguments in order.
        signature: the parameters' names with what each must be, in words.
    """

    def __init__(self, owner: Function, keys: tuple[Key, ...], graph: Graph, guards: Guards, seconds: float) -> None:
        self.name = owner.__name__
        self.keys = keys
        self.graph = graph
        self.guards = guards
        self.holds = guards.compile(owner.parameters)
        self.seconds = seconds
        self.reason = ""
        self._owner = owner
        self._compiled = numpy_code.compile_graph(optimise(graph))
        self.program: Callable[..., Any] = self._compiled.function

    @property
    def code(self) -> str:
        """The text of the NumPy program."""
        return self._compiled.text

    @property
    def signature(self) -> dict[str, str]:
        """What each argument must be."""
        names = self._owner.parameters
        return {name: signature.describe(key) for name, key in zip(names, self.keys, strict=True)}

    def _arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """The arguments in order; static ones may be left out.

        Raises:
            SignatureError: one does not fit, or is missing, or there are more.
        """
        names = self._owner.parameters
        given = dict(zip(names, args, strict=False))
        wrong = [f"{len(args)} arguments for {len(names)} parameters"] if len(args) > len(names) else []
        wrong += [f"{name}: given twice" for name in kwargs if name in given]
        wrong += [f"{name}: there is no such parameter" for name in kwargs if name not in names]
        given.update(kwargs)
        values = []
        for name, key in zip(names, self.keys, strict=True):
            if name not in given:
                if key[0] == "static":
                    values.append(key[2])
                elif key[0] == "same":
                    values.append(key[1].value)
                else:
                    wrong.append(f"{name}: missing, must be {signature.describe(key)}")
                continue
            value = given[name]
            found = signature.value_key(value) if key[0] == "static" else signature.key_of(value)
            if not signature.fits(found, key):
                wrong.append(f"{name}: {signature.describe(found)}, must be {signature.describe(key)}")
            values.append(value)
        if wrong:
            raise SignatureError(f"these inputs do not fit this trace of {self.name}", why="\n       ".join(wrong))
        return tuple(values)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the program, positionally or by the parameters' names.

        Raises:
            SignatureError: the arguments are not what this trace was made for.
        """
        return self.program(*self._arguments(args, kwargs))

    def interpret(self, *args: Any, order: random.Random | None = None, **kwargs: Any) -> Any:
        """Run the graph node by node instead; ``order`` draws a valid order of the nodes."""
        return interpreter.run(self.graph, self._arguments(args, kwargs), order=order)

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}: {text}" for name, text in self.signature.items())
        return f"<ConcreteFunction {self.name}({inside})>"


class Function:
    """A staged function: called like the plain one, and does what the plain one does.

    Make one with :func:`function`.

    Attributes:
        python_function: the plain function.
        trace_count: how many graphs were made of it, those that became part of another function's graph included.
        concrete_functions: these graphs, oldest first.
    """

    def __init__(self, python_function: Any) -> None:
        functools.update_wrapper(self, python_function)
        self.python_function = python_function
        self._lock = threading.RLock()
        self._reset()
        self.parameters = tuple(inspect.signature(python_function).parameters)
        self._bind = dispatch.binder(python_function)
        self._enter()

    def _enter(self) -> None:
        """Make calls of this function enter at the newest traces: each function is of a class of its own."""
        cls = type(self)
        cls.__call__ = dispatch.dispatcher(self.python_function, self.concrete_functions, self._slow)  # type: ignore[method-assign]

    def _reset(self) -> None:
        self._traces: dict[Any, list[ConcreteFunction]] = {}
        self._patterns: dict[Any, list[ConcreteFunction]] = {}
        self._assumptions = Assumptions()
        self.concrete_functions: list[ConcreteFunction] = []
        self.trace_count = 0

    # Calling

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the function as a graph, tracing it first where no trace fits."""
        return self._slow(self._bind(*args, **kwargs))

    def _slow(self, values: tuple[Any, ...]) -> Any:
        """A call that none of the newest traces fits."""
        tracer = operators.active()
        if tracer is not None:
            args, kwargs = self._unbind(values)
            return tracer.call(self, args, kwargs, operators.call)
        for concrete in self._traces.get(self._key(values), ()):
            if concrete.holds is None or concrete.holds(values):
                return concrete.program(*values)
        return self._concrete(values).program(*values)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The graph for arguments like these; :class:`TensorSpec` stands for an array.

        Raises:
            TypeError: the arguments do not bind to the parameters.
            StagingError: the function cannot be staged for them.
        """
        values = self._bind(*args, **kwargs)
        for concrete in self._traces.get(self._key(values), ()):
            if concrete.holds is None or concrete.holds(values):
                return concrete
        return self._concrete(values)

    def _key(self, values: tuple[Any, ...]) -> tuple[Key, ...]:
        static = self._assumptions.static_arguments
        if not static:
            return tuple([signature.key_of(value) for value in values])
        return tuple(
            [
                signature.value_key(value) if name in static else signature.key_of(value)
                for name, value in zip(self.parameters, values, strict=True)
            ]
        )

    # Tracing

    def _concrete(self, values: tuple[Any, ...]) -> ConcreteFunction:
        """The trace for these values, made where none fits; one thread makes it, others wait."""
        with self._lock:
            while True:
                key = self._key(values)
                for concrete in self._traces.get(key, ()):
                    if concrete.holds is None or concrete.holds(values):
                        return concrete
                relaxed = tuple(signature.relaxed(each) for each in key)
                similar = self._patterns.setdefault(relaxed, [])
                for concrete in similar:
                    if all(map(signature.fits, key, concrete.keys)) and (
                        concrete.holds is None or concrete.holds(values)
                    ):
                        self._traces.setdefault(key, []).append(concrete)
                        return concrete
                reason = self._reason(key, values)
                pattern = key
                if similar:
                    pattern = tuple(map(signature.generalise, similar[-1].keys, key))
                try:
                    concrete = self._trace(pattern, values)
                except Restart:  # an argument became static: the keys are others now
                    continue
                concrete.reason = reason
                similar.append(concrete)
                self._traces.setdefault(key, []).append(concrete)
                self.concrete_functions.append(concrete)
                self.trace_count += 1
                self._enter()
                return concrete

    def _reason(self, key: tuple[Key, ...], values: tuple[Any, ...]) -> str:
        """Why a new trace is needed, in words; what a guard saw change is left free in the new one."""
        if not self.concrete_functions:
            return "the first call"
        reasons = []
        for concrete in reversed(self.concrete_functions):
            if all(map(signature.fits, key, concrete.keys)):
                failed = concrete.guards.failed(dict(zip(self.parameters, values, strict=True)))
                if failed is not None:
                    guard, value = failed
                    if guard.kind == "value" and type(value) in (int, float, complex):
                        self._assumptions.dynamic.add(guard.path.key)
                    elif guard.kind == "shape":
                        self._assumptions.dynamic.add(("shape", guard.path.key))
                    return f"{guard.path.text} {guard.seen} -> {describe_value(value)}"
            found = [
                text
                for name, old, new in zip(self.parameters, concrete.keys, key, strict=True)
                for text in signature.differences(old, new, name)
            ]
            if found and (not reasons or len(found) < len(reasons)):
                reasons = found
        return ", ".join(reasons) or "its assumptions changed"

    def _trace(self, keys: tuple[Key, ...], values: tuple[Any, ...]) -> ConcreteFunction:
        """Trace the function for arguments with these keys.

        Raises:
            Restart: an argument became static.
        """
        begin = time.perf_counter()
        assumptions = self._assumptions
        static = len(assumptions.static_arguments)
        for _ in range(RESTARTS):
            tracer = Tracer(self.__name__, assumptions)
            try:
                graph = self._run(tracer, keys, values)
            except Restart:
                if len(assumptions.static_arguments) != static:
                    raise
                continue
            for inner in tracer.inlined:
                inner.trace_count += 1
            take_names(graph)
            name_values(graph)
            add_control_edges(graph)
            check(graph)
            return ConcreteFunction(self, keys, graph, tracer.guards, time.perf_counter() - begin)
        raise UnsettledTraceError(f"tracing {self.__name__!r} does not settle", fix="please report this")

    def _run(self, tracer: Tracer, keys: tuple[Key, ...], values: tuple[Any, ...]) -> Graph:
        """Run the converted function on symbols."""
        plain = self.python_function
        code = plain.__code__
        tracer.graph.location = Location(code.co_filename, code.co_firstlineno, code.co_name)
        free = signature.dimension_names()
        with operators.activate(tracer):
            arguments = [
                signature.make_argument(tracer, name, key, value, free)
                for name, key, value in zip(self.parameters, keys, values, strict=True)
            ]
            args, kwargs = self._unbind(arguments)

            def run() -> Any:
                return tracer.lower(tracer.call(plain, args, kwargs))

            done = control_flow.trace_part(tracer, self.__name__, run, tracer.graph)
            made_functions.check_captured(tracer)
        if done.block.completes:
            tracer.graph.results = (done.result,)
        return tracer.graph

    def _unbind(self, arguments: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The call that binds these arguments to the parameters."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for parameter, value in zip(inspect.signature(self.python_function).parameters.values(), arguments, strict=True):
            if parameter.kind is parameter.VAR_POSITIONAL:
                args += value
            elif parameter.kind is parameter.VAR_KEYWORD:
                kwargs |= {name: value[name] for name in value}
            elif parameter.kind is parameter.KEYWORD_ONLY:
                kwargs[parameter.name] = value
            else:
                args.append(value)
        return tuple(args), kwargs

    # Explanation

    def explain(self) -> str:
        """Each trace in words: why it was made, what for, what was made static."""
        lines = [f"{self.__name__}: {len(self.concrete_functions)} traces"]
        for number, concrete in enumerate(self.concrete_functions, start=1):
            inside = ", ".join(f"{name}: {text}" for name, text in concrete.signature.items())
            lines.append(f"trace {number}: {concrete.reason}")
            lines.append(f"    for ({inside}), in {concrete.seconds * 1e3:.0f} ms")
        for name, why in self._assumptions.static_arguments.items():
            lines.append(f"static: {name}, as Python needs {why}")
        return "\n".join(lines)

    def clear_cache(self) -> None:
        """Forget all traces."""
        with self._lock:
            self._reset()
            self._enter()

    # Functions are copied and pickled by reference

    def __copy__(self) -> Function:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Function:
        return self

    def __reduce__(self) -> str:
        return self.__qualname__  # type: ignore[no-any-return, attr-defined]

    def __repr__(self) -> str:
        return f"<Function {getattr(self, '__qualname__', self.__name__)}>"


def function(python_function: Any = None) -> Any:
    """Stage a plain function on NumPy arrays: its calls run as a graph and do what the plain function does.

    Args:
        python_function: a function, method or lambda whose source can be found.

    Returns:
        A :class:`Function`.

    Raises:
        TypeError: it is no Python function.
        StagingError: at the first call, before anything has run, when it cannot be staged.

    >>> @function
    ... def double(x):
    ...     return x + x
    >>> double(4)
    8
    """
    if python_function is None:
        return function
    if isinstance(python_function, Function):
        return python_function
    if isinstance(python_function, staticmethod | classmethod):
        return type(python_function)(function(python_function.__func__))
    if isinstance(python_function, MethodType):
        return MethodType(function(python_function.__func__), python_function.__self__)
    if not isinstance(python_function, FunctionType):
        raise TypeError(f"function() takes a Python function, not {python_function!r}")
    converted(python_function)
    cls = type("Function", (Function,), {"__module__": Function.__module__, "__slots__": ()})
    return cls(python_function)
