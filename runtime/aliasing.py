"""May-alias analysis: which memory each value of a graph may refer to.

Andersen-style points-to, flow-insensitive, over *owners*.  An owner stands for a piece of memory: that of an
input (with everything reachable from it), the object that an op makes, or the *world* (everything that code
outside may hold).  Sets of owners are bits of a Python int.

    input, fresh result        a new owner; inputs of one alias group share one
    aliasing result            everything reachable from the arguments (a new owner where that is nothing)
    fresh container            a new owner, which contains the arguments
    op that stores             the owners it writes contain its other arguments
    if, while, for, call       outputs and carries are unions of what may flow into them
    op that touches "outside"  its arguments escape: they may refer to each other and to the world from then
    on name outside               what is read comes from the world, what is stored escapes

Values of immutable types refer to no memory.  See L. O. Andersen, "Program Analysis and Specialization for
the C Programming Language", 1994, chapter 4.
"""

from __future__ import annotations

import enum
from collections.abc import Hashable, Iterator, Mapping
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from autograph.operators.names import Undefined

from .graph import Graph, Node, Operand, Value
from .types import Array, Optional, Type, is_immutable
from .types import Iterator as IteratorType

WORLD = 1
"""The owner of all memory outside that is no input."""
DISPLAY = 2
"""The owner of lists and dicts that are written out as operands."""
_RESERVED_OWNERS = 2

_SHELLS = frozenset((
    "make_list", "make_tuple", "make_set", "make_dict", "list", "dict", "set", "frozenset", "sorted",
    "enumerate", "zip", "reversed", "list_copy", "dict_copy", "set_copy",
))  # fmt: skip
"""Aliasing ops whose result is a new object that merely contains, or goes over, the arguments."""

_SHARED_SAFELY = (
    type(None), bool, int, float, complex, str, bytes, type(Ellipsis), range, type, np.dtype, np.ufunc,
    np.generic, FunctionType, BuiltinFunctionType, ModuleType, Undefined, enum.Enum, frozenset,
)  # fmt: skip


