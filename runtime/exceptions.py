"""Exceptions while tracing: what the user's code raises on symbols becomes a ``raise`` node.

The plain run would raise there too, after exactly the effects that were recorded before.  An exception that
one of our own rooms lets slip must not pass for the user's: those that are raised on the user's behalf are
marked with :func:`deliberate`.
"""

from __future__ import annotations

import builtins
import copy
import dis
import os
from collections.abc import Callable, Hashable
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

from autograph import operators
from autograph.convert import is_converted_code
from autograph.errors import InternalError

from .graph import Graph, Location, Node, Op, Operand, Value
from .location import OWN, is_own, raised_at, traceback_of
from .operands import RawOperand, Traced, has_symbols
from .ops import table
from .tensor import Tensor
from .types import Instance

if TYPE_CHECKING:
    from .tracing import Tracer

_RAISE = dis.opmap["RAISE_VARARGS"]
_OPERATORS = os.path.join(OWN, "operators", "")
_ON_BEHALF: set[CodeType] = set()
_Function = TypeVar("_Function", bound=Callable[..., Any])


_CAUSE = BaseException.__dict__["__cause__"].__get__
"""What ``raise ... from`` has noted while tracing, also where the class answers otherwise."""
_CONTEXT = BaseException.__dict__["__context__"].__get__
_SUPPRESSES = BaseException.__dict__["__suppress_context__"].__get__


