"""What folds into the expression that uses it: facts about a graph, never a change to it."""

from __future__ import annotations

from ..graph import Graph, Location, Node, Operand, Value, values_in
from ..naming import is_named_by_op
from ..types import Array, Python, Scalar

STATEMENTS = frozenset(
    ("unpack", "raise", "set_item", "del_item", "set_attribute", "del_attribute")
    + ("yield", "yield_from", "release")
)
"""Ops that are written as a statement of their own."""


class Uses:
    """How often each value of a function's graph is used, and by whom.

    Attributes:
        count: the number of uses; that of a test which is also the result of an arm (``and``, ``or``) counts
        once. user: the node that uses the value, or the graph of whose results it is one; None where there
        are several. shapes: ``and`` or ``or`` for each ``if`` that is one.
    """

    def __init__(self, graph: Graph) -> None:
        self.count: dict[Value, int] = {}
        self.user: dict[Value, Node | Graph | None] = {}
        self.shapes: dict[Node, str] = {}
        self._survey(graph)
        for value in values_in(graph.results):
            self._use(value, graph)

    def only_user(self, value: Value) -> Node | Graph | None:
        """Who uses a value that is used once."""
        return self.user[value] if self.count.get(value) == 1 else None

    def _survey(self, graph: Graph) -> None:
        before: Node | None = None
        for node in graph.nodes:
            if node.op.name == "release" and before is not None and node.args[0] in before.args:
                continue  # what is let go of where it is used needs no name
            before = node
            for value in node.operands():
                self._use(value, node)
            if not node.parts:
                continue
            if node.op.name == "call":
                for value in node.parts[0].free_values():
                    self._use(value, None)
                continue
            shape = boolean_shape(node)
            if shape is not None:
                self.shapes[node] = shape
            for index, part in enumerate(node.parts):
                self._survey(part)
                if shape is None or index == (0 if shape == "and" else 1):
                    for value in values_in(part.results):
                        self._use(value, part)

    def _use(self, value: Value, user: Node | Graph | None) -> None:
        count = self.count.get(value, 0)
        self.count[value] = count + 1
        self.user[value] = None if count else user


def may_hold(user: Node, value: Value, node: Node) -> bool:
    """Whether the expression that ``node`` gives for ``value`` may stand inside ``user``."""
    if user.op.syntax == "inplace" and user.args[0] is value:
        return False
    if user.op.name in ("if", "for") or same_line(node.location, user.location):
        return True
    continues = user.op.syntax == "method" and user.args[0] is value and is_named_by_op(value)
    return continues and _is_above(node.location, user.location)


def _is_above(inner: Location | None, outer: Location | None) -> bool:
    """Whether ``.method()`` at ``outer`` continues what ends further up."""
    if inner is None or outer is None or inner.filename != outer.filename or inner.function != outer.function:
        return False
    return (inner.end_line or inner.line) <= outer.line


def is_on_one_line(node: Node) -> bool:
    """Whether an ``if`` was written as a conditional expression: on one line."""
    return node.location is None or node.location.end_line in (None, node.location.line)


def boolean_shape(node: Node) -> str | None:
    """``and`` or ``or`` for an ``if`` whose one arm gives the test itself."""
    if node.op.name != "if" or len(node.outputs) != 1 or type(node.args[0]) is not Value:
        return None
    then, orelse = node.parts
    if not orelse.nodes and len(orelse.results) == 1 and orelse.results[0] is node.args[0]:
        return "and"
    if not then.nodes and len(then.results) == 1 and then.results[0] is node.args[0]:
        return "or"
    return None


def is_expression(part: Graph, location: Location | None) -> bool:
    """Whether an arm is perhaps one expression on the line of its ``if``."""
    if len(part.results) != 1:
        return False
    for node in part.nodes:
        if len(node.outputs) != 1 or not same_line(node.location, location):
            return False
        if node.op.name == "if":
            if not all(is_expression(inner, location) for inner in node.parts):
                return False
        elif node.parts or node.op.syntax == "inplace" or node.op.name in STATEMENTS:
            return False
    return True


def same_line(inner: Location | None, outer: Location | None) -> bool:
    """Whether an expression at ``inner`` may be part of a statement at ``outer``."""
    if inner is None or outer is None:
        return inner is outer
    return inner.filename == outer.filename and outer.line <= inner.line <= (outer.end_line or outer.line)


def keeps_identity(base: Value, other: Operand) -> bool:
    """Whether ``base op= other`` surely gives ``base`` itself: an array, with nothing that could take over
    the op."""
    if type(other) is Value:
        plain = isinstance(other.type, Array | Scalar | Python)
    else:
        plain = type(other) in (int, float, bool, complex)
    return isinstance(base.type, Array) and plain
