"""Staging of parts: how ``if`` and ``assert`` of transpiled code become nodes, and what parts hand back.

An arm is traced into a part of its own.  What it hands back is compared with what the other arm does: what is
the same stays static, everything else becomes an output of the node, of the joined type.  Loops, which build
on this, are in ``loops.py``.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from autograph.errors import StagingError
from autograph.operators import Undefined, as_result

from . import exceptions, hidden
from .assumptions import Restart, Unreachable
from .graph import Graph, Node, Operand, Value, map_values
from .location import drop_traceback, traced_whole
from .operands import RawValue, Traced, has_symbols, type_of_operand
from .ops import table
from .tensor import Tensor
from .types import UNKNOWN, Optional, Tuple, Type, join

if TYPE_CHECKING:
    from .tracing import Tracer



@dataclass(slots=True)
class Part:
    """A traced part: its block and, unless it never completes, what it handed back."""

    block: Graph
    result: Any = None
    changes: hidden.Changes = field(default_factory=dict)
    """The variables of enclosing functions that called functions changed."""


def trace_part(tracer: Tracer, name: str, run: Callable[[], Any], block: Graph | None = None) -> Part:
    """Trace ``run`` into a part; an exception that it raises becomes a ``raise`` node there."""
    before = [(names.last, names.read()) for names in tracer.protected]
    noted: hidden.Changes = {}
    tracer.noted.append(noted)
    with tracer.part(name, block) as block:
        part = Part(block)
        try:
            part.result = run() if block.location is None else traced_whole(run)
            tracer.sync()
            tracer.release(part.result)
            return part
        except Unreachable:
            pass
        except (Restart, StagingError):
            raise
        except BaseException as error:
            if not exceptions.is_of_users(error):
                raise
            exceptions.record_raise(tracer, error)
            drop_traceback(error)  # its frames hold on to what the code has let go of
        finally:
            tracer.noted.pop()
            part.changes = hidden.take_back(noted, same)
            _note_known(tracer, part.changes)
            for names, (last, current) in zip(tracer.protected, before, strict=True):
                names.write(*current)  # what the part left there exists in the part alone
                names.last = last
        block.completes = False
        return part


def _note_known(tracer: Tracer, changes: hidden.Changes) -> None:
    """Note the variables that a part changed and that functions know which the run was given before."""
    after = {id(each.cell): each.after for each in changes.values()}
    if after:
        for captured in tracer.captured:
            for _, _, cell, held in captured.variables:
                if id(cell) in after and not same(after[id(cell)], held):
                    tracer.left_behind[id(cell)] = cell


# if -------------------------------------------------------------------------------------------------------


def if_stmt(tracer: Tracer, test: Any, then: Any, orelse: Any, state: Any, names: tuple[str, ...]) -> Any:
    """``if``: one arm runs while tracing when the test is known, else both are traced into an ``if`` node."""
    test = truth(tracer, test)
    if orelse is None:
        orelse = lambda *state: as_result(state, names)  # noqa: E731
    if type(test) is not Tensor:
        return then(*state) if test else orelse(*state)
    location = tracer.location()
    condition = tracer.lower(test)
    parts = tuple(
        _trace_arm(tracer, name, lambda arm=arm: arm(*state), (then, orelse), names)
        for name, arm in (("then", then), ("else", orelse))
    )
    node = Node(table.IF, (condition,), parts=tuple(part.block for part in parts), location=location)
    completing = [part for part in parts if part.block.completes]
    if not completing:
        tracer.add(node)
        raise Unreachable
    outputs = _Outputs(tracer, node, completing)
    if len(names) > 1:
        columns = zip(*(part.result for part in completing), strict=True)
        result: Any = tuple(outputs.merge(*column, name) for name, column in zip(names, columns, strict=True))
    else:
        result = outputs.merge(*(part.result for part in completing), names[0] if names else "result")
    changed = {key: each for part in completing for key, each in part.changes.items()}
    merged = []
    for key, each in changed.items():
        left = [part.changes.get(key, before(each)).after for part in completing]
        merged.append((each.cell, outputs.merge(*left, each.name)))
    outputs.finish()
    for cell, item in merged:
        hidden.put(cell, outputs.resolve(item))
    return outputs.resolve(result)


def before(each: hidden.Hidden) -> hidden.Hidden:
    """The same variable where nothing changes it."""
    return hidden.Hidden(each.cell, each.name, each.function, each.before, each.before)


def _trace_arm(tracer: Tracer, name: str, run: Any, parts: tuple[Any, ...], names: tuple[str, ...]) -> Part:
    """Trace an arm: twice where called functions change variables, to know which of them are of outside."""
    counts = dict(tracer.counts)
    left = hidden.own_variables(parts, names)
    part = trace_part(tracer, name, run)
    for cell, held in left:
        if not same(hidden.contents(cell, ""), held):
            tracer.left_behind[id(cell)] = cell
            hidden.put(cell, held)
    part.changes = hidden.apart_from(part.changes, parts, names)
    if part.changes:
        first = part.changes
        tracer.counts = counts
        part = trace_part(tracer, name, run)
        part.changes = {key: each for key, each in part.changes.items() if key in first}
    return part


class _Outputs:
    """The outputs of an ``if`` node, collected while the results of its arms are merged."""

    def __init__(self, tracer: Tracer, node: Node, parts: list[Part]) -> None:
        self.tracer = tracer
        self.node = node
        self.parts = parts
        self.columns: list[tuple[Operand, ...]] = []
        self.values: list[Value] = []

    def merge(self, *items_and_name: Any) -> Any:
        """One result for what the arms hand back: the same thing, a tuple of merged items, or an output."""
        *items, name = items_and_name
        first = items[0]
        if len(items) == 1:
            if usable_after(self.tracer, first):
                return first
        elif same(first, items[1]):
            return first
        if all(type(item) is tuple and len(item) == len(first) for item in items):
            return tuple(
                self.merge(*column, f"{name}_{k}") for k, column in enumerate(zip(*items, strict=True))
            )
        operands = []
        types: list[Type | None] = []
        for part, item in zip(self.parts, items, strict=True):
            with self.tracer.part("", part.block):
                operand = lower_state(self.tracer, item)
            operands.append(operand)
            types.append(state_type(operand))
        kind = types[0]
        for other in types[1:]:
            kind = join_state(kind, other)
        output = Value(name, Optional(UNKNOWN) if kind is None else kind, self.node)
        self.columns.append(tuple(operands))
        self.values.append(output)
        return RawValue(output)

    def finish(self) -> None:
        """Write the collected outputs into the node and record it."""
        for k, part in enumerate(self.parts):
            part.block.results = tuple(column[k] for column in self.columns)
        self.node.outputs = tuple(self.values)
        self.tracer.add(self.node)

    def resolve(self, result: Any) -> Any:
        """The merged result as the user's code sees it."""
        if type(result) is RawValue:
            return seen(self.tracer, result.value)
        if type(result) is tuple:
            return tuple(self.resolve(item) for item in result)
        return result


