"""Every node class of Python's grammar (3.10 to 3.14), and what becomes of it.

``STAGED``: data may decide about it, it ends up in the graph.  ``TRACED``: it runs while tracing, on whatever
values there are; a text says where that has an end.  ``REFUSED``: it cannot be staged; the text says why and
what to write instead.
"""

from __future__ import annotations

import textwrap

STAGED, TRACED, REFUSED = "staged", "runs while tracing", "refused"

_STAGED = """
    If While For Break Continue Return IfExp BoolOp And Or UnaryOp Not Compare Is IsNot In NotIn Call Assert
    JoinedStr FormattedValue Subscript List Dict Set NamedExpr ListComp SetComp DictComp GeneratorExp
    comprehension Yield YieldFrom
    Match match_case MatchValue MatchSingleton MatchAs MatchOr MatchSequence MatchMapping MatchClass MatchStar
    Global Nonlocal Delete Assign AugAssign AnnAssign Attribute Name
    BinOp Add Sub Mult Div FloorDiv Mod Pow MatMult LShift RShift BitOr BitXor BitAnd UAdd USub Invert
    Eq NotEq Lt LtE Gt GtE Raise Try ExceptHandler With withitem
    Import ImportFrom FunctionDef Lambda ClassDef arguments arg keyword Starred Slice Tuple
"""
_TRACED = """
    Module Interactive Expression FunctionType alias Expr Pass Constant Load Store Del
    TypeAlias TypeVar ParamSpec TypeVarTuple TypeIgnore TemplateStr Interpolation
"""
_GROUPS = "data must not decide in it: such an `except*` is refused, write `except` for the group"
_ASYNC = "a graph has no event loop: write it without `async` and `await`, or mark it with @do_not_convert"
_REFUSED = {"AsyncFunctionDef": _ASYNC, "AsyncFor": _ASYNC, "AsyncWith": _ASYNC, "Await": _ASYNC}

TABLE: dict[str, tuple[str, str]] = {
    **dict.fromkeys(_STAGED.split(), (STAGED, "")),
    **dict.fromkeys(_TRACED.split(), (TRACED, "")),
    "TryStar": (TRACED, _GROUPS),
    **{name: (REFUSED, message) for name, message in _REFUSED.items()},
}

_SECTIONS = {
    STAGED: "Staged: data may decide about it",
    TRACED: "Runs while tracing, on whatever values there are",
    REFUSED: "Refused, with a message at your line",
}


def page() -> str:
    """The table as a page of the docs.

    >>> page().splitlines()[0]
    '# Constructs'
    """
    lines = ["# Constructs", "", "<!-- Written by docs/build.py from autograph/passes/grammar.py. -->", ""]
    lines += ["Every node class of Python's grammar (3.10 to 3.14), and what becomes of it."]
    for kind, title in _SECTIONS.items():
        lines += ["", f"## {title}"]
        messages: dict[str, list[str]] = {}
        for name, (what, message) in TABLE.items():
            if what == kind:
                messages.setdefault(message, []).append(f"`{name}`")
        for message, names in messages.items():
            lines += ["", *textwrap.wrap(f"{', '.join(names)}{': ' + message if message else ''}.", 110)]
    return "\n".join(lines) + "\n"
