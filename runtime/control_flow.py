"""Staging of parts: how ``if``, ``while``, ``for`` and ``assert`` of transpiled code become nodes.

An arm or a body is traced into a part of its own.  What it hands back is compared with what came in or with the other
arm: what is the same stays static, everything else becomes an output of the node, of the joined type.  For a loop this
is a fix-point: the body is traced again until its state fits the types that it was traced with.
"""
from __future__ import annotations

import dis
import itertools
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from autograph.errors import StagingError, UnsettledTraceError
from autograph.operators import Undefined, as_result, as_state

from . import exceptions, hidden
from .assumptions import Restart, Unreachable
from .graph import Graph, Node, Operand, Value, map_values
from .operands import RawValue, Traced, has_symbols, type_of_operand
from .ops import table
from .tensor import Tensor
from .types import UNKNOWN, Array, Optional, Tuple, Type, element, join

if TYPE_CHECKING:
    from .tracing import Tracer

UNROLL = 8
"""A loop over a range known while tracing that is no longer than this is unrolled."""
UNROLL_ITEMS = 64
"""The same for a tuple or list."""
UNROLL_MOST = 20_000
"""A loop that cannot be staged is run while tracing up to this many times."""

_UNPACK_SEQUENCE = dis.opmap["UNPACK_SEQUENCE"]


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
            part.result = run()
            tracer.sync()
            return part
        except Unreachable:
            pass
        except (Restart, StagingError):
            raise
        except BaseException as error:
            if not exceptions.is_of_users(error):
                raise
            exceptions.record_raise(tracer, error)
        finally:
            tracer.noted.pop()
            part.changes = hidden.take_back(noted, same)
            for names, (last, current) in zip(tracer.protected, before, strict=True):
                names.write(*current)  # what the part left there exists in the part alone
                names.last = last
        block.completes = False
        return part


# if ----------------------------------------------------------------------------------------------------------------


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
    merged = [
        (each.cell, outputs.merge(*(part.changes.get(key, before(each)).after for part in completing), each.name))
        for key, each in changed.items()
    ]
    outputs.finish()
    for cell, item in merged:
        hidden.put(cell, outputs.resolve(item))
    return outputs.resolve(result)


def before(each: hidden.Hidden) -> hidden.Hidden:
    """The same variable where nothing changes it."""
    return hidden.Hidden(each.cell, each.name, each.before, each.before)


def _trace_arm(tracer: Tracer, name: str, run: Any, parts: tuple[Any, ...], names: tuple[str, ...]) -> Part:
    """Trace an arm: twice where called functions change variables, to know which of them are of outside."""
    counts = dict(tracer.counts)
    part = trace_part(tracer, name, run)
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


# assert ------------------------------------------------------------------------------------------------------------


def assert_stmt(tracer: Tracer, test: Any, message: Callable[[], Any] | None) -> None:
    """``assert``: an ``if`` whose other arm raises."""

    def fail() -> None:
        error = AssertionError() if message is None else AssertionError(message())
        exceptions.deliberate(error)
        raise error

    if_stmt(tracer, test, lambda: None, fail, (), ())


# Loops -------------------------------------------------------------------------------------------------------------


def while_stmt(tracer: Tracer, test: Any, body: Any, state: Any, names: Any, stop: str | None) -> Any:
    """``while``: a node, or a loop that runs while tracing where its body cannot be staged."""
    key = tracer.occurrence("while")
    refusal = tracer.assumptions.unrolled.get(key)
    if refusal is not None:
        return _while_tracing(tracer, test, body, state, names, stop, refusal)
    loop = _Loop(tracer, key, state, names, stop)
    try:
        return loop.stage_while(test, body)
    except StagingError as error:
        raise tracer.assumptions.unroll(key, error) from None


def _while_tracing(
    tracer: Tracer, test: Any, body: Any, state: Any, names: Any, stop: str | None, refusal: StagingError
) -> Any:
    """Run the loop while tracing; its test and its stop must be known."""
    at = names.index(stop) if stop is not None else None
    for _ in range(UNROLL_MOST):
        if at is not None and type(state[at]) is Tensor:
            raise refusal
        if at is not None and state[at]:
            return as_result(state, names)
        result = truth(tracer, test(*state))
        if type(result) is Tensor:
            raise refusal
        if not result:
            return as_result(state, names)
        state = as_state(body(*state), names)
    raise refusal


