"""Lists of one item that only this function sees: they become locals of the program.

What a ``try`` keeps of the names that its parts change is such a list, a *cell* (see ``exception_flow.py``).
Where nothing but its one item is ever read or written, and by no other function, a local does the same. Here
it is called a slot.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..graph import Graph, Node, Operand, Value, values_in


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


def made(node: Node) -> set[Value]:
    """The lists that parts of the node make."""
    inner = (each for part in node.parts for each in part.walk())
    return {each.outputs[0] for each in inner if each.op.name == "make_list"}
