"""Expressions that wait for the statement that takes them in.

Such *pending* expressions form a stack, as in a decompiler for a stack machine: an op takes its operands off
the top, and whatever is left below is assigned before a statement is written, so everything is evaluated in
exactly the order of the nodes.  Only an expression that cannot raise and reads no memory (``free``) may be
evaluated later than the graph says.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..graph import Operand, Value, values_in
from .blocks import Block, Branch, Copies, Expression, Line, Statement
from .expressions import LOAD, STORE, Expressions, Globals, Place


class Pending:
    """The statements written so far, and the expressions that wait.

    ``names`` lists every ``ast.Name`` written for a value, to be filled in when the values have locals;
    ``same`` says which values are another one under a second name.
    """

    def __init__(self, constants: Globals) -> None:
        self.names: list[tuple[ast.Name, Value]] = []
        self.same: dict[Value, Value] = {}
        self._unwritten: dict[Value, Value] = {}
        """The slots (see ``slots.py``) that surely hold a value, by that value."""
        self._constants = constants
        self._write = Expressions(constants, self._read)
        self._items: Block = []
        self._pending: dict[Value, Expression] = {}
        self._stack: list[Value] = []
        self._folded: set[Value] = set()
        self._reads: list[Value] = []
        self._all_free = True

    def _operand(self, operand: Operand, place: Place) -> Expression:
        """An operand with its pending values taken in; :meth:`_absorb` has made sure that they come in
        order."""
        reads, all_free = self._reads, self._all_free
        self._reads, self._all_free = [], True
        tree = self._write.operand(operand, place)
        made = Expression(tree, self._reads, self._all_free, self._all_free, place)
        self._reads, self._all_free = reads, all_free
        return made

    def _read(self, value: Value, place: Place) -> ast.expr:
        """What :class:`Expressions` writes for a value."""
        pending = self._pending.pop(value, None)
        if pending is not None:
            self._folded.add(value)
            if not pending.free:
                self._stack.remove(value)
                self._all_free = False
            self._reads += pending.reads
            return pending.tree
        return self._name(value, place, self._reads)

    def _name(self, value: Value, place: Place, reads: list[Value]) -> ast.Name:
        value = self._where(value)
        name = ast.Name("", LOAD, **place)
        self.names.append((name, value))
        reads.append(value)
        return name

    def _where(self, value: Value) -> Value:
        """The value whose local holds this one."""
        value = self.same.get(value, value)
        return self._unwritten.get(value, value)

    def _target(self, value: Value, place: Place) -> ast.Name:
        name = ast.Name("", STORE, **place)
        self.names.append((name, self.same.get(value, value)))
        return name

    # The stack of pending expressions

    def _keep(self, value: Value, expression: Expression) -> None:
        self._pending[value] = expression
        if not expression.free:
            self._stack.append(value)

    def _absorb(self, operands: Operand) -> None:
        """Assign what the operands cannot take in without changing the order of evaluation."""
        if not self._stack:
            return
        taken = [
            value for value in values_in(operands) if value in self._pending and not self._pending[value].free
        ]
        while taken and taken != self._stack[len(self._stack) - len(taken) :]:
            lowest = self._stack[0]
            self._flush(lowest)
            taken = [value for value in taken if value is not lowest]

    def _flush(self, value: Value) -> None:
        expression = self._pending.pop(value)
        if not expression.free:
            self._stack.remove(value)
        assert expression.place is not None
        self._items += self._assignment(value, expression, expression.place)

    def _flush_all(self) -> None:
        for value in list(self._stack):
            self._flush(value)

    def _emit(self, item: Statement) -> None:
        self._flush_all()
        self._items.append(item)

    def _assign(self, value: Value, expression: Expression, place: Place) -> None:
        if not expression.free:
            self._flush_all()
        self._items += self._assignment(value, expression, place)

    def _assignment(self, value: Value, expression: Expression, place: Place) -> Block:
        if expression.arms is not None:
            test, then, orelse = expression.arms
            return [
                Branch(
                    test, self._assignment(value, then, place), self._assignment(value, orelse, place), place
                )
            ]
        tree = ast.Assign([self._target(value, place)], expression.tree, **place)
        return [Line(tree, expression.reads, [value], expression.pure)]

    def _copy(self, targets: Sequence[Value], operands: Sequence[Operand], place: Place) -> None:
        """``targets = operands``, all at once."""
        self._absorb(tuple(operands))
        pairs: list[tuple[Value, Expression, Value | None]] = []
        for target, operand in zip(targets, operands, strict=True):
            source: Value | None = None
            if type(operand) is Value and operand not in self._pending:
                source = self._where(operand)
            if source is not target:
                pairs.append((target, self._operand(operand, place), source))
        if pairs:
            self._emit(Copies(pairs, place))
