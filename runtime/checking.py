"""The checker: what every graph must satisfy after tracing and after every pass.

It finds mistakes of ours, not of the user's, so :class:`GraphError` shows the whole graph with the bad line
marked. :func:`checked` is what tracing and passes call; it looks only when :data:`enabled`
(``AUTOGRAPH_CHECK=1``) says so.
"""

from __future__ import annotations

import os

from .graph import Graph, Node, Operand, Value, values_in
from .printing import operand_text, to_text, type_of_operand
from .types import Optional, Type, is_subtype

enabled = os.environ.get("AUTOGRAPH_CHECK", "") not in ("", "0")
"""Whether :func:`checked` checks; tests set it."""

_PARTS = {"if": 2, "while": 2, "for": 1, "call": 1, "try": 0, "with": 0}


class GraphError(Exception):
    """A graph that breaks a rule.

    Attributes:
        reason: which rule, and how.
        item: the node, graph or part that breaks it.
    """

    def __init__(self, reason: str, graph: Graph, item: Node | Graph) -> None:
        super().__init__(f"{reason}\n{to_text(graph, item)}")
        self.reason = reason
        self.item = item


def checked(graph: Graph) -> Graph:
    """``graph``, checked where checking is switched on."""
    if enabled:
        check(graph)
    return graph


def check(graph: Graph) -> None:
    """Check a whole function's graph.

    Raises:
        GraphError: a value is used before or outside its definition, or defined twice; a name is used twice;
        an op with
            parts has the wrong number of parts, inputs, outputs or results; a carry or an arm gives a value
            of a type that does not fit; a control edge leads out of its graph or against the order; a stop is
            no place in the carry.
    """
    checker = _Checker(graph)
    checker.whole(graph)
    if graph.completes and len(graph.results) != 1 and not (graph.results == () and _never_ends(graph)):
        raise GraphError(f"a function gives one result, not {len(graph.results)}", graph, graph)


