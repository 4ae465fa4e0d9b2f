"""Variables: arrays that live outside functions and are assigned as a whole or in part.

A :class:`Variable` is its values only: it holds no other object, and nobody else holds its memory.  So a
graph knows that two variables are apart, and orders nothing between them.  What stands for one while tracing
is in :mod:`.outer_variables`.
"""
from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .graph import Weakly

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
        """The values now: a new array, or a NumPy scalar where there are no dimensions.

        >>> v = Variable([1, 2])
        >>> before = v.read_value()
        >>> v.assign([3, 4]).read_value(), before
        (array([3, 4]), array([1, 2]))
        """
        return self._array.copy() if self._array.ndim else self._array[()]

    def numpy(self) -> Any:
        """The same as :meth:`read_value`.

        >>> Variable(2.5).numpy()
        np.float64(2.5)
        """
        return self.read_value()

    def __getitem__(self, index: Any) -> Any:
        found = self._array[index]
        return found.copy() if isinstance(found, np.ndarray) else found

    # Assigning

    def assign(self, value: Any) -> Variable:
        """Give it these values.

        Args:
            value: as many, in the same shape; they are copied.

        Returns:
            The variable itself.

        Raises:
            ValueError: they have another shape.
            TypeError: they cannot be cast to a dtype that was given.

        >>> v = Variable([1, 2])
        >>> v.assign([0.5, 1.5])
        Variable([0.5, 1.5], dtype=float64)
        >>> v.assign(0)
        Traceback (most recent call last):
        ValueError: cannot assign values of shape () to a Variable of shape (2,)
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
        """Add to its values, which keep their shape; errors as in :meth:`assign`.

        >>> Variable([1.0, 2.0]).assign_add(1)
        Variable([2.0, 3.0], dtype=float64)
        """
        with self._lock:
            return self.assign(self._read() + value)

    def assign_sub(self, value: Any) -> Variable:
        """Subtract from its values, which keep their shape; errors as in :meth:`assign`.

        >>> Variable([1.0, 2.0]).assign_sub([1, 0])
        Variable([0.0, 2.0], dtype=float64)
        """
        with self._lock:
            return self.assign(self._read() - value)

    def scatter_update(self, indices: Any, values: Any) -> Variable:
        """``self[indices] = values``.

        Raises:
            IndexError: there is no such place.
            ValueError: the values do not broadcast to the places.
            TypeError: they cannot be cast to a dtype that was given.

        >>> Variable(["a", "b"]).scatter_update(1, "z")
        Variable(['a', 'z'], dtype=<U1)
        """
        self[indices] = values
        return self

    def scatter_add(self, indices: Any, values: Any) -> Variable:
        """Add at these places; a place given twice is added to twice.  Errors as in :meth:`scatter_update`.

        >>> Variable([0, 0]).scatter_add([1, 1], [2, 3])
        Variable([0, 5], dtype=int64)
        """
        with self._lock:
            self._widen(np.asarray(values), values)
            np.add.at(self._array, indices, values)
        return self

    def scatter_sub(self, indices: Any, values: Any) -> Variable:
        """Subtract at these places; from a place given twice it is subtracted twice.

        Errors as in :meth:`scatter_update`.

        >>> Variable([0, 0]).scatter_sub([1, 1], [2, 3])
        Variable([0, -5], dtype=int64)
        """
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


IN_PLACE = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor",
    "lshift", "rshift",
)  # fmt: skip
for _name in IN_PLACE:
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
