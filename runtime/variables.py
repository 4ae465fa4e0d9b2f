"""Variables: arrays that live outside functions and are assigned as a whole or in part.

A :class:`Variable` is its values only: it holds no other object, and nobody else holds its memory.  So a
graph knows that two variables are apart, and orders nothing between them.  While tracing
:class:`OuterVariable` stands for one: used where a value is wanted it is read at that place of the
program; used as itself (returned, stored, printed) it is the object.
"""
from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Iterator
from types import MethodType
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.errors import VariableCreationError

from .builtins import handles
from .graph import Op, Operand, Weakly
from .operands import RawOperand
from .ops import table
from .outer_objects import OWN_NAMES, OuterObject, raw_of
from .state import PROXIES, by_class
from .tensor import Tensor
from .types import UNKNOWN, Array, Instance, Type, type_of

if TYPE_CHECKING:
    from .tracing import Tracer

_Array = np.ndarray[Any, Any]


class Variable(np.lib.mixins.NDArrayOperatorsMixin):
    """An array that is assigned.

    Reading gives values that later assignments do not change; NumPy functions and operators take a
    variable as its values.

    Args:
        value: the first values: an array, a number, nested lists, another variable.  They are copied.
        dtype: the dtype for good.  Without one the variable gets that of ``value``, and a wider one when what
            is assigned needs it, as ``x = 1`` followed by ``x = x / 2`` makes ``x`` a float.
        name: a name for people.
        trainable: whether an optimiser should change it.

    Raises:
        TypeError: the values are objects.

    >>> v = Variable([1.0, 2.0], name="v")
    >>> v.assign_add([0.5, 0.5])
    Variable([1.5, 2.5], dtype=float64, name='v')
    >>> v * 2, v[0]
    (array([3., 5.]), np.float64(1.5))
    """

    __slots__ = ("__weakref__", "_array", "_fixed", "_lock", "_weakly", "name", "trainable")
    __autograph_state__ = True
    __array_priority__ = 1000.0
    __hash__ = object.__hash__

    def __init__(
        self, value: Any, dtype: Any = None, name: str | None = None, trainable: bool = True
    ) -> None:
        if isinstance(value, Variable):
            value = value._array
        self._array: _Array = np.array(value, dtype=dtype)
        if self._array.dtype.hasobject:
            raise TypeError(f"a Variable holds numbers or texts, not {self._array.dtype}")
        self._fixed = dtype is not None
        self._lock = threading.RLock()
        self._weakly = Weakly(self)
        self.name = name
        self.trainable = trainable

    # Reading

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape, which never changes."""
        shape: tuple[int, ...] = self._array.shape
        return shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype now."""
        dtype: np.dtype[Any] = self._array.dtype
        return dtype

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._array.ndim

    @property
    def size(self) -> int:
        """The number of values."""
        return self._array.size

    def _read(self) -> Any:
        """The memory itself, or a scalar where there are no dimensions."""
        return self._array if self._array.ndim else self._array[()]

    def read_value(self) -> Any:
        """The values now: a new array, or a NumPy scalar where there are no dimensions."""
        return self._array.copy() if self._array.ndim else self._array[()]

    def numpy(self) -> Any:
        """The same as :meth:`read_value`."""
        return self.read_value()

    def __getitem__(self, index: Any) -> Any:
        found = self._array[index]
        return found.copy() if isinstance(found, np.ndarray) else found

    # Assigning

    def assign(self, value: Any) -> Variable:
        """Give it these values.

        Raises:
            ValueError: they have another shape.
            TypeError: they cannot be cast to a dtype that was given.
        """
        with self._lock:
            new = np.asarray(value)
            if new.shape != self._array.shape:
                shapes = f"of shape {new.shape} to a Variable of shape {self.shape}"
                raise ValueError(f"cannot assign values {shapes}")
            self._widen(new, value)
            np.copyto(self._array, new, casting="same_kind")
        return self

    def assign_add(self, value: Any) -> Variable:
        """Add to its values, which keep their shape."""
        with self._lock:
            return self.assign(self._read() + value)

    def assign_sub(self, value: Any) -> Variable:
        """Subtract from its values, which keep their shape."""
        with self._lock:
            return self.assign(self._read() - value)

    def scatter_update(self, indices: Any, values: Any) -> Variable:
        """``self[indices] = values``."""
        self[indices] = values
        return self

    def scatter_add(self, indices: Any, values: Any) -> Variable:
        """Add at these places; a place given twice is added to twice."""
        with self._lock:
            self._widen(np.asarray(values), values)
            np.add.at(self._array, indices, values)
        return self

    def scatter_sub(self, indices: Any, values: Any) -> Variable:
        """Subtract at these places; from a place given twice it is subtracted twice."""
        with self._lock:
            self._widen(np.asarray(values), values)
            np.subtract.at(self._array, indices, values)
        return self

    def __setitem__(self, index: Any, value: Any) -> None:
        with self._lock:
            new = np.asarray(value)
            self._widen(new, value)
            if not np.can_cast(new.dtype, self.dtype, "same_kind"):
                raise TypeError(f"cannot cast {new.dtype} to the {self.dtype} of the Variable")
            self._array[index] = new

    def _widen(self, new: _Array, value: Any) -> None:
        """Take a wider dtype where the values need it and none was given."""
        if not self._fixed and not np.can_cast(new.dtype, self.dtype, "same_kind"):
            wider = np.result_type(self._array, value if type(value) in (bool, int, float, complex) else new)
            self._array = self._array.astype(wider)

    # What NumPy and Python ask

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> _Array:
        if copy is False:
            raise ValueError("the values of a Variable are handed out as a copy only")
        return self._array.astype(dtype or self.dtype, copy=True)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        out = kwargs.get("out", ())
        if out:
            kwargs["out"] = tuple(each._array if isinstance(each, Variable) else each for each in out)
        result = getattr(ufunc, method)(*map(_values, inputs), **kwargs)
        return out[0] if len(out) == 1 and isinstance(out[0], Variable) else result

    def __array_function__(self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        return function(*_unwrapped(args), **_unwrapped(kwargs))

    def __bool__(self) -> bool:
        return bool(self._array)

    def __int__(self) -> int:
        return int(self._array)

    def __float__(self) -> float:
        return float(self._array)

    def __complex__(self) -> complex:
        return complex(self._array)

    def __index__(self) -> int:
        return operator.index(self._array)

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.read_value())

    def __contains__(self, item: Any) -> bool:
        return item in self._array

    def __format__(self, spec: str) -> str:
        return format(self._read(), spec)

    def __repr__(self) -> str:
        name = "" if self.name is None else f", name={self.name!r}"
        return f"Variable({self._array.tolist()!r}, dtype={self.dtype}{name})"

    def __reduce__(self) -> Any:
        return _restore, (self._array, self._fixed, self.name, self.trainable)


