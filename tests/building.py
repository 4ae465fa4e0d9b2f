"""Graphs built by hand: a thin builder over ``autograph.runtime.graph``, and random effectful graphs."""

from __future__ import annotations

import contextlib
import io
import linecache
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph.runtime import ops  # noqa: F401  (fills the table)
from autograph.runtime.backends import interpreter
from autograph.runtime.effects import add_control_edges
from autograph.runtime.graph import Graph, Location, Node, Op, Operand, Value, map_values
from autograph.runtime.naming import name_values
from autograph.runtime.ops import table
from autograph.runtime.types import BOOL, FLOAT, INT, UNKNOWN, Array, List, Scalar, Type
from autograph.runtime.types import Iterator as IteratorType

VECTOR = Array(np.dtype(np.float64), (4,))
INTS = List(INT)


class Builder:
    """Appends nodes to a graph; every method gives the values that it defines."""

    def __init__(self, name: str, *inputs: tuple[str, Type], filename: str | None = None) -> None:
        self.graph = Graph(name, [Value(hint, kind) for hint, kind in inputs])
        self.filename = filename
        self.line: int | None = None

    @property
    def inputs(self) -> list[Value]:
        return self.graph.inputs

    def at(self, line: int) -> Builder:
        """The source line of what follows."""
        self.line = line
        return self

    def part(self, name: str, *inputs: tuple[str, Type]) -> Builder:
        """A part that goes on at this place of the source."""
        part = Builder(name, *inputs, filename=self.filename)
        part.line = self.line
        return part

    def location(self) -> Location | None:
        if self.line is None or self.filename is None:
            return None
        return Location(self.filename, self.line, self.graph.name)

    def op(
        self,
        op: str | Op,
        *args: Operand,
        name: str | None = None,
        type: Type | None = None,
        **kwargs: Operand,
    ) -> Value:
        """One op with one output; its type is inferred unless given."""
        row = table.get(op) if isinstance(op, str) else op
        if type is None:
            type = row.infer(*[_abstract(arg) for arg in args]) if row.infer is not None else UNKNOWN
        value = Value(row.name if name is None else name, type)
        node = Node(row, args, kwargs, (value,), location=self.location())
        value.producer = node
        self.graph.nodes.append(node)
        return value

    def do(self, op: str | Op, *args: Operand, **kwargs: Operand) -> Node:
        """One op for its effect."""
        node = Node(table.get(op) if isinstance(op, str) else op, args, kwargs, location=self.location())
        self.graph.nodes.append(node)
        return node

    def structured(
        self,
        op: str,
        args: tuple[Operand, ...],
        outputs: Sequence[tuple[str, Type]],
        *parts: Builder,
        stop: int | None = None,
    ) -> tuple[Value, ...]:
        """An op with parts."""
        values = tuple(Value(hint, kind) for hint, kind in outputs)
        node = Node(
            table.get(op), args, {}, values, tuple(part.graph for part in parts), stop, self.location()
        )
        for value in values:
            value.producer = node
        self.graph.nodes.append(node)
        return values

    def give(self, *results: Operand) -> Builder:
        """The results."""
        self.graph.results = results
        return self

    def fail(self, error: Operand) -> Builder:
        """End in a ``raise``."""
        self.do("raise", error)
        self.graph.completes = False
        return self


def _abstract(operand: Operand) -> Any:
    return map_values(operand, lambda value: value.type)


# Samples

COLLATZ = """\
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps
"""
DRAIN = """\
def drain(tank, rate, limit):
    steps = 0
    for i in range(limit):
        if tank.max() <= 0:
            break
        tank -= rate
        steps += 1
    return tank, steps
"""


def source(filename: str, text: str) -> str:
    """Let tracebacks and printed graphs find ``text`` under ``filename``."""
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    return filename


