"""The graph: what a traced function does, as data.

    Graph   ::= inputs, nodes in program order, results
    Node    ::= outputs = op(args, kwargs, parts) after [nodes]     at a line of the user's
    Value   ::= name: type                                          an input, or an output of one node
    Operand ::= Value | constant | tuple, list, dict or slice of operands

Values are *references*, as Python's names are: an op that changes an array in place (``set_item``, ``add ...
into``) changes what every later op reads through that value, its views and its aliases.  What keeps the order
right is not the order of ``nodes`` (that is merely one valid order) but the operands and the control edges in
``Node.after``; see ``effects.py``.  A part (the arm of an ``if``, the body of a loop) is a Graph that may use
the values around it.

An op is one row of the table in ``ops/``; the structured ones are those with parts:

    op     args                 parts                            inputs and results of the parts
    if     (test,)              (then, orelse)                   no inputs; results are the outputs
    while  (*initial,)          (test, body)                     inputs: the carry; results: the test, the
    carry for    (iterable, *initial) (body,)                          inputs: the item, the carry; results:
    the carry call   (*arguments,)        (callee,)                        inputs: the arguments try
    (*classes caught,)   (body, *handlers, else, finally) a handler's input is the exception with   (manager,)
    (body,)                          input: what the manager gives

The parts of ``try`` and ``with`` have no results: the names that they change live in cells, lists of one
item; a bare ``except`` catches ``None``, and ``finally`` may be missing.  ``while`` and ``for`` may have
``stop``, the place in the carry that ends the loop when it is true after the body.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from .types import Type

Operand = Any  # a Value, a constant, or a tuple, list, dict or slice of operands


@dataclass(frozen=True, slots=True)
class Location:
    """A place in the user's text: 1-based line, 0-based columns; ``end_*`` may be the same place."""

    filename: str
    line: int
    function: str = ""
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    within: Location | None = field(default=None, compare=False, repr=False)
    """The call that was traced through to come here."""


def levels(place: Location) -> list[Location]:
    """A place and the calls that it is within, from the outside in."""
    found = [place]
    while found[-1].within is not None:
        found.append(found[-1].within)
    return found[::-1]


def nested(places: Iterable[Location]) -> Location | None:
    """The last place, within those before it, which are calls from the outside in."""
    found: Location | None = None
    for place in places:
        found = place if place.within is found else replace(place, within=found)
    return found


class Value:
    """One value of a graph.  Equality is identity."""

    __slots__ = ("name", "producer", "type")

    def __init__(self, name: str, type: Type, producer: Node | None = None) -> None:
        self.name = name
        self.type = type
        self.producer = producer

    def __repr__(self) -> str:
        return f"{self.name}: {self.type}"


Syntax = Literal[
    "call", "method", "binary", "unary", "compare", "inplace", "attribute", "subscript", "statement"
]


@dataclass(frozen=True, eq=False)
class Op:
    """One row of the op table.

    ``function`` does the op on concrete operands; the interpreter calls it.  ``syntax`` and ``symbol`` say
    how the op is written in a NumPy program: ``call`` as ``symbol(args)``, ``method`` as
    ``args[0].symbol(args[1:])``, ``binary`` as ``args[0] symbol args[1]``, ``attribute`` as
    ``args[0].symbol``, ``subscript`` as ``args[0][args[1]]``, ``inplace`` as ``args[0] symbol= args[1]``,
    ``statement`` as what the emitter knows by name.
    """

    name: str
    function: Callable[..., Any] | None = None
    syntax: Syntax = "call"
    symbol: str = ""
    infer: Callable[..., Any] | None = None
    """Types of the operands (kwargs by name) to the type of the result, or to a tuple of types where there
    are more."""
    writes: tuple[int | str, ...] = ()
    """Positions (or keyword names) of the arguments whose memory it changes in place."""
    stores: bool = False
    """Whether it keeps its other arguments inside those it writes (``append``, ``set_attribute``)."""
    reads: bool = True
    """Whether it reads the contents of its arguments, not only their identity or their shape."""
    result: Literal["fresh", "alias"] = "fresh"
    """``alias``: the result may share memory with an argument, or come from inside one."""
    region: str | None = None
    """What it touches outside its arguments: ``output``, ``random``, ``outside`` (that is: everything), or
    any other text
    for one name outside, which it sets if it ``stores`` and else reads."""
    total: Callable[..., bool] | None = None
    """Whether it surely never raises on operands of these types; None: it may always raise."""

    def __repr__(self) -> str:
        return f"<op {self.name}>"


