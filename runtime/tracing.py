"""The tracer: a run of transpiled Python on symbols becomes a graph.

A :class:`Tracer` is the active backend of the thread while it traces, so it sees every operator of transpiled
code, and it is what tensors report to.  It keeps the stack of blocks (the graph and the open parts), turns
operands into graph operands and back (``lowering.py``, :meth:`Tracer.wrap`), and records nodes.  What each
construct does with that is told elsewhere: ``control_flow.py``, ``loops.py`` and ``exception_flow.py``
(parts), ``calls.py``, ``access.py``, ``builtins.py`` and ``stars.py`` (calls, attributes, items),
``containers.py`` (lists, dicts), ``state.py``, ``outer_containers.py`` and ``outer_objects.py`` (what lives
outside).

A trace may find out late that it began on a wrong assumption (a list that a staged loop will grow, an
argument whose value Python needs).  It then raises :class:`Restart`, and the whole trace begins anew with
what was learnt in its :class:`Assumptions`: since a trace has no effect outside itself, nothing has to be
undone.
"""

from __future__ import annotations

import contextlib
import linecache
import sys
from collections.abc import Callable, Hashable, Iterator
from types import CellType, FunctionType
from typing import Any

from autograph import operators
from autograph.errors import LeakedValueError, StagingError

from . import (
    access,
    called_graphs,
    calls,
    cells,
    control_flow,
    converting,
    demands,
    exception_flow,
    exceptions,
    floating,
    generators,
    hidden,
    imports,
    loops,
    lowering,
    made_classes,
    made_functions,
    recursion,
    stars,
    state,
    suspending,
)
from . import outer_variables as outer_variables  # what stands for a Variable
from . import warned as warned  # what warnings.warn is
from .assumptions import Assumptions
from .effects import is_total
from .graph import Graph, Location, Node, Op, Operand, Value
from .guards import Guards
from .location import user_location
from .operands import RawOperand, RawValue, Traced, abstract, has_symbols
from .ops import table
from .ops.ufuncs import foreign
from .paths import Path
from .tensor import Method, Tensor
from .types import NONE, UNKNOWN, Dict, Optional, Scalar, Tuple, Type, element, is_number