def _restore(array: _Array, fixed: bool, name: str | None, trainable: bool) -> Variable:
    variable = Variable(array, name=name, trainable=trainable)
    variable._fixed = fixed
    return variable


def _in_place(name: str) -> Callable[[Variable, Any], Variable]:
    plain = getattr(operator, name)

    def method(self: Variable, other: Any) -> Variable:
        with self._lock:
            return self.assign(plain(self._read(), other))

    return method


_IN_PLACE = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor",
    "lshift", "rshift",
)  # fmt: skip
for _name in _IN_PLACE:
    setattr(Variable, f"__i{_name.rstrip('_')}__", _in_place(_name))


def _values(operand: Any) -> Any:
    return operand._read() if isinstance(operand, Variable) else operand


def _unwrapped(operand: Any) -> Any:
    """The operand with the values of variables in the place of these, at any depth."""
    if isinstance(operand, tuple | list):
        return type(operand)(map(_unwrapped, operand))
    if isinstance(operand, dict):
        return {key: _unwrapped(each) for key, each in operand.items()}
    return _values(operand)


# While tracing -----------------------------------------------------------------------------------------

READ = table.define(
    Op("read_variable", Variable._read, "method", "_read", result="alias", total=lambda variable: True)
)
"""The values where they are wanted: they share the variable's memory until the op that wants them has run."""

_METHODS: dict[str, Op] = {
    name: table.define(table.method_of(Variable, name, writes=(0,), result="alias"))
    for name in ("assign", "assign_add", "assign_sub", "scatter_update", "scatter_add", "scatter_sub")
}
for _name in ("read_value", "numpy"):
    _METHODS[_name] = table.define(table.method_of(Variable, _name))
_GET_ITEM = table.define(table.method_of(Variable, "__getitem__"))
_AUGMENTED = {
    special: table.define(table.method_of(Variable, special, writes=(0,), result="alias"))
    for special in (f"__i{name.rstrip('_')}__" for name in _IN_PLACE)
}
NEW = table.define(
    Op("new_variable", Variable, "call", "Variable", infer=lambda *args, **kwargs: Instance(Variable))
)


