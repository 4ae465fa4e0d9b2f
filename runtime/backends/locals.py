"""Locals for the values of a block: liveness, and values that share a local.

Positions number the statements; a value is live on half-open ranges of positions, with holes (an arm of an
``if`` that does not need it).  A carry or the output of an ``if`` has several definitions, so what is
computed is plain backward liveness over structured code.  On the way dead copies and dead pure statements are
dropped.

Two values whose ranges do not meet may share a local.  Asked first are the two sides of copies, innermost
loops first, so that carries and outputs cost nothing; then values with the same name of the user's, which
frees what plain Python would have freed by assigning the name again.  (Coalescing as in Chaitin et al.,
"Register allocation via coloring", 1981.)
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable

from ..graph import Value
from ..naming import is_named_by_op, stem_of
from .blocks import Block, Branch, Copies, Line, Loop, Protected
from .expressions import Globals

Live = dict[Value, int]
"""The live values, each with the end of its range."""
Range = tuple[int, int]


def assign_locals(block: Block, inputs: Iterable[Value], constants: Globals) -> dict[Value, str]:
    """The local of every value in ``block``; marks dead statements and drops dead copies."""
    liveness = _Liveness()
    liveness.number(block, 1)
    live: Live = {}
    liveness.walk(block, live)
    for value in inputs:
        liveness.close(value, live, 0)
    sharing = _Sharing(liveness.ranges)
    for _, target, source in sorted(liveness.copies, key=_urgency):
        sharing.join(target, source)
    by_stem: dict[str, list[Value]] = {}
    for value in liveness.ranges:
        by_stem.setdefault(stem_of(value.name), []).append(value)
    fixed = set(inputs)
    for values in by_stem.values():
        if len(values) > 1:
            sharing.join_all(values)
    return sharing.names(fixed, constants)


def _urgency(copy: tuple[int, Value, Value]) -> tuple[int, bool]:
    """Inner loops first; then what has one name."""
    depth, target, source = copy
    return -depth, stem_of(target.name) != stem_of(source.name)


class _Liveness:
    """One backward walk over a numbered block."""

    def __init__(self) -> None:
        self.ranges: dict[Value, list[Range]] = {}
        self.copies: list[tuple[int, Value, Value]] = []
        self._depth = 0
        self._unused: set[Value] = set()
        self._kept: frozenset[Value] = frozenset()
        """What parts around may look at whenever this one is left: live all along, whatever is written."""

    def number(self, block: Block, position: int) -> int:
        """Give every statement its place; the first free position after the block."""
        for item in block:
            if isinstance(item, Line | Copies):
                item.position = position
                position += 1
            elif isinstance(item, Branch):
                item.position = position
                item.middle = self.number(item.then, position + 1)
                item.end = self.number(item.orelse, item.middle + 1)
                position = item.end + 1
            elif isinstance(item, Protected):
                item.position = position
                position += 1
                for _, part in item.parts():
                    position = self.number(part, position + 1)
                item.end = position
                position += 1
            else:
                item.position = position
                item.middle = self.number(item.test, position + 1)
                item.end = self.number(item.body, item.middle + 1)
                position = item.end + 1
        return position

    def close(self, value: Value, live: Live, position: int) -> bool:
        """``value`` is defined here; whether anybody reads it later."""
        end = live.pop(value, None)
        self.ranges.setdefault(value, []).append((position, position + 1 if end is None else end))
        return end is not None

    def walk(self, block: Block, live: Live) -> None:
        """From what is live after ``block`` to what is live before it, in place."""
        for item in reversed(block):
            if isinstance(item, Line):
                self._line(item, live)
            elif isinstance(item, Copies):
                self._copies(item, live)
            elif isinstance(item, Branch):
                self._branch(item, live)
            elif isinstance(item, Protected):
                self._protected(item, live)
            else:
                self._loop(item, live)

    def _line(self, line: Line, live: Live) -> None:
        if line.ends:
            live.clear()
        if line.pure and not any(value in live or value in self._kept for value in line.writes):
            line.dead = True
            return
        line.unused = not any(value in live or value in self._kept for value in line.writes)
        if line.unused:
            self._unused.update(line.writes)
        for value in line.writes:
            if value not in self._kept:
                self.close(value, live, line.position)
        for value in line.reads:
            live.setdefault(value, line.position)

    def _copies(self, copies: Copies, live: Live) -> None:
        kept = self._kept
        copies.pairs = [
            pair for pair in copies.pairs if pair[0] in live or pair[0] in kept or not pair[1].pure
        ]
        for target, _, source in copies.pairs:
            if target not in kept:
                self.close(target, live, copies.position)
            if source is not None:
                self.copies.append((self._depth, target, source))
        for _, expression, _ in copies.pairs:
            for value in expression.reads:
                live.setdefault(value, copies.position)

    def _branch(self, branch: Branch, live: Live) -> None:
        starts = (branch.position + 1, branch.middle + 1)
        ends = (branch.middle, branch.end)
        arms: list[Live] = []
        for part, end in zip((branch.then, branch.orelse), ends, strict=True):
            arm = dict.fromkeys(live, end)
            self.walk(part, arm)
            arms.append(arm)
        then, orelse = arms
        through = {
            value: end
            for value, end in live.items()
            if then.get(value) == ends[0] and orelse.get(value) == ends[1]
        }
        for value, end in live.items():
            if value not in through:
                self.ranges.setdefault(value, []).append((ends[1], end))
        for arm, start in zip(arms, starts, strict=True):
            for value, end in arm.items():
                if value not in through and end > start:
                    self.ranges.setdefault(value, []).append((start, end))
        live.clear()
        live.update(through)
        for value in (*then, *orelse, *branch.test.reads):
            live.setdefault(value, branch.position)

    def _protected(self, item: Protected, live: Live) -> None:
        """What is read inside is live all along, as every part may be entered from the middle of another."""
        for value in item.reads | item.slots:
            live.setdefault(value, item.end)
        around, self._kept = self._kept, self._kept | item.slots
        for first, part in item.parts():
            inner: Live = {}
            self.walk(part, inner)
            if first is not None:
                self.close(first, inner, item.position)
        self._kept = around

    def _loop(self, loop: Loop, live: Live) -> None:
        carry = [value for value in loop.carry if value in loop.reads or value in live]
        for value in loop.reads:
            if value not in loop.carry:
                live.setdefault(value, loop.end)
        self._depth += 1
        body = dict.fromkeys(carry, loop.end)
        self.walk(loop.body, body)
        for target in loop.targets:
            self.close(target, body, loop.middle)
        loop.lets_go = [value for value in loop.lets_go if value in self.ranges and value not in self._unused]
        for value in loop.lets_go:
            self.ranges[value].append((loop.middle, loop.end + 1))
        for value in carry:
            if value in live:
                self.ranges.setdefault(value, []).append((loop.end, live.pop(value)))
            if value in body and body[value] > loop.middle:
                self.ranges.setdefault(value, []).append((loop.middle, body[value]))
            live[value] = loop.middle
        if loop.iterable is None:
            test = dict.fromkeys(carry, loop.middle)
            for value in loop.condition.reads if loop.condition is not None else ():
                test.setdefault(value, loop.middle)
            self.walk(loop.test, test)
        self._depth -= 1
        for value in loop.iterable.reads if loop.iterable is not None else ():
            live.setdefault(value, loop.position)


class _Sharing:
    """Classes of values that share a local (union-find), each with its ranges in order."""

    def __init__(self, ranges: dict[Value, list[Range]]) -> None:
        self._parents: dict[Value, Value] = {}
        self._ranges = ranges
        self._members: dict[Value, list[Value]] = {}
        for value, each in ranges.items():
            if len(each) > 1:
                ranges[value] = _merged(each)

    def find(self, value: Value) -> Value:
        """The class of a value."""
        parent = self._parents.get(value, value)
        while parent is not value:
            value, parent = parent, self._parents.get(parent, parent)
        return value

    def join(self, left: Value, right: Value) -> bool:
        """Let two values share a local if they are never live together."""
        left, right = self.find(left), self.find(right)
        if left is right:
            return True
        if left not in self._ranges or right not in self._ranges:
            return False
        if len(self._ranges[left]) < len(self._ranges[right]):
            left, right = right, left
        many, few = self._ranges[left], self._ranges[right]
        for start, end in few:
            place = bisect_left(many, (end, 0)) - 1
            if place >= 0 and many[place][1] > start:
                return False
        for each in few:
            insort(many, each)
        self._parents[right] = left
        self._members.setdefault(left, [left]).extend(self._members.pop(right, [right]))
        return True

    def join_all(self, values: list[Value]) -> None:
        """Let values of the same name share locals, each with the first class that takes it."""
        classes: list[Value] = []
        for value in sorted(values, key=lambda each: self._ranges[self.find(each)][0]):
            for each in classes:
                if self.join(each, value):
                    break
            else:
                classes.append(value)

    def names(self, fixed: set[Value], constants: Globals) -> dict[Value, str]:
        """A name for every value: an input's own, else the shortest in the class, without its number if that
        is free."""
        found: dict[Value, str] = {}
        taken = {value.name for value in self._ranges}
        used = {value.name for value in fixed}
        for root in [value for value in self._ranges if self.find(value) is value]:
            members = self._members.get(root, [root])
            given = [value for value in members if value in fixed]
            if given:
                name = given[0].name
            else:
                best = min(members, key=lambda value: (is_named_by_op(value), len(value.name), value.name))
                name, stem = best.name, stem_of(best.name)
                if stem not in taken and not constants.is_taken(stem):
                    name = stem
                elif name in used or (is_named_by_op(best) and constants.is_taken(name)):
                    count = 1  # a copy that the program makes has the name of what it copies
                    while f"{stem}_{count}" in taken or constants.is_taken(f"{stem}_{count}"):
                        count += 1
                    name = f"{stem}_{count}"
            taken.add(name)
            used.add(name)
            for value in members:
                found[value] = name
        return found


def _merged(ranges: list[Range]) -> list[Range]:
    """The same positions as ranges in order that do not overlap."""
    ranges.sort()
    merged = ranges[:1]
    for start, end in ranges[1:]:
        if start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
