"""What the text of a tree looks like."""
from __future__ import annotations

import ast
import math
import textwrap

import gast
import pytest

from autograph.emit import Unparser, to_text


def name(text: str) -> gast.Name:
    return gast.Name(text, gast.Load(), None, None)


def spelled(source: str) -> str:
    """The text of a source, which must have the same tree."""
    source = textwrap.dedent(source)
    text = to_text(ast.parse(source), comments=source)
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(source))
    assert text == to_text(gast.parse(source), comments=source)
    return text


@pytest.mark.parametrize(
    "line",
    [
        "(a + b) * c - d * e ** -f",
        "(-1) ** 2 + (a ** b) ** c + a ** b ** c",
        "not a in b and (c or d) and not (e and f)",
        "a < b <= (c < d) is not None",
        "(a if b else c) if d else e if f else lambda: g",
        "x = yield",
        "return (x,)",
        "return x, y",
        "a, b = b, a",
        "a, = b",
        "x = (1, 2)",
        "x: tuple[int, ...] = (1, 2)",
        "(x): int = 1",
        "f(x := 1, *a or b, k=(y := 2), **c or d)",
        "f(x for x in y)",
        "f((x for x in y), 1)",
        "[*a, *(b or c), (yield)]",
        "{**a, 'b': 1, **(c or d)}",
        "[a for b, c in d if (e if f else g) if h]",
        "1 .real + 1.5.real + 'a'.b + (a + b).c",
        "x[a:b, ::c, ..., 1] + y[1,] + z[()] + w[(a, b):c]",
        "lambda a, /, b=1, *c, d, **e: (a, b)",
        "del (a, b), c",
        "assert (a, b), c",
        "raise a from b or c",
        "from .. import a as b, c",
        "from .x import *",
        "f'{x!r:>{w}} {{}} {d[\"k\"]}' + f\"it's\"",
        "f'{ {1: 2}[1] }{(lambda: 1)}{(y := 1)}{(1, 2)}{a if b else c}'",
        "f'{x:\\x7b\\n}\\t'",
    ],
)
def test_a_line_keeps_only_the_parentheses_it_needs(line: str) -> None:
    """Each of these lines is already written the way we write it."""
    expected = line.replace("{ {1: 2}[1] }", "{ {1: 2}[1]}")
    body = f"def f():\n    {expected}\n" if "return" in line or "yield" in line else f"{expected}\n"
    assert spelled(body.replace(expected, line)) == body


def test_statements_of_every_kind() -> None:
    """Compound statements, clauses, decorators and definitions, with the blank lines of PEP 8."""
    text = '''\
"""Doc."""

from __future__ import annotations
import numpy as np

LIMIT: int = 3


@dec(1)
@a := b
class C(B, metaclass=M):
    """Doc of C."""

    x = 1

    def f(self, a, /, b: int = 3, *args: int, c=2, **kw) -> tuple[int, int]:
        """Doc of f.

        More, with \\\\ and \\""" in it.
        """
        global g

        def first():
            nonlocal b
            b += 1

        return first

    async def g(self):
        async with a as (b, c), d:
            await (await x)
        async for x in y:
            yield
        else:
            return


try:
    pass
except A as e:
    raise
except (B, C):
    pass
else:
    pass
finally:
    pass
while True:
    if a:
        break
    elif b:
        continue
    else:
        pass
for i, j in (1, 2):
    pass
with open(x) as f, g:
    pass
match a, b:
    case [1, -2 + 3j, *rest] | {'x': y, **more} if z:
        pass
    case P(x, y=Q() as q) as p:
        pass
    case None | a.b | 'c':
        pass
    case _:
        pass
'''
    assert spelled(text) == text


def test_a_call_that_is_too_wide_is_wrapped_like_black_does() -> None:
    """First the bracket's content goes on a line of its own, then each argument, with a trailing comma."""
    names = ", ".join(f"an_argument_{n}" for n in range(6))
    assert to_text(ast.parse(f"tank, steps = ag.for_stmt({names}, stop='stop')")) == textwrap.dedent(f"""\
        tank, steps = ag.for_stmt(
            {names}, stop='stop'
        )
        """)
    many = [f"a_longer_argument_{n}" for n in range(7)]
    lines = "\n".join(f"    {argument}," for argument in many)
    assert to_text(ast.parse(f"f({', '.join(many)})")) == f"f(\n{lines}\n)\n"


def test_a_signature_that_is_too_wide_is_wrapped() -> None:
    """The parameters are broken, not the annotation after them."""
    parameters = ", ".join(f"parameter_{n}: int" for n in range(6))
    text = to_text(ast.parse(f"def f({parameters}) -> dict[str, int]: pass"))
    assert text == f"def f(\n    {parameters}\n) -> dict[str, int]:\n    pass\n"


def test_a_wide_value_gets_parentheses_and_breaks_at_its_loosest_operator() -> None:
    """Operators lead their lines."""
    a, b, c = (letter * 40 for letter in "abc")
    text = to_text(ast.parse(f"x = {a} + {b} * 2 + {c}"))
    assert text == f"x = (\n    {a}\n    + {b} * 2\n    + {c}\n)\n"