class PointsTo:
    """The solved analysis of a whole function's graph.

    Attributes:
        outside: the owners that code outside may reach: the world, the inputs, and what escaped.
        iterators: the owners of iterators, which change when they are read.
    """

    def __init__(self, graph: Graph, aliases: Mapping[Value, Hashable] | None = None) -> None:
        self._owners_of: dict[Value, int] = {}
        self._made: dict[Value, int] = {}
        self._contents: dict[int, int] = {}
        """By owner (a single bit): what it may contain."""
        self._containers = 0
        self._flat = 0
        """The owners of arrays of numbers, which contain no other object."""
        self._variables: dict[int, int] = {}
        self._opened = False
        self._loops = False
        self.names: dict[str, int] = {}
        """The owners of the names outside that ops read or set, by region."""
        self._count = _RESERVED_OWNERS
        self.outside = WORLD
        self.iterators = 0
        self._inputs(graph, aliases or {})
        while self._pass(graph, set()) and self._loops:
            pass  # straight code is solved by one pass in its order
        self.outside = self.reach(self.outside)

    def owners(self, operand: Operand) -> int:
        """The memory that an operand may refer to directly."""
        kind = type(operand)
        if kind is Value:
            return self._owners_of.get(operand, 0)
        if kind is tuple:
            return self._union(operand)
        if kind is list:
            return DISPLAY | self._union(operand)
        if kind is dict:
            return DISPLAY | self._union(operand.values())
        if kind is slice:
            return self._union((operand.start, operand.stop, operand.step))
        if isinstance(operand, _SHARED_SAFELY):
            return 0
        return self._variable(operand) if hasattr(type(operand), "__autograph_state__") else WORLD

    def _variable(self, variable: Any) -> int:
        """The owner of the values of a Variable, which nothing else holds."""
        owner = self._variables.get(id(variable))
        if owner is None:
            owner = self._variables[id(variable)] = self._new_owner()
            self._flat |= owner
            self.outside |= owner
        return owner

    def reach(self, owners: int) -> int:
        """The owners and everything that they may contain, at any depth."""
        found = owners
        waiting = owners & self._containers
        while waiting:
            lowest = waiting & -waiting
            waiting ^= lowest
            new = self._contents[lowest] & ~found
            found |= new
            waiting |= new & self._containers
        return found

    def _union(self, operands: Any) -> int:
        found = 0
        for operand in operands:
            found |= self.owners(operand)
        return found

    # Building

    def _new_owner(self) -> int:
        self._count += 1
        return 1 << (self._count - 1)

    def _inputs(self, graph: Graph, aliases: Mapping[Value, Hashable]) -> None:
        groups: dict[Hashable, int] = {WORLD: WORLD}
        for value in graph.inputs:
            if refers(value.type):
                key = aliases.get(value, value)
                if key not in groups:
                    groups[key] = self._new_owner()
                    self._flat |= groups[key]
                self._owners_of[value] = groups[key]
                self.outside |= groups[key]
                if not is_flat(value.type):
                    self._flat &= ~groups[key]
                if isinstance(value.type, IteratorType):
                    self.iterators |= groups[key]

    def _pass(self, graph: Graph, entered: set[Graph]) -> bool:
        """Apply every rule once; whether anything was new."""
        entered.add(graph)
        changed = False
        for node in graph.nodes:
            if not node.parts:
                changed |= self._op(node)
                continue
            for part in node.parts:
                if part not in entered:
                    changed |= self._pass(part, entered)
            self._loops |= node.op.name != "if"
            changed |= _RULES[node.op.name](self, node)
        return changed

    def _flow(self, value: Value, owners: int) -> bool:
        """``value`` may also refer to ``owners``."""
        if not owners or not refers(value.type):
            return False
        known = self._owners_of.get(value, 0)
        self._owners_of[value] = known | owners
        return (known | owners) != known

    def _contain(self, containers: int, owners: int) -> bool:
        """Each of ``containers`` may also contain ``owners``."""
        changed = False
        containers &= ~self._flat
        while containers:
            lowest = containers & -containers
            containers ^= lowest
            known = self._contents.get(lowest, 0)
            new = owners & ~lowest & ~known
            if new:
                self._contents[lowest] = known | new
                self._containers |= lowest
                changed = True
        return changed

    def _make(self, value: Value) -> int:
        """The owner of what an op may have made for ``value``."""
        made = self._made.get(value)
        if made is None:
            made = self._made[value] = self._new_owner()
            if isinstance(value.type, IteratorType):
                self.iterators |= made
            if is_flat(value.type):
                self._flat |= made
        return made

    def _op(self, node: Node) -> bool:
        op = node.op
        changed = False
        given = 0
        beyond = op.region is not None and op.region not in ("output", "random")
        if op.result == "alias" or op.stores or beyond:
            given = self._union(node.args) | self._union(node.kwargs.values()) | holder(node)
        if op.region == "outside" or (op.stores and holder(node)):
            changed |= self._escape(given)
        elif beyond:
            assert op.region is not None
            if op.region not in self.names:
                self.names[op.region] = self._new_owner()
            if op.stores:
                changed |= self._escape(given)
        if op.stores and given:
            changed |= self._contain(self._union(written(node)), given)
        for value in node.outputs:
            if refers(value.type):
                changed |= self._flow(value, self._result(node, value, given, beyond))
        return changed

    def _escape(self, given: int) -> bool:
        """Code outside gets hold of ``given``, and may store everything that it can reach anywhere it can
        reach."""
        escaped = self.reach(given) & ~self.outside
        if not escaped and self._opened:
            return False
        self._opened = True
        self.outside |= escaped
        self._contain(WORLD, self.outside)
        self._contain(self.outside, WORLD)
        return True

    def _result(self, node: Node, value: Value, given: int, beyond: bool) -> int:
        """What a result of an op may refer to."""
        op = node.op
        if op.result == "fresh":
            return self._make(value)
        if op.name in _SHELLS:
            made = self._make(value)
            self._contain(made, given)
            return made
        owners = self.reach(given)
        if beyond:
            owners |= self.reach(WORLD)
        if owners and not isinstance(value.type, IteratorType):
            return owners
        made = self._make(value)
        self._contain(made, given)
        return owners | made

    def _if(self, node: Node) -> bool:
        changed = False
        for part in node.parts:
            for value, operand in zip(node.outputs, part.results, strict=False):
                changed |= self._flow(value, self.owners(operand))
        return changed

    def _while(self, node: Node) -> bool:
        test, body = node.parts
        changed = self._carry(node, node.args, body.inputs, body)
        for value, same in zip(test.inputs, body.inputs, strict=True):
            changed |= self._flow(value, self.owners(same))
        return changed

    def _for(self, node: Node) -> bool:
        (body,) = node.parts
        item, *carry = body.inputs
        changed = False
        if refers(item.type):
            changed = self._flow(item, self._make(item) | self.reach(self.owners(node.args[0])))
        return changed | self._carry(node, node.args[1:], carry, body)

    def _carry(self, node: Node, initial: tuple[Operand, ...], inputs: list[Value], body: Graph) -> bool:
        changed = False
        results = body.results or (None,) * len(inputs)
        for value, inner, first, last in zip(node.outputs, inputs, initial, results, strict=True):
            owners = self.owners(first) | self.owners(last)
            changed |= self._flow(inner, owners) | self._flow(value, owners)
        return changed

    def _try(self, node: Node) -> bool:
        """What a handler catches, and what a manager gives, comes from anywhere."""
        changed = False
        for part in node.parts:
            for value in part.inputs:
                changed |= self._flow(value, self._make(value) | self.reach(WORLD) | self.owners(node.args))
        return changed

    def _call(self, node: Node) -> bool:
        (callee,) = node.parts
        changed = False
        for value, operand in zip(callee.inputs, node.args, strict=True):
            changed |= self._flow(value, self.owners(operand))
        for value, operand in zip(node.outputs, callee.results, strict=False):
            changed |= self._flow(value, self.owners(operand))
        return changed