class SymbolicException(Exception, Traced):
    """The exception that a handler gets: known only when the graph runs."""

    def __init__(self, tracer: Tracer, tensor: Tensor) -> None:
        super().__init__()
        self.tracer = tracer
        self.tensor = tensor
        deliberate(self)

    def to_operand(self, tracer: Tracer, display: bool) -> Operand:
        return tracer.lower_tensor(self.tensor)

    def __getattribute__(self, name: str) -> Any:
        # what the class has is asked of the exception that is caught; a traceback of ours gets what was noted
        if name in _OF_EXCEPTIONS and operators.active() is self.tracer:
            return self.tracer.get_attribute(self.tensor, name)
        return super().__getattribute__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _OWN_NAMES:
            object.__setattr__(self, name, value)
        else:
            self.tracer.set_attribute(self.tensor, name, value)

    def __delattr__(self, name: str) -> None:
        self.tracer.apply("del_attribute", self.tensor, name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_autograph") or operators.active() is not self.tracer:
            raise AttributeError(name)  # of ours, or a traceback of ours asks for its notes
        return self.tracer.get_attribute(self.tensor, name)


_OWN_NAMES = frozenset({"tracer", "tensor", "_autograph_deliberate"})
_OF_EXCEPTIONS = frozenset({*dir(BaseException), "__dict__"} - {"__class__"})


def deliberate(error: BaseException) -> BaseException:
    """Mark an exception that a room of ours raises because Python would."""
    error._autograph_deliberate = True  # type: ignore[attr-defined]
    return error


def on_behalf(function: _Function) -> _Function:
    """Mark a function of ours that does on known values what the user's code does: what it raises itself is
    the user's.
    """
    _ON_BEHALF.add(function.__code__)
    return function


def python_does(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Do on known values, while tracing, what the user's code does: what it raises is the user's."""
    try:
        return function(*args, **kwargs)
    except Exception as error:
        deliberate(error)
        raise


def is_of_users(error: BaseException) -> bool:
    """Whether the user's code raised it: an interrupt from outside is none of the function's doing."""
    if isinstance(error, Exception):
        return True
    last = traceback_of(error)
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None:
        return False
    code = last.tb_frame.f_code
    return is_converted_code(code) and code.co_code[last.tb_lasti] == _RAISE


def raised(tracer: Tracer, operand: Any) -> Any:
    """What ``raise operand`` raises while tracing: a stand-in for what only the run knows."""
    if type(operand) is Tensor:
        return SymbolicException(tracer, operand)
    if isinstance(operand, Traced) and not isinstance(operand, SymbolicException):
        return SymbolicException(tracer, tracer.tensor_of(tracer.lower(operand), operand.type_hint()))
    return operand


def record_raise(tracer: Tracer, error: BaseException) -> None:
    """Record a ``raise`` node for an exception that left the user's code while it was traced."""
    tracer.sync()
    location = _place(error)
    handled = tracer.handled.get(id(_CONTEXT(error)))
    if handled is not None:  # where the run handles it, the run gives the context
        raise tracer.assumptions.learn(handled)
    exception = _made(tracer, error)
    if _is_handled(tracer, error):
        tracer.add(Node(table.RAISE_AGAIN, (exception,), location=location))
        return
    cause: tuple[Operand, ...] = ()
    given = _CAUSE(error)
    if given is not None:
        cause = (to_operand(tracer, given),)
    elif _SUPPRESSES(error):
        cause = (None,)
    tracer.add(Node(table.RAISE, (exception, *cause), location=location))


def _is_handled(tracer: Tracer, error: BaseException) -> bool:
    """Whether a ``raise`` alone raised what is handled: no line of the user's has raised it."""
    handled = next((block.inputs for block in reversed(tracer.stack) if block.name == "except"), ())
    if not isinstance(error, SymbolicException) or error.tensor._ag_value not in handled:
        return False
    trace = traceback_of(error)
    while trace is not None and is_own(trace.tb_frame.f_code):
        trace = trace.tb_next
    return trace is None


def make_exception(
    tracer: Tracer, cls: type[BaseException], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """``cls(*args, **kwargs)`` in the user's code: made now, and remembered so that the program can make its
    own; by the run where code of the user's makes it, or puts something on it later."""
    key = tracer.occurrence("exception")
    group = issubclass(cls, GROUPS) and has_symbols(args)
    if key in tracer.assumptions.dynamic or _is_made_by_user(cls) or group:
        value = tracer.record_value(table.unknown_call(cls, cls.__name__), args, kwargs)
        value.type = Instance(cls)
        return SymbolicException(tracer, Tensor(value, tracer.block, tracer))
    error = python_does(cls, *args, **kwargs)
    if isinstance(error, BaseException):
        tracer.exceptions[id(error)] = (error, args, kwargs)
        tracer.caught[id(error)] = Known(error, key, tracer.block)
    return error


class Known:
    """An exception that was made or caught while tracing, and what it held then."""

    __slots__ = ("args", "block", "error", "held", "key", "value")

    def __init__(self, error: BaseException, key: Hashable, block: Graph) -> None:
        self.error, self.key, self.args, self.block = error, key, error.args, block
        self.value: Value | None = None
        self.held = dict(vars(error))

    def is_changed(self) -> bool:
        """Whether the user's code has put something on it."""
        held = {name: value for name, value in vars(self.error).items() if name not in _OWN_NAMES}
        before = {name: value for name, value in self.held.items() if name not in _OWN_NAMES}
        same = held.keys() == before.keys() and all(held[name] is before[name] for name in held)
        return not same or self.error.args is not self.args


def note_caught(tracer: Tracer, error: BaseException, key: Hashable) -> None:
    """A handler gets the exception while tracing, of the ``try`` of that key."""
    tracer.handled[id(error)] = key
    if id(error) not in tracer.caught:
        tracer.exceptions[id(error)] = (error, None, None)
        tracer.caught[id(error)] = Known(error, key, tracer.block)


def learn_changed(tracer: Tracer) -> bool:
    """Whether the user's code has put something on exceptions of the trace: the next one leaves these to the
    run."""
    changed = {known.key for known in tracer.caught.values() if known.is_changed()}
    new = changed - tracer.assumptions.dynamic
    tracer.assumptions.dynamic |= new
    return bool(new)


GROUPS: Any = getattr(builtins, "BaseExceptionGroup", ())


def _is_made_by_user(cls: type[BaseException]) -> bool:
    """Whether making an exception of this class runs code of the user's."""
    return any(isinstance(getattr(cls, name), FunctionType) for name in ("__init__", "__new__"))


def _place(error: BaseException) -> Location:
    """Where in the user's text the exception came from.

    Raises:
        InternalError: it came from a room of ours that did not mean to raise it.
    """
    last = traceback_of(error)
    assert last is not None
    while last.tb_next is not None:
        last = last.tb_next
    code = last.tb_frame.f_code
    ours = is_own(code) and not code.co_filename.startswith(_OPERATORS) and code not in _ON_BEHALF
    if ours and not hasattr(error, "_autograph_deliberate"):
        raise InternalError(f"the tracer failed with {type(error).__name__}: {error}") from error
    # an ``assert`` is raised for the line that runs now
    return raised_at(error) or Location("<unknown>", 0)


def to_operand(tracer: Tracer, error: BaseException) -> Operand:
    """The operand that makes this exception anew when the graph runs."""
    if isinstance(error, SymbolicException):
        return error.to_operand(tracer, False)
    caught = tracer.handled.get(id(error))
    if caught is not None:  # where the run catches it, it has its traceback and context
        raise tracer.assumptions.learn(caught)
    return _made(tracer, error)


def _made(tracer: Tracer, error: BaseException) -> Operand:
    if isinstance(error, SymbolicException):
        return error.to_operand(tracer, False)
    cls = type(error)
    _, args, kwargs = tracer.exceptions.get(id(error), (None, None, None))
    if args is not None:
        known = tracer.caught[id(error)]
        if known.block is not tracer.block and known.key not in tracer.assumptions.dynamic:
            raise tracer.assumptions.learn(known.key)
        if known.value is None:
            known.value = tracer.record_value(_constructor(cls), args, kwargs)
        return known.value
    if has_symbols(error.args) or _rebuilds(error):
        return tracer.record_value(_constructor(cls), error.args, _by_name(tracer, error))
    error = error.with_traceback(None)
    error.__context__ = error.__cause__ = None
    return tracer.record_value(_COPY, (error,))


def _by_name(tracer: Tracer, error: BaseException) -> dict[str, Any]:
    """What Python has put on its own exceptions, for suggestions: ``name`` and ``obj``, and for imports the
    path."""
    names = _BY_NAME.get(type(error), ())
    found = {name: getattr(error, name) for name in names if getattr(error, name) is not None}
    if "obj" in found:  # an argument is another object in each call
        found["obj"] = RawOperand(tracer.lower(tracer.outside.proxies.get(id(found["obj"]), found["obj"])))
    return found


_BY_NAME: dict[type, tuple[str, ...]] = {
    AttributeError: ("name", "obj"),
    NameError: ("name",),
    ImportError: ("name", "path"),
    ModuleNotFoundError: ("name", "path"),
}


def _rebuilds(error: BaseException) -> bool:
    """Whether the class called with ``args`` gives an equal exception."""
    try:
        again = type(error)(*error.args)
    except Exception:
        return False
    return str(again) == str(error) and again.args == error.args


def _constructor(cls: type[BaseException]) -> Op:
    return Op(table.apart(cls.__name__), cls, "call", cls.__name__)


_COPY = Op("copy.copy", copy.copy, "call", "copy.copy")