def test_a_wide_index_gets_no_comma_that_would_make_it_a_tuple() -> None:
    """Breaking a line never changes the tree."""
    source = f"x[{'a' * 60}({'b' * 60})] = y[{'c' * 60}, {'d' * 60}]"
    text = to_text(ast.parse(source))
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(source))
    assert all(len(line) <= 110 for line in text.splitlines())


@pytest.mark.parametrize(
    "value",
    [-1, -1.5, -0.0, 0.1, 1e300, math.inf, -math.inf, math.nan, 2j, 1 + 2j, -1j, complex(0.0, -2)]
    + [complex(-0.0, 1), complex(1, -0.0), complex(math.inf, 1), complex(1, math.nan), 10**5000]
    + [True, None, ..., b"\x00'", "it's \ud800 \"", (1, (2,)), frozenset({1})],
    ids=lambda value: repr(value)[:20] if not isinstance(value, int) else str(value.bit_length()),
)
def test_constants_come_back_to_the_last_bit(value: object) -> None:
    """Also those that no source has: negative, infinite, nan, tuples."""
    back = eval(to_text(ast.Constant(value)))
    assert type(back) is type(value)
    assert back == value if isinstance(value, int) else repr(back) == repr(value)
    squared = ast.BinOp(ast.Constant(value), ast.Pow(), ast.Constant(2))
    assert ast.parse(to_text(squared), mode="eval").body.right.value == 2


def test_an_f_string_that_this_python_cannot_write_becomes_a_call_of_format() -> None:
    """Passes may put any expression into an f-string; before 3.12 its text could not hold them all."""
    for text in ("\n", "'\"\n", "\\", "'''\"\"\"\\"):
        call = gast.Call(name("ascii"), [gast.Constant(text, None)], [])
        spec = gast.JoinedStr([gast.Constant(">", None), gast.FormattedValue(name("w"), -1, None)])
        tree = gast.JoinedStr([gast.Constant("a{", None), gast.FormattedValue(call, 115, spec)])
        assert eval(to_text(tree), {"w": 30}) == f"a{{{ascii(text)!s:>30}"


def test_nodes_of_newer_pythons_are_written_by_every_python() -> None:
    """Type parameters, type aliases, except* and t-strings, by hand as this Python may not parse them."""
    parameters = [
        gast.TypeVar("T", name("int"), name("bool")),
        gast.TypeVarTuple("Ts", None),
        gast.ParamSpec("P", None),
    ]
    alias = gast.TypeAlias(gast.Name("X", gast.Store(), None, None), parameters, name("y"))
    assert to_text(alias) == "type X[T: int = bool, *Ts, **P] = y\n"
    handler = gast.ExceptHandler(name("A"), gast.Name("e", gast.Store(), None, None), [gast.Pass()])
    assert to_text(gast.TryStar([gast.Pass()], [handler], [], [])) == (
        "try:\n    pass\nexcept* A as e:\n    pass\n"
    )
    empty = gast.arguments([], [], None, [], [], None, [])
    function = gast.FunctionDef("f", empty, [gast.Pass()], [], None, None, parameters)
    assert to_text(function) == "def f[T: int = bool, *Ts, **P]():\n    pass\n"
    assert to_text(gast.ClassDef("C", [], [], [gast.Pass()], [], parameters[:1])) == (
        "class C[T: int = bool]:\n    pass\n"
    )
    kept = gast.Interpolation(name("x"), "x ", -1, None)
    changed = gast.Interpolation(name("y"), "x", 115, gast.JoinedStr([gast.Constant(">3", None)]))
    assert to_text(gast.TemplateStr([gast.Constant("hi ", None), kept, changed])) == "t'hi {x }{y!s:>3}'"


def test_every_node_class_has_its_text() -> None:
    """No class of the running ast module is unknown, contexts and operators aside: they have no text."""
    silent = ("expr_context", "boolop", "operator", "unaryop", "cmpop")
    old = {"Suite", "Num", "Str", "Bytes", "NameConstant", "Ellipsis", "_ast_Ellipsis", "Index", "ExtSlice"}
    old |= {"AugLoad", "AugStore", "Param", "ExceptHandler"}  # a handler is written by its try
    unknown = [
        node
        for node, cls in vars(ast).items()
        if isinstance(cls, type)
        and issubclass(cls, ast.AST)
        and cls.__subclasses__() == []
        and not any(base.__name__ in silent for base in cls.__mro__)
        and node not in old
        and not hasattr(Unparser, f"_{node}")
    ]
    assert unknown == []


def test_what_is_no_node_is_refused() -> None:
    """A tree with a hole says so at once."""
    with pytest.raises(TypeError, match="cannot write a NoneType as Python text"):
        to_text(ast.Expr(None))
    with pytest.raises(TypeError, match="cannot write the constant"):
        to_text(ast.Constant(object()))


def test_a_sum_of_thousands_of_terms_needs_no_deep_stack() -> None:
    """Generated programs have such lines."""
    tree: ast.expr = ast.Name("x", ast.Load())
    for _ in range(5000):
        tree = ast.BinOp(tree, ast.Add(), ast.Constant(1))
    assert to_text(tree).count("+") == 5000