def collatz() -> Graph:
    """The graph of :data:`COLLATZ`, named."""
    builder = Builder("collatz", ("n", INT), filename=source("/home/user/collatz.py", COLLATZ)).at(3)
    test = builder.part("test", ("n", INT), ("steps", INT))
    test.give(test.op("not_equal", test.inputs[0], 1))
    body = builder.part("body", ("n", INT), ("steps", INT)).at(4)
    n, steps = body.inputs
    even = body.op("equal", body.op("remainder", n, 2), 0)
    then = body.part("then").at(5)
    then.give(then.op("floor_divide", n, 2))
    orelse = body.part("else").at(7)
    orelse.give(orelse.op("add", orelse.op("multiply", 3, n), 1))
    (n,) = body.structured("if", (even,), [("n", INT)], then, orelse)
    body.give(n, body.at(8).op("add", steps, 1))
    _, steps = builder.structured("while", (builder.inputs[0], 0), [("n", INT), ("steps", INT)], test, body)
    return named(builder.give(steps).graph)


def drain() -> Graph:
    """The graph of :data:`DRAIN`, named and with its edges: the loop changes an argument and may stop."""
    inputs = (("tank", VECTOR), ("rate", FLOAT), ("limit", INT))
    builder = Builder("drain", *inputs, filename=source("/home/user/drain.py", DRAIN)).at(3)
    tank, rate, limit = builder.inputs
    items = builder.op("range", limit, type=IteratorType(INT))
    body = builder.part("body", ("i", INT), ("steps", INT), ("stop", BOOL)).at(4)
    top = body.op(table.find_method("max"), tank, type=Scalar(np.dtype(np.float64)))
    empty = body.op("less_equal", top, 0, name="empty", type=Scalar(np.dtype(np.bool_)))
    then = body.part("then").give(body.inputs[1], True)
    orelse = body.part("else").at(6)
    orelse.op("inplace_subtract", tank, rate, name="tank", type=VECTOR)
    orelse.give(orelse.at(7).op("add", body.inputs[1], 1), False)
    body.give(*body.structured("if", (empty,), [("steps", INT), ("stop", BOOL)], then, orelse))
    carry = [("steps", INT), ("stop", BOOL)]
    steps, _ = builder.structured("for", (items, 0, False), carry, body, stop=1)
    return add_control_edges(named(builder.give((tank, steps)).graph))


def named(graph: Graph) -> Graph:
    """The graph with its values named."""
    name_values(graph)
    return graph


# What a run shows

LOG: list[Any] = []
"""What the ops below write out."""
DRAWN: list[Any] = []
"""The state of the random numbers."""
HELD: list[Any] = []
"""What code outside got hold of."""


def _shout(item: Any) -> None:
    LOG.append(f"shout {np.array(item).tolist()}")


def _draw() -> int:
    DRAWN.append("draw")
    return len(DRAWN) % 5


def _meddle(item: Any) -> int:
    """Code outside: it keeps what it is given and changes what it has kept."""
    HELD.append(item)
    LOG.append("meddle")
    DRAWN.append("meddle")
    for held in HELD:
        if isinstance(held, np.ndarray):
            held += 1
        else:
            held.append(7)
    return len(HELD)


SHOUT = Op("shout", _shout, "call", "shout", region="output", total=lambda *_: True)
DRAW = Op("draw", _draw, "call", "draw", region="random", total=lambda *_: True)
MEDDLE = Op("meddle", _meddle, "call", "meddle", writes=("*",), stores=True, result="alias", region="outside")


def outcome(run: Callable[..., Any], args: Sequence[Any]) -> tuple[Any, ...]:
    """What a run shows: result, arguments afterwards, identity of the result, log, and error."""
    LOG.clear()
    DRAWN.clear()
    HELD.clear()
    copies = fresh(args)
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
            result: Any = run(copies)
        shown = ("gives", plain(result), [result is arg for arg in copies])
    except ArithmeticError as error:
        shown = ("raises", type(error).__name__, [str(error)])
    except (IndexError, ValueError) as error:
        shown = ("raises", type(error).__name__, [str(error)])
    return (*shown, plain(copies), list(LOG), list(DRAWN), printed.getvalue())


def fresh(args: Sequence[Any]) -> list[Any]:
    """Copies of the arguments; two that were one stay one."""
    copies: dict[int, Any] = {}
    for arg in args:
        if id(arg) not in copies:
            copies[id(arg)] = arg.copy() if isinstance(arg, np.ndarray | list) else arg
    return [copies[id(arg)] for arg in args]


def plain(value: Any) -> Any:
    """A value as something to compare bit by bit, with its kind."""
    if isinstance(value, np.ndarray):
        return "array", str(value.dtype), value.shape, value.tobytes()
    if isinstance(value, list | tuple):
        return type(value).__name__, [plain(item) for item in value]
    return type(value).__name__, repr(value)


