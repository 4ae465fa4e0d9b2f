"""Variables while tracing.

:class:`OuterVariable` stands for a :class:`~.variables.Variable`: used where a value is wanted it is read at
that place of the program; used as itself (returned, stored, printed) it is the object.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import MethodType
from typing import TYPE_CHECKING, Any

from autograph.errors import VariableCreationError

from .builtins import handles
from .graph import Op, Operand
from .operands import RawOperand
from .ops import table
from .outer_objects import OWN_NAMES, OuterObject, raw_of
from .state import PROXIES, by_class
from .tensor import Tensor
from .types import UNKNOWN, Array, Instance, Type, type_of
from .variables import IN_PLACE, Variable

if TYPE_CHECKING:
    from .tracing import Tracer

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
    for special in (f"__i{name.rstrip('_')}__" for name in IN_PLACE)
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


for _name in IN_PLACE:
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
            fix="make it before, or only where there is none yet: "
            "`if self.v is None: self.v = Variable(...)`",
        )
    return tracer.record(NEW, args, kwargs)