def truth(tracer: Tracer, test: Any) -> Any:
    """What decides: a tensor where only the run knows, else the value itself."""
    if type(test) is Tensor:
        return test
    if isinstance(test, Traced):
        return tracer.truth_of(test)
    return test


def same(left: Any, right: Any) -> bool:
    """Whether two static values cannot be told apart, or are the same symbol."""
    if left is right:
        return True
    if type(left) is Tensor and type(right) is Tensor:
        return left._ag_value is right._ag_value
    if type(left) is not type(right) or has_symbols(left) or has_symbols(right):
        return False
    if type(left) is Undefined:
        return True
    if type(left) is float or type(left) is complex:
        return repr(left) == repr(right)
    return type(left) in (int, bool, str, bytes) and left == right


def usable_after(tracer: Tracer, item: Any) -> bool:
    """Whether what the only completing arm hands back exists after the ``if`` as it is."""
    if type(item) is Tensor:
        return item._ag_block in tracer.stack
    if isinstance(item, Traced):
        return item.usable(tracer)
    return not has_symbols(item)


def lower_state(tracer: Tracer, item: Any) -> Operand:
    """Like ``tracer.lower``, but a name that may be unset stays so."""
    if type(item) is Tensor and isinstance(item._ag_value.type, Optional):
        tracer.check_usable(item)
        return item._ag_value
    return tracer.lower(item)


def state_type(operand: Operand) -> Type | None:
    """The type of what a part hands back; None for a name that is not set."""
    return None if type(operand) is Undefined else type_of_operand(operand)


def join_state(left: Type | None, right: Type | None) -> Type:
    """Join where None stands for a name that is not set (and for nothing yet)."""
    if left is None and right is None:
        return Optional(UNKNOWN)
    if left is None or right is None:
        known = left if left is not None else right
        assert known is not None
        return known if isinstance(known, Optional) else Optional(known)
    return join(left, right)


def seen(tracer: Tracer, value: Value) -> Any:
    """A value that a part hands back, as the user's code sees it."""
    if isinstance(value.type, Optional):
        return Tensor(value, tracer.block, tracer)
    return tracer.wrap(value)


# assert ---------------------------------------------------------------------------------------------------


def assert_stmt(tracer: Tracer, test: Any, message: Callable[[], Any] | None) -> None:
    """``assert``: an ``if`` whose other arm raises."""

    def fail() -> None:
        error = AssertionError() if message is None else AssertionError(message())
        exceptions.deliberate(error)
        raise error

    if_stmt(tracer, test, lambda: None, fail, (), ())


# The state ------------------------------------------------------------------------------------------------


def leaf_type(leaf: Any) -> Type | None:
    """The type of a leaf of the state; None for a name that is not set."""
    if type(leaf) is Undefined:
        return None
    if type(leaf) is Tensor:
        return leaf._ag_value.type
    if isinstance(leaf, Traced):
        return leaf.type_hint()
    if type(leaf) is tuple:
        return Tuple(tuple(leaf_type(item) or UNKNOWN for item in leaf))
    return UNKNOWN if has_symbols(leaf) else type_of_operand(leaf)


def structure_of(item: Any) -> Any:
    """How tuples nest in a value of the state; None for a leaf."""
    return [structure_of(each) for each in item] if type(item) is tuple else None


def leaves_of(item: Any) -> Iterator[Any]:
    """What is inside the tuples of a value of the state."""
    if type(item) is tuple:
        for each in item:
            yield from leaves_of(each)
    else:
        yield item


def rebuild(structure: list[Any], leaves: list[Any]) -> list[Any]:
    """The other way: values of these structures from their leaves."""
    source = iter(leaves)

    def build(shape: Any) -> Any:
        return next(source) if shape is None else tuple(build(each) for each in shape)

    return [build(shape) for shape in structure]


def substitute(graph: Graph, replacements: dict[Value, Operand]) -> None:
    """Replace values by operands everywhere in a part."""

    def replace(value: Value) -> Operand:
        return replacements.get(value, value)

    for node in graph.walk():
        node.args = map_values(node.args, replace)
        node.kwargs = map_values(node.kwargs, replace)
        for part in node.parts:
            part.results = map_values(part.results, replace)
    graph.results = map_values(graph.results, replace)

