"""Graphs as text: one line a node, the user's names, a type on every value, edges, parts and the source line.

    graph drain(tank: float64[n], rate: float, limit: int) -> float64[n]
      items: iterator[int] = range(limit)                           # tank.py:3   for i in range(limit):
      tank_1: float64[n] = for i: int in items carry (tank_2: float64[n] = tank)
        tank_3: float64[n] = subtract(tank_2, rate) into tank_2     # tank.py:4   tank -= rate
        yield tank_3
      return tank_1

``into`` names what an op changes in place, ``after`` the control edges: by the first value that a node gives,
or by its label (``@print_1``) where it gives none.  The text holds nothing that depends on anything but the
graph.
"""

from __future__ import annotations

import enum
import linecache
import os
import re
from collections.abc import Iterable
from types import BuiltinFunctionType, FunctionType, ModuleType

import numpy as np

from autograph.operators.names import Undefined

from .aliasing import written
from .graph import Graph, Location, Node, Operand, Value, Weakly, values_in
from .types import NONE, Dict, List, Tuple, Type, dtype_name, join_all, type_of

WIDEST = 88
"""The column beyond which comments are not aligned."""

_PLAIN = (bool, int, float, complex, str, bytes, type(None), range)
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def to_text(graph: Graph, mark: Node | Graph | None = None) -> str:
    """The text of a graph, of its parts and of the graphs that it calls.

    Args:
        graph: the graph; its values are shown under the names that they have.
        mark: a node whose line, or a graph or part whose first line, gets a ``>`` in the margin.
    """
    printer = _Printer(mark)
    waiting = [graph]
    for each in waiting:
        printer.whole(each)
        for callee in printer.callees:
            if callee not in waiting:
                waiting.append(callee)
    return printer.text()


class _Printer:
    """Collects lines, each with the comment that follows it."""

    def __init__(self, mark: Node | Graph | None) -> None:
        self.callees: list[Graph] = []
        self._mark = mark
        self._lines: list[tuple[str, str]] = []
        self._source: tuple[str, int] | None = None
        self._labels: dict[Node, str] = {}
        self._used: set[Value] = set()

    def text(self) -> str:
        """All lines, the comments in one column."""
        width = max(
            (len(line) for line, comment in self._lines if comment and len(line) <= WIDEST), default=0
        )
        return "\n".join(f"{line:<{width}}  {comment}" if comment else line for line, comment in self._lines)

    def whole(self, graph: Graph) -> None:
        """A whole function's graph."""
        if self._lines:
            self._lines.append(("", ""))
        self._source = None
        self._survey(graph, {}, set())
        inputs = ", ".join(f"{value.name}: {value.type}" for value in graph.inputs)
        given = ", ".join(str(type_of_operand(result)) for result in graph.results) or "never"
        given = f"({given})" if len(graph.results) > 1 else given
        self._line(0, f"graph {graph.name}({inputs}) -> {given}", graph.location, graph)
        self._nodes(graph, 1)
        if graph.results:
            self._line(1, f"return {', '.join(map(operand_text, graph.results))}")

    def _survey(self, graph: Graph, counts: dict[str, int], entered: set[Graph]) -> None:
        """Label the nodes that edges refer to and that show no output; note which values are used."""
        entered.add(graph)
        self._used.update(values_in(graph.results))
        awaited = {earlier for node in graph.nodes for earlier in node.after}
        for node in graph.nodes:
            self._used.update(node.operands())
        for node in graph.nodes:
            for part in node.parts:
                if part not in entered and node.op.name != "call":
                    self._survey(part, counts, entered)
        for node in graph.nodes:
            if node in awaited and not self._outputs(node):
                name = op_name(node).rpartition(".")[2]
                counts[name] = counts.get(name, 0) + 1
                self._labels[node] = f"@{name}_{counts[name]}"

    def _outputs(self, node: Node) -> tuple[Value, ...]:
        """The outputs that are shown: not a None that nobody uses."""
        if len(node.outputs) == 1 and node.outputs[0].type == NONE and node.outputs[0] not in self._used:
            return ()
        return node.outputs

    def _line(
        self, depth: int, text: str, location: Location | None = None, item: Node | Graph | None = None
    ) -> None:
        comment = ""
        if location is not None and (location.filename, location.line) != self._source:
            self._source = (location.filename, location.line)
            source = linecache.getline(location.filename, location.line).strip()
            place = f"# {os.path.basename(location.filename)}:{location.line}"
            comment = f"{place}   {source}" if source else place
        line = "  " * depth + text
        if item is not None and item is self._mark:
            line = ">" + line[1:] if depth else "> " + line
        self._lines.append((line, comment))

    def _nodes(self, graph: Graph, depth: int) -> None:
        for node in graph.nodes:
            left = ", ".join(f"{value.name}: {value.type}" for value in self._outputs(node))
            label = self._labels.get(node)
            start = f"{left} = " if left else f"{label}: " if label else ""
            ending = ""
            if node.after:
                ending = " after " + ", ".join(self._reference(earlier) for earlier in node.after)
            self._line(depth, start + self._right(node) + ending, node.location, node)
            if node.op.name != "call":
                self._parts(node, depth)

    def _reference(self, node: Node) -> str:
        outputs = self._outputs(node)
        return outputs[0].name if outputs else self._labels.get(node, f"@{op_name(node)}")

    def _right(self, node: Node) -> str:
        name = node.op.name
        args = [operand_text(arg) for arg in node.args]
        if name == "if":
            return f"if {args[0]}"
        if name == "while" and node.parts:
            return "while" + _carry(node.parts[-1].inputs, args)
        if name == "for" and node.parts and node.parts[0].inputs:
            item, *carry = node.parts[0].inputs
            return f"for {item.name}: {item.type} in {args[0]}" + _carry(carry, args[1:])
        if name == "try":
            return "try"
        if name == "with" and node.parts:
            return f"with {args[0]} as {node.parts[0].inputs[0].name}"
        if name == "raise":
            return f"raise {' from '.join(args)}"
        if name == "call" and node.parts:
            if node.parts[0] not in self.callees:
                self.callees.append(node.parts[0])
            return f"call {node.parts[0].name}({', '.join(args)})"
        args += [f"{key}={operand_text(arg)}" for key, arg in node.kwargs.items()]
        changed = [] if "*" in node.op.writes else [operand_text(operand) for operand in written(node)]
        into = f" into {', '.join(changed)}" if changed else ""
        return f"{op_name(node)}({', '.join(args)}){into}"

    def _parts(self, node: Node, depth: int) -> None:
        if node.op.name == "for" and node.parts:
            self._part(node.parts[0], depth, node.stop)
            return
        if node.op.name in ("try", "with"):
            self._protected(node, depth)
            return
        titles = ("then", "else") if node.op.name == "if" else ("test", "body")
        for title, part in zip(titles, node.parts, strict=False):
            if title == "else" and not part.nodes and not part.results:
                continue
            self._line(depth, title, None, None if part.results else part)
            self._part(part, depth, node.stop if title == "body" else None)

    def _protected(self, node: Node, depth: int) -> None:
        """The parts of ``try`` and ``with``; those with nothing in them are left out."""
        count = len(node.args) if node.op.name == "try" else 0
        titles = ["body", *("except" for _ in range(count)), "else", "finally"]
        for number, (title, part) in enumerate(zip(titles, node.parts, strict=False)):
            if title == "except":
                catches = "" if node.args[number - 1] is None else f" {operand_text(node.args[number - 1])}"
                title = f"except{catches} as {part.inputs[0].name}"
            elif not part.nodes and title != "body":
                continue
            self._line(depth, title, None, part)
            self._nodes(part, depth + 1)

    def _part(self, part: Graph, depth: int, stop: int | None) -> None:
        self._nodes(part, depth + 1)
        if part.results:
            self._line(depth + 1, f"yield {', '.join(map(operand_text, part.results))}", None, part)
            if stop is not None and stop < len(part.results):
                self._line(depth + 1, f"break if {operand_text(part.results[stop])}")