def for_stmt(tracer: Tracer, iterable: Any, body: Any, state: Any, names: Any, stop: str | None) -> Any:
    """``for``: a node over what only the run knows or what is long, else unrolled."""
    iterable = tracer.iterable_of(iterable)
    key = tracer.occurrence("for")
    symbolic = type(iterable) is Tensor
    refusal = tracer.assumptions.unrolled.get(key)
    if not symbolic:
        most = UNROLL if type(iterable) is range else UNROLL_ITEMS
        if not hasattr(iterable, "__len__") or len(iterable) <= most or refusal is not None:
            return _for_tracing(tracer, iter(iterable), body, state, names, stop, refusal)
    elif refusal is not None:
        items = tracer.items_of(iterable)
        if items is None:
            raise refusal
        return _for_tracing(tracer, items, body, state, names, stop, refusal)
    loop = _Loop(tracer, key, state, names, stop)
    try:
        return loop.stage_for(iterable, body)
    except StagingError as error:
        tracer.make_range_static(iterable)
        raise tracer.assumptions.unroll(key, error) from None


def _for_tracing(
    tracer: Tracer,
    items: Iterator[Any],
    body: Any,
    state: Any,
    names: Any,
    stop: str | None,
    refusal: StagingError | None,
) -> Any:
    """Run the loop while tracing; once ``stop`` is symbolic the other iterations go into an ``if`` each."""
    at = names.index(stop) if stop is not None else None
    for count, item in enumerate(items):
        if count >= UNROLL_MOST:
            raise refusal or tracer.error(
                UnsettledTraceError,
                f"a loop over more than {UNROLL_MOST} items runs while tracing",
                fix="loop over a range or an array",
            )
        state = as_state(body(item, *state), names)
        if at is None:
            continue
        flag = state[at]
        if type(flag) is Tensor:
            rest = list(itertools.islice(items, UNROLL_MOST))
            if not rest:
                break

            def others(*state: Any, rest: list[Any] = rest) -> Any:
                cleared = state[:at] + (False,) + state[at + 1 :]  # type: ignore[operator]
                return _for_tracing(tracer, iter(rest), body, cleared, names, stop, refusal)

            return if_stmt(tracer, flag, lambda *state: as_result(state, names), others, state, names)
        if flag:
            break
    return as_result(state, names)


def iterate(tracer: Tracer, tensor: Tensor) -> Iterator[Any]:
    """Plain iteration over a tensor: unpacking, or a known number of items."""
    frame = sys._getframe(3)  # past Tracer.iterate and Tensor.__iter__
    code = frame.f_code.co_code
    if code[frame.f_lasti] == _UNPACK_SEQUENCE:
        return iter(tracer.unpack_into(tensor, code[frame.f_lasti + 1]))
    items = tracer.items_of(tensor)
    if items is None:
        raise tracer.needs_value(tensor, "its items")
    return items


def known_length(kind: Type) -> int | None:
    """How many items a value of this type has, when its type tells."""
    if isinstance(kind, Array) and kind.shape:
        length = kind.shape[0]
        return length if isinstance(length, int) else None
    return None


class _Whole(Exception):
    """A tuple of the state changes its structure in the loop."""

    def __init__(self, index: int) -> None:
        self.index = index


def _count(structure: Any) -> int:
    """How many leaves a value of this structure has."""
    return 1 if structure is None else sum(map(_count, structure))


