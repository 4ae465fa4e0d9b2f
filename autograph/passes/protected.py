"""``try`` and ``with``: parts that may be left anywhere, so what they change is bound with ``nonlocal``.

A name that one part alone uses stays its own.  All others hold something (``ag.undefined`` if nothing else)
before the statement, and two small functions tell the operator their values: ``read`` and ``write``.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.scopes import stores
from autograph.passes.flow import Flow, Unit
from autograph.passes.parts import Parts
from autograph.tree import assign, at, constant, define, load, operator, thunk, tuple_of


def try_stmt(f: Parts, s: Any, flow: Flow, unit: Unit) -> list[Any]:
    """``try`` with its handlers, ``else`` and ``finally``."""
    place = f.context.head(s, None)
    blocks = [s.body, *(handler.body for handler in s.handlers), s.orelse, s.finalbody]
    names = _names(f, s, blocks)
    new = _require(f, s, names, flow, unit)
    start = flow.copy()
    body, end = _part(f, "body", s.body, names, s, start)
    f.comment(body, s, "try")
    new.append(body)
    caught = _anywhere(f, s.body, names, start, end)
    ends = [end]
    pairs = []
    for number, handler in enumerate(s.handlers, 1):
        part, catches, end = _handler(f, handler, number, names, caught, unit)
        new.append(part)
        pairs.append(tuple_of([catches, load(part.name)]))
        ends.append(end)
    keywords = []
    if s.orelse:
        orelse, ends[0] = _part(f, "orelse", s.orelse, names, s.orelse[0], ends[0])
        new.append(_headed(orelse, "else"))
        keywords.append(("orelse", load(orelse.name)))
    f.meet(flow, unit, *ends)
    if s.finalbody:
        after, final = flow.copy(), caught.copy()
        for end in ends:
            final.unset |= end.unset
            final.sure &= end.sure if end.reached else final.sure
        before = set(final.sure)
        part, final = _part(f, "final", s.finalbody, names, s.finalbody[0], final)
        new.append(_headed(part, "finally"))
        keywords.append(("final", load(part.name)))
        flow.reached = after.reached and final.reached
        flow.sure = (after.sure | (final.sure - before)) - f.deleted(s.finalbody)
        flow.unset = after.unset | final.unset
    args = [load(body.name), *([tuple_of(pairs)] if pairs else [])]
    return _finish(f, "try_stmt", args, keywords, names, new, s, place, flow)


def with_stmt(f: Parts, s: Any, flow: Flow, unit: Unit) -> list[Any]:
    """``with`` of one context manager (:mod:`autograph.passes.handlers` has seen to that)."""
    (item,) = s.items
    header = f.context.header(s, item.optional_vars or item.context_expr)
    place = f.context.head(s, item.optional_vars or item.context_expr)
    names = _names(f, s, [s.body])
    new = _require(f, s, names, flow, unit)
    manager = f.read(item.context_expr, flow, unit)
    inside = flow.copy()
    target = item.optional_vars
    opening: list[Any] = []
    if isinstance(target, gast.Name) and target.id in f.local and target.id not in names:
        parameter = target.id
    else:
        parameter = f.context.stable("entered")
        if target is not None:
            opening = [at(gast.Assign(targets=[target], value=load(parameter), type_comment=None), target)]
    body, end = _part(f, "body", opening + s.body, names, s, inside, parameter)
    f.comment(body, s, header)
    new.append(body)
    if getattr(s, "transparent", False):
        flow.become(end)
    else:
        f.meet(flow, unit, end, _anywhere(f, s.body, names, inside, end))
    return _finish(f, "with_stmt", [manager, load(body.name)], [], names, new, s, place, flow)


def _names(f: Parts, s: Any, blocks: list[list[Any]]) -> list[str]:
    """The names that the statement changes and that are seen outside the part that changes them."""
    seen = s.live_after | s.exposed | f.shared
    for block in blocks:
        seen = seen | f.live.block(block)[0]
    if isinstance(s, gast.With):
        targets = set(stores(s.items[0]))
        seen = s.live_after | s.exposed | f.shared | (seen - targets)
    for handler in getattr(s, "handlers", ()):
        if handler.name is not None and handler.name.id not in s.live_after | s.exposed | f.shared:
            seen = seen - {handler.name.id}
    return f.ordered(f.assigned([s]) & seen)


def _require(f: Parts, s: Any, names: list[str], flow: Flow, unit: Unit) -> list[Any]:
    """Everything that the parts change or read holds something."""
    read = f.ordered((f.live.summary(s)[0] & f.local) - set(names))
    known = flow.sure | flow.unset | flow.maybe
    return f.require([*names, *(name for name in read if name in known)], flow, unit, s)


def _part(
    f: Parts,
    base: str,
    statements: list[Any],
    names: list[str],
    origin: Any,
    flow: Flow,
    parameter: str | None = None,
) -> tuple[Any, Flow]:
    """One part, and what is known about the names at its end; its own names are forgotten there."""
    shared = set(names)
    mine = shared & f.assigned(statements)
    part, end = f.part(base, [], statements, [], mine, origin, flow, parameter)
    own = (f.assigned(statements) | ({parameter} if parameter is not None else set())) - shared
    for there, here in ((end.sure, flow.sure), (end.unset, flow.unset), (end.maybe, flow.maybe)):
        there -= own
        there |= own & here
    return part, end


def _anywhere(f: Parts, statements: list[Any], names: list[str], start: Flow, end: Flow) -> Flow:
    """The point reached by an exception somewhere in ``statements``."""
    point = start.copy()
    deleted = f.deleted(statements) & set(names)
    point.sure -= deleted
    point.unset |= (end.unset & set(names)) | deleted
    return point


def _handler(
    f: Parts, handler: Any, number: int, names: list[str], caught: Flow, unit: Unit
) -> tuple[Any, Any, Flow]:
    """The part of one ``except`` clause, what it catches, and what is known about the names at its end."""
    header = "except"
    catches = constant(None)
    inside = caught.copy()
    if handler.type is not None:
        header = f.context.header(handler, handler.type)
        catches = f.read(at(thunk(handler.type), handler.type), caught, unit)
    name = handler.name.id if handler.name is not None else None
    parameter = name if name is not None and name not in names else f.context.stable("error")
    opening = []
    if name is not None:
        header = header and f"{header} as {name}"
        if parameter != name:
            opening = [at(assign(name, load(parameter)), handler)]
            f.live.assigned(opening)
    base = "handler" if number == 1 else f"handler_{number}"
    part, end = _part(f, base, opening + handler.body, names, handler, inside, parameter)
    part.comments_before = list(getattr(handler, "comments_before", []))
    return _headed(part, header), catches, end


def _headed(part: Any, header: str) -> Any:
    """A part below the line that it came from."""
    if header:
        part.comments_before = [*getattr(part, "comments_before", []), f"# {header}:"]
    return part


def _finish(
    f: Parts,
    name: str,
    args: list[Any],
    keywords: list[tuple[str, Any]],
    names: list[str],
    new: list[Any],
    s: Any,
    place: Any,
    flow: Flow,
) -> list[Any]:
    """The call of the operator, with the functions that read and write the names."""
    if names:
        write = f.context.stable("write")
        params = [f.context.stable(f"{name}_") for name in names]
        body = [gast.Nonlocal(names=names)]
        body += [assign(name, load(parameter)) for name, parameter in zip(names, params, strict=True)]
        new.append(at(define(write, params, body), place))
        keywords.append(("read", thunk(tuple_of([load(name) for name in names]))))
        keywords.append(("write", load(write)))
        flow.maybe |= set(names)
        flow.unset |= set(names) - flow.sure
    new.append(at(gast.Expr(value=operator(f.context.ag, name, args, keywords)), place))
    return [at(node, s) for node in new]
