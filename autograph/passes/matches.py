"""``match`` becomes a chain of ``if`` where its patterns ask for values, and for parts with values before
they capture others.  Other patterns become tests one inside the other, which bind nothing before all hold.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import gast

from autograph.passes.context import Context
from autograph.tree import BodyTransformer, assign, at, constant, keep_comments, load, operator, tuple_of


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


Then = Callable[[], list[Any]]


class _Matches(BodyTransformer):
    def __init__(self, context: Context) -> None:
        self.context = context
        self.bindings: list[tuple[str, Any]] = []

    def visit_Match(self, node: Any) -> Any:
        for case in node.cases:
            case.body = self.visit_block(case.body)
        if self.generator:
            return node
        parts = self.subject(node.subject)
        if not all(_lowered(case.pattern, parts) for case in node.cases):
            parts = None
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
        if not _lowered(case.pattern, len(value.elts) if isinstance(value, gast.Tuple) else None):
            return self.nested(case, value, rest)
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

    def nested(self, case: Any, value: Any, rest: list[Any]) -> list[Any]:
        """A pattern that takes its value apart."""
        last = case.guard if case.guard is not None else case.pattern
        header = self.context.header(case.pattern, last)
        matched = self.context.fresh("matched")
        self.bindings = []

        def bind() -> list[Any]:
            guard = case.guard if case.guard is not None else constant(True)
            return [*(assign(name, part) for name, part in self.bindings), assign(matched, guard)]

        tests = self.take_apart(case.pattern, value.id, bind)
        new = [at(s, case.pattern) for s in [assign(matched, constant(False)), *tests]]
        return [*new, self.choice(case, load(matched), case.body, rest, header)]

    def take_apart(self, pattern: Any, value: str, then: Then) -> list[Any]:
        """Statements that run what ``then`` gives when ``pattern`` fits; what it binds is noted first."""
        if isinstance(pattern, (gast.MatchValue, gast.MatchSingleton)):
            return [self.when(self.pattern(pattern, load(value))[0], then())]
        if isinstance(pattern, gast.MatchAs):
            if pattern.name is not None:
                self.bindings.append((pattern.name, load(value)))
            return then() if pattern.pattern is None else self.take_apart(pattern.pattern, value, then)
        if isinstance(pattern, gast.MatchOr):
            return self.alternatives(pattern, value, then)
        if isinstance(pattern, gast.MatchSequence):
            test, parts = self.sequence(pattern, value)
        elif isinstance(pattern, gast.MatchMapping):
            return self.mapping(pattern, value, then)
        else:
            test, parts = self.instance(pattern, value)
        return [self.when(test, self.parts(parts, then))]

    def parts(self, parts: list[tuple[Any, Any]], then: Then) -> list[Any]:
        """Each sub-pattern gets its part, read once, in turn."""
        if not parts:
            return then()
        (pattern, part), *others = parts
        if isinstance(pattern, gast.MatchAs) and pattern.pattern is None and pattern.name is None:
            return self.parts(others, then)
        name = self.context.fresh("part")
        return [assign(name, part), *self.take_apart(pattern, name, lambda: self.parts(others, then))]

    def when(self, test: Any, body: list[Any]) -> Any:
        node = gast.If(test=test, body=body, orelse=[])
        node.made = True
        return node

    def alternatives(self, pattern: Any, value: str, then: Then) -> list[Any]:
        found = self.context.fresh("found")
        new: list[Any] = [assign(found, constant(False))]
        outer = self.bindings
        held: dict[str, str] = {}

        def fits() -> list[Any]:
            for name, _ in self.bindings:
                held.setdefault(name, self.context.fresh("part"))
            holding = [assign(held[name], part) for name, part in self.bindings]
            return [*holding, assign(found, constant(True))]

        for number, inner in enumerate(pattern.patterns):
            self.bindings = []
            tests = self.take_apart(inner, value, fits)
            if number:
                tests = [self.when(gast.UnaryOp(op=gast.Not(), operand=load(found)), tests)]
            new += tests
        self.bindings = outer
        self.bindings += [(name, load(part)) for name, part in held.items()]
        return [*new, self.when(load(found), then())]

    def sequence(self, pattern: Any, value: str) -> tuple[Any, list[tuple[Any, Any]]]:
        patterns = pattern.patterns
        stars = [k for k, inner in enumerate(patterns) if isinstance(inner, gast.MatchStar)]
        star = stars[0] if stars else len(patterns)
        args = [load(value), constant(len(patterns) - len(stars)), *[constant(True) for _ in stars]]
        parts: list[tuple[Any, Any]] = []
        for k, inner in enumerate(patterns):
            if k != star:
                parts.append((inner, _item(value, constant(k if k < star else k - len(patterns)))))
            elif inner.name is not None:
                last = k + 1 - len(patterns)
                bounds = [load(value), constant(k), constant(last or None)]
                whole = gast.MatchAs(pattern=None, name=inner.name)
                parts.append((whole, operator(self.context.ag, "items_between", bounds)))
        return operator(self.context.ag, "is_sequence", args), parts

    def instance(self, pattern: Any, value: str) -> tuple[Any, list[tuple[Any, Any]]]:
        args = [load(value), pattern.cls]
        if pattern.patterns or pattern.kwd_attrs:
            args.append(constant(len(pattern.patterns)))
        if pattern.kwd_attrs:
            args.append(tuple_of([constant(name) for name in pattern.kwd_attrs]))
        parts: list[tuple[Any, Any]] = [
            (inner, operator(self.context.ag, "part", [load(value), copy.deepcopy(pattern.cls), constant(k)]))
            for k, inner in enumerate(pattern.patterns)
        ]
        parts += [
            (inner, gast.Attribute(value=load(value), attr=name, ctx=gast.Load()))
            for name, inner in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True)
        ]
        return operator(self.context.ag, "is_instance", args), parts

    def entries(self, pattern: Any, value: str) -> tuple[Any, list[tuple[Any, Any]]]:
        tests = [operator(self.context.ag, "is_mapping", [load(value)])]
        tests += [_compare(copy.deepcopy(key), gast.In(), load(value)) for key in pattern.keys]
        parts = [
            (inner, _item(value, copy.deepcopy(key)))
            for key, inner in zip(pattern.keys, pattern.patterns, strict=True)
        ]
        return _all_of(tests), parts

    def mapping(self, pattern: Any, value: str, then: Then) -> list[Any]:
        keys = pattern.keys
        test, parts = self.entries(pattern, value)
        if pattern.rest is None:
            return [self.when(test, self.parts(parts, then))]
        name = self.context.fresh("part")

        def rest() -> list[Any]:
            self.bindings.append((pattern.rest, load(name)))
            args = [load(value), *(copy.deepcopy(key) for key in keys)]
            return [assign(name, operator(self.context.ag, "without", args)), *then()]

        return [self.when(test, self.parts(parts, rest))]

    def choice(self, case: Any, test: Any, body: list[Any], orelse: list[Any], header: str) -> Any:
        node = at(gast.If(test=test, body=body or [gast.Pass()], orelse=orelse), case.pattern)
        node.made, node.rests = True, "orelse"
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
        if not isinstance(value, gast.Tuple):
            return self.flat(pattern, value.id)
        tests, bindings = [], []
        for inner, part in zip(pattern.patterns, value.elts, strict=True):
            test, bound = self.pattern(inner, part)
            bindings += bound
            if test is not None:
                tests.append(test)
        return (at(_all_of(tests), pattern) if tests else None), bindings

    def flat(self, pattern: Any, value: str) -> tuple[Any, list[tuple[str, Any]]]:
        """The test of a pattern for parts of which some have values, and what it binds."""
        if isinstance(pattern, gast.MatchSequence):
            test, parts = self.sequence(pattern, value)
        elif isinstance(pattern, gast.MatchMapping):
            test, parts = self.entries(pattern, value)
        else:
            test, parts = self.instance(pattern, value)
        tests, bindings = [test], []
        for inner, part in parts:
            if isinstance(inner, gast.MatchValue):
                tests.append(_compare(part, gast.Eq(), inner.value))
            elif isinstance(inner, gast.MatchSingleton):
                tests.append(_compare(part, gast.Is(), constant(inner.value)))
            elif inner.name is not None:
                bindings.append((inner.name, part))
        return at(_all_of(tests), pattern), bindings


def _all_of(tests: list[Any]) -> Any:
    return tests[0] if len(tests) == 1 else gast.BoolOp(op=gast.And(), values=tests)


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
    return parts is None and _is_flat(pattern)


_COMPOUND = (gast.MatchSequence, gast.MatchMapping, gast.MatchClass)


def _is_flat(pattern: Any) -> bool:
    """Whether a pattern asks for the values of parts, and then captures others: each is read once."""
    if getattr(pattern, "rest", None) is not None or not isinstance(pattern, _COMPOUND):
        return False
    inside = [*pattern.patterns, *getattr(pattern, "kwd_patterns", ())]
    captured = False
    for inner in inside:
        if isinstance(inner, (gast.MatchValue, gast.MatchSingleton)):
            if captured:
                return False
        elif isinstance(inner, (gast.MatchAs, gast.MatchStar)) and getattr(inner, "pattern", None) is None:
            captured = captured or inner.name is not None
        else:
            return False
    return True


def _binds(pattern: Any) -> bool:
    if isinstance(pattern, gast.MatchAs):
        return pattern.name is not None or (pattern.pattern is not None and _binds(pattern.pattern))
    if isinstance(pattern, gast.MatchStar):
        return pattern.name is not None
    inside = [*getattr(pattern, "patterns", ()), *getattr(pattern, "kwd_patterns", ())]
    return any(_binds(inner) for inner in inside)


def _item(value: str, index: Any) -> Any:
    return gast.Subscript(value=load(value), slice=index, ctx=gast.Load())


def _compare(left: Any, op: Any, right: Any) -> Any:
    return gast.Compare(left=left, ops=[op], comparators=[right])


def _again(value: Any) -> Any:
    """A second node for a name, or for a tuple of names."""
    if isinstance(value, gast.Tuple):
        return gast.Tuple(elts=[load(element.id) for element in value.elts], ctx=gast.Load())
    return load(value.id)
