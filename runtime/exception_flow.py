"""Staging of ``try`` and ``with``: parts that may be left anywhere.

A handler sees what the body had come to when it raised, so the names that the parts change cannot be results
of the parts. They live in *cells* of the graph (lists of one item): before every node that may raise, what
the names hold by then is put into their cells (:meth:`Protected.sync`); a handler, and the code after the
statement, finds them there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from autograph.errors import StagingError, ValueNeededError
from autograph.operators.plain import matches

from . import control_flow, exceptions, hidden
from .assumptions import Restart, Unreachable
from .exceptions import SymbolicException
from .graph import Graph, Node, Value
from .location import traceback_of
from .operands import RawOperand, Traced
from .ops import table
from .tensor import Tensor
from .types import UNKNOWN, List, Optional, Type

if TYPE_CHECKING:
    from .tracing import Tracer

Handlers = tuple[tuple[Callable[[], Any] | None, Callable[[Any], None]], ...]


_UNSURE = object()
"""What no name holds: the content of a cell that a part left anywhere may have stored into."""


_DOUBTED = object()


class Protected:
    """The names that the parts of one statement change, and their cells."""

    def __init__(self, tracer: Tracer, read: Callable[[], Any], write: Callable[..., None]) -> None:
        self.tracer = tracer
        self.read = read
        self.write = write
        self.initial = tuple(read())
        self.last = self.initial
        self.types: list[Type | None] = [control_flow.leaf_type(item) for item in self.initial]
        self.changed: set[int] = set()
        self.recent: set[int] = set()
        """What was stored since a part of an inner statement began."""
        self.block = tracer.block
        self.cells: list[Value] = []
        self.busy = False

    def make_cells(self) -> None:
        """Record the cells, in the block around the statement."""
        names = self.write.__code__.co_varnames
        for name, item in zip(names, self.initial, strict=False):
            operand = RawOperand(control_flow.lower_state(self.tracer, item))
            cell = self.tracer.record_value(table.get("make_list"), (operand,))
            cell.type = List(UNKNOWN)
            cell.name = f"{name.rstrip('_')}_cell"
            self.cells.append(cell)

    def sync(self) -> None:
        """Put what has changed into the cells."""
        if self.busy:
            return
        self.busy = True
        try:
            current = tuple(self.read())
            for k, (old, new) in enumerate(zip(self.last, current, strict=True)):
                if new is not old and not control_flow.same(old, new):
                    self.store(k, new)
            self.last = current
        finally:
            self.busy = False

    def store(self, k: int, item: Any) -> None:
        """Put one value into its cell."""
        tracer = self.tracer
        operand = RawOperand(control_flow.lower_state(tracer, item))
        self.types[k] = control_flow.join_state(self.types[k], control_flow.leaf_type(item))
        self.changed.add(k)
        self.recent.add(k)
        tracer.record_value(table.get("set_item"), (RawOperand(self.cells[k]), 0, operand))

    def doubt(self) -> None:
        """Another part may have left anything in the cells that changed: what the names hold is stored anew.
        """
        self.last = tuple(_DOUBTED if k in self.changed else item for k, item in enumerate(self.last))

    def load(self) -> None:
        """Give the names what their cells hold."""
        tracer = self.tracer
        items = list(self.initial)
        self.busy = True  # the names still hold what another part left there
        for k in sorted(self.changed):
            value = tracer.record_value(table.get("get_item"), (RawOperand(self.cells[k]), 0))
            kind = self.types[k]
            value.type = Optional(UNKNOWN) if kind is None else kind
            items[k] = control_flow.seen(tracer, value)
        self.write(*items)
        self.last = tuple(self.read())
        self.busy = False


def try_stmt(
    tracer: Tracer,
    body: Callable[[], None],
    handlers: Handlers,
    orelse: Callable[[], None] | None,
    final: Callable[[], None] | None,
    read: Callable[[], Any],
    write: Callable[..., None],
) -> None:
    """``try``: plain Python while tracing when nothing in the body can raise at run time, else a ``try``
    node."""
    key = tracer.occurrence("try")
    if key not in tracer.assumptions.dynamic:
        _try_tracing(tracer, key, body, handlers, orelse, final)
        return
    location = tracer.location()
    names = Protected(tracer, read, write)
    names.make_cells()
    catches = tuple(None if classes is None else _classes(tracer, classes()) for classes, _ in handlers)
    parts = [_part(tracer, names, "try", body)]
    for _, handler in handlers:
        parts.append(_handler(tracer, names, handler))
    parts.append(Graph("else") if orelse is None else _part(tracer, names, "else", orelse, load=True))
    if final is not None:
        parts.append(_part(tracer, names, "finally", final, load=True))
    node = Node(table.TRY, catches, parts=tuple(parts), location=location)
    tracer.add(node)
    leaving = [part.completes for part in parts[1 : len(handlers) + 1]]
    leaving.append(parts[0].completes and parts[len(handlers) + 1].completes)
    if not any(leaving) or (final is not None and not parts[-1].completes):
        raise Unreachable
    names.load()


def _try_tracing(
    tracer: Tracer,
    key: Any,
    body: Callable[[], None],
    handlers: Handlers,
    orelse: Callable[[], None] | None,
    final: Callable[[], None] | None,
) -> None:
    """Run the statement while tracing, as long as no node of the body may raise."""
    left = False
    try:
        caught = _run_watched(tracer, key, body)
        if caught is None:
            if orelse is not None:
                orelse()
        else:
            _handle(tracer, key, caught, handlers)
    except _INTERNAL:
        left = True
        raise
    except BaseException as error:
        if final is not None:  # what it raises has this for its context
            exceptions.note_caught(tracer, error, key)
        raise
    finally:
        if final is not None and not left:
            final()


_INTERNAL = (Restart, Unreachable, StagingError)


def _run_watched(tracer: Tracer, key: Any, body: Callable[[], None]) -> BaseException | None:
    """Run the body; the exception that it raises while tracing, if any."""
    with tracer.watch(key):
        try:
            body()
        except _INTERNAL:
            raise
        except BaseException as error:
            if not exceptions.is_of_users(error):
                raise
            caught = error
        else:
            return None
    if isinstance(caught, SymbolicException):  # which handler catches it, only the run knows
        raise tracer.assumptions.learn(key)
    return caught


def _handle(tracer: Tracer, key: Any, caught: BaseException, handlers: Handlers) -> None:
    """Run the handler that catches the exception, or raise it again.

    Code outside that it calls may ask which exception is handled: then there has to be one in the run.
    """
    for classes, handler in handlers:
        if classes is None or matches(caught, classes()):
            if tracer.asks_for_tracebacks:
                raise tracer.assumptions.learn(key)
            try:
                raise caught
            except BaseException:
                exceptions.note_caught(tracer, caught, key)
                tracer.handling.append(key)
                try:
                    handler(caught)
                finally:
                    tracer.handling.pop()
            return
    raise caught


@exceptions.on_behalf
def with_stmt(
    tracer: Tracer,
    manager: Any,
    body: Callable[[Any], None],
    read: Callable[[], Any],
    write: Callable[..., None],
) -> None:
    """``with``: a node, as entering and leaving are effects of the run."""
    location = tracer.location()
    if not isinstance(manager, Tensor | Traced):
        for special in ("__enter__", "__exit__"):
            if not hasattr(type(manager), special):
                with manager:  # raises what the plain run raises
                    return
    operand = tracer.lower(manager)
    names = Protected(tracer, read, write)
    names.make_cells()
    block = Graph("with")
    entered = tracer.input("entered", UNKNOWN, block)
    tracer.outside.forget()
    part = _part(tracer, names, "with", lambda: body(Tensor(entered, block, tracer)), block=block)
    tracer.add(Node(table.WITH, (operand,), parts=(part,), location=location))
    tracer.outside.forget()
    names.load()


def _part(
    tracer: Tracer,
    names: Protected,
    name: str,
    run: Callable[[], None],
    *,
    block: Graph | None = None,
    load: bool = False,
) -> Graph:
    """Trace one part; its names are in their cells whenever it can be left."""

    def traced() -> None:
        if load:
            names.load()
            for outer in tracer.protected[:-1]:
                outer.doubt()
        else:
            names.write(*names.initial)
            names.last = names.initial
        run()

    around = [(outer, outer.recent) for outer in tracer.protected]
    for outer in tracer.protected:
        outer.recent = set()
    with tracer.protecting(names):
        part = control_flow.trace_part(tracer, name, traced, block)
    for outer, before in around:  # the part can have been left anywhere: its stores may have happened or not
        outer.last = tuple(_UNSURE if k in outer.recent else item for k, item in enumerate(outer.last))
        outer.recent |= before
    changes = hidden.apart_from(part.changes, (names.read,), None)
    if changes:
        raise hidden.refuse(tracer, changes, "a staged try or with statement")
    return part.block


def _handler(tracer: Tracer, names: Protected, handler: Callable[[Any], None]) -> Graph:
    """Trace a handler: inside an ``except`` of ours, so that a bare ``raise`` finds the exception."""
    block = Graph("except")
    error = SymbolicException(tracer, Tensor(tracer.input("error", UNKNOWN, block), block, tracer))

    def run() -> None:
        try:
            raise error
        except SymbolicException:
            handler(error)

    return _part(tracer, names, "except", run, block=block, load=True)


def _classes(tracer: Tracer, classes: Any) -> Any:
    """What an ``except`` clause catches; it must be known while tracing."""
    every = classes if type(classes) is tuple else (classes,)
    if any(isinstance(each, Tensor | Traced) for each in every):
        raise tracer.error(
            ValueNeededError,
            "the classes of an except clause are known only when the graph runs",
            why="an attribute or a list that holds them may hold others by then",
            fix="name them in the clause, or a tuple of them that a variable of the module holds",
        )
    return classes


@contextlib.contextmanager
def unstaged(tracer: Tracer, what: str) -> Iterator[None]:
    """Refuse every node that may raise, and all control flow, inside a construct that runs as it is."""
    refusal = tracer.error(
        ValueNeededError,
        f"{what} around symbolic code cannot be staged",
        why="what it does would have to happen when the graph runs",
        fix="write it as plain try/except or as a function marked with do_not_convert",
    )
    with tracer.watch(refusal):
        try:
            yield
        except exceptions.GROUPS as group:  # what is raised in an ``except*`` Python puts into a group
            trace = traceback_of(group)
            if trace is not None and trace.tb_next is not None:
                raise
            raise next(_internal(group), refusal) from None


def _internal(error: BaseException) -> Iterator[BaseException]:
    """What leaves the trace among the exceptions of a group."""
    if isinstance(error, exceptions.GROUPS):
        for each in error.exceptions:
            yield from _internal(each)
    elif isinstance(error, _INTERNAL):
        yield error