class _Checker:
    """One walk over a graph, with the values that are in scope."""

    def __init__(self, root: Graph) -> None:
        self._root = root
        self._scope: set[Value] = set()
        self._defined: set[Value] = set()
        self._names: dict[str, Value] = {}
        self._entered: set[Graph] = set()

    def whole(self, graph: Graph) -> None:
        """A graph or part, and everything in it."""
        self._entered.add(graph)
        for value in graph.inputs:
            self._define(value, graph)
        place = {node: index for index, node in enumerate(graph.nodes)}
        if len(place) != len(graph.nodes):
            self._fail("a node stands twice in its graph", graph)
        for index, node in enumerate(graph.nodes):
            for value in node.operands():
                self._use(value, node)
            for earlier in node.after:
                if earlier not in place:
                    self._fail(f"the edge from {earlier.op.name} leads into another graph", node)
                if place[earlier] >= index:
                    self._fail(f"the edge from {earlier.op.name} makes a cycle or leads backwards", node)
            if node.parts or node.stop is not None or node.op.name in _PARTS:
                self._structure(node)
            for value in node.outputs:
                self._define(value, node)
        for value in values_in(graph.results):
            self._use(value, graph)

    def _fail(self, reason: str, item: Node | Graph) -> None:
        raise GraphError(reason, self._root, item)

    def _use(self, value: Value, item: Node | Graph) -> None:
        if value in self._scope:
            return
        if value in self._defined:
            self._fail(f"{value.name} is used outside the part that defines it", item)
        self._fail(f"{value.name} is used before it is defined", item)

    def _define(self, value: Value, item: Node | Graph) -> None:
        if value in self._defined:
            self._fail(f"{value.name} is defined twice", item)
        if self._names.setdefault(value.name, value) is not value:
            self._fail(f"two values are called {value.name}", item)
        self._scope.add(value)
        self._defined.add(value)

    # Structured ops

    def _structure(self, node: Node) -> None:
        name = node.op.name
        expected = _PARTS.get(name, 0)
        if name in ("try", "with"):
            self._protected(node)
            return
        if len(node.parts) != expected:
            self._fail(f"{name} has {len(node.parts)} parts, not {expected}", node)
        if node.stop is not None and (name not in ("while", "for") or not 0 <= node.stop < len(node.outputs)):
            self._fail(f"stop is {node.stop}, which is no place in the carry", node)
        if name == "if":
            self._if(node)
        elif name == "while":
            self._while(node)
        elif name == "for":
            self._for(node)
        elif name == "call":
            self._call(node)

    def _protected(self, node: Node) -> None:
        """``try`` and ``with``: parts without results, some with one input."""
        count = len(node.args) if node.op.name == "try" else 0
        if node.op.name == "with":
            self._count(node, "parts", len(node.parts), 1)
        elif len(node.parts) not in (count + 2, count + 3):
            self._fail(f"try has {len(node.parts)} parts for {count} handlers", node)
        for number, part in enumerate(node.parts):
            handler = 1 <= number <= count or node.op.name == "with"
            self._count(part, "inputs", len(part.inputs), int(handler))
            self._part(part)
            self._count(part, "results", len(part.results), 0)

    def _part(self, part: Graph) -> None:
        """A part: what it defines is out of scope behind it."""
        outside = set(part.inputs)
        outside.update(value for node in part.nodes for value in node.outputs)
        self.whole(part)
        self._scope -= outside

    def _if(self, node: Node) -> None:
        self._count(node, "args", len(node.args), 1)
        for part in node.parts:
            self._count(part, "inputs", len(part.inputs), 0)
            self._part(part)
            self._give(part, node.outputs)

    def _while(self, node: Node) -> None:
        test, body = node.parts
        count = len(node.outputs)
        self._count(node, "initial values", len(node.args), count)
        self._count(test, "inputs", len(test.inputs), count)
        self._count(body, "inputs", len(body.inputs), count)
        self._part(test)
        for value, carry in zip(test.inputs, body.inputs, strict=True):
            if self._names[value.name] is value and value.name == carry.name:
                del self._names[value.name]  # the two inputs of one carry share a name
            if value.type != carry.type:
                self._fail(
                    f"the carry {carry.name} is {value.type} in the test and {carry.type} in the body", body
                )
        if test.completes and not _never_ends(test):
            self._count(test, "results", len(test.results), 1)
        self._carry(node, node.args, body.inputs, body)

    def _for(self, node: Node) -> None:
        (body,) = node.parts
        self._count(node, "initial values", len(node.args) - 1, len(node.outputs))
        self._count(body, "inputs", len(body.inputs), len(node.outputs) + 1)
        self._carry(node, node.args[1:], body.inputs[1:], body)

    def _carry(self, node: Node, initial: tuple[Operand, ...], inputs: list[Value], body: Graph) -> None:
        self._part(body)
        for value, carry, first in zip(node.outputs, inputs, initial, strict=True):
            self._fit(first, carry.type, f"the carry {carry.name}", node)
            if not is_subtype(carry.type, value.type):
                self._fail(f"{value.name} is {value.type}, but its carry is {carry.type}", node)
        self._give(body, inputs)

    def _call(self, node: Node) -> None:
        (callee,) = node.parts
        self._count(node, "arguments", len(node.args), len(callee.inputs))
        for operand, value in zip(node.args, callee.inputs, strict=True):
            self._fit(operand, value.type, f"the argument {value.name}", node)
        if callee not in self._entered:
            inner = _Checker(self._root)
            inner._scope, inner._entered = set(self._scope), self._entered
            inner.whole(callee)

    def _give(self, part: Graph, targets: tuple[Value, ...] | list[Value]) -> None:
        """The results of a part fit what they become."""
        if not part.completes or _never_ends(part):
            return
        self._count(part, "results", len(part.results), len(targets))
        for operand, value in zip(part.results, targets, strict=True):
            self._fit(operand, value.type, value.name, part)

    def _fit(self, operand: Operand, kind: Type, what: str, item: Node | Graph) -> None:
        found = type_of_operand(operand)
        if not (is_subtype(found, kind) or isinstance(kind, Optional)):
            self._fail(f"{what} is {kind}, but gets {operand_text(operand)}: {found}", item)

    def _count(self, item: Node | Graph, what: str, found: int, expected: int) -> None:
        if found != expected:
            name = item.name if isinstance(item, Graph) else item.op.name
            self._fail(f"{name} has {found} {what}, not {expected}", item)


def _never_ends(graph: Graph) -> bool:
    """Whether a graph without results ends in a ``raise``, in each arm of its last ``if``, or in such a call
    or loop."""
    if graph.results or not graph.nodes:
        return False
    last = graph.nodes[-1]
    return last.op.name == "raise" or any(not part.completes or _never_ends(part) for part in last.parts)
