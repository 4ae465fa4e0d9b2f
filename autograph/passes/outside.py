"""Names from outside the function: data is read through ``ag.outer`` and written through ``ag.set_outer``.

So are the attributes of outer modules, classes and functions of the user's, ``config.RATE``, ``Net.counter``,
and these themselves where they are values: ``c = Net``, ``f(config)``.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.scopes import bound_names, declared, walrus_targets
from autograph.passes.calls import OF_EVERY_VALUE
from autograph.passes.context import Context
from autograph.tree import (
    Transformer,
    assign,
    at,
    children,
    define,
    dotted,
    expression,
    is_docstring,
    load,
    operator,
    param_nodes,
    store,
    thunk,
)


def outside(tree: Any, context: Context) -> Any:
    """Read and write outer data through operators.

    >>> tree = gast.parse('''
    ... def f(x):
    ...     global hits
    ...     hits = hits + RATE
    ... ''')
    >>> print(gast.unparse(outside(tree, Context())).strip())
    def f(x):
    <BLANKLINE>
        def set_hits(value):
            global hits
            hits = value
        ag.set_outer(set_hits, ag.outer(lambda: hits) + ag.outer(lambda: RATE))
    """
    return _Outside(context).visit(tree)


class Comprehended(dict[str, str]):
    """The outer names that a comprehension writes: none, as its ``:=`` is one of the function around it."""


class _Outside(Transformer):
    def __init__(self, context: Context) -> None:
        self.context = context
        self.in_class = False
        self.bound: list[set[str]] = []  # what each scope around, inside the tree, binds
        self.written: list[dict[str, str]] = []  # outer name -> its setter, by function
        self.setters: list[dict[str, tuple[str, Any]]] = []  # attribute -> setter and target, by function
        self.deleters: list[dict[str, tuple[str, Any]]] = []  # name or attribute -> the same
        self.pending: list[tuple[str, str]] = []  # temporaries to hand to setters after this statement

    # Scopes

    def visit_FunctionDef(self, node: Any) -> Any:
        self.refuse_outer(node)
        if len(self.setters) > 0 and not self.in_class:
            for each in node.decorator_list:
                _keep(each)
            node.decorator_list = [self.visit(each) for each in node.decorator_list]
        around, self.in_class = self.in_class, False
        outer_reads = node.args
        outer_reads.defaults = [self.visit(default) for default in outer_reads.defaults]
        outer_reads.kw_defaults = [default and self.visit(default) for default in outer_reads.kw_defaults]
        written: dict[str, str] = {}
        kinds = {}
        for name in sorted(declared(node, gast.Global)):
            kinds[name] = gast.Global
        for name in sorted(declared(node, gast.Nonlocal)):
            if not any(name in bound for bound in self.bound):
                kinds[name] = gast.Nonlocal
        for name in kinds:
            written[name] = self.context.fresh(f"set_{name}")
        self.bound.append(set(bound_names(node)))
        self.written.append(written)
        self.setters.append({})
        self.deleters.append({})
        node.body = self.block(node.body)
        setters = []
        for name, kind in kinds.items():
            parameter = "value" if name != "value" else "value_"
            body = [kind(names=[name]), assign(name, load(parameter))]
            setters.append(define(written[name], [parameter], body))
        for setter, target in self.setters.pop().values():
            parameter = "value" if dotted(target) != "value" else "value_"
            body = [gast.Assign(targets=[target], value=load(parameter), type_comment=None)]
            setters.append(define(setter, [parameter], body))
        for name, (deleter, target) in self.deleters.pop().items():
            body = [kinds[name](names=[name])] if name in kinds else []
            setters.append(define(deleter, [], [*body, gast.Delete(targets=[target])]))
        for new in setters:
            at(new, node).setter = True
        place = 1 if node.body and is_docstring(node.body[0]) else 0
        node.body[place:place] = setters
        self.written.pop()
        self.bound.pop()
        self.in_class = around
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def refuse_outer(self, node: Any) -> None:
        """A definition binds a local variable: refuse one whose name is declared ``global``, say."""
        if self.is_written(node.name):
            kind = "class" if isinstance(node, gast.ClassDef) else "def"
            raise self.context.refuse(
                node,
                f"`{kind} {node.name}` of a name from outside cannot be staged",
                "a graph can give an outer name a value, and a definition is no value",
                f"define it under another name and assign that to `{node.name}`",
            )

    def visit_ClassDef(self, node: Any) -> Any:
        self.refuse_outer(node)
        around, self.in_class = self.in_class, True
        super().visit_ClassDef(node)
        self.in_class = around
        return node

    def visit_Lambda(self, node: Any) -> Any:
        node.args.defaults = [self.visit(default) for default in node.args.defaults]
        node.args.kw_defaults = [default and self.visit(default) for default in node.args.kw_defaults]
        self.bound.append(
            {parameter.id for parameter in param_nodes(node.args)} | set(walrus_targets(node.body))
        )
        self.written.append({})
        node.body = self.visit(node.body)
        self.written.pop()
        self.bound.pop()
        return node

    def comprehension(self, node: Any) -> Any:
        node.generators[0].iter = self.visit(node.generators[0].iter)
        self.bound.append(set(bound_names(node)))
        self.written.append(Comprehended())
        self.visit_comprehended(node)
        self.written.pop()
        self.bound.pop()
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension

    # Statements

    def block(self, statements: list[Any]) -> list[Any]:
        """Visit the statements; what a statement stored for outer names is handed on right behind it."""
        done: list[Any] = []
        for statement in statements:
            before, self.pending = self.pending, []
            new = self.visit(statement)
            new = new if isinstance(new, list) else [] if new is None else [new]
            done += new
            done += [at(self.setting(name, load(temporary)), statement) for name, temporary in self.pending]
            self.pending = before
        return done or [gast.Pass()]

    def setting(self, name: str, value: Any) -> Any:
        setter = self.written[-1][name] if name in self.written[-1] else self.setters[-1][name][0]
        return expression(operator(self.context.ag, "set_outer", [load(setter), value]))

    def compound(self, node: Any) -> Any:
        """Names that the header stores are handed on at the start of the body."""
        before, self.pending = self.pending, []
        for field in ("test", "target", "iter", "items", "subject", "type"):
            value = getattr(node, field, None)
            if isinstance(value, list):
                setattr(node, field, [self.visit(item) for item in value])
            elif value is not None:
                setattr(node, field, self.visit(value))
        started, self.pending = self.pending, before
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block:
                setattr(node, field, self.block(block))
        if started:
            node.body[:0] = [at(self.setting(name, load(temporary)), node) for name, temporary in started]
        for field in ("handlers", "cases"):
            for part in getattr(node, field, ()):
                self.visit(part)
        return node

    visit_If = visit_While = visit_For = visit_AsyncFor = visit_With = visit_AsyncWith = compound
    visit_Try = visit_TryStar = visit_Match = compound

    def visit_match_case(self, node: Any) -> Any:
        if node.guard is not None:
            node.guard = self.visit(node.guard)
        node.pattern = self.visit(node.pattern)
        node.body = self.block(node.body)
        return node

    def visit_Global(self, node: Any) -> Any:
        return None

    def visit_Nonlocal(self, node: Any) -> Any:
        node.names = [name for name in node.names if name not in self.written[-1]]
        return node if node.names else None

    def visit_Assign(self, node: Any) -> Any:
        node.value = self.visit(node.value)
        if (
            len(node.targets) == 1
            and isinstance(node.targets[0], gast.Name)
            and self.is_written(node.targets[0].id)
        ):
            return self.setting(node.targets[0].id, node.value)
        if len(node.targets) == 1 and self.sets_attribute(node.targets[0]):
            return self.setting(dotted(node.targets[0]), node.value)  # type: ignore[arg-type]
        node.targets = [self.visit(target) for target in node.targets]
        return node

    def visit_AnnAssign(self, node: Any) -> Any:
        if node.value is not None:
            node.value = self.visit(node.value)
            if self.sets_attribute(node.target):
                return self.setting(dotted(node.target), node.value)  # type: ignore[arg-type]
        node.target = self.visit(node.target)
        return node

    def visit_AugAssign(self, node: Any) -> Any:
        if isinstance(node.target, gast.Name) and self.is_written(node.target.id):
            name, old = node.target.id, self.reading(load(node.target.id))
        elif self.sets_attribute(node.target):
            name, old = dotted(node.target), self.reading(_loaded(node.target))
        else:
            return self.generic_visit(node)
        temporary = self.temporary(name)
        read = assign(temporary, old)
        node.target = at(store(temporary), node.target)
        node.value = self.visit(node.value)
        return [at(read, node), node, at(self.setting(name, load(temporary)), node)]

    def visit_Delete(self, node: Any) -> Any:
        if not any(map(self.is_deleted_outside, node.targets)):
            return self.generic_visit(node)
        done = []
        for target in node.targets:
            if self.is_deleted_outside(target):
                path = dotted(target)
                assert path is not None
                if path not in self.deleters[-1]:
                    if "." in path:
                        self.context.static_names[path.rpartition(".")[0]] = None
                    self.deleters[-1][path] = (self.context.fresh(f"del_{path.replace('.', '_')}"), target)
                deleter = load(self.deleters[-1][path][0])
                new = expression(operator(self.context.ag, "del_outer", [deleter]))
            else:
                new = gast.Delete(targets=[self.visit(target)])
            done.append(at(new, node))
        return done

    def is_deleted_outside(self, target: Any) -> bool:
        """Whether ``del target`` takes away a name or an attribute from outside."""
        if isinstance(target, gast.Name):
            return self.is_written(target.id)
        return bool(self.setters) and self.owned(target, "container")

    def visit_NamedExpr(self, node: Any) -> Any:
        node.value = self.visit(node.value)
        name = node.target.id
        written = next((each for each in reversed(self.written) if type(each) is not Comprehended), {})
        if name not in written:
            return node
        return operator(self.context.ag, "set_outer", [load(written[name]), node.value])

    # Names

    def is_written(self, name: str) -> bool:
        return bool(self.written) and name in self.written[-1]

    def temporary(self, name: str) -> str:
        return self.context.stable(f"new_{name.replace('.', '_')}")

    def reading(self, read: Any) -> Any:
        return operator(self.context.ag, "outer", [thunk(read)])

    def is_steady(self, name: str) -> bool:
        """Whether the name is one from outside that is read as it is."""
        if not self.written or name == "__class__" or any(name in bound for bound in self.bound):
            return False
        return not any(name in written for written in self.written) and not self.context.ask("data", name)

    # Attributes

    def owned(self, node: Any, question: str) -> bool:
        """Whether ``node`` is an attribute of an outer name, and the answer about it is yes."""
        if not isinstance(node, gast.Attribute) or node.attr in OF_EVERY_VALUE:
            return False
        path = dotted(node)
        if path is None or not self.is_steady(path.partition(".")[0]):
            return False
        return self.context.ask(question, path)

    def sets_attribute(self, target: Any) -> bool:
        """Whether an assignment to ``target`` goes through a setter; if so there is one."""
        if not self.setters or not self.owned(target, "container"):
            return False
        path = dotted(target)
        assert path is not None
        if path not in self.setters[-1]:
            self.setters[-1][path] = (self.context.fresh(f"set_{path.replace('.', '_')}"), target)
            self.context.static_names[path.rpartition(".")[0]] = None
        return True

    def visit_Import(self, node: Any) -> Any:
        for alias in [*node.names]:
            name = alias.asname or alias.name.partition(".")[0]
            if self.is_written(name):
                temporary = self.temporary(name)
                self.pending.append((name, temporary))
                if alias.asname is None and name != alias.name and isinstance(node, gast.Import):
                    # ``import a.b`` gives ``a``
                    node.names.append(gast.alias(name=name, asname=temporary))
                    alias.asname = self.temporary(name)
                else:
                    alias.asname = temporary
        return node

    visit_ImportFrom = visit_Import

    def visit_Attribute(self, node: Any) -> Any:
        if isinstance(node.ctx, gast.Store):
            if self.sets_attribute(node):
                path = dotted(node)
                assert path is not None
                temporary = self.temporary(path)
                self.pending.append((path, temporary))
                return store(temporary)
        elif self.owned(node, "data attribute"):
            return self.reading(node)
        elif self.owned(node, "code attribute"):
            self.context.static_names[dotted(node)] = None  # type: ignore[index]
            return node
        else:
            self.rely_on(node)
        _keep(node.value)
        return self.generic_visit(node)

    def rely_on(self, node: Any) -> None:
        """``np.pi``, ``math.sqrt``: what a library has is read as it is, and somebody may exchange it."""
        name, *attributes = (dotted(node) or "").split(".")
        if name and self.is_steady(name):
            for length in range(len(attributes) + 1):  # the guard of ``np`` first
                self.context.static_names[".".join([name, *attributes[:length]])] = None

    def visit_Call(self, node: Any) -> Any:
        _keep(node.func)
        name = getattr(node.func, "id", None)
        for argument in node.args if name == "super" else node.args[1:] if name in _ASKING else ():
            _keep(argument)
        return self.generic_visit(node)

    def visit_Raise(self, node: Any) -> Any:
        _keep(node.exc)
        return self.generic_visit(node)

    def visit_ExceptHandler(self, node: Any) -> Any:
        _keep(node.type)
        return self.compound(node)

    def visit_MatchValue(self, node: Any) -> Any:
        return node

    def visit_MatchClass(self, node: Any) -> Any:
        return node

    def visit_Name(self, node: Any) -> Any:
        name = node.id
        as_value = not getattr(node, "as_it_is", False)
        if isinstance(node.ctx, gast.Store):
            if self.is_written(name):
                temporary = self.temporary(name)
                self.pending.append((name, temporary))
                return store(temporary)
            return node
        if not isinstance(node.ctx, gast.Load) or not self.written or name in (self.context.ag, "__debug__"):
            return node
        if self.is_steady(name) and not (as_value and self.context.ask("user's", name)):
            self.context.static_names[name] = None
            return node
        is_written = any(name in written for written in self.written)
        if not is_written and (any(name in bound for bound in self.bound) or name == "__class__"):
            return node
        return self.reading(load(name))


def _loaded(target: Any) -> Any:
    """The expression that reads an attribute that is assigned to."""
    return at(gast.Attribute(value=target.value, attr=target.attr, ctx=gast.Load()), target)


_ASKING = frozenset({"isinstance", "issubclass"})


def _keep(node: Any) -> None:
    """Names of code that Python itself asks for: called, an exception, a class of ``isinstance``."""
    if isinstance(node, gast.Name):
        node.as_it_is = True
    elif isinstance(node, (gast.Tuple, gast.BinOp)):
        for child in children(node):
            _keep(child)