def interpreted(graph: Graph, seed: int | None = None) -> Callable[[Sequence[Any]], Any]:
    """A run on the interpreter, in the program's order or in random ones."""
    return lambda args: interpreter.run(graph, args, order=None if seed is None else random.Random(seed))


# Random graphs


class RandomGraph:
    """Draws a graph over numbers, arrays and lists, with nested control flow and effects of every region."""

    ARGUMENTS = (("n", INT), ("m", INT), ("a", VECTOR), ("b", VECTOR), ("items", INTS))

    def __init__(self, generator: random.Random, size: int = 12, outside: bool = True) -> None:
        self.draw = generator
        self.outside = outside
        self.graph = self._whole(size)

    def _whole(self, size: int) -> Graph:
        builder = Builder("drawn", *self.ARGUMENTS)
        values = list(builder.inputs)
        self._fill(builder, values, size, 2)
        results = tuple(self.draw.choice(values) for _ in range(3))
        return builder.give(results).graph

    def _of(self, values: Sequence[Value], kind: Type) -> Value:
        return self.draw.choice([value for value in values if value.type == kind])

    def _number(self, values: Sequence[Value]) -> Operand:
        return self._of(values, INT) if self.draw.random() < 0.75 else self.draw.randrange(-2, 4)

    def _test(self, builder: Builder, values: Sequence[Value]) -> Value:
        return builder.op(
            self.draw.choice(("less", "equal", "not_equal")), self._number(values), self._of(values, INT)
        )

    def _fill(self, builder: Builder, values: list[Value], size: int, depth: int) -> None:
        """Add about ``size`` nodes; ``values`` grows by what they define."""
        for _ in range(size):
            choice = self.draw.randrange(22)
            if choice < 4:
                op = self.draw.choice(("add", "subtract", "floor_divide", "remainder"))
                left, right = self._of(values, INT), self._number(values)
                values.append(builder.op(op, left, right, name=self.draw.choice("xyn")))
            elif choice < 6:
                values.append(
                    builder.op("add", self._of(values, VECTOR), self._number(values), name="v", type=VECTOR)
                )
            elif choice < 9:
                op = self.draw.choice(("inplace_add", "inplace_multiply"))
                other = self._number(values) if self.draw.random() < 0.5 else self._of(values, VECTOR)
                values.append(builder.op(op, self._of(values, VECTOR), other, type=VECTOR))
            elif choice < 10:
                index = self.draw.choice((0, 1, 3, self._of(values, INT)))
                builder.do("set_item", self._of(values, VECTOR), index, self._number(values))
            elif choice < 12:
                view = self.draw.choice((slice(None), slice(None, None, -1)))
                values.append(
                    builder.op("get_item", self._of(values, VECTOR), view, name="view", type=VECTOR)
                )
            elif choice < 14:
                builder.do(table.find_method("append", list), self._of(values, INTS), self._number(values))
            elif choice < 15:
                values.append(builder.op("len", self._of(values, INTS), type=INT))
            elif choice < 16:
                values.append(builder.op("make_list", self._number(values), type=INTS))
            elif choice < 17:
                shown = self.draw.choice(
                    (self._of(values, INT), self._of(values, VECTOR), self._of(values, INTS))
                )
                builder.do(SHOUT, shown)
            elif choice < 18:
                values.append(builder.op(DRAW, name="drawn", type=INT))
            elif choice < 19:
                if self.outside:
                    kept = self.draw.choice((self._of(values, VECTOR), self._of(values, INTS)))
                    values.append(builder.op(MEDDLE, kept, name="held", type=INT))
            elif depth:
                self.draw.choice((self._if, self._if, self._for, self._while))(builder, values, depth - 1)

    def _arm(
        self, builder: Builder, name: str, values: Sequence[Value], depth: int, kinds: Sequence[Type]
    ) -> Builder:
        arm = builder.part(name)
        inner = list(values)
        self._fill(arm, inner, self.draw.randrange(4), depth)
        if self.draw.random() < 0.1:
            return arm.fail(ValueError("drawn"))
        return arm.give(*self._results(inner, kinds))

    def _results(self, values: Sequence[Value], kinds: Sequence[Type]) -> list[Operand]:
        results: list[Operand] = []
        for kind in kinds:
            if kind == BOOL:
                results.append(self.draw.random() < 0.5)
            else:
                latest = [value for value in values if value.type == kind][-3:]
                results.append(self.draw.choice(latest))
        return results

    def _outputs(self) -> list[tuple[str, Type]]:
        kinds = self.draw.choices((INT, INT, VECTOR, INTS), k=self.draw.randrange(4))
        return [({INT: "x", VECTOR: "v", INTS: "items"}[kind], kind) for kind in kinds]

    def _if(self, builder: Builder, values: list[Value], depth: int) -> None:
        test = self._test(builder, values)
        outputs = self._outputs()
        kinds = [kind for _, kind in outputs]
        arms = [self._arm(builder, name, values, depth, kinds) for name in ("then", "else")]
        if not any(arm.graph.completes for arm in arms):
            arms[1] = builder.part("else").give(*self._results(values, kinds))
        values += builder.structured("if", (test,), outputs, *arms)

    def _carry(self) -> tuple[list[tuple[str, Type]], int | None]:
        outputs = self._outputs()
        if self.draw.random() < 0.5:
            return [*outputs, ("stop", BOOL)], len(outputs)
        return outputs, None

    def _stopping(self, body: Builder, values: list[Value], stop: int | None) -> list[Operand]:
        """Nothing, or the stop flag: a test, a constant, or the output of a last ``if``."""
        if stop is None:
            return []
        if self.draw.random() < 0.5:
            return [self._test(body, values)]
        test = self._test(body, values)
        then, orelse = body.part("then").give(True), body.part("else").give(False)
        return list(body.structured("if", (test,), [("stop", BOOL)], then, orelse))

    def _for(self, builder: Builder, values: list[Value], depth: int) -> None:
        carry, stop = self._carry()
        plain_carry = carry if stop is None else carry[:-1]
        kinds = [kind for _, kind in plain_carry]
        initial = [*self._results(values, kinds), *([] if stop is None else [False])]
        items = builder.op("range", self.draw.randrange(4), type=IteratorType(INT))
        body = builder.part("body", ("i", INT), *carry)
        inner = [*values, *body.inputs[: 1 + len(kinds)]]
        self._fill(body, inner, self.draw.randrange(1, 5), depth)
        results = self._results(inner, kinds)
        body.give(*results, *self._stopping(body, inner, stop))
        values += builder.structured("for", (items, *initial), carry, body, stop=stop)[: len(kinds)]

    def _while(self, builder: Builder, values: list[Value], depth: int) -> None:
        carry, stop = self._carry()
        plain_carry = carry if stop is None else carry[:-1]
        kinds = [kind for _, kind in plain_carry]
        initial = [0, *self._results(values, kinds), *([] if stop is None else [False])]
        test = builder.part("test", ("count", INT), *carry)
        if self.draw.random() < 0.3:
            self._fill(test, [*values, *test.inputs[: 1 + len(kinds)]], 1, 0)
        test.give(test.op("less", test.inputs[0], self.draw.randrange(4)))
        body = builder.part("body", ("count", INT), *carry)
        inner = [*values, *body.inputs[: 1 + len(kinds)]]
        self._fill(body, inner, self.draw.randrange(1, 5), depth)
        count = body.op("add", body.inputs[0], 1, name="count")
        results = self._results(inner, kinds)
        body.give(count, *results, *self._stopping(body, inner, stop))
        outputs = builder.structured(
            "while",
            tuple(initial),
            [("count", INT), *carry],
            test,
            body,
            stop=None if stop is None else stop + 1,
        )
        values += outputs[: 1 + len(kinds)]


def arguments() -> Iterator[list[Any]]:
    """Arguments for :class:`RandomGraph`; in the second set two arrays are one."""
    a = np.array([1.0, 2.0, 3.0, 4.0])
    yield [3, 0, a, np.array([0.5, -1.0, 2.0, 8.0]), [1, 2]]
    yield [1, 2, a, a, []]


__all__ = ["BOOL", "FLOAT", "INT", "INTS", "VECTOR", "Builder", "RandomGraph"]


def calls_of(work: Callable[[], object]) -> int:
    """How many Python and C functions ``work`` calls: a cost that is the same on every machine and every day.
    """
    count = 0

    def counting(frame: object, event: str, arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counting)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
