"""``Tensor``: the symbolic value that plain NumPy code meets while it is traced.

Operators, NumPy's protocols, attributes and methods record nodes through the tracer; whatever would need the
value itself (``bool``, ``hash``, ``str``, ...) is refused, so that nothing is decided on a symbol silently.
How a node comes about is the business of ``tracing.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from .graph import Graph, Value
from .location import is_debugged
from .types import Array, Instance

if TYPE_CHECKING:
    from .tracing import Tracer


TRUTH = "its truth"
"""What ``bool(tensor)`` asks for."""
HASH = "its hash (a key of a dict or set)"
"""What a key is asked for."""


class Tensor:
    """A value of the graph being traced, usable wherever plain Python or NumPy would use the real one.

    Users never make one.  ``_ag_value`` is its place in the graph, ``_ag_block`` the part it was made in; all
    other names are attributes of the value that it stands for.
    """

    __slots__ = ("_ag_block", "_ag_holder", "_ag_tracer", "_ag_value")
    __array_priority__ = 1e6

    def __init__(self, value: Value, block: Graph, tracer: Tracer) -> None:
        self._ag_value = value
        self._ag_block = block
        self._ag_tracer = tracer

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """The class of an object of the user's, as ``super()`` asks for it; other values are not told apart,
        as ``isinstance`` in our own rooms asks too."""
        kind = self._ag_value.type
        return kind.cls if isinstance(kind, Instance) else Tensor

    # NumPy's protocols

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        function = ufunc if method == "__call__" else getattr(ufunc, method)
        return self._ag_tracer.call(function, inputs, kwargs)

    def __array_function__(self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        return self._ag_tracer.call(function, tuple(args), dict(kwargs))

    # Attributes and methods

    def __getattr__(self, name: str) -> Any:
        return self._ag_tracer.get_attribute(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in Tensor.__slots__:
            object.__setattr__(self, name, value)
        else:
            self._ag_tracer.set_attribute(self, name, value)

    def __delattr__(self, name: str) -> None:
        self._ag_tracer.apply("del_attribute", self, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._ag_tracer.call(self, args, kwargs)

    # Items

    def __getitem__(self, index: Any) -> Any:
        return self._ag_tracer.get_item(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._ag_tracer.apply("set_item", self, index, value)

    def __delitem__(self, index: Any) -> None:
        self._ag_tracer.apply("del_item", self, index)

    def __iter__(self) -> Iterator[Any]:
        return self._ag_tracer.iterate(self)

    def __contains__(self, item: Any) -> NoReturn:
        self._refuse("'in' outside converted code")

    # What would need the value now

    def _refuse(self, what: str) -> NoReturn:
        raise self._ag_tracer.needs_value(self, what)

    def __bool__(self) -> bool:
        self._refuse(TRUTH)

    def __index__(self) -> int:
        self._refuse("it as an index or a count")

    def __int__(self) -> int:
        self._refuse("it as an int")

    def __float__(self) -> float:
        self._refuse("it as a float")

    def __complex__(self) -> complex:
        self._refuse("it as a complex number")

    def __len__(self) -> int:
        length = self._ag_tracer.known_length(self)
        if length is None:
            self._refuse("its length")
        return length

    def __hash__(self) -> int:
        self._refuse(HASH)

    def __array__(self, *args: Any, **kwargs: Any) -> NoReturn:
        self._refuse("its array")

    def __str__(self) -> str:
        return repr(self)

    def __repr__(self) -> str:
        if is_debugged():
            return f"<{self._ag_value.name}: {self._ag_value.type}, known when the graph runs>"
        self._refuse("its text")

    def __format__(self, spec: str) -> str:
        self._refuse("its text")

    def __round__(self, digits: Any = None) -> Any:
        return self._ag_tracer.call(round, (self,) if digits is None else (self, digits), {})

    def __divmod__(self, other: Any) -> Any:
        return self._ag_tracer.call(divmod, (self, other), {})

    def __rdivmod__(self, other: Any) -> Any:
        return self._ag_tracer.call(divmod, (other, self), {})

    def __enter__(self) -> Any:
        return self._ag_tracer.call(self.__getattr__("__enter__"), (), {})

    def __exit__(self, *exception: Any) -> Any:
        return self._ag_tracer.call(self.__getattr__("__exit__"), exception, {})


class Method:
    """``x.name`` before it is called, for an ``x`` whose class is known."""

    __slots__ = ("name", "tensor")

    def __init__(self, tensor: Tensor, name: str) -> None:
        self.tensor = tensor
        self.name = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.tensor._ag_tracer.call(self, args, kwargs)


_BINARY = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "divide",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "pow": "power",
    "matmul": "matmul",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "left_shift",
    "rshift": "right_shift",
}
_COMPARE = {
    "lt": "less",
    "le": "less_equal",
    "eq": "equal",
    "ne": "not_equal",
    "gt": "greater",
    "ge": "greater_equal",
}
_UNARY = {"neg": "negative", "pos": "positive", "abs": "absolute", "invert": "invert"}


def _install(special: str, method: Callable[..., Any]) -> None:
    method.__name__ = special
    method.__qualname__ = f"Tensor.{special}"
    setattr(Tensor, special, method)


def _binary(op: str) -> Callable[..., Any]:
    def method(self: Tensor, other: Any) -> Any:
        return self._ag_tracer.apply(op, self, other)

    return method


def _comparison(op: str) -> Callable[..., Any]:
    def method(self: Tensor, other: Any) -> Any:
        if other is None or isinstance(other, str | bytes):
            self._ag_tracer.compares()  # Python tells by their order which it cannot compare
        return self._ag_tracer.apply(op, self, other)

    return method


def _reflected(op: str) -> Callable[..., Any]:
    def method(self: Tensor, other: Any) -> Any:
        return self._ag_tracer.apply(op, other, self)

    return method


def _in_place(op: str) -> Callable[..., Any]:
    def method(self: Tensor, other: Any) -> Any:
        result = self._ag_tracer.apply_in_place(op, self, other)
        return self if isinstance(self._ag_value.type, Array) else result

    return method


def _unary(op: str) -> Callable[..., Any]:
    def method(self: Tensor) -> Any:
        return self._ag_tracer.apply(op, self)

    return method


for _special, _op in _BINARY.items():
    _install(f"__{_special}__", _binary(_op))
    _install(f"__r{_special}__", _reflected(_op))
    _install(f"__i{_special}__", _in_place(_op))
for _special, _op in _COMPARE.items():
    _install(f"__{_special}__", _comparison(_op) if _special not in ("eq", "ne") else _binary(_op))
for _special, _op in _UNARY.items():
    _install(f"__{_special}__", _unary(_op))