@dataclass(eq=False, slots=True)
class Node:
    """One op applied.  ``after`` are the control edges: nodes of the same graph that must have run before."""

    op: Op
    args: tuple[Operand, ...] = ()
    kwargs: dict[str, Operand] = field(default_factory=dict)
    outputs: tuple[Value, ...] = ()
    parts: tuple[Graph, ...] = ()
    stop: int | None = None
    location: Location | None = None
    after: tuple[Node, ...] = ()
    guarded: bool = False
    """Whether it stands in a ``try`` or ``with``, where a floating-point error that NumPy was told to raise,
    or
    a warning that was made an error, would be seen."""

    def operands(self) -> Iterator[Value]:
        """The values among the arguments, in order, with repetition; not those that the parts use from
        around."""
        for arg in self.args:
            if type(arg) is Value:
                yield arg
            elif type(arg) in _STRUCTURES:
                yield from values_in(arg)
        if self.kwargs:
            yield from values_in(self.kwargs)

    def uses(self) -> Iterator[Value]:
        """:meth:`operands` and the values from around that the parts use."""
        yield from _uses(self, ())


@dataclass(eq=False, slots=True)
class Graph:
    """A function's graph, or a part of a node.  ``results`` is a tuple of operands.

    For a whole function ``results`` has one item, the returned operand.  A graph that does not complete
    (every way through it ends in a ``raise``) has no results.
    """

    name: str
    inputs: list[Value] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    results: tuple[Operand, ...] = ()
    location: Location | None = None
    completes: bool = True

    def free_values(self) -> Iterator[Value]:
        """The values used here, or in parts, that are defined outside."""
        return _free_values(self, ())

    def walk(self) -> Iterator[Node]:
        """Every node, those of parts included, each before the nodes of its parts; a recursive part is walked
        once."""
        return _walk(self, set())

    def find(self, name: str) -> list[Node]:
        """The nodes, at any depth, whose op has this name: ``graph.find("while")``."""
        return [node for node in self.walk() if node.op.name == name]

    def calls_itself(self) -> bool:
        """Whether a ``call`` in it, or in a graph that it calls, leads back to it."""
        return any(self in node.parts for node in self.find("call"))

    def __str__(self) -> str:
        from .printing import to_text  # printing builds on this module

        return to_text(self)


def _uses(node: Node, around: tuple[Graph, ...]) -> Iterator[Value]:
    """What ``node`` uses; the parts that it is in (``around``) are not entered again when one calls itself.
    """
    yield from values_in(node.args)
    if node.kwargs:
        yield from values_in(node.kwargs)
    for part in node.parts:
        if part not in around:
            yield from _free_values(part, around)


def _free_values(graph: Graph, around: tuple[Graph, ...]) -> Iterator[Value]:
    known: set[Value] = set(graph.inputs)
    around = (*around, graph)
    for node in graph.nodes:
        for value in _uses(node, around):
            if value not in known:
                yield value
        known.update(node.outputs)
    for value in values_in(graph.results):
        if value not in known:
            yield value


def own_nodes(nodes: Iterable[Node]) -> Iterator[Node]:
    """Nodes and those of their parts, not those of graphs that they call."""
    for node in nodes:
        yield node
        if node.op.name != "call":
            for part in node.parts:
                yield from own_nodes(part.nodes)


def _walk(graph: Graph, entered: set[Graph]) -> Iterator[Node]:
    entered.add(graph)
    for node in graph.nodes:
        yield node
        for part in node.parts:
            if part not in entered:
                yield from _walk(part, entered)


class Weakly(weakref.ref[Any]):
    """A constant operand that the graph does not keep alive: a Variable.  Calling it gives the object."""

    __slots__ = ()
    __autograph_state__ = True


_STRUCTURES = frozenset((tuple, list, dict, slice))


def values_in(operand: Operand) -> Iterator[Value]:
    """The values inside an operand, in order."""
    kind = type(operand)
    if kind is Value:
        yield operand
    elif kind is tuple or kind is list:
        for item in operand:
            yield from values_in(item)
    elif kind is dict:
        for item in operand.values():
            yield from values_in(item)
    elif kind is slice:
        yield from values_in((operand.start, operand.stop, operand.step))


def weakly_held(graph: Graph) -> Iterator[Weakly]:
    """What the nodes and results of a graph, and of its parts, hold weakly."""
    found: list[Weakly] = []
    for node in graph.walk():
        map_values((node.args, node.kwargs, *(part.results for part in node.parts)), id, found.append)
    map_values(graph.results, id, found.append)
    return iter(dict.fromkeys(found))


def map_values(
    operand: Operand, function: Callable[[Value], Any], weakly: Callable[[Weakly], Any] = lambda held: held
) -> Operand:
    """The operand with each value replaced by ``function(value)``, and what is held weakly by ``weakly``.

    An operand without either is returned as it is.
    """
    kind = type(operand)
    if kind is Value:
        return function(operand)
    if kind is Weakly:
        return weakly(operand)
    if kind is tuple or kind is list:
        return kind(map_values(item, function, weakly) for item in operand)
    if kind is dict:
        return {key: map_values(item, function, weakly) for key, item in operand.items()}
    if kind is slice:
        bounds = (operand.start, operand.stop, operand.step)
        return slice(*(map_values(item, function, weakly) for item in bounds))
    return operand
