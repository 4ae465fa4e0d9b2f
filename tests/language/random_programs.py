"""Random control flow: programs over a few integer names, written by a ``random.Random``.

Every program is a function ``f(p, q, log)``; ``log`` records the order of what happens, and ``tick()`` ends a
program that runs too long.  Names may be unset when they are read: that is part of what must stay the same.
"""

from __future__ import annotations

import linecache
from random import Random
from typing import Any

NAMES = ("a", "b", "c", "p", "q")


class Budget(Exception):
    """The program has run long enough."""


class Writer:
    """Writes one program."""

    def __init__(self, random: Random, size: int = 14) -> None:
        self.random, self.left, self.number = random, size, 0

    def pick(self, *choices: Any) -> Any:
        return choices[self.random.randrange(len(choices))]

    def name(self) -> str:
        return self.pick(*NAMES)

    def expression(self, depth: int = 2) -> str:
        kind = self.random.randrange(12 if depth else 3)
        inner = lambda: self.expression(depth - 1)  # noqa: E731
        if kind < 2:
            return self.name()
        if kind < 4:
            return str(self.random.randrange(5))
        if kind == 4:
            return f"({inner()} {self.pick('+', '-', '*', '//', '%')} {inner()})"
        if kind == 5:
            return f"({inner()} {self.pick('and', 'or')} {inner()})"
        if kind == 6:
            return f"({inner()} if {self.test(depth - 1)} else {inner()})"
        if kind == 7:
            return f"note({inner()})"
        if kind == 8:
            return f"sum([v + {self.name()} for v in range({self.random.randrange(4)}) if v < {inner()}])"
        if kind == 9:
            return f"({self.name()} := {inner()})"
        if kind == 10:
            return f"(lambda v, w={inner()}: v + w + {self.name()})({inner()})"
        return f"len(f'{{{self.name()}}}')"

    def test(self, depth: int = 1) -> str:
        kind = self.random.randrange(8)
        if kind < 4:
            return (
                f"{self.expression(depth)} {self.pick('<', '>', '==', '!=', '<=')} {self.expression(depth)}"
            )
        if kind == 4:
            return f"not {self.expression(depth)}"
        if kind == 5:
            return f"{self.expression(depth)} < {self.expression(depth)} <= {self.expression(depth)}"
        if kind == 6:
            return f"{self.name()} in (note({self.expression(depth)}), 2)"
        return self.expression(depth)

    def block(self, depth: int, loop: bool, many: int = 3) -> list[str]:
        lines: list[str] = []
        for _ in range(1 + self.random.randrange(many)):
            lines += self.statement(depth, loop)
        return lines or ["pass"]

    def indented(self, depth: int, loop: bool) -> list[str]:
        return ["    " + line for line in self.block(depth - 1, loop)]

    def statement(self, depth: int, loop: bool) -> list[str]:
        self.left -= 1
        deep = depth > 0 and self.left > 0
        kinds = ["assign"] * 4 + ["augment", "note", "pair", "return", "delete", "define", "raise"]
        if loop:
            kinds += ["break", "continue"] * 2
        if deep:
            kinds += ["if"] * 6 + ["while", "for"] * 3 + ["try"] * 2 + ["with", "static", "inner", "match"]
        kind = self.pick(*kinds)
        return getattr(self, f"{kind}_")(depth, loop)  # type: ignore[no-any-return]

    def assign_(self, depth: int, loop: bool) -> list[str]:
        return [f"{self.name()} = {self.expression()}"]

    def augment_(self, depth: int, loop: bool) -> list[str]:
        return [f"{self.name()} {self.pick('+=', '-=')} {self.expression()}"]

    def pair_(self, depth: int, loop: bool) -> list[str]:
        return [f"{self.name()}, {self.name()} = {self.expression()}, {self.expression(1)}"]

    def note_(self, depth: int, loop: bool) -> list[str]:
        return [f"note({self.expression()})"]

    def return_(self, depth: int, loop: bool) -> list[str]:
        return (
            [self.pick(f"return {self.expression()}", "return")] if self.random.random() < 0.6 else ["pass"]
        )

    def delete_(self, depth: int, loop: bool) -> list[str]:
        return [f"del {self.name()}"] if self.random.random() < 0.3 else ["pass"]

    def raise_(self, depth: int, loop: bool) -> list[str]:
        return (
            [f"raise {self.pick('ValueError', 'KeyError')}({self.expression(1)})"]
            if self.random.random() < 0.4
            else []
        )

    def break_(self, depth: int, loop: bool) -> list[str]:
        return ["break"]

    def continue_(self, depth: int, loop: bool) -> list[str]:
        return ["continue"]

    def define_(self, depth: int, loop: bool) -> list[str]:
        return (
            [f"later.append(lambda: {self.name()} + {self.name()})"]
            if self.random.random() < 0.5
            else ["note(later[-1]() if later else 0)"]
        )

    def if_(self, depth: int, loop: bool) -> list[str]:
        lines = [f"if {self.test()}:", *self.indented(depth, loop)]
        if self.random.random() < 0.3:
            lines += [f"elif {self.test()}:", *self.indented(depth, loop)]
        if self.random.random() < 0.5:
            lines += ["else:", *self.indented(depth, loop)]
        return lines

    def static_(self, depth: int, loop: bool) -> list[str]:
        return [
            f"if isinstance({self.name()}, int):",
            *self.indented(depth, loop),
            "else:",
            *self.indented(depth, loop),
        ]

    def while_(self, depth: int, loop: bool) -> list[str]:
        test = self.pick("True", self.test(), self.test())
        lines = [f"while {test}:", "    tick()", *self.indented(depth, True)]
        if self.random.random() < 0.3:
            lines += ["else:", *self.indented(depth, loop)]
        return lines

    def for_(self, depth: int, loop: bool) -> list[str]:
        target, items = self.pick(
            (self.name(), f"range({self.random.randrange(4)})"),
            (self.name(), f"range({self.name()} % 4)"),
            (f"{self.name()}, {self.name()}", f"enumerate([{self.expression(1)}, 2])"),
        )
        lines = [f"for {target} in {items}:", "    tick()", *self.indented(depth, True)]
        if self.random.random() < 0.3:
            lines += ["else:", *self.indented(depth, loop)]
        return lines

    def try_(self, depth: int, loop: bool) -> list[str]:
        lines = ["try:", *self.indented(depth, loop)]
        caught = self.pick("ZeroDivisionError", "ValueError", "(ValueError, NameError)", "Exception")
        binding = self.pick("", f" as {self.name()}", " as e")
        handler = [f"except {caught}{binding}:", "    tick()", *self.indented(depth, loop)]
        kind = self.random.randrange(4)
        if kind < 3:
            lines += handler
        if kind == 1:
            lines += ["else:", *self.indented(depth, loop)]
        if kind >= 2:
            # a jump out of `finally` is refused when it has to be staged
            lines += ["finally:", f"    {self.name()} = note({self.expression(1)})"]
        return lines

    def with_(self, depth: int, loop: bool) -> list[str]:
        manager = self.pick(
            "suppress(ZeroDivisionError)", "nullcontext()", f"nullcontext({self.expression(1)}) as a"
        )
        return [f"with {manager}:", *self.indented(depth, loop)]

    def inner_(self, depth: int, loop: bool) -> list[str]:
        self.number += 1
        name = f"g{self.number}"
        own = self.pick([], [f"    nonlocal {self.name()}"])
        own = [line for line in own if line.split()[-1] not in ("p", "q")]
        return [
            f"def {name}({self.pick('', 'p=3', 'q=4')}):",
            *own,
            *self.indented(depth, False),
            f"note({name}())",
        ]

    def match_(self, depth: int, loop: bool) -> list[str]:
        lines = [f"match ({self.expression(1)}, {self.expression(1)}):"]
        for pattern in (
            f"(0, {self.name()})",
            "(1 | 2, _)",
            "[_, 3 | 4] if " + self.test(),
            self.pick("_", "(0, 0)"),
        ):
            lines += [f"    case {pattern}:", *("    " + line for line in self.indented(depth - 1, loop))]
        return lines