def op_name(node: Node) -> str:
    """The op as the text calls it: in place or not, ``add`` is ``add``."""
    return node.op.name.removeprefix("inplace_")


def operand_text(operand: Operand) -> str:
    """An operand: names of values, constants without addresses.

    >>> operand_text((1, slice(None, 2), [2.5, "a"], np.float32, len))
    "(1, :2, [2.5, 'a'], float32, len)"
    """
    kind = type(operand)
    if kind is Value:
        return str(operand.name)
    if kind is tuple:
        return f"({_list_text(operand)},)" if len(operand) == 1 else f"({_list_text(operand)})"
    if kind is list:
        return f"[{_list_text(operand)}]"
    if kind is dict:
        return (
            f"{{{', '.join(f'{operand_text(key)}: {operand_text(item)}' for key, item in operand.items())}}}"
        )
    if kind is slice:
        bounds = [
            "" if bound is None else operand_text(bound)
            for bound in (operand.start, operand.stop, operand.step)
        ]
        return ":".join(bounds if bounds[2] else bounds[:2])
    return constant_text(operand)


def constant_text(constant: object) -> str:
    """A constant: a literal by its text, what has a name by its name, anything else by its class."""
    kind = type(constant)
    if constant is Ellipsis:
        return "..."
    if kind in _PLAIN:
        return repr(constant)
    if isinstance(constant, Undefined):
        return "undefined"
    if isinstance(constant, enum.Enum):
        return f"{kind.__name__}.{constant.name}"
    if isinstance(constant, np.generic) and constant.dtype.kind in "biufc":
        return repr(constant)
    if isinstance(constant, np.dtype):
        return dtype_name(constant)
    if isinstance(constant, type | FunctionType | BuiltinFunctionType | ModuleType | np.ufunc):
        return _ADDRESS.sub("", constant.__name__)
    return f"<{type(constant() if isinstance(constant, Weakly) else constant).__name__}>"


def type_of_operand(operand: Operand) -> Type:
    """The type of an operand that may be, or hold, values."""
    kind = type(operand)
    if kind is Value:
        return operand.type  # type: ignore[no-any-return]
    if kind is tuple:
        return Tuple(tuple(type_of_operand(item) for item in operand))
    if kind is list:
        return List(join_all(type_of_operand(item) for item in operand))
    if kind is dict:
        return Dict(join_all(type_of_operand(item) for item in operand.values()))
    return type_of(operand)


def _list_text(operands: Iterable[Operand]) -> str:
    return ", ".join(map(operand_text, operands))


def _carry(inputs: list[Value], initial: list[str]) -> str:
    """The carry of a loop, each with its type and what it starts from."""
    if not inputs:
        return ""
    pairs = zip(inputs, initial, strict=False)
    return f" carry ({', '.join(f'{value.name}: {value.type} = {start}' for value, start in pairs)})"
