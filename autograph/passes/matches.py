"""``match`` becomes a chain of ``if``, where its patterns ask only for values and for the parts of a tuple
written there.

A ``match`` with any other pattern (mappings, classes, sequences of unknown make) stays: it runs while
tracing.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.passes.context import Context
from autograph.tree import Transformer, assign, at, constant, keep_comments, load


def matches(tree: Any, context: Context) -> Any:
    """Lower the ``match`` statements that data may decide.

    >>> tree = gast.parse('''
    ... match n:
    ...     case 0 | 1:
    ...         f()
    ...     case k if k > 5:
    ...         g(k)
    ... ''')
    >>> print(gast.unparse(matches(tree, Context())).strip())
    if n == 0 or n == 1:
        f()
    else:
        k = n
        if k > 5:
            g(k)
    """
    return _Matches(context).visit(tree)


class _Matches(Transformer):
    def __init__(self, context: Context) -> None:
        self.context = context
        self.generator = False

    def visit_FunctionDef(self, node: Any) -> Any:
        outer, self.generator = self.generator, getattr(node, "generator", False)
        node.body = self.visit_block(node.body)
        self.generator = outer
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Match(self, node: Any) -> Any:
        for case in node.cases:
            case.body = self.visit_block(case.body)
        if self.generator:
            return node
        parts = self.subject(node.subject)
        if not all(_lowered(case.pattern, parts) for case in node.cases):
            return node
        opening, value = self.held(node.subject, parts)
        chain = self.cases(node.cases, value)
        if chain:
            chain[0] = at(chain[0], node)
        return [*(at(s, node) for s in opening), *chain] or at(gast.Pass(), node)

    def subject(self, subject: Any) -> int | None:
        """How many parts the subject has when it is written as a tuple."""
        if isinstance(subject, gast.Tuple) and not any(isinstance(e, gast.Starred) for e in subject.elts):
            return len(subject.elts)
        return None

    def held(self, subject: Any, parts: int | None) -> tuple[list[Any], Any]:
        if parts is None:
            if isinstance(subject, gast.Name):
                return [], subject
            name = self.context.fresh("subject")
            return [assign(name, subject)], load(name)
        names = [self.context.fresh("subject") for _ in range(parts)]
        return [assign(name, part) for name, part in zip(names, subject.elts, strict=True)], gast.Tuple(
            elts=[load(name) for name in names], ctx=gast.Load()
        )

    def cases(self, cases: list[Any], value: Any) -> list[Any]:
        if not cases:
            return []
        case, rest = cases[0], self.cases(cases[1:], value)
        test, bindings = self.pattern(case.pattern, value)
        binding = [at(assign(name, part), case.pattern) for name, part in bindings]
        header = self.context.header(case.pattern, case.guard if case.guard is not None else case.pattern)
        if case.guard is None:
            if test is None:
                return keep_comments(binding + case.body, case)
            return [self.choice(case, test, binding + case.body, rest, header)]
        if test is None:
            return [*binding, self.choice(case, case.guard, case.body, rest, header)]
        if not binding:
            both = at(gast.BoolOp(op=gast.And(), values=[test, case.guard]), case.guard)
            return [self.choice(case, both, case.body, rest, header)]
        matched = self.context.fresh("matched")
        inner = [*binding, at(assign(matched, case.guard), case.guard)]
        return [
            at(assign(matched, test), case.pattern),
            self.choice(case, load(matched), inner, [], ""),
            self.choice(case, load(matched), case.body, rest, header),
        ]

    def choice(self, case: Any, test: Any, body: list[Any], orelse: list[Any], header: str) -> Any:
        node = at(gast.If(test=test, body=body or [gast.Pass()], orelse=orelse), case.pattern)
        node.made = True
        node.header = f"case {header}" if header else ""
        return node

    def pattern(self, pattern: Any, value: Any) -> tuple[Any, list[tuple[str, Any]]]:
        """The test of a pattern (``None``: always) and what it binds."""
        if isinstance(pattern, gast.MatchValue):
            return at(_compare(_again(value), gast.Eq(), pattern.value), pattern), []
        if isinstance(pattern, gast.MatchSingleton):
            return at(_compare(_again(value), gast.Is(), constant(pattern.value)), pattern), []
        if isinstance(pattern, gast.MatchAs):
            test, bindings = (None, []) if pattern.pattern is None else self.pattern(pattern.pattern, value)
            return test, bindings + ([(pattern.name, _again(value))] if pattern.name is not None else [])
        if isinstance(pattern, gast.MatchOr):
            tests = [self.pattern(inner, value)[0] for inner in pattern.patterns]
            if any(test is None for test in tests):
                return None, []
            return at(gast.BoolOp(op=gast.Or(), values=tests), pattern), []
        tests, bindings = [], []
        for inner, part in zip(pattern.patterns, value.elts, strict=True):
            test, bound = self.pattern(inner, part)
            bindings += bound
            if test is not None:
                tests.append(test)
        if len(tests) > 1:
            return at(gast.BoolOp(op=gast.And(), values=tests), pattern), bindings
        return (tests[0] if tests else None), bindings


def _lowered(pattern: Any, parts: int | None) -> bool:
    """Whether a pattern can become tests: its captures must not come before a test that may fail."""
    if isinstance(pattern, (gast.MatchValue, gast.MatchSingleton)):
        return parts is None
    if isinstance(pattern, gast.MatchAs):
        if pattern.pattern is None:
            return True
        return _lowered(pattern.pattern, parts)
    if isinstance(pattern, gast.MatchOr):
        return all(_lowered(inner, parts) and not _binds(inner) for inner in pattern.patterns)
    if isinstance(pattern, gast.MatchSequence) and parts is not None:
        if len(pattern.patterns) != parts or any(isinstance(p, gast.MatchStar) for p in pattern.patterns):
            return False
        return all(_lowered(inner, None) for inner in pattern.patterns)
    return False


def _binds(pattern: Any) -> bool:
    if isinstance(pattern, gast.MatchAs):
        return pattern.name is not None or (pattern.pattern is not None and _binds(pattern.pattern))
    return any(_binds(inner) for inner in getattr(pattern, "patterns", ()))


def _compare(left: Any, op: Any, right: Any) -> Any:
    return gast.Compare(left=left, ops=[op], comparators=[right])


def _again(value: Any) -> Any:
    """A second node for a name, or for a tuple of names."""
    if isinstance(value, gast.Tuple):
        return gast.Tuple(elts=[load(element.id) for element in value.elts], ctx=gast.Load())
    return load(value.id)
