"""Variables that made functions keep: cells of the graph, read and written in order.

Conversion keeps a variable in a cell once a trace has found out that a function which is needed when the
graph runs looks at it after it changes, or assigns it (:func:`autograph.convert.keep_in_cells`).
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from autograph.operators import Cell

from .graph import Op, Operand
from .operands import Traced
from .ops import table
from .ops.operators import set_attribute
from .ops.rules import always, unknown
from .tensor import Tensor
from .types import NONE, Instance, Type

if TYPE_CHECKING:
    from .tracing import Tracer

MAKE = table.define(
    Op("cell", Cell, "call", "ag.Cell", always(Instance(Cell)), reads=False, total=lambda name: True)
)
_READ = {
    name: table.define(
        Op(f"cell.{name}", operator.attrgetter(name), "attribute", name, unknown, result="alias")
    )
    for name in ("value", "free")
}
_WRITE = Op(
    "set_attribute",
    set_attribute,
    "statement",
    "",
    always(NONE),
    writes=(0,),
    stores=True,
    total=lambda cell, name, value: True,
)
"""``cell.value = x``, of which more is known than of other attributes: it runs no code."""


class Kept(Traced):
    """A cell while tracing."""

    __slots__ = ("tensor", "tracer")

    def __init__(self, tracer: Tracer, tensor: Tensor) -> None:
        self.tracer = tracer
        self.tensor = tensor

    def to_operand(self, tracer: Tracer, display: bool) -> Operand:
        return tracer.lower_tensor(self.tensor)

    def type_hint(self) -> Type:
        return Instance(Cell)

    def usable(self, tracer: Tracer) -> bool:
        return self.tensor._ag_block in tracer.stack

    def read(self, name: str) -> Any:
        """The variable, as the function itself (``value``) or those inside it (``free``) read it."""
        return self.tracer.record(_READ[name], (self.tensor,))

    def write(self, value: Any) -> None:
        """Assign the variable."""
        self.tracer.record_value(_WRITE, (self.tensor, "value", value))

    def delete(self) -> None:
        """Take the name away."""
        self.tracer.record_value(table.get("del_attribute"), (self.tensor, "value"))

    value = property(lambda self: self.read("value"), write, delete)
    free = property(lambda self: self.read("free"), write, delete)


def make(tracer: Tracer, made: Cell) -> Kept:
    """A cell for the variable for which the plain run would get the cell ``made``."""
    value = tracer.record_value(MAKE, (made.name,))
    value.name = f"{made.name}_cell"
    return Kept(tracer, Tensor(value, tracer.block, tracer))


__all__ = ["Kept", "make"]
