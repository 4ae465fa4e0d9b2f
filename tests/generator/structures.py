"""Statements of random programs beyond numbers and arrays: objects, dicts, tuples, comprehensions,
functions made and chosen, recursion, ``match``, walrus, ``try`` and ``with``.

A mixin of :class:`generator.writing.Writer`, which has the drawing, the lines and the blocks.
"""

from __future__ import annotations

from typing import Any

from .expressions import Scope
from .statements import Statements

CLASSES = """\
class Box:
    made = "box"

    def __init__(self, x, n=1):
        self.x, self.n = x, n

    def grow(self, by):
        if by > self.x:
            self.n += 1
        self.x += by
        return self.x

    def moved(self, by):
        return Box(self.x - by, self.n)

    @property
    def size(self):
        return self.x if self.n > 2 else self.x * 0.5

    @classmethod
    def of(cls, n):
        return cls(float(n), n)

    def __add__(self, other):
        return Box(self.x + other.x, self.n)

    def __lt__(self, other):
        return self.x < other.x

    def __call__(self, by):
        self.n -= 1
        return by * 2 if self.n > 0 else by


class Small(Box):
    def grow(self, by):
        if by > 1.0:
            return super().grow(0.5)
        return super().grow(by)


class Block:
    def __init__(self, name, forgives):
        self.name, self.forgives = name, forgives

    def __enter__(self):
        print("enter", self.name)
        return self

    def __exit__(self, kind, error, trace):
        print("leave", self.name, kind is not None)
        return self.forgives and kind is ValueError


def descend(n, x):
    if n <= 0:
        return x
    if x > 50.0:
        return descend(n - 2, x / 2)
    return descend(n - 1, x + n) + 1


def collect(n, found):
    if n < 1:
        return found
    found.append(n)
    return collect(n - 2, found) if n % 2 else collect(n - 1, found)


def up(v):
    return v + 1 if v > 0 else v


def down(v):
    for k in range(3):
        v -= k
    return v
"""

