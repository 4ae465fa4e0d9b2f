"""``break``, ``continue`` and ``return`` become structure, or flags where structure does not do.

After this pass a jump is left only where Python itself carries it out: a ``return`` at the end of a function
or of an arm whose ``if`` hands its result on, or under tests that no data decides.  What follows an ``if``
with a jump becomes its ``else`` part; ``rests`` notes where, so that the text need not nest, and ``headed``
that there is an ``else`` of the user's.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import gast

from autograph.analysis.jumps import BREAK, CONTINUE, LOOPS, RETURN, endless, falls, kinds, staged_return
from autograph.analysis.liveness import TRIES, may_swallow
from autograph.analysis.scopes import scope_of
from autograph.passes.context import Context
from autograph.tree import (
    FUNCTIONS,
    assign,
    at,
    blocks,
    constant,
    keep_comments,
    load,
    walk,
)


def jumps(tree: Any, context: Context) -> Any:
    """Lower the jumps of every function in ``tree``.

    >>> tree = gast.parse('''
    ... def f(x):
    ...     for i in x:
    ...         if i > 3:
    ...             break
    ...         g(i)
    ... ''')
    >>> print(gast.unparse(jumps(tree, Context())).strip())
    def f(x):
        stop = False
        for i in x:
            if i > 3:
                stop = True
            else:
                g(i)
    """
    for node in walk(tree):
        if isinstance(node, FUNCTIONS) and not getattr(node, "generator", False):
            prune(node.body)
            _single(node, context)
            _divide(node.body, context)
            lowered = _Lowering(context, node).block(node.body, _Way(flagged=False, loop=None), tail=True)
            node.body = lowered or [at(gast.Pass(), node)]
    return tree


def _single(function: Any, context: Context) -> None:
    """``with a, b:`` is ``with a:`` around ``with b:``."""
    for node in walk(function):
        if isinstance(node, gast.With) and len(node.items) > 1:
            rest = gast.With(items=node.items[1:], body=node.body, type_comment=None)
            inner = at(rest, node.items[1].context_expr)
            inner.transparent = getattr(node, "transparent", False)
            last = inner.items[0].optional_vars or inner.items[0].context_expr
            inner.header = f"with {context.header(inner, last)}"
            node.items, node.body = node.items[:1], [inner]
            _single(inner, context)


def prune(statements: list[Any]) -> None:
    """Drop what control never reaches, in place.

    >>> tree = gast.parse("if a:\\n  raise b\\n  c\\nelse:\\n  raise d\\ne\\n")
    >>> prune(tree.body)
    >>> print(gast.unparse(tree).strip())
    if a:
        raise b
    else:
        raise d
    """
    for index, statement in enumerate(statements):
        for block in blocks(statement):
            prune(block)
        if not falls([statement]):
            del statements[index + 1 :]
            return


DEEPEST = 30
"""Links of a chain nest in the graph, and in calls while tracing.  What would nest deeper (early returns,
``elif``) comes one after the other, under tests of flags.
"""


def _divide(statements: list[Any], context: Context) -> None:
    """Divide long ``elif`` chains without jumps: the last ``else`` of each piece leads to the next.

    >>> chain = "\\nel".join(f"if x == {n}: y = {n}" for n in range(40))
    >>> tree = gast.parse(chain)
    >>> _divide(tree.body, Context())
    >>> [type(s).__name__ for s in tree.body]
    ['Assign', 'If', 'If']
    """
    done: list[Any] = []
    for statement in statements:
        done.append(statement)
        chain = [statement]
        while isinstance(chain[-1], gast.If) and len(chain[-1].orelse) == 1:
            chain.append(chain[-1].orelse[0])
        if len(chain) > 1 and not isinstance(chain[-1], gast.If):
            chain.pop()
        jumping = [number for number, link in enumerate(chain) if kinds(link.body)] if len(chain) > 1 else []
        if jumping:
            chain = chain[: jumping[-1] + 1]  # what follows has no jumps: a chain of its own
        for link in chain:
            for block in blocks(link):
                if link is chain[-1] or block is not link.orelse:
                    _divide(block, context)
        if len(chain) <= DEEPEST or kinds([statement]):
            continue
        other = context.stable("other")
        context.flags.add(other)
        done.insert(-1, at(assign(other, constant(False)), statement))
        for last, first in zip(chain[DEEPEST - 1 : -1 : DEEPEST], chain[DEEPEST::DEEPEST], strict=False):
            last.orelse = [at(assign(other, constant(True)), first)]
            body = [at(assign(other, constant(False)), first), first]
            done.append(at(gast.If(test=load(other), body=body, orelse=[]), first))
            done[-1].made = True
    statements[:] = done


@dataclass
class _Loop:
    """The loop that is being lowered: its flags, and which of them are used."""

    stop: str
    skip: str
    stops: bool = False
    skips: bool = False


@dataclass
class _Way:
    """How a jump leaves a block: ``flagged`` returns set ``returned`` and ``result``; ``loop`` takes the
    others.
    """

    flagged: bool
    loop: _Loop | None


class _Lowering:
    def __init__(self, context: Context, function: Any) -> None:
        self.context = context
        scope = getattr(function, "scope", None) or scope_of(function)
        self.rebound = scope.rebound_inside  # by what is called
        self.shared = scope.nonlocal_ | scope.captured | scope.rebound_inside
        self.levels = {"stop": 0, "skip": 0}  # of the loops around that need such a flag
        self.nesting = 0

    def name(self, base: str, level: int = 0) -> str:
        name = self.context.stable(base if level < 2 else f"{base}_{level}")
        self.context.flags.add(name)
        return name

    @property
    def returned(self) -> str:
        return self.name("returned")

    @property
    def result(self) -> str:
        return self.name("result")

    def block(self, statements: list[Any], way: _Way, tail: bool) -> list[Any]:
        """Lower ``statements``; ``tail`` says that nothing runs after them on this way."""
        done: list[Any] = []
        todo = list(statements)
        while todo:
            statement, todo = todo[0], todo[1:]
            if isinstance(statement, (gast.Return, gast.Break, gast.Continue)):
                return done + self.jump(statement, way, tail)
            if isinstance(statement, gast.Raise):
                return [*done, statement]
            if isinstance(statement, gast.If):
                statement.headed = bool(statement.orelse) and not getattr(statement, "made", False)
                new, todo = self.if_(statement, todo, way, tail)
            elif isinstance(statement, LOOPS):
                new, todo = self.loop(statement, todo, way)
            elif blocks(statement):
                new, todo = self.native(statement, todo, way)
            else:
                new = [statement]
            done += keep_comments(new, statement)
        return done

    def jump(self, statement: Any, way: _Way, tail: bool) -> list[Any]:
        already = getattr(statement, "already", False)
        new: list[Any] = []
        if isinstance(statement, gast.Return):
            if not way.flagged:
                if not already:
                    return [statement]
                new = [gast.Return(value=load(self.result))]
            else:
                if not already:
                    value = statement.value if statement.value is not None else constant(None)
                    new = [assign(self.returned, constant(True)), assign(self.result, value)]
                    new = new[::-1]
                if way.loop is not None:
                    way.loop.stops = True
                    if way.loop.stop != self.returned:
                        new.append(assign(way.loop.stop, constant(True)))
        elif isinstance(statement, gast.Break):
            assert way.loop is not None
            way.loop.stops = True
            new = [assign(way.loop.stop, constant(True))]
        elif not already and not tail:
            assert way.loop is not None
            way.loop.skips = True
            new = [assign(way.loop.skip, constant(True))]
        if getattr(statement, "overrides", False) and way.loop is not None:
            if isinstance(statement, (gast.Break, gast.Continue)):
                new.insert(0, assign(self.returned, constant(False)))
            if isinstance(statement, gast.Continue):
                new.insert(0, assign(way.loop.stop, constant(False)))
        if not new and (getattr(statement, "comments_before", None) or hasattr(statement, "comment_after")):
            new = [gast.Pass()]
        return keep_comments([at(node, statement) for node in new], statement)

    def if_(self, statement: Any, rest: list[Any], way: _Way, tail: bool) -> tuple[list[Any], list[Any]]:
        """An ``if``: move the rest into the arm that falls through, else guard it by a flag."""
        found = kinds([statement])
        native = getattr(statement, "static", False)
        if not found or (
            not way.flagged and native and not staged_return(blocks(statement)[0] + blocks(statement)[1])
        ):
            goes_on = falls([statement])  # asked before ``while True`` loses its ``break``
            statement.body = self.arm(statement.body, way, False, statement)
            statement.orelse = self.block(statement.orelse, way, False)
            return [statement], rest if goes_on else []
        then_falls, else_falls = falls(statement.body), falls(statement.orelse)
        if self.nesting >= DEEPEST and (rest or statement.orelse) and not (then_falls and else_falls):
            return self.flat([statement, *rest], way), []
        if not then_falls or not else_falls or not rest:
            if then_falls and not else_falls:
                statement.rests = "body" if rest else None
                statement.body, rest = statement.body + rest, []
            elif else_falls:
                statement.rests = "orelse" if rest else None
                statement.orelse, rest = statement.orelse + rest, []
            tail = tail or (not way.flagged and not falls([statement]))
            if way.flagged or (tail and (native or not self.hands_on(statement))):
                statement.returns = not way.flagged and not native
                self.nesting += 1
                if isinstance(statement.body[0], gast.Continue):
                    statement.skips = "continue"
                statement.body = self.block(statement.body, way, tail)
                statement.orelse = self.block(statement.orelse, way, tail)
                self.nesting -= 1
                return self.tidy(statement), []
        if not way.flagged:
            flagged = _Way(flagged=True, loop=None)
            new = self.opening(statement)
            ends = not falls([statement])
            new += self.if_(statement, [], flagged, False)[0]
            if ends:
                jump = at(gast.Return(value=None), statement)
                jump.already = True
                return new, [jump]
            return new, self.guard({RETURN}, statement, way) + rest
        statement.body = self.arm(statement.body, way, False, statement)
        statement.orelse = self.block(statement.orelse, way, False)
        return [statement], (self.guard(found, statement, way) + rest if rest else [])

    def opening(self, statement: Any) -> list[Any]:
        """What says that nothing has returned yet; none before a guard, which asks whether something has."""
        asked = walk(statement.test) if isinstance(statement, gast.If) else ()
        if any(isinstance(node, gast.Name) and node.id == self.returned for node in asked):
            return []
        return [at(assign(self.returned, constant(False)), statement)]

    def hands_on(self, statement: Any) -> bool:
        """Whether an arm assigns what other functions see: more than a result comes out of it."""
        if not self.shared:
            return False
        nodes = [node for arm in (statement.body, statement.orelse) for each in arm for node in walk(each)]
        if self.rebound and any(isinstance(node, gast.Call) for node in nodes):
            return True
        return any(
            isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load) and node.id in self.shared
            for node in nodes
        )

    def flat(self, statements: list[Any], way: _Way) -> list[Any]:
        """Statements with jumps one after the other: what follows a jump is under a test of its flag."""
        ends = not falls(statements)
        inner = way if way.flagged else _Way(flagged=True, loop=None)
        new: list[Any] = []
        if not way.flagged:
            new += self.opening(statements[0])
        before: set[str] = set()
        group: list[Any] = []
        waiting = statements[::-1]
        nesting, self.nesting = self.nesting, 0
        while waiting:
            statement = waiting.pop()
            if isinstance(statement, gast.If) and statement.orelse and not falls(statement.body):
                waiting += statement.orelse[::-1]
                statement.orelse = []
            group.append(statement)
            found = kinds([statement])
            if not found and waiting:
                continue
            if before:
                test = gast.UnaryOp(op=gast.Not(), operand=self.taken(before, inner))
                body = self.arm(group, inner, False, group[0])
                new.append(at(gast.If(test=test, body=body, orelse=[]), group[0]))
                new[-1].made = True
            else:
                new += self.block(group, inner, False)
            before |= found
            group = []
        self.nesting = nesting
        if not way.flagged:
            jump = at(gast.Return(value=None), statements[0])
            jump.already = True
            new += self.block([jump] if ends else self.guard({RETURN}, statements[0], way), way, True)
        return new

    def arm(self, statements: list[Any], way: _Way, tail: bool, origin: Any) -> list[Any]:
        return self.block(statements, way, tail) or [at(gast.Pass(), origin)]

    def tidy(self, statement: Any) -> list[Any]:
        """An ``if`` without a first arm is turned round; one without arms is its test alone."""
        if not statement.body and not statement.orelse:
            if isinstance(statement.test, gast.Name):
                return []
            statement.body = [at(gast.Pass(), statement)]
        elif not statement.body:
            test = statement.test
            if isinstance(test, gast.Name) and getattr(statement, "made", False):
                statement.test = at(gast.UnaryOp(op=gast.Not(), operand=test), test)
                statement.body, statement.orelse = statement.orelse, []
            else:
                statement.body = [at(gast.Pass(), statement)]
        return [statement]

    def guard(self, found: set[str], origin: Any, way: _Way) -> list[Any]:
        """``if flag: <jump, its flags set already>``, to be lowered with what follows."""
        jump = gast.Return(value=None) if way.loop is None else gast.Continue()
        jump.already = True
        node = at(gast.If(test=self.taken(found, way), body=[jump], orelse=[]), origin)
        node.made = True
        return [node]

    def taken(self, found: set[str], way: _Way) -> Any:
        """The test whether one of the jumps in ``found`` was taken."""
        if way.loop is None:
            return load(self.returned)
        tests = [load(way.loop.stop)] if found & {BREAK, RETURN} else []
        tests += [load(way.loop.skip)] if CONTINUE in found else []
        return tests[0] if len(tests) == 1 else gast.BoolOp(op=gast.Or(), values=tests)

    def loop(self, statement: Any, rest: list[Any], way: _Way) -> tuple[list[Any], list[Any]]:
        """A loop: its body ends where it ends, ``stop`` says that it was the last time."""
        returns = RETURN in kinds(statement.body)
        breaks = BREAK in kinds(statement.body)
        only_returns = returns and not breaks and not _overrides(statement.body)
        before = dict(self.levels)
        self.levels["stop"] += (breaks or returns) and not only_returns
        self.levels["skip"] += CONTINUE in kinds(statement.body)
        stop = self.returned if only_returns else self.name("stop", self.levels["stop"])
        loop = _Loop(stop=stop, skip=self.name("skip", self.levels["skip"]))
        body = self.arm(statement.body, _Way(flagged=True, loop=loop), True, statement)
        self.levels = before
        if loop.skips:
            body.insert(0, at(assign(loop.skip, constant(False)), statement))
        statement.body = body
        new: list[Any] = []
        after: list[Any] = []
        if returns:
            if not way.flagged:
                new.append(at(assign(self.returned, constant(False)), statement))
            jump = gast.Return(value=None)
            jump.already = True
            if endless(statement) and not breaks:
                after.append(at(jump, statement))
            else:
                after.append(at(gast.If(test=load(self.returned), body=[jump], orelse=[]), statement))
                after[-1].made = True
        if loop.stops:
            if loop.stop != self.returned:
                new.append(at(assign(loop.stop, constant(False)), statement))
            statement.stop = loop.stop
        if statement.orelse:
            if breaks:
                test = gast.UnaryOp(op=gast.Not(), operand=load(loop.stop))
                after.append(at(gast.If(test=test, body=statement.orelse, orelse=[]), statement.orelse[0]))
                after[-1].made = True
            else:
                after += statement.orelse
            statement.orelse = []
        return [*new, statement], after + rest

    def native(self, statement: Any, rest: list[Any], way: _Way) -> tuple[list[Any], list[Any]]:
        """``with``, ``try``, ``match``: jumps that need flags stay inside, and are taken up after it."""
        found = kinds([statement])
        inner = blocks(statement)
        handled = isinstance(statement, TRIES)
        protected = isinstance(statement, (gast.Try, gast.With))
        if not found or (not way.flagged and not protected and not any(staged_return(b) for b in inner)):
            self.each(statement, way, False)
            return [statement], rest
        if handled and kinds(statement.finalbody):
            return [], [overriding(statement), *rest]
        ends = not falls([statement])
        new: list[Any] = []
        inner_way = way
        if not way.flagged:
            new.append(at(assign(self.returned, constant(False)), statement))
            inner_way = _Way(flagged=True, loop=None)
        guarded = handled and statement.orelse and not getattr(statement, "always", False)
        if guarded and kinds(statement.body):
            statement.orelse = self.guard(kinds(statement.body), statement, inner_way) + statement.orelse
        if handled and _left_twice(statement.body):
            for handler in statement.handlers:
                handler.body[:0] = self.cleared(kinds(statement.body), handler, inner_way)
        elif isinstance(statement, gast.With) and may_swallow(statement) and _left_twice(statement.body):
            # lowered like any other ``try``, its handler takes the jumps back
            clearing = gast.ExceptHandler(type=None, name=None, body=[gast.Raise(exc=None, cause=None)])
            statement.body = [gast.Try(body=statement.body, handlers=[clearing], orelse=[], finalbody=[])]
            at(statement.body[0], statement)
        self.each(statement, inner_way, False)
        new.append(statement)
        if way.flagged:
            return new, (self.guard(found, statement, way) + rest if rest else [])
        if ends:
            jump = at(gast.Return(value=None), statement)
            jump.already = True
            return new, [jump]
        return new, self.guard({RETURN}, statement, way) + rest

    def cleared(self, found: set[str], origin: Any, way: _Way) -> list[Any]:
        """Statements that take back the jumps in ``found``."""
        flags = [self.returned] if RETURN in found else []
        if way.loop is not None:
            flags += [way.loop.stop] if found & {BREAK, RETURN} else []
            flags += [way.loop.skip] if CONTINUE in found else []
        return [at(assign(flag, constant(False)), origin) for flag in dict.fromkeys(flags)]

    def each(self, statement: Any, way: _Way, tail: bool) -> None:
        for block in blocks(statement):
            filled = bool(block)
            block[:] = self.block(block, way, tail)
            if filled and not block:
                block.append(at(gast.Pass(), statement))


def overriding(statement: Any) -> Any:
    """``finally`` with a jump out of it, which swallows exceptions and takes the place of other jumps.

    >>> print(gast.unparse(overriding(gast.parse("try: a()\\nfinally: return 1").body[0])).strip())
    try:
        a()
    except:
        return 1
        raise
    else:
        return 1
    """
    final = statement.finalbody
    _mark_overriding(final)
    body = statement.body
    if statement.handlers or statement.orelse:
        inner = gast.Try(body=body, handlers=statement.handlers, orelse=statement.orelse, finalbody=[])
        body = [at(inner, statement)]
    reraise = gast.Raise(exc=None, cause=None)
    handler = gast.ExceptHandler(type=None, name=None, body=[*copy.deepcopy(final), reraise])
    new = at(gast.Try(body=body, handlers=[handler], orelse=final, finalbody=[]), statement)
    new.always = True  # the ``else`` part runs when the body has jumped, too
    keep_comments([new], statement)
    return new


def _mark_overriding(statements: list[Any], loops: bool = False) -> None:
    for statement in statements:
        kind = (gast.Return,) if loops else (gast.Return, gast.Break, gast.Continue)
        if isinstance(statement, kind):
            statement.overrides = True
        for block in blocks(statement):
            inside = loops or (isinstance(statement, LOOPS) and block is statement.body)
            _mark_overriding(block, inside)


def _left_twice(statements: list[Any]) -> bool:
    """Whether a jump out of ``statements`` passes something that may raise on the way."""
    return any(
        isinstance(node, (gast.Try, gast.With)) and bool(kinds([node]))
        for statement in statements
        for node in walk(statement)
    )


def _overrides(statements: list[Any]) -> bool:
    """Whether there is a jump that takes the place of another one, so that ``returned`` may be set before."""
    return any(getattr(node, "overrides", False) for statement in statements for node in walk(statement))
