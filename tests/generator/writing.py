"""Statements of random programs: the text of a whole function ``f``, with helpers that it may call.

A program always ends: ``while`` loops have a counter of their own that is counted up first thing in the body,
ranges are short, loops are at most two deep.  It may well raise, or read a name that no path has set.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from .closures import Closures
from .expressions import KINDS, Expressions, Scope
from .naming import Naming
from .patterns import RECORDS, Patterns
from .sequences import GENERATORS, Sequences
from .signatures import FUNCTIONS, Signatures
from .structures import CLASSES, Structures
from .suspending import OPENING, RESULTS, Suspending

HELPERS = """\
def clamp(value, limit):
    if value > limit:
        return limit
    if value < -limit:
        return -limit
    return value


def total(items):
    result = 0.0
    for item in items:
        if item > 100.0:
            break
        result += item
    return result


def bump(items, at, by):
    if by > 1.0:
        items[at] += by
    else:
        items[at] = by
    return items
"""


LETTERS = {
    "int": "n",
    "float": "x",
    "array": "a",
    "list": "l",
    "dict": "d",
    "object": "o",
    "tuple": "t",
    "function": "g",
    "nested": "ll",
    "optional": "m",
    "point": "p",
    "fixed": "q",
    "pair": "r",
    "scale": "s",
    "other": "u",
}
MODULES = {
    HELPERS: ("clamp(", "total(", "bump("),
    CLASSES: ("Box", "Small", "Block", "descend", "collect", "up(", "down", "up ", "up\n"),
    FUNCTIONS: (
        "note(", "spread(", "spread,", "halved", "ping(", "tally(", "Scale", "twice", "functools",
    ),
    RECORDS: ("Point", "Fixed", "Pair", "dataclasses"),
    GENERATORS: ("countdown(", "large("),
}  # fmt: skip
"""What a program may use of the module around it, with the words that show that it does."""
IMPORTS = "import dataclasses\nimport functools\nfrom typing import NamedTuple\n"


@dataclass(frozen=True)
class Theme:
    """What the programs of one test are rich in: weights of statements, each shrinking towards the first."""

    name: str
    statements: tuple[str, ...]
    kinds: tuple[str, ...] = KINDS


_NUMBERS = ("float", "int")
_COMMON = ("assign", "augment", "if", "assign")
THEMES = (
    Theme("branches", (*_COMMON, "if", "if", "return", "call"), ("int", "float")),
    Theme("loops", (*_COMMON, "while", "for", "jump", "swap", "print"), ("int", "float")),
    Theme("arrays", (*_COMMON, "store", "store", "view", "for", "call"), ("array", "int", "float")),
    Theme("jumps", (*_COMMON, "for", "while", "jump", "jump", "return", "forever", "else")),
    Theme("lists", (*_COMMON, "append", "append", "put", "for", "while", "jump"), ("list", "float", "int")),
    Theme("names", (*_COMMON, "swap", "fresh", "fresh", "for", "print", "raise")),
    Theme(
        "objects", (*_COMMON, "object", "object", "attribute", "attribute", "for", "while", "fresh"), _NUMBERS
    ),
    Theme("dicts", (*_COMMON, "dict", "dict", "tuple", "for", "comprehend"), ("float", "int", "array")),
    Theme("functions", (*_COMMON, "define", "apply", "apply", "for", "recurse"), ("float", "int", "list")),
    Theme("closures", (*_COMMON, "keep", "keep", "keep", "ask", "for", "while", "delete"), _NUMBERS),
    Theme("generators", (*_COMMON, *("suspend", "resume") * 3, "for", "while", "if", "delete"), _NUMBERS),
    Theme(
        "matches",
        (*_COMMON, "match", "match", "walrus", "walrus", "for", "while", "jump", "return"),
        _NUMBERS,
    ),
    Theme("handlers", (*_COMMON, "try", "try", "with", "for", "jump", "return", "print", "fresh"), _NUMBERS),
    Theme(
        "assignments",
        (*_COMMON, "chain", "annotate", "rename", "delete", "named", "named", "unpack", "for", "while")
        + ("jump",),
        ("float", "int", "list"),
    ),
    Theme(
        "values",
        (*_COMMON, "value", "value", "optional", "optional", "assert", "cause", "for", "while", "return"),
        ("float", "int", "list"),
    ),
    Theme(
        "sequences",
        (*_COMMON, "alter", "alter", "derive", "nest", "nest", "unpack", "over", "over", "jump"),
        ("list", "float", "int", "array"),
    ),
    Theme("patterns", (*_COMMON, "case", "case", "record", "record", "optional", "over", "return"), _NUMBERS),
    Theme(
        "signatures",
        (*_COMMON, "invoke", "invoke", "scale", "scale", "define", "apply", "for", "fresh", "jump"),
        ("float", "int", "list"),
    ),
    Theme(
        "globals", (*_COMMON, "shared", "shared", "invoke", "for", "while", "try", "return", "jump"), _NUMBERS
    ),
    Theme(
        "mixed",
        (
            "object",
            "attribute",
            "dict",
            "tuple",
            "comprehend",
            "define",
            "apply",
            "recurse",
            "match",
            "walrus",
            "try",
        )
        + (*_COMMON, "with", "append", "for", "while", "jump", "return", "store", "raise")
        + ("chain", "delete", "named", "value", "optional", "assert", "alter", "derive", "nest", "unpack")
        + ("over", "case", "record", "invoke", "scale"),
        ("float", "int", "array", "list"),
    ),
)


class Writer(Structures, Naming, Sequences, Patterns, Signatures, Closures, Suspending):
    """Draws statements; ``lines`` is the text so far."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any], theme: Theme) -> None:
        self.write = Expressions(draw)
        self.theme = theme
        self.lines: list[str] = []
        self.counter = 0
        self.budget = 14  # statements

    def line(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def block(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> bool:
        """Some statements; whether the end of the block can be reached."""
        for _ in range(self.write.number(1, 3)):
            if self.budget <= 0:
                break
            self.budget -= 1
            if not self.statement(indent, scope, loops, in_loop):
                return False
        return True

    def statement(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> bool:
        start = len(self.lines)
        kinds = self.theme.statements
        if indent > 4:
            kinds = ("assign", "augment")
        kind = self.write.pick(*kinds)
        if kind in ("while", "for", "forever", "else") and loops == 0:
            kind = "if"
        if kind == "jump" and not in_loop:
            kind = "if"
        goes_on = getattr(self, f"write_{kind}")(indent, scope, loops, in_loop)
        if len(self.lines) == start:
            self.line(indent, "pass")
        return goes_on is not False

    # Simple statements

    def write_assign(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        kind = self.write.pick(*self.theme.kinds)
        names = [name for name in scope.names(kind, unsure=True) if name not in scope.readonly]
        name = self.write.pick(*names) if names and not self.write.chance(30) else self.fresh(kind)
        if self.write.chance(6):
            kind = self.write.pick("int", "float")
        self.line(indent, f"{name} = {self.write.of_kind(kind, scope)}")
        scope.kinds[name] = kind
        scope.unsure.discard(name)

    def write_augment(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        kind = self.write.pick(*[kind for kind in self.theme.kinds if kind != "list"])
        names = [name for name in scope.names(kind) if name not in scope.readonly]
        if not names:
            return self.write_assign(indent, scope, loops, in_loop)
        value = self.write.of_kind("float" if kind == "array" else kind, scope, 1)
        sign = self.write.pick("+=", "-=") if kind == "int" else self.write.pick("+=", "-=", "*=")
        self.line(indent, f"{self.write.pick(*names)} {sign} {value}")

    def write_store(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        names = scope.names("array")
        if not names:
            return self.write_assign(indent, scope, loops, in_loop)
        name, index = self.write.pick(*names), self.write.index(scope)
        target = self.write.pick(f"{name}[{index}]", f"{name}[{index}]", f"{name}[1:]", f"{name}[:2]")
        sign = self.write.pick("=", "+=", "*=")
        self.line(indent, f"{target} {sign} {self.write.float(scope, 1)}")

    def write_append(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        names = scope.names("list")
        if not names:
            return self.write_assign(indent, scope, loops, in_loop)
        name, value = self.write.pick(*names), self.write.float(scope, 1)
        end = self.write.pick(f"append({value})", f"insert(0, {value})", "reverse()")
        self.line(indent, f"if len({name}) < 6:")
        self.line(indent + 1, f"{name}.{end}")

    def write_put(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        names = scope.names("list")
        if not names:
            return self.write_assign(indent, scope, loops, in_loop)
        name = self.write.pick(*names)
        self.line(indent, f"if {name}:")
        place = self.write.pick("0", "-1", f"{self.write.int(scope, 0)} % len({name})")
        self.line(indent + 1, f"{name}[{place}] {self.write.pick('=', '+=')} {self.write.float(scope, 1)}")

    def write_view(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        names = scope.names("array")
        if not names:
            return self.write_assign(indent, scope, loops, in_loop)
        name = self.write.pick(*names) if self.write.chance(30) else self.fresh("array")
        self.line(indent, f"{name} = {self.write.view(self.write.pick(*names))}")
        scope.kinds[name] = "array"
        scope.unsure.discard(name)

    def write_swap(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        kind = self.write.pick(*self.theme.kinds)
        names = [name for name in scope.names(kind) if name not in scope.readonly]
        if len(names) < 2:
            return self.write_assign(indent, scope, loops, in_loop)
        one = self.write.pick(*names)
        two = self.write.pick(*(name for name in names if name != one))
        right = two if kind in ("array", "list") else self.write.pick(two, f"{one} + {two}")
        self.line(indent, f"{one}, {two} = {two}, {one if right == two else right}")

    def write_fresh(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        """A name that only one arm sets."""
        kind = self.write.pick(*self.theme.kinds)
        name = self.fresh(kind)
        self.line(indent, f"if {self.write.condition(scope)}:")
        self.line(indent + 1, f"{name} = {self.write.of_kind(kind, scope, 1)}")
        scope.kinds[name] = kind
        scope.unsure.add(name)

    def write_print(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        kind = self.write.pick(*self.theme.kinds)
        value = self.write.of_kind(kind, scope, 1)
        text = f"print('{kind}', {value})"
        if '"' not in value and "'" not in value and self.write.chance(30):
            text = f'print(f"{kind} = {{{value}}}")'
        self.line(indent, text)

    def write_call(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        arrays = scope.names("array")
        if not arrays:
            return self.write_assign(indent, scope, loops, in_loop)
        name, index = self.write.pick(*arrays), self.write.index(scope)
        self.line(indent, f"{name} = bump({name}, {index}, {self.write.float(scope, 1)})")

    # Jumps

    def write_return(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> bool:
        kind = self.write.pick(*self.theme.kinds)
        text = self.write.pick(
            lambda: f"return {self.write.of_kind(kind, scope, 1)}",
            lambda: f"return {self.write.of_kind(kind, scope, 0)}, {self.write.of_kind('int', scope, 0)}",
            "return",
            "return None",
        )
        return self.guarded(indent, scope, text)

    def write_jump(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> bool:
        return self.guarded(indent, scope, self.write.pick("break", "continue"))

    def write_raise(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> bool:
        value = self.write.of_kind(self.write.pick("int", "float"), scope, 0)
        return self.guarded(indent, scope, f"raise ValueError('bad', {value})")

    def guarded(self, indent: int, scope: Scope, text: str) -> bool:
        """A jump, mostly under an ``if``; whether the next statement can be reached."""
        if indent > 1 and self.write.chance(10):
            self.line(indent, text)
            return False
        self.line(indent, f"if {self.write.condition(scope)}:")
        if self.write.chance(30):
            self.write_augment(indent + 1, scope.copy(), 0, False)
        self.line(indent + 1, text)
        if self.write.chance(20):
            self.line(indent, "else:")
            self.arm(indent + 1, scope, scope.copy(), 0, False)
        return True

    # Compound statements

    def write_if(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        before = scope.copy()
        self.line(indent, f"if {self.write.condition(before)}:")
        self.arm(indent + 1, scope, before.copy(), loops, in_loop)
        if self.write.chance(25):
            self.line(indent, f"elif {self.write.condition(before)}:")
            self.arm(indent + 1, scope, before.copy(), loops, in_loop)
        if self.write.chance(50):
            self.line(indent, "else:")
            self.arm(indent + 1, scope, before.copy(), loops, in_loop)

    def arm(self, indent: int, scope: Scope, own: Scope, loops: int, in_loop: bool) -> None:
        """A block that may or may not run: what it sets is unsure after it."""
        start = len(self.lines)
        self.block(indent, own, loops, in_loop)
        if len(self.lines) == start:
            self.line(indent, "pass")
        for name, kind in own.kinds.items():
            if name not in scope.kinds:
                scope.kinds[name] = kind
                scope.unsure.add(name)
        scope.unsure |= own.unsure & set(scope.kinds)  # it may have deleted some

    def loop(self, indent: int, scope: Scope, own: Scope, loops: int, orelse: bool = False) -> None:
        self.arm(indent + 1, scope, own, loops - 1, True)
        if orelse:
            self.line(indent, "else:")
            self.arm(indent + 1, scope, scope.copy(), 0, False)

    def write_while(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        name = self.count(indent, scope)
        more = f" and {self.write.condition(scope, 0)}" if self.write.chance(40) else ""
        self.line(indent, f"while {name} < {self.write.number(1, 4)}{more}:")
        self.line(indent + 1, f"{name} += 1")
        self.loop(indent, scope, scope.copy(), loops)

    def write_forever(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        name = self.count(indent, scope)
        self.line(indent, "while True:")
        self.line(indent + 1, f"{name} += 1")
        self.line(indent + 1, f"if {name} > {self.write.number(1, 4)}:")
        self.line(indent + 2, "break")
        self.loop(indent, scope, scope.copy(), loops)

    def write_else(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        """A loop with an ``else``."""
        self.write_for(indent, scope, loops, in_loop, orelse=True)

    def write_for(self, indent: int, scope: Scope, loops: int, in_loop: bool, orelse: bool = False) -> None:
        own = scope.copy()
        arrays = scope.names("array") + scope.names("list")
        item, place = self.fresh("float"), self.fresh("int")
        choices = [f"for {place} in range({self.write.number(1, 4)}):"]
        if name := self.write.name("int", scope):
            choices += [f"for {place} in range({name} % 5):", f"for {place} in range(1, min({name}, 4)):"]
        if arrays:
            array, other = self.write.pick(*arrays), self.write.pick(*arrays)
            choices += [
                f"for {item} in {array}:",
                f"for {place}, {item} in enumerate({array}):",
                f"for {item}, {self.fresh('float')} in zip({array}, {other}):",
                f"for {place} in range(len({array})):",
            ]
        head = self.write.pick(*choices)
        for name, kind in ((place, "int"), (item, "float")):
            if name in head.split(" in ")[0].replace(",", "").split():
                own.kinds[name] = kind
                own.unsure.discard(name)
        self.line(indent, head)
        self.loop(indent, scope, own, loops, orelse)

    def count(self, indent: int, scope: Scope) -> str:
        self.counter += 1
        name = f"k{self.counter}"
        self.line(indent, f"{name} = 0")
        scope.kinds[name] = "int"
        scope.readonly.add(name)
        return name

    def fresh(self, kind: str) -> str:
        self.counter += 1
        return f"{LETTERS[kind]}{self.counter}"


@st.composite
def programs(draw: Any, theme: Theme) -> tuple[str, tuple[Any, ...]]:
    """The text of a module with a function ``f``, and arguments for it."""
    writer = Writer(draw, theme)
    kinds = [writer.write.pick(*theme.kinds) for _ in range(writer.write.number(1, 4))]
    names = [f"{LETTERS[kind]}_{index}" for index, kind in enumerate(kinds)]
    scope = Scope(dict(zip(names, kinds, strict=True)))
    writer.line(0, f"def f({', '.join(names)}):")
    if "shared" in theme.statements:
        writer.line(1, "global count")
        writer.line(1, "count = 0")
        scope.kinds["count"] = "int"
    if "keep" in theme.statements:
        writer.line(1, "kept = []")
    if "suspend" in theme.statements:
        for text in OPENING:
            writer.line(1, text)
    reachable = True
    while reachable and writer.budget > 6 and (writer.budget == 14 or writer.write.chance(80)):
        reachable = writer.block(1, scope, 2, False)
    if reachable:
        hidden = scope.unsure | scope.readonly | set(scope.names("function", unsure=True))
        results = [name for name in scope.kinds if name not in hidden]
        unsure = sorted(name for name in scope.unsure if scope.kinds.get(name) != "function")
        if unsure and writer.write.chance(20):
            results.append(writer.write.pick(*unsure))
        if "keep" in theme.statements:
            results.append("[g(0.5) for g in kept]")
        if "suspend" in theme.statements:
            results += RESULTS
        writer.line(1, f"return {', '.join(results)}" if results else "return 0")
    values = tuple(draw(_ARGUMENTS[kind]) for kind in kinds)
    text = "\n".join(writer.lines) + "\n"
    parts = [part for part, words in MODULES.items() if any(word in text for word in words)]
    text = "\n\n".join([*parts, text])
    if FUNCTIONS in parts or RECORDS in parts:
        text = f"{IMPORTS}\n\n{text}"
    return text, values


_FLOATS = st.sampled_from([1.0, 0.0, 0.5, -1.5, 2.0, -0.0, 3.75, 100.0, 1e300, float("inf"), float("nan")])
_ARGUMENTS: dict[str, st.SearchStrategy[Any]] = {
    "int": st.integers(0, 7) | st.integers(-4, 20),
    "float": _FLOATS,
    "array": st.lists(_FLOATS, min_size=3, max_size=3).map(tuple),
    "list": st.lists(_FLOATS, max_size=3),
}