class Structures(Statements):
    """The statements."""

    def target(self, kind: str, scope: Scope) -> str:
        """A name to assign: an old one of the kind or a new one, set from now on."""
        names = [name for name in scope.names(kind, unsure=True) if name not in scope.readonly]
        name = self.write.pick(*names) if names and self.write.chance(60) else self.fresh(kind)
        scope.kinds[name] = kind
        scope.unsure.discard(name)
        return name

    # Objects, dicts, tuples

    def write_object(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        objects = scope.names("object")
        x, n = self.write.float(scope, 1), self.write.int(scope, 0)
        choices: list[Any] = [f"Box({x})", f"Box({x}, {n})", f"Small({x}, n={n})", f"Box.of({n})"]
        if objects:
            one, other = self.write.pick(*objects), self.write.pick(*objects)
            choices += [f"{one}.moved({x})", f"{one} + {other}", one, f"min({one}, {other})"]
            choices += [f"({one} if {self.write.condition(scope, 0)} else {other})"]
        value = self.write.pick(*choices)
        self.line(indent, f"{self.target('object', scope)} = {value}")

    def write_attribute(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        objects = scope.names("object")
        if not objects:
            return self.write_object(indent, scope, loops, in_loop)
        one = self.write.pick(*objects)
        self.line(
            indent,
            self.write.pick(
                f"{one}.x {self.write.pick('=', '+=', '-=')} {self.write.float(scope, 1)}",
                f"{one}.n = {self.write.int(scope, 1)}",
                f"{one}.grow({self.write.float(scope, 0)})",
                f"print({one}.x, {one}.size, {one}.made)",
            ),
        )

    def write_dict(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        value = self.write.float(scope, 1)
        names = scope.names("dict")
        if not names or self.write.chance(30):
            text = self.write.pick(
                f"{{'a': {value}}}", f"{{'a': {value}, 'b': {self.write.int(scope, 0)}}}", "{}"
            )
            if names and self.write.chance(30):
                text = f"{{k: v * 2 for k, v in {self.write.pick(*names)}.items()}}"
            self.line(indent, f"{self.target('dict', scope)} = {text}")
            return
        name, key = self.write.pick(*names), self.write.pick("'a'", "'b'", "'c'")
        kind = self.write.pick("set", "set", "default", "pop", "update", "add", "loop")
        if kind == "loop":
            key, item = self.fresh("int"), self.fresh("float")
            self.line(indent, f"for {key}, {item} in list({name}.items()):")
            self.line(indent + 1, f"if {item} > {self.write.float(scope, 0)}:")
            self.line(indent + 2, f"{name}[{key}] = {item} - 1")
            return
        self.line(
            indent,
            {
                "set": f"{name}[{key}] = {value}",
                "default": f"{name}.setdefault({key}, {value})",
                "pop": f"{name}.pop({key}, None)",
                "update": f"{name}.update(c={value})",
                "add": f"{name}[{key}] = {name}.get({key}, 0) + {value}",
            }[kind],
        )

    def write_tuple(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        names = scope.names("tuple")
        x, n = self.write.float(scope, 1), self.write.int(scope, 1)
        if names and self.write.chance(60):
            source = self.write.pick(*names, f"({x}, {n})")
            one, two = self.target("float", scope), self.target("int", scope)
            self.line(indent, self.write.pick(f"{one}, {two} = {source}", f"{one}, *_ = {source}; {two} = 1"))
            return
        self.line(indent, f"{self.target('tuple', scope)} = ({x}, {n})")

    # Comprehensions

    def write_comprehend(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        source, item = self.iterable(scope)
        shift = self.write.float(scope, 0)
        test = self.write.pick(f" if {item} > {shift}", f" if {item}", "")
        kind = self.write.pick("list", "list", "float", "int", "dict")
        value = f"{item} * 2 - {shift}"
        if kind == "list":
            text = f"[{value} for {item} in {source}{test}]"
        elif kind == "float":
            text = self.write.pick(
                f"sum([{value} for {item} in {source}{test}])",
                f"max([{value} for {item} in {source}{test}], default=0.0)",
                f"sum({value} for {item} in {source}{test})",
            )
        elif kind == "int":
            if source.startswith("range(n"):  # ``any`` over a generator of unknown length is refused
                source = "range(4)"
            text = self.write.pick(
                f"len([{item} for {item} in {source}{test}])",
                f"int(any({item} > {shift} for {item} in {source}))",
                f"int(all({item} < {shift} for {item} in {source}))",
            )
        else:
            text = f"{{k: {value} for k, {item} in zip('abc', {source})}}"
        self.line(indent, f"{self.target(kind, scope)} = {text}")

    def iterable(self, scope: Scope) -> tuple[str, str]:
        """Something short to loop over, and a name for its items."""
        sources = scope.names("array") + scope.names("list")
        n = self.write.name("int", scope)
        counted = [f"range({n} % 4)", f"range({n} % 5, 0, -1)"] if n else []
        return self.write.pick("range(3)", *sources, *counted), self.write.pick("v", "w")

    # Functions

    def write_define(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        name = self.fresh("function")
        own = Scope(
            {**{k: v for k, v in scope.kinds.items() if v != "function"}, "v": "float"}, set(scope.unsure)
        )
        kind = self.write.pick("lambda", "def", "nonlocal", "chosen", "default")
        changed = [each for each in scope.names("float") if each not in scope.readonly and indent == 1]
        if kind == "nonlocal" and not (changed and self.bound_here(changed)):
            kind = "def"
        if kind == "lambda":
            self.line(indent, f"{name} = lambda v: {self.write.float(own, 1)}")
        elif kind == "chosen":
            self.line(indent, f"{name} = up if {self.write.condition(scope)} else down")
        else:
            default = f", k={self.write.int(scope, 0)}" if kind == "default" else ""
            self.line(indent, f"def {name}(v{default}):")
            if kind == "nonlocal":
                target = self.write.pick(*self.bound_here(changed))
                self.line(indent + 1, f"nonlocal {target}")
                self.line(indent + 1, f"{target} = {target} + v")
            self.line(indent + 1, f"if {self.write.condition(own, 0)}:")
            self.line(indent + 2, f"return {self.write.float(own, 1)}")
            self.line(indent + 1, f"return v * {'k' if default else '0.5'}")
        scope.kinds[name] = "function"
        scope.unsure.discard(name)

    def bound_here(self, names: list[str]) -> list[str]:
        """Those that ``f`` itself binds."""
        return names

    def write_apply(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        names = scope.names("function")
        if not names:
            return self.write_define(indent, scope, loops, in_loop)
        name, value = self.write.pick(*names), self.write.float(scope, 0)
        items = scope.names("list")
        choices = [
            f"{name}({value})",
            f"{name}({name}({value}))",
            f"[up, down, {name}][{self.write.int(scope, 0)} % 3]({value})",
        ]
        if items:
            held = self.write.pick(*items)
            choices += [f"sum(map({name}, {held}))", f"sorted({held}, key={name})[-1] if {held} else 0.0"]
        self.line(indent, f"{self.target('float', scope)} = {self.write.pick(*choices)}")

    def write_recurse(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        n, x = self.write.int(scope, 0), self.write.float(scope, 0)
        if self.write.chance(30):
            self.line(indent, f"{self.target('list', scope)} = collect({n} % 6, [])")
        else:
            self.line(indent, f"{self.target('float', scope)} = descend({n} % 6, {x})")

    # Walrus, match

    def write_walrus(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        name = self.fresh("int")
        before = scope.copy()
        self.line(indent, f"if ({name} := {self.write.int(scope)}) > {self.write.number(0, 3)}:")
        for each in (before, scope):
            each.kinds[name] = "int"
            each.unsure.discard(name)
        self.arm(indent + 1, scope, before, loops, in_loop)

    def write_match(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        subject = self.write.pick(lambda: self.write.int(scope), lambda: f"({self.write.int(scope, 0)}, 1)")
        pair = subject.startswith("(") and subject.endswith(", 1)")
        self.line(indent, f"match {subject}:")
        name = self.fresh("int")
        cases = (
            [f"({self.write.number(0, 2)}, _)", f"({name}, 1)"]
            if pair
            else [
                str(self.write.number(0, 2)),
                f"{self.write.number(0, 2)} | {self.write.number(3, 5)}",
                f"{name} if {name} > {self.write.number(1, 3)}",
            ]
        )
        for case in cases[: self.write.number(1, len(cases))]:
            own = scope.copy()
            self.line(indent + 1, f"case {case}:")
            if name in case:
                own.kinds[name] = "int"
            self.arm(indent + 2, scope, own, loops, in_loop)
        if self.write.chance(60):
            self.line(indent + 1, "case _:")
            self.arm(indent + 2, scope, scope.copy(), loops, in_loop)

    # Try, with

    def write_try(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        everything = self.write.pick(
            "ValueError", "(ValueError, ArithmeticError)", "Exception", "LookupError"
        )
        own = scope.copy()
        self.line(indent, "try:")
        self.arm(indent + 1, scope, own, loops, in_loop)
        if self.write.chance(60):
            self.line(indent + 1, f"if {self.write.condition(scope, 0)}:")
            self.line(indent + 2, f"raise ValueError('bad', {self.write.int(scope, 0)})")
        kind = self.write.pick("except", "except", "finally", "both")
        for name in [*own.kinds]:
            if name not in scope.kinds:
                scope.kinds[name] = own.kinds[name]
                scope.unsure.add(name)
        if kind != "finally":
            self.line(indent, f"except {everything} as error:")
            self.line(indent + 1, "print(type(error).__name__)")
            self.arm(indent + 1, scope, scope.copy(), loops, in_loop)
            if self.write.chance(20):
                self.line(indent + 1, "raise")
            if self.write.chance(25):
                self.line(indent, "else:")
                self.arm(indent + 1, scope, scope.copy(), 0, in_loop)
        if kind != "except":
            self.line(indent, "finally:")
            self.arm(indent + 1, scope, scope.copy(), 0, False)

    def write_with(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        forgives = self.write.pick("False", "True", lambda: f"{self.write.condition(scope, 0)}")
        self.line(indent, f"with Block({self.write.int(scope, 0)}, {forgives}):")
        self.arm(indent + 1, scope, scope.copy(), loops, in_loop)
        if self.write.chance(50):
            self.line(indent + 1, f"if {self.write.condition(scope, 0)}:")
            self.line(indent + 2, f"raise ValueError('bad', {self.write.int(scope, 0)})")