class _Loop:
    """The fix-point over the state of one loop."""

    def __init__(self, tracer: Tracer, key: Any, state: Any, names: tuple[str, ...], stop: str | None) -> None:
        self.tracer = tracer
        self.key = key
        self.names = names
        self.stop = stop
        self.location = tracer.location()
        self.structure = [structure_of(item) for item in state]
        self.initial: list[Any] = []
        self.leaf_names: list[str] = []
        for name, item in zip(names, state, strict=True):
            leaves = list(leaves_of(item))
            self.initial += leaves
            self.leaf_names += [name] if len(leaves) == 1 else [f"{name}_{k}" for k in range(len(leaves))]
        self.types = self._first_types()
        self.counts = dict(tracer.counts)
        self.hidden: list[hidden.Hidden] = []
        """The variables of enclosing functions that called functions change: the last of the state."""
        self.changed: hidden.Changes = {}

    def _first_types(self) -> list[Type | None]:
        """What is carried at first: symbols and numbers; None is for what stays static."""
        known = self.tracer.assumptions.carries.get(self.key)
        if known is not None and len(known) == len(self.initial):
            return [
                old if old is None else join_state(old, self._initial_type(leaf))
                for old, leaf in zip(known, self.initial, strict=True)
            ]
        return [
            self._initial_type(leaf)
            if name == self.stop or type(leaf) in (Tensor, int, float, complex)
            else None
            for name, leaf in zip(self.leaf_names, self.initial, strict=True)
        ]

    def _initial_type(self, leaf: Any) -> Type | None:
        return leaf_type(leaf)

    def stage_while(self, test: Any, body: Any) -> Any:
        """Trace test and body until the state settles, and record the ``while`` node."""
        while True:
            self.tracer.counts = dict(self.counts)
            test_block, body_block = Graph("test"), Graph("body")
            test_state = self._inputs(test_block)
            tested = trace_part(self.tracer, "test", lambda s=test_state: test(*self._reveal(s)), test_block)
            if tested.changes:
                raise hidden.refuse(self.tracer, tested.changes, "the test of a staged loop")
            if test_block.completes and type(tested.result) is not Tensor and not tested.result:
                return self._unchanged()
            body_state = self._inputs(body_block)
            done = trace_part(
                self.tracer,
                "body",
                lambda s=body_state: as_state(body(*self._reveal(s)), self.names) + self._revealed(),
                body_block,
            )
            if self._settled(done) and not self._finds_hidden(done, (test, body)):
                break
        if test_block.completes:
            with self.tracer.part("", test_block):
                test_block.results = (self.tracer.lower(truth(self.tracer, tested.result)),)
        node = Node(table.WHILE, parts=(test_block, body_block), location=self.location)
        return self._finish(node, done, ())

    def stage_for(self, iterable: Any, body: Any) -> Any:
        """Trace the body until the state settles, and record the ``for`` node."""
        operand = self.tracer.lower_iterable(iterable)
        item_type = element(type_of_operand(operand))
        while True:
            self.tracer.counts = dict(self.counts)
            block = Graph("body")
            item = self.tracer.input(_item_name(body), item_type, block)
            state = self._inputs(block)
            done = trace_part(
                self.tracer,
                "body",
                lambda s=state, item=item: (
                    as_state(body(self.tracer.wrap(item), *self._reveal(s)), self.names) + self._revealed()
                ),
                block,
            )
            if self._settled(done) and not self._finds_hidden(done, (body,)):
                break
        node = Node(table.FOR, parts=(block,), location=self.location)
        return self._finish(node, done, (operand,))

    # Hidden state

    def _reveal(self, state: list[Any]) -> list[Any]:
        """Put the hidden state into its cells; what is left is the state that the body takes."""
        count = len(self.names)
        for each, item in zip(self.hidden, state[count:], strict=True):
            hidden.put(each.cell, item)
        return state[:count]

    def _revealed(self) -> tuple[Any, ...]:
        return tuple(hidden.contents(each.cell, each.name) for each in self.hidden)

    def _finds_hidden(self, done: Part, parts: tuple[Any, ...]) -> bool:
        """Whether the body must be traced again, as called functions change variables that are not carried yet."""
        for each in self.hidden:
            hidden.put(each.cell, each.before)
        carried = {id(each.cell) for each in self.hidden}
        changed = hidden.apart_from(done.changes, parts, self.names)
        changed = {key: each for key, each in changed.items() if key not in carried}
        found = [each for key, each in changed.items() if key in self.changed]
        again = bool(found) or len(changed) > len(self.changed)
        self.changed = changed
        for each in found:
            self.hidden.append(each)
            leaves = list(leaves_of(each.before))
            self.structure.append(structure_of(each.before))
            self.initial += leaves
            self.types += map(leaf_type, leaves)
            self.leaf_names += [each.name] if len(leaves) == 1 else [f"{each.name}_{k}" for k in range(len(leaves))]
        return again

    # State

    def _inputs(self, block: Graph) -> list[Any]:
        """The state that a part is traced with: inputs for what is carried."""
        leaves: list[Any] = []
        for name, leaf, kind in zip(self.leaf_names, self.initial, self.types, strict=True):
            if kind is None:
                leaves.append(leaf)
            else:
                leaves.append(Tensor(self.tracer.input(name, kind, block), block, self.tracer))
        return rebuild(self.structure, leaves)

    def _leaves(self, state: Any) -> list[Any]:
        """The leaves of a new state.

        Raises:
            _Whole: a tuple has become something else, so it cannot be carried item by item.
        """
        leaves: list[Any] = []
        for index, (expected, item) in enumerate(zip(self.structure, state, strict=True)):
            if structure_of(item) == expected:
                leaves += leaves_of(item)
            elif expected is None:
                leaves.append(item)
            else:
                raise _Whole(index)
        return leaves

    def _make_whole(self, index: int) -> None:
        """Carry a tuple as one value from now on."""
        start = sum(_count(shape) for shape in self.structure[:index])
        place = slice(start, start + _count(self.structure[index]))
        (whole,) = rebuild([self.structure[index]], self.initial[place])
        self.leaf_names[place] = [(*self.names, *(each.name for each in self.hidden))[index]]
        self.structure[index] = None
        self.initial[place] = [whole]
        self.types[place] = [UNKNOWN]

    def _settled(self, done: Part) -> bool:
        """Widen the carried types by what the body handed back; whether nothing changed."""
        if not done.block.completes:
            return True
        settled = True
        try:
            leaves = self._leaves(done.result)
        except _Whole as whole:
            self._make_whole(whole.index)
            return False
        for k, (leaf, out) in enumerate(zip(self.initial, leaves, strict=True)):
            old = self.types[k]
            if old is None:
                if same(leaf, out):
                    continue
                new = join_state(leaf_type(leaf), leaf_type(out))
            else:
                new = join_state(old, leaf_type(out))
            if new != old:
                self.types[k] = new
                settled = False
        self.tracer.assumptions.carries[self.key] = tuple(self.types)
        return settled

    def _unchanged(self) -> Any:
        """The loop never runs."""
        return self._result(self.initial)

    def _result(self, leaves: list[Any]) -> Any:
        return as_result(tuple(self._reveal(rebuild(self.structure, leaves))), self.names)

    def _finish(self, node: Node, done: Part, first: tuple[Operand, ...]) -> Any:
        """Drop what the body never changes, fill the node in and record it."""
        carried = [k for k, kind in enumerate(self.types) if kind is not None]
        results: list[Operand] = []
        if done.block.completes:
            leaves = self._leaves(done.result)
            with self.tracer.part("", done.block):
                results = [lower_state(self.tracer, leaves[k]) for k in carried]
        operands = [lower_state(self.tracer, self.initial[k]) for k in carried]
        skip = len(first)
        inputs = [part.inputs[skip if part is node.parts[-1] else 0 :] for part in node.parts]
        kept = []
        replacements: dict[Value, Operand] = {}
        for place, k in enumerate(carried):
            if results and results[place] is inputs[-1][place] and self.leaf_names[k] != self.stop:
                replacements.update({block_inputs[place]: operands[place] for block_inputs in inputs})
            else:
                kept.append(place)
        for part in node.parts:
            own = skip if part is node.parts[-1] else 0
            part.inputs = part.inputs[:own] + [part.inputs[own + place] for place in kept]
            if replacements:
                substitute(part, replacements)
        if done.block.completes:
            done.block.results = tuple(map_values(results[p], lambda v: replacements.get(v, v)) for p in kept)
        node.args = (*first, *(operands[place] for place in kept))
        final = list(self.initial)
        outputs = []
        for place in kept:
            k = carried[place]
            kind = self.types[k]
            assert kind is not None
            output = Value(self.leaf_names[k], kind, node)
            outputs.append(output)
            if self.leaf_names[k] == self.stop:
                node.stop = len(outputs) - 1
        node.outputs = tuple(outputs)
        self.tracer.add(node)
        for place, output in zip(kept, outputs, strict=True):
            final[carried[place]] = seen(self.tracer, output)
        return self._result(final)


def _item_name(body: Any) -> str:
    """The name of what a loop's body takes first: the user's loop variable, where it is one."""
    code = getattr(body, "__code__", None)
    return code.co_varnames[0] if code is not None and code.co_argcount else "item"


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

