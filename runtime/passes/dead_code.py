"""Dead code: nodes that surely raise nothing and have no effect go when nobody uses their results.

Outputs of an ``if`` and carries of a loop that nobody needs go too; a carry that is only needed to compute
itself is not needed.  Loops stay, as they may not end.

    >>> from ..graph import Graph, Node, Value
    >>> from ..ops import table
    >>> from ..types import INT
    >>> x, y, z = (Value(name, INT) for name in "xyz")
    >>> unused = Node(table.get("add"), (x, 1), outputs=(y,))
    >>> may_raise = Node(table.get("floor_divide"), (1, x), outputs=(z,))
    >>> print(remove_dead(Graph("f", [x], [unused, may_raise], (x,))))
    graph f(x: int) -> int
      floor_divide(1, x)
      return x
"""

from __future__ import annotations

from collections.abc import Sequence

from ..effects import has_plain_truth, is_pure
from ..graph import Graph, Node, Operand, Value, values_in
from .rewriting import Rewriting


def remove_dead(graph: Graph) -> Graph:
    """The graph without what nobody needs."""
    marking = _Marking()
    marking.graph(graph)
    marking.need(graph.results)
    marking.finish()
    return _Sweeping(marking).graph(graph)


class _Marking:
    """Which values and nodes are needed: from the effects and results back to everything that they come
    from."""

    def __init__(self) -> None:
        self.values: set[Value] = set()
        self.pure: set[Node] = set()
        """Nodes that may go."""
        self._sources: dict[Value, list[Operand]] = {}
        """For each value the operands that it comes from."""
        self._waiting: list[Value] = []
        self._entered: set[Graph] = set()

    def need(self, operand: Operand) -> None:
        """The values of an operand are needed."""
        for value in values_in(operand):
            if value not in self.values:
                self.values.add(value)
                self._waiting.append(value)

    def finish(self) -> None:
        """Follow what is needed to its sources."""
        while self._waiting:
            for source in self._sources.get(self._waiting.pop(), ()):
                self.need(source)

    def graph(self, graph: Graph) -> bool:
        """Note the sources and effects of a graph's nodes; whether any node has to stay."""
        self._entered.add(graph)
        stays = not graph.completes
        for node in graph.nodes:
            stays |= self._node(node)
        return stays

    def _node(self, node: Node) -> bool:
        name = node.op.name
        if name == "if":
            return self._if(node)
        if name in ("while", "for"):
            self._loop(node)
            return True
        if name in ("try", "with"):
            for part in node.parts:
                self.graph(part)
            self.need(node.args)
            return True
        if name == "call":
            (callee,) = node.parts
            if callee not in self._entered:
                self.graph(callee)
                self.need(callee.results)
            self.need(node.args)
            return True
        if is_pure(node):
            self.pure.add(node)
            for value in node.outputs:
                self._sources[value] = [node.args, node.kwargs] if node.kwargs else [node.args]
            return False
        self.need(node.args)
        self.need(node.kwargs)
        return True

    def _if(self, node: Node) -> bool:
        stays = False
        for part in node.parts:
            stays |= self.graph(part)
        (test,) = node.args
        stays |= type(test) is Value and not has_plain_truth(test.type)
        if stays:
            self.need(test)
        else:
            self.pure.add(node)
        for index, value in enumerate(node.outputs):
            results = [part.results[index] for part in node.parts if len(part.results) > index]
            self._sources[value] = [test, *results]
        return stays

    def _loop(self, node: Node) -> None:
        *tests, body = node.parts
        self.graph(body)
        for test in tests:
            self.graph(test)
            self.need(test.results)
        initial = node.args
        carry = body.inputs
        if not tests:
            self.need(node.args[0])
            initial, carry = initial[1:], carry[1:]
        for index, (output, inner, first) in enumerate(zip(node.outputs, carry, initial, strict=True)):
            group: list[Operand] = [output, inner, first]
            if tests:
                group.append(tests[0].inputs[index])
                self._sources[tests[0].inputs[index]] = group
            if body.results:
                group.append(body.results[index])
            self._sources[output] = self._sources[inner] = group
            if index == node.stop:
                self.need(output)


class _Sweeping(Rewriting):
    """Copies what is needed."""

    def __init__(self, marking: _Marking) -> None:
        super().__init__()
        self._needed = marking.values
        self._pure = marking.pure

    def node(self, node: Node, into: list[Node]) -> None:
        needed = [value in self._needed for value in node.outputs]
        if node in self._pure and not any(needed):
            return
        copy = self.rewritten(node)
        name = node.op.name
        if name == "if":
            copy.outputs = _kept(node.outputs, needed)
            for part in copy.parts:
                if part.results:
                    part.results = _kept(part.results, needed)
        elif name in ("while", "for"):
            self._loop(copy, needed)
        elif not node.parts and not any(needed) and len(node.outputs) == 1:
            copy.outputs = ()
        into.append(copy)

    def _loop(self, node: Node, needed: list[bool]) -> None:
        if all(needed):
            return
        *tests, body = node.parts
        if node.stop is not None:
            node.stop = sum(needed[: node.stop])
        node.outputs = _kept(node.outputs, needed)
        if body.results:
            body.results = _kept(body.results, needed)
        if tests:
            node.args = _kept(node.args, needed)
            tests[0].inputs = list(_kept(tests[0].inputs, needed))
            body.inputs = list(_kept(body.inputs, needed))
        else:
            node.args = _kept(node.args, [True, *needed])
            body.inputs = list(_kept(body.inputs, [True, *needed]))


def _kept(operands: Sequence[Operand], needed: list[bool]) -> tuple[Operand, ...]:
    return tuple([operand for operand, keep in zip(operands, needed, strict=True) if keep])