class OuterVariable(OuterObject):
    """Stands for a variable of outside."""

    __slots__ = ()

    def to_operand(self, tracer: Tracer, display: bool) -> Operand:
        """Its values where an op only reads, else the variable itself."""
        return tracer.lower_tensor(_tensor(self)) if display else _itself(self)

    def truth(self, tracer: Tracer) -> Any:
        return _tensor(self)

    def to_iterable(self, tracer: Tracer) -> Any:
        return tracer.record(_METHODS["read_value"], (RawOperand(_itself(self)),))

    def __getattribute__(self, name: str) -> Any:
        if name in OWN_NAMES:
            return object.__getattribute__(self, name)
        if name in _METHODS:
            return MethodType(_TRACED_METHODS[name], self)
        if name in ("shape", "ndim", "size"):
            return getattr(raw_of(self), name)
        tracer = object.__getattribute__(self, "tracer")
        return tracer.record(table.get("get_attribute"), (RawOperand(_itself(self)), name))

    def __setattr__(self, name: str, value: Any) -> None:
        tracer = object.__getattribute__(self, "tracer")
        tracer.apply("set_attribute", RawOperand(_itself(self)), name, value)

    def __getitem__(self, index: Any) -> Any:
        tracer = object.__getattribute__(self, "tracer")
        return tracer.record(_GET_ITEM, (RawOperand(_itself(self)), index))

    def __setitem__(self, index: Any, value: Any) -> None:
        tracer = object.__getattribute__(self, "tracer")
        tracer.apply("set_item", RawOperand(_itself(self)), index, value)


def _method(name: str) -> Callable[..., Any]:
    """What a method of a variable does while tracing."""
    row = _METHODS[name]

    def method(self: OuterVariable, *args: Any, **kwargs: Any) -> Any:
        tracer = object.__getattribute__(self, "tracer")
        named = {key: _wanted(arg) for key, arg in kwargs.items()}
        found = tracer.record(row, (RawOperand(_itself(self)), *map(_wanted, args)), named)
        return self if row.writes else found

    return method


_TRACED_METHODS = {name: _method(name) for name in _METHODS}


def _itself(outer: OuterVariable) -> Operand:
    """The variable; a graph does not keep it alive, as its owner decides how long it lives."""
    found = OuterObject.to_operand(outer, object.__getattribute__(outer, "tracer"), False)
    return found._weakly if isinstance(found, Variable) else found


def _wanted(operand: Any) -> Any:
    """An argument of an assignment: the values of a variable."""
    return _tensor(operand) if type(operand) is OuterVariable else operand


def _tensor(outer: OuterVariable) -> Tensor:
    """The values, read here."""
    tracer = object.__getattribute__(outer, "tracer")
    value = tracer.record_value(READ, (RawOperand(_itself(outer)),))
    value.type = _known_type(outer, tracer)
    return Tensor(value, tracer.block, tracer)


def _known_type(outer: OuterVariable, tracer: Tracer) -> Type:
    """The type of the values, which cannot change where a dtype was given."""
    path = object.__getattribute__(outer, "path")
    variable = raw_of(outer)
    if by_class(tracer, path) or not variable._fixed:
        return UNKNOWN
    array = variable._array
    return Array(array.dtype, array.shape) if array.ndim else type_of(array[()])


def _operator(name: str, swapped: bool) -> Callable[..., Any]:
    plain = getattr(operator, name)

    def method(self: OuterVariable, *others: Any) -> Any:
        operands = (_tensor(self), *map(_wanted, others))
        return plain(*reversed(operands)) if swapped else plain(*operands)

    return method


def _augmented(name: str) -> Callable[..., Any]:
    def method(self: OuterVariable, other: Any) -> Any:
        tracer = object.__getattribute__(self, "tracer")
        tracer.record(_AUGMENTED[name], (RawOperand(_itself(self)), _wanted(other)))
        return self

    return method


for _name in _IN_PLACE:
    _base = _name.rstrip("_")
    setattr(OuterVariable, f"__{_base}__", _operator(_name, swapped=False))
    setattr(OuterVariable, f"__r{_base}__", _operator(_name, swapped=True))
    setattr(OuterVariable, f"__i{_base}__", _augmented(f"__i{_base}__"))
for _name in ("lt", "le", "eq", "ne", "gt", "ge", "neg", "pos", "abs", "invert"):
    setattr(OuterVariable, f"__{_name}__", _operator(_name, swapped=False))
PROXIES[Variable] = OuterVariable


@handles(Variable)
def _new(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A variable is made when the graph runs; by every call only where data decides whether it is."""
    if tracer.assumptions.may_create:
        tracer.outside.creates = True
    elif len(tracer.stack) == 1:
        raise tracer.error(
            VariableCreationError,
            "a Variable is made by a call that is not the first one",
            why="each call would make a new one, and what was assigned to the old one would be lost",
            fix="make it before, or only where there is none yet: `if self.v is None: self.v = Variable(...)`",
        )
    return tracer.record(NEW, args, kwargs)