HEAD = """from contextlib import nullcontext, suppress
LIMIT = 60

def make(log, later):
    ticks = []
    def tick():
        ticks.append(1)
        if len(ticks) > LIMIT:
            raise Budget
    def note(value):
        log.append(repr(value))
        return value if isinstance(value, int) and abs(value) < 10**6 else 1

    def f(p, q):
        a = 1
"""


def write(random: Random) -> str:
    """The text of one module with a random function."""
    writer = Writer(random)
    lines: list[str] = []
    while writer.left > 0:
        lines += writer.statement(3, False)
    # every name is a local of f, so that `nonlocal` finds it
    lines = ["if 0:", "    b = c = 0", *lines, "return (a, b, c, p, q)"]
    return HEAD + "".join(f"        {line}\n" for line in lines) + "    return f\n"


_count = 0


def load(text: str) -> Any:
    """Run the text as a module of its own and give its ``make``."""
    global _count
    _count += 1
    filename = f"/tmp/random_program_{_count}.py"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    space: dict[str, Any] = {"__name__": "random_program"}
    space["Budget"] = Budget
    exec(compile(text, filename, "exec"), space)
    return space["make"]


def observe(make: Any, change: Any, p: int, q: int) -> tuple[Any, ...]:
    """What a run shows: the log, the result or the exception, and what the lambdas left behind say."""
    log: list[str] = []
    later: list[Any] = []
    f = change(make(log, later))
    try:
        end: Any = ("result", f(p, q))
    except Exception as error:
        end = (type(error).__name__, str(error))
    for one in later:
        try:
            log.append(repr(one()))
        except Exception as error:
            log.append(type(error).__name__)
    return end, log
