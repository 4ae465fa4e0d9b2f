"""Staging of loops: how ``while`` and ``for`` of transpiled code become nodes.

What a body hands back is compared with what came in: what is the same stays static, everything else is
carried, with the joined type. This is a fix-point: the body is traced again until its state fits the types
that it was traced with. A loop over few known items is unrolled, as is one whose body cannot be staged.
"""
from __future__ import annotations

import functools
import itertools
import sys
from collections.abc import Callable, Iterator
from types import GeneratorType
from typing import TYPE_CHECKING, Any

from autograph.errors import StagingError, UnsettledTraceError
from autograph.operators import as_result, as_state
from autograph.operators.plain import as_it_is_now, cells_of_state

from . import demands, exceptions, generators, hidden, made_functions, suspending
from .control_flow import (
    Part,
    if_stmt,
    join_state,
    leaf_type,
    leaves_of,
    lower_state,
    rebuild,
    same,
    seen,
    structure_of,
    substitute,
    trace_part,
    truth,
)
from .graph import Graph, Node, Operand, Value, map_values
from .iterators import TracedIterator
from .location import in_comprehension, instruction_at, unpacks
from .operands import type_of_operand
from .ops import table
from .tensor import Tensor
from .types import UNKNOWN, Array, Type, element

if TYPE_CHECKING:
    from .tracing import Tracer

UNROLL = 8
"""A loop over a range known while tracing that is no longer than this is unrolled."""
UNROLL_ITEMS = 64
"""The same for a tuple or list."""
UNROLL_MOST = 20_000
"""A loop that cannot be staged is run while tracing up to this many times."""



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
    cells = cells_of_state(body, names)
    for _ in range(UNROLL_MOST):
        if at is not None and type(state[at]) is Tensor:
            raise refusal
        if at is not None and state[at]:
            return as_result(state, names)
        result = truth(tracer, test(*state))
        state = as_it_is_now(state, cells) if cells else state
        if type(result) is Tensor:
            raise refusal
        if not result:
            return as_result(state, names)
        state = as_state(body(*state), names)
    raise refusal


def for_stmt(tracer: Tracer, iterable: Any, body: Any, state: Any, names: Any, stop: str | None) -> Any:
    """``for``: a node over what only the run knows or what is long, else unrolled."""
    iterable = tracer.iterable_of(iterable)
    if type(iterable) is GeneratorType:
        generators.note(tracer, iterable)
    elif type(iterable) is TracedIterator:
        iterable = iterable.to_loop(stop is not None)
    key = tracer.occurrence("for")
    symbolic = type(iterable) is Tensor
    refusal = tracer.assumptions.unrolled.get(key)
    if not symbolic:
        most = UNROLL if type(iterable) is range else UNROLL_ITEMS
        if not hasattr(iterable, "__len__") or len(iterable) <= most or refusal is not None:
            iterator = exceptions.python_does(iter, iterable)
            return _for_tracing(tracer, iterator, body, state, names, stop, refusal)
    elif refusal is not None:
        items = tracer.items_of(iterable)
        if items is None:
            raise refusal
        return _for_tracing(tracer, items, body, state, names, stop, refusal)
    loop = _Loop(tracer, key, state, names, stop)
    try:
        return loop.stage_for(iterable, body)
    except StagingError as error:
        demands.make_range_static(tracer, iterable)
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
    cells = cells_of_state(body, names)
    for count, item in enumerate(items):
        state = as_it_is_now(state, cells) if cells else state
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
            if type(items) is GeneratorType:  # how far it comes depends on the run
                generators.as_value(tracer, items)
            elif type(items) is TracedIterator:
                items = items.left_open()
            rest = list(itertools.islice(items, UNROLL_MOST))
            if not rest:
                break

            def others(*state: Any, rest: list[Any] = rest) -> Any:
                cleared = state[:at] + (False,) + state[at + 1 :]
                return _for_tracing(tracer, iter(rest), body, cleared, names, stop, refusal)

            return if_stmt(tracer, flag, lambda *state: as_result(state, names), others, state, names)
        if flag:
            break
    else:
        state = as_it_is_now(state, cells) if cells else state
    return as_result(state, names)


def iterate(tracer: Tracer, tensor: Tensor) -> Iterator[Any]:
    """Plain iteration over a tensor: unpacking, or a known number of items."""
    frame = sys._getframe(3)  # past Tracer.iterate and Tensor.__iter__
    if unpacks(frame):
        return iter(tracer.unpack_into(tensor, frame.f_code.co_code[instruction_at(frame) + 1]))
    items = tracer.items_of(tensor)
    if items is None:
        raise suspending.at_making(tracer) or tracer.needs_value(tensor, "its items")
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

    def __init__(
        self, tracer: Tracer, key: Any, state: Any, names: tuple[str, ...], stop: str | None
    ) -> None:
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
            tested = self._trace(test_block, lambda state: truth(self.tracer, test(*state)), test_state)
            if tested.changes:
                raise hidden.refuse(self.tracer, tested.changes, "the test of a staged loop")
            if test_block.completes and type(tested.result) is not Tensor and not tested.result:
                return self._unchanged()
            body_state = self._inputs(body_block)
            done = self._trace(body_block, lambda state: self._left(body(*state)), body_state)
            if self._settled(done) and not self._finds_hidden(done, (test, body)):
                break
        if test_block.completes:
            with self.tracer.part("", test_block):
                test_block.results = (self.tracer.lower(tested.result),)
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
            done = self._trace(block, functools.partial(self._iteration, body, item), state)
            if self._settled(done) and not self._finds_hidden(done, (body,)):
                break
        op = table.FOR_OF_COMPREHENSION if in_comprehension() else table.FOR
        node = Node(op, parts=(block,), location=self.location)
        result = self._finish(node, done, (operand,))
        if self.stop is None and not self.tracer.protected:  # it is at its end
            made_functions.gone_through(self.tracer, (operand,))
        return result

    def _trace(self, block: Graph, run: Callable[[list[Any]], Any], state: list[Any]) -> Part:
        """Trace a part on this state, of which the hidden one goes into its cells."""
        return trace_part(self.tracer, block.name, lambda: run(self._reveal(state)), block)

    def _iteration(self, body: Any, item: Value, state: list[Any]) -> tuple[Any, ...]:
        return self._left(body(self.tracer.wrap(item), *state))

    # Hidden state

    def _left(self, result: Any) -> tuple[Any, ...]:
        """The state that a body leaves, the hidden one behind the other."""
        return (*as_state(result, self.names), *self._revealed())

    def _reveal(self, state: list[Any]) -> list[Any]:
        """Put the hidden state into its cells; what is left is the state that the body takes."""
        count = len(self.names)
        for each, item in zip(self.hidden, state[count:], strict=True):
            hidden.put(each.cell, item)
        return state[:count]

    def _revealed(self) -> tuple[Any, ...]:
        return tuple(hidden.contents(each.cell, each.name) for each in self.hidden)

    def _finds_hidden(self, done: Part, parts: tuple[Any, ...]) -> bool:
        """Whether the body must be traced again: called functions change variables not carried yet."""
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
            many = len(leaves) != 1
            self.leaf_names += [f"{each.name}_{k}" if many else each.name for k in range(len(leaves))]
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
