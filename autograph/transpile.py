"""From a function's text to its transpiled tree, code object and text; also for whole modules.

All that is heavy to import is here and below; :mod:`autograph.convert` comes here only when there is
something to convert.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import sys
import types
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

import gast

from autograph import source
from autograph.analysis.scopes import identifiers, stores
from autograph.comments import attach_comments, settle_comments
from autograph.emit import to_code_object, to_text
from autograph.errors import ConversionError
from autograph.outer_names import ANSWERS, TRANSPARENT, outer_value
from autograph.passes import Context, run
from autograph.passes.generators import is_named
from autograph.passes.lambdas import as_function, needs_statements
from autograph.qualified_names import Made, with_qualified_names
from autograph.silence import silent
from autograph.tree import SCOPES, at, blocks, define, is_docstring, is_generator, to_ast, walk

if TYPE_CHECKING:
    from autograph.convert import Variant


def transpiled(
    f: types.FunctionType,
    variant: Variant,
    asked: dict[tuple[str, str], bool],
    generators: frozenset[tuple[str, int]] = frozenset(),
) -> tuple[types.CodeType, Context]:
    """The code object that ``f`` is converted to, and what the passes noted.

    Args:
        f: the user's function.
        variant: what is special about its conversion.
        asked: filled with the questions about outer names, and the answers.
        generators: those that are to yield through operators.
    """
    with _room():
        node, text = source.find(f)
        tree, context = _transpile(f, node, text, variant, asked, generators)
        return _compile(f, tree, context), context


def text_of(f: types.FunctionType, variant: Variant) -> str:
    """The transpiled text of ``f``, comments kept."""
    with _room():
        node, text = source.find(f)
        tree, _ = _transpile(f, node, text, variant, {}, comments=True)
        return str(to_text(tree))


def _is_ours(decorator: Any, names: Collection[str] = ("ag", "autograph")) -> bool:
    """``@ag.function``, ``@autograph.convert(...)``, ``@function``: decorators that the text would apply
    again.
    """
    target = decorator.func if isinstance(decorator, (gast.Call, ast.Call)) else decorator
    if isinstance(target, (gast.Attribute, ast.Attribute)):
        base = getattr(target.value, "id", None)
        return base in names and target.attr in ("function", "convert")
    return getattr(target, "id", None) in ("function", "convert")


def _transpile(
    f: types.FunctionType,
    node: Any,
    text: source.Text,
    variant: Variant,
    asked: dict[tuple[str, str], bool],
    generators: frozenset[tuple[str, int]] = frozenset(),
    comments: bool = False,
) -> tuple[Any, Context]:
    """The transpiled module tree with the function alone in it."""
    new = gast.ast_to_gast(node)
    if isinstance(new, gast.Lambda) and needs_statements(new):
        new = as_function(new, "function")
    is_lambda = isinstance(new, gast.Lambda)
    if isinstance(new, gast.FunctionDef):
        new.decorator_list = [d for d in new.decorator_list if not _is_ours(d)]
    tree = gast.Module(
        body=[gast.copy_location(gast.Expr(value=new), new) if is_lambda else new], type_ignores=[]
    )
    if comments:
        first, last = source.first_line(node), _last_line(node, text.lines)
        attach_comments(tree, "\n" * (first - 1) + "".join(text.lines[first - 1 : last]))
        settle_comments(tree)

    def ask(question: str, name: str) -> bool:
        if (question, name) not in asked:
            asked[question, name] = ANSWERS[question](f, name)
        return asked[question, name]

    used = identifiers(tree) | set(f.__code__.co_freevars)
    if outer_value(f, "ag")[1] is sys.modules["autograph"] and not _binds(tree, "ag"):
        used -= {"ag"} - set(f.__code__.co_freevars)  # it is what we call it, too
    context = Context(used=used, filename=f.__code__.co_filename, lines=text.lines, ask=ask)
    context.ag = context.fresh("ag")
    context.stage_tests, context.stage_comparisons, context.cells = variant[:3]
    context.open_stars, context.open_keys, context.open_operands = variant[3:]
    context.generators = generators
    context.generator = isinstance(new, gast.FunctionDef) and is_named(new, context)
    return run(tree, context), context


def _binds(tree: Any, name: str) -> bool:
    """Whether anything in the tree binds the name."""
    return any(
        getattr(node, "name", None) == name
        or (isinstance(node, gast.Name) and node.id == name and not isinstance(node.ctx, gast.Load))
        or (isinstance(node, gast.alias) and name in (node.asname, node.name))
        for node in walk(tree)
    )


def _last_line(node: Any, lines: list[str]) -> int:
    """The last line of a function, the comments at its end included."""
    last: int = node.end_lineno
    for number, line in enumerate(lines[last:], last + 1):
        text = line.strip()
        if text and not (text.startswith("#") and line.index("#") > node.col_offset):
            break
        last = number if text else last
    return last


@contextlib.contextmanager
def _room() -> Iterator[None]:
    """Room for deep trees: an ``elif`` chain nests as deep as it is long."""
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(max(limit, 20_000))
        yield
    finally:
        sys.setrecursionlimit(limit)


def _compile(f: types.FunctionType, tree: Any, context: Context) -> types.CodeType:
    """Compile the function inside a factory that binds ``ag`` and the free names, and take its code out."""
    root = tree.body[0]
    if isinstance(root, gast.FunctionDef):
        root = gast.copy_location(
            gast.FunctionDef(
                name=root.name,
                args=_bare(root.args),
                body=root.body,
                decorator_list=[],
                returns=None,
                type_comment=None,
                type_params=[],
            ),
            root,
        )
        inner: list[Any] = [root]
    else:
        inner = [gast.copy_location(gast.Return(value=root.value), root)]
    parts = f.__qualname__.split(".")
    if (
        len(parts) > 1
        and parts[-2] != "<locals>"
        and parts[-2].isidentifier()
        and isinstance(root, gast.FunctionDef)
    ):
        # inside a class, so that private names are mangled as they were
        inner = [
            gast.copy_location(
                gast.ClassDef(
                    name=parts[-2], bases=[], keywords=[], body=inner, decorator_list=[], type_params=[]
                ),
                root,
            )
        ]
    bound = getattr(inner[0], "name", None)
    if bound is not None and bound not in f.__code__.co_freevars:
        # where the function reads its own name, or its class's, that is the global one
        inner.insert(0, gast.copy_location(gast.Global(names=[bound]), root))
    factory = gast.copy_location(define("factory", [context.ag, *f.__code__.co_freevars], inner), root)
    module = gast.Module(body=[factory], type_ignores=[])
    thunks = _thunks(root, context)
    code = to_code_object(to_ast(module), f.__code__.co_filename, source.features(f.__code__))
    found = _find_code(code, getattr(root, "name", f.__code__.co_name))
    owner = f"{inner[-1].name}." if isinstance(inner[-1], gast.ClassDef) else ""
    written = owner + found.co_name
    if len(inner) == 1:  # not declared global
        written = f"factory.<locals>.{written}"
    qualname = getattr(f.__code__, "co_qualname", f.__qualname__)
    made = Made(context.made, context.comprehensions, thunks)
    return with_qualified_names(found, written, qualname, made)


def _thunks(root: Any, context: Context) -> frozenset[Any]:
    """What tells the lambdas that conversion made in the compiled code: where their expressions stand.

    Python 3.10 keeps no columns: there they take a parameter of a name of ours, which no call gives.
    """
    places: tuple[set[Any], set[Any]] = (set(), set())
    lambdas = [node for node in walk(root) if isinstance(node, gast.Lambda)]
    if sys.version_info >= (3, 11):
        for node in lambdas:
            body = node.body
            place = (body.lineno, body.end_lineno, body.col_offset, body.end_col_offset)
            places[getattr(node, "generated", False)].add(place)
        return frozenset(places[True] - places[False])
    mark = context.stable("made")
    for node in lambdas:
        if getattr(node, "generated", False) and any(isinstance(each, SCOPES) for each in walk(node.body)):
            name = gast.Name(id=mark, ctx=gast.Param(), annotation=None, type_comment=None)
            node.args.kwarg = at(name, node)
    return frozenset({mark})


def _bare(args: Any) -> Any:
    """The parameters without annotations, their defaults as placeholders: the real ones are taken from the
    function.
    """
    copy = gast.arguments(
        args=[_param(p) for p in args.args],
        posonlyargs=[_param(p) for p in args.posonlyargs],
        vararg=args.vararg and _param(args.vararg),
        kwonlyargs=[_param(p) for p in args.kwonlyargs],
        kw_defaults=[default and gast.Constant(value=None, kind=None) for default in args.kw_defaults],
        kwarg=args.kwarg and _param(args.kwarg),
        defaults=[gast.Constant(value=None, kind=None) for _ in args.defaults],
    )
    return copy


def _param(node: Any) -> Any:
    new = gast.Name(id=node.id, ctx=gast.Param(), annotation=None, type_comment=None)
    return gast.copy_location(new, node)


def _find_code(code: types.CodeType, name: str) -> types.CodeType:
    factory = next(c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == "factory")
    stack = [factory]
    while stack:
        current = stack.pop(0)
        for constant in current.co_consts:
            if isinstance(constant, types.CodeType):
                if constant.co_name == name:
                    return constant
                stack.append(constant)
    raise ConversionError(
        f"the converted code of `{name}` was not found", why="this is a defect of autograph"
    )


def text_of_module(source_text: str, filename: str) -> str:
    """What :func:`autograph.convert.convert_module` gives."""
    with silent(filename):
        tree = gast.ast_to_gast(ast.parse(source_text, filename))
    attach_comments(tree, source_text)
    for statement in tree.body:
        if isinstance(statement, (gast.FunctionDef, gast.ClassDef)):
            settle_comments(statement)
    used = identifiers(tree)
    steady, data = _module_names(tree.body)
    definitions = [s for s in tree.body if isinstance(s, (gast.FunctionDef, gast.ClassDef))]
    methods = {f"{s.name}.{m.name}" for s in definitions for m in s.body if isinstance(m, gast.FunctionDef)}
    defined = {s.name for s in definitions} & steady
    imported = next((name for name in _imports_of_ours(tree.body)), None)
    lines = source_text.splitlines(keepends=True)

    def ask(question: str, name: str) -> bool:
        if question == "transparent":
            base, _, attribute = name.rpartition(".")
            return base in steady and any(attribute in names for names in TRANSPARENT.values())
        if question in ("container", "data attribute"):
            return name.partition(".")[0] in defined and name not in methods
        if question == "builtin":
            return name not in data and name not in steady and hasattr(builtins, name)
        if question == "code attribute":
            return name in methods
        if question == "user's":
            return name in defined
        return name in data or (name not in steady and not hasattr(builtins, name))

    ag = imported or Context(used=set(used)).fresh("ag")

    def transpile(statements: list[Any]) -> None:
        for statement in statements:
            if isinstance(statement, gast.FunctionDef) and not is_generator(statement):
                context = Context(used=used | {ag}, filename=filename, lines=lines, ask=ask, ag=ag)
                run(gast.Module(body=[statement], type_ignores=[]), context)
                statement.decorator_list = [
                    d for d in statement.decorator_list if not _is_ours(d, (ag, "autograph"))
                ]
            elif isinstance(statement, gast.ClassDef):
                transpile(statement.body)
            elif not isinstance(statement, gast.AsyncFunctionDef):
                for block in blocks(statement):
                    transpile(block)

    transpile(tree.body)
    if imported is None:
        place = 1 if tree.body and is_docstring(tree.body[0]) else 0
        while place < len(tree.body) and getattr(tree.body[place], "module", None) == "__future__":
            place += 1
        tree.body.insert(place, gast.Import(names=[gast.alias(name="autograph", asname=ag)]))
    return str(to_text(tree))


def _module_names(statements: list[Any]) -> tuple[set[str], set[str]]:
    """The names that a module binds by ``import``, ``def`` and ``class`` only, and the others."""
    steady: set[str] = set()
    data: set[str] = set()
    for statement in statements:
        if isinstance(statement, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            steady.add(statement.name)
        elif isinstance(statement, (gast.Import, gast.ImportFrom)):
            steady.update(stores(statement))
        elif blocks(statement):
            data.update(name for name in stores(statement))
            for block in blocks(statement):
                inner, _ = _module_names(block)
                steady |= inner
                data -= inner
        else:
            data.update(stores(statement))
    return steady - data, data


def _imports_of_ours(statements: list[Any]) -> list[str]:
    """The names under which a module imports ``autograph``."""
    return [
        alias.asname or alias.name
        for statement in statements
        if isinstance(statement, gast.Import)
        for alias in statement.names
        if alias.name == "autograph"
    ]
