"""Lists of one item that only this function sees: they become locals of the program.

What a ``try`` keeps of the names that its parts change is such a list, a *cell* (see ``exception_flow.py``).
Where nothing but its one item is ever read or written, and by no other function, a local does the same. Here
it is called a slot.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ..graph import Graph, Node, Operand, Value, values_in
from .blocks import Copies, Line
from .expressions import Globals, Place
from .folding import Uses
from .pending import Pending


def slots_of(graph: Graph) -> dict[Value, Operand]:
    """The lists of a function's graph that may be locals, with what they hold at first."""
    found: dict[Value, Operand] = {}
    others: set[Value] = set(values_in(graph.results))
    _survey(graph, found, others)
    return {value: first for value, first in found.items() if value not in others}


def _survey(graph: Graph, found: dict[Value, Operand], others: set[Value]) -> None:
    """Add the lists of one item, and the values that are used as something else."""
    for node in graph.nodes:
        if node.op.name == "make_list" and len(node.args) == 1:
            found[node.outputs[0]] = node.args[0]
        others.update(values_in(node.args[1:]) if _is_access(node) else node.operands())
        if node.op.name == "call":
            others.update(node.parts[0].free_values())
            continue
        for part in node.parts:
            _survey(part, found, others)
            others.update(values_in(part.results))


def _is_access(node: Node) -> bool:
    """Whether the node reads or writes the first item of something."""
    if node.op.name not in ("get_item", "set_item") or len(node.args) < 2 or node.kwargs:
        return False
    return type(node.args[1]) is int and node.args[1] == 0


def written(slots: Iterable[Value], node: Node) -> set[Value]:
    """Those of the slots that parts of the node write."""
    wanted = set(slots)
    if not wanted or not node.parts or node.op.name == "call":
        return set()
    inner = (each for part in node.parts for each in part.walk())
    return {each.args[0] for each in inner if each.op.name == "set_item" and each.args[0] in wanted}


def _made(node: Node) -> set[Value]:
    """The lists that parts of the node make."""
    inner = (each for part in node.parts for each in part.walk())
    return {each.outputs[0] for each in inner if each.op.name == "make_list"}


class Slots(Pending):
    """Writes the slots of a function: what makes, reads and writes the cells."""

    def __init__(self, constants: Globals, graph: Graph) -> None:
        super().__init__(constants)
        self._uses = Uses(graph)
        self._slots = slots_of(graph)

    def _make_slot(self, node: Node, place: Place) -> None:
        slot, first = node.outputs[0], node.args[0]
        self._copy((slot,), (first,), place)
        if type(first) is Value:
            self._unwritten[self.same.get(first, first)] = slot

    def _access_slot(self, node: Node, place: Place) -> None:
        slot = node.args[0]
        if node.op.name == "get_item":
            if node.outputs:
                self._flush_all()
                self._copy(node.outputs, (slot,), place)
                self._unwritten[node.outputs[0]] = slot
            return
        self._absorb(node.args[2])
        value = self._operand(node.args[2], place)
        for pending, expression in list(self._pending.items()):
            if slot in expression.reads:
                self._flush(pending)
        self._leave_slots({slot})
        self._flush_all()
        if not self._write_augmented(slot, node.args[2], place):
            given = self.same.get(node.args[2], node.args[2]) if type(node.args[2]) is Value else None
            source = given if value.reads == [given] and isinstance(value.tree, ast.Name) else None
            self._emit(Copies([(slot, value, source)], place))

    def _write_augmented(self, slot: Value, new: Operand, place: Place) -> bool:
        """``slot += x`` for ``new = slot; new += x; slot = new``, if that is what was written last."""
        if len(self._items) < 2 or type(new) is not Value or self._uses.count[new] != 1:
            return False
        first, second = self._items[-2:]
        if not isinstance(first, Copies) or not isinstance(second, Line) or second.writes != [new]:
            return False
        tree = second.tree
        if [(target, source) for target, _, source in first.pairs] != [(new, slot)]:
            return False
        if not isinstance(tree, ast.AugAssign) or second.reads.count(new) != 1:
            return False
        del self._items[-2:]
        reads = [slot if value is new else value for value in second.reads]
        added = ast.AugAssign(self._target(slot, place), tree.op, tree.value, **place)
        self._emit(Line(added, reads, [slot]))
        return True

    def _leave_slots(self, changed: set[Value]) -> None:
        """These hold, from now on, perhaps something else."""
        if changed:
            self._unwritten = {value: slot for value, slot in self._unwritten.items() if slot not in changed}

    def _carried(self, node: Node) -> list[Value]:
        """The slots from outside of a statement that its parts write."""
        changed = written(self._slots, node)
        return sorted(changed - _made(node), key=list(self._slots).index) if changed else []
