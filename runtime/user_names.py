"""Names of the user's for values that a trace knows only by their op.

A trace sees values, not the names they are assigned to; but each node knows its line, and the last node of a
line that assigns one name made what that name holds.
"""
from __future__ import annotations

import linecache
import re

from .graph import Graph, Node

_ASSIGNMENT = re.compile(
    r"\s*(?P<name>[^\W\d]\w*)\s*(?::[^=]+)?(?:\+|-|\*\*?|//?|%|@|&|\||\^|<<|>>)?=(?!=)"
)


def take_names(graph: Graph) -> None:
    """Name the values of ``graph`` and its parts after what the user assigned them to."""
    entered: set[Graph] = set()
    waiting = [graph]
    while waiting:
        part = waiting.pop()
        if part in entered:
            continue
        entered.add(part)
        for node, following in zip(part.nodes, [*part.nodes[1:], None], strict=False):
            waiting += node.parts
            if len(node.outputs) == 1 and not _same_line(node, following):
                name = _assigned(node)
                output = node.outputs[0]
                known_as = "result" if node.op.name == "call" else node.op.name
                if name is not None and output.name == known_as:
                    output.name = name


def _same_line(node: Node, following: Node | None) -> bool:
    if following is None or node.location is None or following.location is None:
        return False
    here, there = node.location, following.location
    return (here.filename, here.line) == (there.filename, there.line)


def _assigned(node: Node) -> str | None:
    """The one name that the node's line assigns; None where it does something else.

    Only a statement that starts on the line counts, so an expression over several lines has no name.
    """
    location = node.location
    if location is None or node.op.name == "unpack":
        return None
    line = linecache.getline(location.filename, location.line)
    found = _ASSIGNMENT.match(line)
    if found is None or (location.column is not None and location.column < found.start("name")):
        return None  # without columns (Python 3.10) the line alone has to do
    return found["name"]