_RULES = {
    "if": PointsTo._if,
    "while": PointsTo._while,
    "for": PointsTo._for,
    "call": PointsTo._call,
    "try": PointsTo._try,
    "with": PointsTo._try,
}


def holder(node: Node) -> int:
    """The memory that an attribute lives in of a class, function or module, which are shared safely else."""
    of_constant = node.op.name in _ATTRIBUTES and isinstance(node.args[0], type | FunctionType | ModuleType)
    return WORLD if of_constant else 0


_ATTRIBUTES = frozenset({"get_attribute", "set_attribute", "del_attribute"})


def refers(kind: Type) -> bool:
    """Whether a value of this type refers to memory that may change."""
    return type(kind) is Array or not is_immutable(kind.of if isinstance(kind, Optional) else kind)


def touches_memory(operand: Operand) -> bool:
    """Whether an operand refers to memory that may change, or holds a value or an object that does."""
    kind = type(operand)
    if kind is Value:
        return refers(operand.type)
    if kind is tuple or kind is list:
        return any(map(touches_memory, operand))
    if kind is dict:
        return any(map(touches_memory, operand.values()))
    if kind is slice:
        return any(map(touches_memory, (operand.start, operand.stop, operand.step)))
    return not isinstance(operand, _SHARED_SAFELY)


def is_flat(kind: Type) -> bool:
    """Whether this is an array of numbers: it may share memory with others, but holds no object."""
    return isinstance(kind, Array) and kind.dtype is not None and kind.dtype.kind not in "OV"


def written(node: Node) -> Iterator[Operand]:
    """The arguments whose memory a node changes."""
    for place in node.op.writes:
        if place == "*":
            yield from node.args
            yield from node.kwargs.values()
        elif isinstance(place, str):
            if place in node.kwargs:
                yield node.kwargs[place]
        elif place < len(node.args):
            yield node.args[place]