class Tracer(operators.Backend):
    """One trace, of the staged function ``root``."""

    def __init__(
        self, name: str, assumptions: Assumptions, root: FunctionType, convert: tuple[str, ...] = ()
    ) -> None:
        self.graph = Graph(name)
        self.root = root
        self.stack = [self.graph]
        self.assumptions = assumptions
        self.also = convert
        """Installed packages whose functions are traced through."""
        self.guards = Guards()
        self.argument_of: dict[Value, str] = {}
        """Which argument an input stands for, where its value can be made static."""
        self.path_of: dict[Value, Path] = {}
        """Where a number was read that can be made static."""
        self.range_of: dict[Value, tuple[Operand, ...]] = {}
        """The arguments of the ``range`` that a value is."""
        self.exceptions: dict[int, tuple[Any, ...]] = {}
        """What was made or caught while tracing, with the arguments that it was made of."""
        self.caught: dict[int, exceptions.Known] = {}
        """The same, with what decides whether it may be known while tracing."""
        self.asks_for_tracebacks = False
        """Whether a function of the trace does: then the run handles what would be handled while tracing."""
        self.handled: dict[int, Hashable] = {}
        """The exceptions that were handled while tracing, with what makes the run handle them."""
        self.counts: dict[Hashable, int] = {}
        self.outside = state.Outside(self)
        self.guarded: dict[Any, Any] = {}
        self.calls = recursion.Calls()
        self.strict = floating.is_strict()
        """Whether floating-point errors have to be met in their order."""
        self.protected: list[exception_flow.Protected] = []
        self.watches: list[Hashable] = []
        self.handling: list[Hashable] = []
        """The statements whose handlers run while tracing."""
        self.noted: list[hidden.Changes] = []
        """For each open part, what the cells held before it that a call in it may assign."""
        self.made_functions: dict[int, tuple[Value, Graph, FunctionType]] = {}
        self.made_classes: dict[int, made_classes.MadeClass] = {}
        """What stands for each class that the traced code has defined, by its identity."""
        self.opened: dict[FunctionType, FunctionType] = {}
        """Functions of the user's, each with its form in which stars are parameters."""
        self.making: dict[int, FunctionType] = {}
        """The functions whose bodies are traced now, to be made when the graph runs."""
        self.captured: list[Any] = []
        """The functions that the run is given, and what their variables held."""
        self.left_behind: dict[int, CellType] = {}
        """Variables that an arm changed and did not hand out, as it returned."""
        self.outer_cells: dict[int, CellType] = {}
        """The variables around functions of outside: what assigns them is recorded, not done."""
        self.lazy: dict[Value, Any] = {}
        """The same for functions that an iterator will call."""
        self.generators = generators.Generators()
        self.later: list[Graph] = []
        """The open graphs of functions and generators, which run at another time than the code around."""
        self.inner: dict[Any, int] = {}
        """The other staged functions, with how many graphs of their own they have in this one."""
        self.called = called_graphs.Called()
        self.given: dict[int, tuple[Any, Path]] = {}
        """Functions that are others in other calls, and their variables, with the paths that lead to them."""

    # Blocks

    @property
    def block(self) -> Graph:
        """The graph or part that nodes are recorded into now."""
        return self.stack[-1]

    @property
    def straight(self) -> bool:
        """Whether what is traced now runs exactly once in each run: it is in no arm, loop or other part."""
        return self.called.straight and len(self.stack) == self.called.depth

    @contextlib.contextmanager
    def part(self, name: str, block: Graph | None = None) -> Iterator[Graph]:
        """Record into a new part, or again into ``block``, inside the ``with`` block."""
        if block is self.stack[-1]:  # the graph itself
            yield block
            return
        block = Graph(name) if block is None else block
        self.stack.append(block)
        try:
            yield block
        finally:
            self.stack.pop()

    def input(self, name: str, type: Type, block: Graph | None = None) -> Value:
        """A new input of the block."""
        value = Value(name, type)
        (block or self.block).inputs.append(value)
        return value

    def occurrence(self, *key: Hashable) -> Hashable:
        """A name for what happens here that stays the same when the trace begins anew: place and count."""
        location = self.location()
        place = (self.called.scope, location.filename, location.line, location.column, *key)
        self.counts[place] = self.counts.get(place, 0) + 1
        return (*place, self.counts[place])

    # Recording

    def record(self, op: Op, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> Any:
        """Record a node and return its result as the user's code sees it."""
        return self.wrap(self.record_value(op, args, kwargs))

    def record_value(self, op: Op, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> Value:
        """Record a node and return its output."""
        self.release()
        display = op.result == "fresh" and not op.writes and not op.stores and op.region is None
        display = display and op.name not in _OF_THE_OBJECT
        if op.name in made_functions.EAGER:
            args, kwargs = made_functions.of_now(args, kwargs)
        elif op.name == "call_star":
            args = (made_functions.called(self, args[0]), *args[1:])
        lowered = tuple([self.lower(arg, display) for arg in args])
        named = {key: self.lower(arg, display) for key, arg in kwargs.items()} if kwargs else {}
        if self.lazy and op.name in made_functions.THROUGH:
            made_functions.gone_through(self, lowered, op.name not in ("any", "all"))
        types = tuple([abstract(arg) for arg in lowered])
        named_types = {key: abstract(arg) for key, arg in named.items()}
        op = table.resolve(op, types, named_types)
        if op.region is None and made_functions.calls_back(op, lowered, named):
            op = foreign(op)
        type = infer(op, types, named_types)
        protected = bool(self.protected or self.watches or self.called.guarded)
        guarded = protected or self.strict
        node = Node(op, lowered, named, location=self.location(), guarded=guarded)
        output = Value(op.name, type, node)
        node.outputs = (output,)
        if protected:
            self.before_raising(node)
        self.block.nodes.append(node)
        if op.region == "outside":
            if self.handling:
                raise self.assumptions.learn(self.handling[-1])
            self.outside.forget()
        elif op.writes:
            self.outside.doubt(node)
        return output

    def add(self, node: Node) -> None:
        """Record a node made elsewhere."""
        self.release()
        if self.protected or self.watches:
            self.before_raising(node)
        self.block.nodes.append(node)

    def release(self, result: Operand = None) -> None:
        """Record which generators the code has let go of since the last node, unless they are the result."""
        if self.generators.dropped:
            generators.release(self, result)

    # Parts that may be left anywhere

    def before_raising(self, node: Node) -> None:
        """A node is to be recorded inside a ``try`` or ``with``: where it may raise, names go into their
        cells."""
        if is_total(node):
            return
        if self.watches:
            watch = self.watches[-1]
            raise watch if isinstance(watch, StagingError) else self.assumptions.learn(watch)
        self.sync()

    def sync(self) -> None:
        """Put the names that protected parts have changed into their cells."""
        for names in self.protected:
            names.sync()

    @contextlib.contextmanager
    def protecting(self, names: exception_flow.Protected) -> Iterator[None]:
        """Keep the cells of these names up to date inside the ``with`` block."""
        self.protected.append(names)
        watches, self.watches = self.watches, []
        try:
            yield
        finally:
            self.watches = watches
            self.protected.pop()

    @contextlib.contextmanager
    def watch(self, key: Hashable) -> Iterator[None]:
        """Inside the ``with`` block a node that may raise is learnt under ``key``, or refused with it."""
        self.watches.append(key)
        try:
            yield
        finally:
            self.watches.pop()

    def apply(self, name: str, *args: Any) -> Any:
        """Record the op of this name in the table."""
        return self.record(table.get(name), args)

    def apply_in_place(self, name: str, left: Tensor, right: Any) -> Any:
        """``left op= right``: on an immutable value the plain op, else the op in place."""
        if is_number_like(left._ag_value.type) and is_number_like(control_flow.leaf_type(right)):
            return self.apply(name, left, right)
        return self.apply(f"inplace_{name}", left, right)

    def location(self) -> Location:
        """The place in the user's text that runs now."""
        return user_location() or self.graph.location or Location("<unknown>", 0)

    # Between what Python code sees and operands of the graph

    def wrap(self, value: Value) -> Any:
        """What the user's code gets for a value: None and tuples as such, everything else a tensor."""
        if value.type == NONE:
            return None
        if isinstance(value.type, Tuple):
            return self.unpack(value, value.type)
        return Tensor(value, self.block, self)

    def unpack(self, value: Value, type: Tuple) -> tuple[Any, ...]:
        """The items of a tuple of known length."""
        if not type.items:
            return ()
        node = Node(table.UNPACK, (value,), location=self.location())
        node.outputs = tuple(Value(f"{value.name}_{k}", item, node) for k, item in enumerate(type.items))
        self.add(node)
        return tuple(self.wrap(item) for item in node.outputs)

    def lower(self, operand: Any, display: bool = False) -> Operand:
        """The graph's operand for what the user's code has; ``display`` as for :func:`lowering.lower`."""
        return lowering.lower(self, operand, display)

    def lower_tensor(self, tensor: Tensor, free: bool = False) -> Value:
        """The value of a tensor that may be used here; ``free`` as for :func:`autograph.defined`."""
        self.check_usable(tensor)
        value = tensor._ag_value
        if isinstance(value.type, Optional):
            return self.record_value(table.get("defined"), (RawValue(value), *([True] if free else [])))
        return value

    def check_usable(self, tensor: Tensor) -> None:
        """Refuse a symbol of another trace, or of a part that has ended."""
        if tensor._ag_tracer is not self:
            raise self.error(
                LeakedValueError,
                "a value of another trace is used here",
                why="symbols exist only while their function is traced",
                fix="return the value instead of keeping it",
            )
        if tensor._ag_block not in self.stack:
            raise self.error(
                LeakedValueError,
                f"{tensor._ag_value.name!r} was made inside a staged part that has ended",
                why="it has no value where that part did not run",
                fix="hand it out through a name that is assigned in the part",
            )

    # Refusals

    def error(
        self,
        cls: type[StagingError],
        what: str,
        *,
        why: str = "",
        fix: str = "",
        location: Location | None = None,
    ) -> StagingError:
        """A refusal at the user's line.

        Raises:
            Restart: instead, for what a generator does while tracing.
        """
        suspended = suspending.in_frames(self, sys._getframe(1))
        if suspended is not None:
            raise suspended
        place = location or self.location()
        return cls(
            what,
            why=why,
            fix=fix,
            filename=place.filename,
            lineno=place.line,
            line=linecache.getline(place.filename, place.line).rstrip("\n"),
            col_offset=place.column,
            end_col_offset=place.end_column if place.end_line == place.line else None,
        )

    def needs_value(self, tensor: Tensor, what: str) -> BaseException:
        """What to raise when Python needs the value of a tensor now."""
        return demands.needs_value(self, tensor, what)

    def compares(self) -> None:
        """A comparison whose operands' order matters: native code has lost it."""
        demands.compares(self)

    def convert(self, function: FunctionType) -> FunctionType | None:
        """The converted form of a function of the user's, or None for one that is to be called as it is."""
        return converting.convert(self, function)

    def tensor_of(self, operand: Operand, kind: Type) -> Tensor:
        """A tensor for an operand whatever it is."""
        if type(operand) is not Value:
            operand = self.record_value(table.get("identity"), (RawOperand(operand),))
            operand.type = kind
        return Tensor(operand, self.block, self)

    # What a loop or an unpacking needs

    def iterable_of(self, iterable: Any) -> Any:
        """A tensor to loop over when the graph runs, or something to loop over now."""
        if type(iterable) is Tensor:  # which answers to the class of what it stands for
            return iterable
        if isinstance(iterable, Traced):
            return iterable.to_iterable(self)
        if type(iterable) is Method or isinstance(iterable, dict):
            return list(iterable)  # type: ignore[arg-type]
        return iterable

    def lower_iterable(self, iterable: Any) -> Operand:
        """The operand of a ``for`` node."""
        if type(iterable) is range:
            return self.record_value(table.find_call(range) or table.get("range"), _range_arguments(iterable))
        return self.lower(iterable, display=True)

    def known_length(self, tensor: Tensor) -> int | None:
        """The length of a value whose type tells it."""
        return loops.known_length(tensor._ag_value.type)

    def items_of(self, tensor: Tensor) -> Iterator[Any] | None:
        """The items one by one, where their number is known."""
        length = loops.known_length(tensor._ag_value.type)
        return None if length is None else (self.get_item(tensor, k) for k in range(length))

    def unpack_into(self, tensor: Tensor, count: int) -> list[Any]:
        """``a, b = tensor``: as many items as names; the run raises when there are more or fewer."""
        value = self.lower_tensor(tensor)
        item = element(value.type)
        node = Node(table.UNPACK, (value,), location=self.location())
        node.outputs = tuple(Value(f"{value.name}_{k}", item, node) for k in range(count))
        self.add(node)
        return [self.wrap(output) for output in node.outputs]

    def truth_of(self, test: Traced) -> Any:
        """The truth of a traced container."""
        return test.truth(self)

    # Attributes and items

    def get_attribute(self, tensor: Tensor, name: str) -> Any:
        """``tensor.name``."""
        return access.get_attribute(self, tensor, name)

    def set_attribute(self, tensor: Tensor, name: str, value: Any) -> None:
        """``tensor.name = value``."""
        access.set_attribute(self, tensor, name, value)

    def iterate(self, tensor: Tensor) -> Iterator[Any]:
        """Plain Python iterates over a tensor: possible when its length is known."""
        return loops.iterate(self, tensor)

    # The operators of transpiled code

    def if_stmt(self, test: Any, then: Any, orelse: Any, state: Any, names: Any) -> Any:
        return control_flow.if_stmt(self, test, then, orelse, state, names)

    def while_stmt(self, test: Any, body: Any, state: Any, names: Any, stop: Any) -> Any:
        return loops.while_stmt(self, test, body, state, names, stop)

    def for_stmt(self, iterable: Any, body: Any, state: Any, names: Any, stop: Any) -> Any:
        return loops.for_stmt(self, iterable, body, state, names, stop)

    def assert_stmt(self, test: Any, message: Any) -> None:
        control_flow.assert_stmt(self, test, message)

    def raised(self, operand: Any) -> Any:
        return exceptions.raised(self, operand)

    def try_stmt(self, body: Any, handlers: Any, orelse: Any, final: Any, read: Any, write: Any) -> None:
        exception_flow.try_stmt(self, body, handlers, orelse, final, read, write)

    def with_stmt(self, manager: Any, body: Any, read: Any, write: Any) -> None:
        exception_flow.with_stmt(self, manager, body, read, write)

    def unstaged(self, what: str) -> Any:
        return exception_flow.unstaged(self, what)

    def if_exp(self, test: Any, then: Any, orelse: Any) -> Any:
        return control_flow.if_stmt(self, test, then, orelse, (), ())

    def and_(self, left: Any, right: Any) -> Any:
        return control_flow.if_stmt(self, left, right, lambda: left, (), ())

    def or_(self, left: Any, right: Any) -> Any:
        return control_flow.if_stmt(self, left, lambda: left, right, (), ())

    def not_(self, operand: Any) -> Any:
        operand = control_flow.truth(self, operand)
        return self.apply("not", operand) if type(operand) is Tensor else not operand

    def is_(self, left: Any, right: Any) -> Any:
        return access.is_(self, left, right)

    def compare(self, left: Any, comparison: Any, right: Any) -> Any:
        return access.compare(self, left, comparison, right)

    def class_of(self, operand: Any) -> Any:
        return calls.call(self, type, (operand,), {})

    def contains(self, container: Any, item: Any) -> Any:
        return access.contains(self, container, item)

    def get_item(self, container: Any, index: Any) -> Any:
        return access.get_item(self, container, index)

    def star(self, items: Any) -> Any:
        return stars.star(self, items)

    def arguments(self, items: Any) -> Any:
        return stars.star(self, items, "all_arguments")

    def keywords(self, mapping: Any) -> Any:
        return stars.double_star(self, mapping, "all_keywords")

    def double_star(self, mapping: Any) -> Any:
        return stars.double_star(self, mapping)

    def unpack_star(self, items: Any, before: int, after: int) -> tuple[Any, ...]:
        return stars.unpack_star(self, items, before, after)

    def modulo(self, left: Any, right: Any) -> Any:
        if isinstance(left, str | bytes) and has_symbols(right):
            return calls.call(self, left.__mod__, (right,), {})
        return left % right

    def format(self, value: Any, conversion: str, spec: Any) -> Any:
        return access.format_value(self, value, conversion, spec)

    def join(self, pieces: tuple[Any, ...]) -> Any:
        if any(type(piece) is Tensor for piece in pieces):
            return self.apply("join", *pieces)
        return "".join(pieces)

    def new_list(self, items: list[Any]) -> Any:
        return stars.new_list(self, items)

    def new_class(self, cls: Any) -> Any:
        return made_classes.define(self, cls)

    def new_dict(self, items: dict[Any, Any]) -> Any:
        return stars.new_dict(self, items)

    def new_set(self, items: Any) -> Any:
        return stars.new_set(self, items)

    def new_tuple(self, items: tuple[Any, ...]) -> Any:
        return stars.new_tuple(self, items)

    def generator(self, made: Any) -> Any:
        if type(made) is FunctionType:
            return generators.mark(made)
        generators.note(self, made)
        return made

    def iter_(self, items: Any) -> Any:
        return items if type(items) in (range, tuple) else calls.call(self, iter, (items,), {})

    def yield_(self, value: Any) -> Any:
        return self.record(generators.YIELD, (value,))

    def yield_from(self, items: Any) -> Any:
        return self.record(generators.YIELD_FROM, (items,))

    def call(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], plain: Any = None) -> Any:
        if plain is not None and stars.any_spread(args, kwargs):
            return stars.call(self, function, args, kwargs)
        return calls.call(self, function, args, kwargs)

    def outer(self, reader: Callable[[], Any]) -> Any:
        return state.read_outer(self, reader)

    def set_outer(self, writer: Callable[[Any], None], value: Any) -> None:
        state.write_outer(self, writer, value)

    def cell(self, made: Any) -> Any:
        return cells.make(self, made)

    def del_outer(self, deleter: Callable[[], None]) -> None:
        state.delete_outer(self, deleter)

    def import_(self, importing: Callable[[], Any], module: str, names: tuple[str, ...]) -> Any:
        return imports.import_(self, importing, module, names)

    def namespace(self, names: dict[str, Any]) -> Any:
        reads = Op("globals", lambda: names, "call", "read_globals", result="alias", region="name globals()")
        value = self.record_value(reads, ())
        value.type = Dict(UNKNOWN)
        return Tensor(value, self.block, self)

    def defined(self, value: Any, free: bool = False) -> Any:
        if type(value) is Tensor and isinstance(value._ag_value.type, Optional):
            return Tensor(self.lower_tensor(value, free), self.block, self)
        return value


def is_number_like(kind: Type | None) -> bool:
    """Whether this is a number, for which ``x += y`` is ``x = x + y`` even in the words of its errors."""
    return isinstance(kind, Scalar) or (kind is not None and is_number(kind))


def infer(op: Op, types: tuple[Any, ...], named: dict[str, Any]) -> Type:
    """The type of an op's result on operands of these types."""
    if op.infer is None:
        return UNKNOWN
    found = op.infer(*types, **named)
    return found if isinstance(found, Type) else UNKNOWN


_OF_THE_OBJECT = frozenset({"str", "repr", "ascii", "format", "hash", "id"})
"""Ops that ask an object itself, and not only for what is in it."""

def _range_arguments(items: range) -> tuple[int, ...]:
    """The shortest arguments that make this range."""
    if items.step != 1:
        return (items.start, items.stop, items.step)
    return (items.start, items.stop) if items.start else (items.stop,)
