"""What was inlined from another file becomes a function again, so that its errors point into that file.

A code object has one file name.  Consecutive nodes that lie in another file than the function they are in
become a graph of their own and a ``call`` of it, unless none of them can raise.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

from ..effects import is_total
from ..graph import Graph, Location, Node, Value, levels, nested, values_in
from ..ops import table
from ..types import NONE


def outline(graph: Graph) -> Graph:
    """``graph`` with calls where it, or a graph that it calls, leaves its file; itself when none does."""
    return _Outlining().whole(graph) if _leaves(graph, set()) else graph


def file_of(graph: Graph) -> str:
    """The file of a whole function's graph."""
    if graph.location is not None:
        return graph.location.filename
    places = (node.location.filename for node in graph.walk() if node.location is not None)
    return next(places, f"<graph {graph.name}>")


def _leaves(graph: Graph, entered: set[Graph], filename: str | None = None) -> bool:
    """Whether any node is in another file than its function."""
    if graph in entered:
        return False
    entered.add(graph)
    filename = file_of(graph) if filename is None else filename
    for node in graph.nodes:
        if _file(node, filename) != filename:
            return True
        inner = None if node.op.name == "call" else filename
        if any(_leaves(part, entered, inner) for part in node.parts):
            return True
    return False


class _Outlining:
    """Copies graphs; one that is called from several places, or calls itself, is copied once."""

    def __init__(self) -> None:
        self._copies: dict[Graph, Graph] = {}

    def whole(self, graph: Graph) -> Graph:
        """The copy of a whole function's graph."""
        copy = self._copies.get(graph)
        if copy is None:
            copy = self._copies[graph] = _like(graph)
            self._fill(copy, graph, file_of(graph), 0)
        return copy

    def _fill(self, copy: Graph, graph: Graph, filename: str, depth: int) -> None:
        """Copy the nodes; ``depth`` calls around each led to the function that they are in now."""
        run: list[Node] = []
        last = _last_uses(graph)
        for index, node in enumerate(graph.nodes):
            node = _without(node, depth)
            if run and _calls(node, filename) != _calls(run[0], filename):
                self._close(run, copy, last, index, node.location, filename, depth)
                run = []
            if _file(node, filename) != filename:
                run.append(node)
            else:
                copy.nodes.append(self._within(node, filename, depth))
        before = copy.nodes[-1].location if copy.nodes else graph.location
        self._close(run, copy, last, len(graph.nodes), before, filename, depth)

    def _within(self, node: Node, filename: str, depth: int) -> Node:
        """The node with its parts outlined."""
        if not node.parts:
            return node
        if node.op.name == "call":
            parts = tuple([self.whole(part) for part in node.parts])
        else:
            parts = tuple([_like(part) for part in node.parts])
            for copy, part in zip(parts, node.parts, strict=True):
                self._fill(copy, part, filename, depth)
        return replace(node, parts=parts, after=())

    def _close(
        self,
        run: list[Node],
        into: Graph,
        last: dict[Value, int],
        end: int,
        location: Location | None,
        filename: str,
        depth: int,
    ) -> None:
        """End a run of nodes from another file before the node at ``end``.

        Where it is not known where the call was, what follows is most likely the rest of the same statement.
        """
        if not run:
            return
        assert run[0].location is not None
        outer = _calls(run[0], filename)
        assert outer is not None
        location = outer[-1] if outer else location
        first = levels(run[0].location)[len(outer)]
        nodes = [self._within(_without(node, len(outer)), first.filename, depth + len(outer)) for node in run]
        if all(not node.parts and is_total(node) for node in run):
            into.nodes += nodes
            return
        results = tuple([value for node in run for value in node.outputs if last.get(value, -1) >= end])
        callee = Graph(first.function or "inlined", [], nodes, results or (None,), first)
        outputs = results or (Value(callee.name, NONE),)
        if run[-1].op.name == "raise":
            callee.completes, callee.results, outputs = False, (), ()
        into.nodes.append(Node(table.CALL, (), {}, outputs, (callee,), None, location))


def _without(node: Node, depth: int) -> Node:
    """The node, without the outer ``depth`` of the calls that its place is within."""
    if not depth or node.location is None:
        return node
    return replace(node, location=nested(levels(node.location)[depth:]))


def _like(graph: Graph) -> Graph:
    """A graph without nodes."""
    return Graph(graph.name, graph.inputs, [], graph.results, graph.location, graph.completes)


def _file(node: Node, filename: str) -> str:
    return filename if node.location is None or node.location.line < 1 else node.location.filename


def _calls(node: Node, filename: str) -> list[Location] | None:
    """The calls that led out of the file, from the outside in; None for a node that lies in it."""
    if _file(node, filename) == filename:
        return None
    assert node.location is not None
    return list(itertools.takewhile(lambda place: place.filename == filename, levels(node.location)))


def _last_uses(graph: Graph) -> dict[Value, int]:
    """For each value the place of the last node that uses it; the results come behind all nodes."""
    last: dict[Value, int] = {}
    for index, node in enumerate(graph.nodes):
        for value in node.uses():
            last[value] = index
    for value in values_in(graph.results):
        last[value] = len(graph.nodes)
    return last
