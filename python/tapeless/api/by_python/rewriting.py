"""The body of a function as Python runs it: the same statements and lines, with calls for operations of the language.

    y = x                   y = x
    y[i] += 2 * k           y = %language.changed("Add", y, (i,), %language.binary("Mult", 2, k))
    if y[i] > 1:            if %language.truth(%language.compare("Gt", %language.read(y, i), 1)):

Arrays are never changed in place, so that names share them. Calls of what is neither an operator nor a function of the
language (`print`, `breakpoint`) stay as they are written.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tapeless.frontend.syntax import updates
from tapeless.frontend.syntax.comprehensions import Comprehension, names_of
from tapeless.frontend.syntax.scoping import dotted_name, local_names
from tapeless.frontend.syntax.source import Source

LANGUAGE = "%language"


def rewritten(source: Source, outside: Callable[[str], str | None], is_plain: Callable[[str], bool]) -> ast.FunctionDef:
    """The function with a body for Python.

    `outside` gives the name that stands for an outside name, possibly dotted, or None to leave it; calls of names that
    are plain (`is_plain`) stay.
    """
    node = copy.deepcopy(source.node)
    rewriter = Rewriter(source.free_names, outside, is_plain)
    if isinstance(node, ast.Lambda):
        body: list[ast.stmt] = [ast.copy_location(ast.Return(rewriter.visit(node.body)), node.body)]
        made = ast.copy_location(ast.FunctionDef("lambda_", node.args, body, []), node)
    else:
        made = node
        made.body = rewriter.statements(node.body)
        made.decorator_list, made.returns = [], None
    vars(made).setdefault("type_params", [])  # a field of newer versions of Python
    made.args.defaults = [ast.copy_location(ast.Constant(None), made) for _ in made.args.defaults]
    made.args.kw_defaults = [each and ast.copy_location(ast.Constant(None), made) for each in made.args.kw_defaults]
    for each in ast.walk(made.args):
        if isinstance(each, ast.arg):
            each.annotation = None
    return ast.fix_missing_locations(made)


class Rewriter(ast.NodeTransformer):
    """Expressions and statements with calls of the language's meaning."""

    def __init__(self, free: set[str], outside: Callable[[str], str | None], is_plain: Callable[[str], bool]) -> None:
        self.free, self.outside, self.is_plain = free, outside, is_plain
        self.count = 0

    def call(self, node: ast.AST, name: str, *arguments: ast.expr | str) -> ast.expr:
        """A call of a function of the meaning, at the place of a node."""
        function = ast.Attribute(ast.Name(LANGUAGE, ast.Load()), name, ast.Load())
        given = [ast.Constant(each) if isinstance(each, str) else each for each in arguments]
        made = ast.copy_location(ast.Call(function, given, []), node)
        for each in ast.walk(made):
            if not hasattr(each, "lineno"):
                ast.copy_location(each, node)
        return made

    def fresh(self) -> str:
        self.count += 1
        return f"<value {self.count}>"

    def statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in body:
            found = self.visit(updates.as_update(statement))
            made += found if isinstance(found, list) else [found]
        return made

    # Expressions

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        return self.call(node, "binary", type(node.op).__name__, self.visit(node.left), self.visit(node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        return self.call(node, "unary", type(node.op).__name__, self.visit(node.operand))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
            self.generic_visit(node)
            return node
        left, parts = self.visit(node.left), []
        for position, (op, comparator) in enumerate(zip(node.ops, node.comparators, strict=True)):
            right, last = self.visit(comparator), position == len(node.ops) - 1
            name = self.fresh()
            held = right if last else ast.copy_location(ast.NamedExpr(ast.Name(name, ast.Store()), right), comparator)
            parts.append(self.call(node, "compare", type(op).__name__, left, held))
            left = ast.copy_location(ast.Name(name, ast.Load()), comparator)
        if len(parts) == 1:
            return parts[0]
        return ast.copy_location(ast.BoolOp(ast.And(), [self.call(node, "truth", each) for each in parts]), node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        values = [self.call(each, "truth", self.visit(each)) for each in node.values]
        return ast.copy_location(ast.BoolOp(node.op, values), node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        test = self.call(node.test, "truth", self.visit(node.test))
        return ast.copy_location(ast.IfExp(test, self.visit(node.body), self.visit(node.orelse)), node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._outside(node, node.id) or node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        dotted = dotted_name(node)
        found = self._outside(node, dotted) if dotted else None
        if found is not None:
            return found
        if dotted and dotted in self.free:
            return node
        return self.call(node, "attribute", self.visit(node.value), node.attr)

    def _outside(self, node: ast.expr, name: str) -> ast.expr | None:
        stands_for = self.outside(name) if name in self.free else None
        return ast.copy_location(ast.Name(stands_for, ast.Load()), node) if stands_for else None

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        return self.call(node, "read", self.visit(node.value), self.index(node.slice))

    def index(self, node: ast.expr) -> ast.expr:
        """An index; slices are objects of Python."""
        if isinstance(node, ast.Tuple):
            return ast.copy_location(ast.Tuple([self.index(each) for each in node.elts], ast.Load()), node)
        if isinstance(node, ast.Slice):
            bounds = [self.visit(each) if each else ast.Constant(None) for each in (node.lower, node.upper, node.step)]
            return self.call(node, "slice", *bounds)
        return self.visit(node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        dotted = dotted_name(node.func)
        if dotted and dotted in self.free and self.is_plain(dotted):
            node.args = [self.visit(each) for each in node.args]
            node.keywords = [ast.keyword(each.arg, self.visit(each.value)) for each in node.keywords]
            return node
        made = self.call(node, "call", self.visit(node.func), *(self.visit(each) for each in node.args))
        assert isinstance(made, ast.Call)
        made.keywords = [ast.keyword(each.arg, self.visit(each.value)) for each in node.keywords]
        return made

    # Statements

    def visit_Assign(self, node: ast.Assign) -> Any:
        if (changed_by := getattr(node, "changed_by", None)) is not None:
            return self.stored_change(node, changed_by)
        value, name = self.visit(node.value), self.fresh()
        if len(node.targets) == 1 and _is_of_names(node.targets[0]):
            return ast.copy_location(ast.Assign(node.targets, value), node)
        held = ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), node)
        return [held, *(each for target in node.targets for each in self.stored(target, name))]

    def stored_change(self, node: ast.Assign, name: str) -> list[ast.stmt]:
        """The new value of an array that a call changes."""
        whole, call = node.targets[0], node.value
        assert isinstance(call, ast.Call) and isinstance(whole, ast.Subscript)
        array, target = copy.deepcopy(whole.value), _stored(whole.value)
        given = [self.visit(each) for each in call.args[name in updates.CHANGING :]]
        made = self.call(node, "changed_by", name, self.visit(array), *given)
        assert isinstance(made, ast.Call)
        made.keywords = [ast.keyword(each.arg, self.visit(each.value)) for each in call.keywords]
        held = self.fresh()
        return [ast.copy_location(ast.Assign([ast.Name(held, ast.Store())], made), node), *self.stored(target, held)]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        assert node.value is not None
        return self.visit_Assign(ast.copy_location(ast.Assign([node.target], node.value), node))

    def stored(self, target: ast.expr, name: str) -> list[ast.stmt]:
        """The assignment of the value of a name to a target."""
        value = ast.copy_location(ast.Name(name, ast.Load()), target)
        if isinstance(target, (ast.Tuple, ast.List)) and not _is_of_names(target):
            parts = [self.fresh() for _ in target.elts]
            names = ast.Tuple([ast.Name(each, ast.Store()) for each in parts], ast.Store())
            split: list[ast.stmt] = [ast.copy_location(ast.Assign([names], value), target)]
            return split + [each for pair in zip(target.elts, parts, strict=True) for each in self.stored(*pair)]
        if isinstance(target, ast.Subscript):
            return [self.written(target, target, "", value)]
        return [ast.copy_location(ast.Assign([target], value), target)]

    def written(self, node: ast.AST, target: ast.Subscript, operator: str, value: ast.expr) -> ast.stmt:
        """A part of an array gets a value, or is updated by one: the name gets a new array."""
        indices: list[ast.expr] = []
        root: ast.expr = target
        while isinstance(root, ast.Subscript):
            indices.insert(0, self.index(root.slice))
            root = root.value
        path = ast.copy_location(ast.Tuple(indices, ast.Load()), target)
        new = self.call(node, "changed", operator, self.visit(copy.deepcopy(_loaded(root))), path, value)
        return ast.copy_location(ast.Assign([ast.copy_location(_stored(root), target)], new), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        operator = type(node.op).__name__
        if isinstance(node.target, ast.Subscript):
            return self.written(node, node.target, operator, self.visit(node.value))
        old = ast.copy_location(_loaded(node.target), node.target)
        new = self.call(node, "updated", operator, old, self.visit(node.value))
        return ast.copy_location(ast.Assign([node.target], new), node)

    def visit_For(self, node: ast.For) -> Any:
        name, target = self.fresh(), node.target
        iterated = self.call(node.iter, "iterated", self.visit(node.iter))
        body, otherwise = self.statements(node.body), self.statements(node.orelse)
        if not _is_of_names(target):
            body = [*self.stored(target, name), *body]
            target = ast.copy_location(ast.Name(name, ast.Store()), target)
        return ast.copy_location(ast.For(target, iterated, body, otherwise), node)

    def visit_While(self, node: ast.While) -> Any:
        counter = self.fresh()
        start = ast.Assign([ast.Name(counter, ast.Store())], self.call(node.test, "counter"))
        test = self.call(node.test, "truth", self.visit(node.test), ast.Name(counter, ast.Load()))
        loop = ast.While(test, self.statements(node.body), self.statements(node.orelse))
        return [ast.copy_location(start, node), ast.copy_location(loop, node)]

    def visit_If(self, node: ast.If) -> Any:
        test = self.call(node.test, "truth", self.visit(node.test))
        return ast.copy_location(ast.If(test, self.statements(node.body), self.statements(node.orelse)), node)

    def visit_Assert(self, node: ast.Assert) -> Any:
        text = node.msg or ast.Constant(f"assertion failed: {ast.unparse(node.test)}")
        test = self.call(node.test, "truth", self.visit(node.test))
        failed = ast.Raise(self.call(node, "failed", text), None)
        negated = ast.UnaryOp(ast.Not(), test)
        return ast.copy_location(ast.If(negated, [ast.copy_location(failed, node)], []), node)

    def visit_Raise(self, node: ast.Raise) -> Any:
        if node.exc is None:
            return node
        return ast.copy_location(ast.Raise(self.call(node, "raised", self.visit(node.exc)), None), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        node.args = self._defaults(node.args)
        with self.binding(local_names(node)):
            node.body, node.returns = self.statements(node.body), None
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        node.args = self._defaults(node.args)
        with self.binding(local_names(node)):
            node.body = self.visit(node.body)
        return node

    def visit_Comprehension(self, node: Comprehension) -> ast.expr:
        """The comprehension of the program; generators are lists, since operators take them as arrays."""
        written = copy.copy(node.written)
        first, *others = written.generators
        with self.binding({each.id for generator in written.generators for each in names_of(generator.target)}):
            inner = [self._generator(each, self.visit(each.iter)) for each in others]
            conditions = [self.call(each, "truth", self.visit(each)) for each in first.ifs]
            if isinstance(written, ast.DictComp):
                written.key, written.value = self.visit(written.key), self.visit(written.value)
            else:
                written = ast.copy_location(ast.ListComp(self.visit(written.elt), []), written)
        iterated = self.call(first.iter, "iterated", self.visit(first.iter))
        written.generators = [ast.comprehension(first.target, iterated, conditions, 0), *inner]
        return written

    def _generator(self, node: ast.comprehension, values: ast.expr) -> ast.comprehension:
        conditions = [self.call(each, "truth", self.visit(each)) for each in node.ifs]
        return ast.comprehension(node.target, self.call(node.iter, "iterated", values), conditions, 0)

    @contextmanager
    def binding(self, names: set[str]) -> Iterator[None]:
        """Inside, these names are not outside ones, whatever the function around reads from outside."""
        before = self.free
        self.free = {name for name in before if name.partition(".")[0] not in names}
        yield
        self.free = before

    def _defaults(self, arguments: ast.arguments) -> ast.arguments:
        arguments.defaults = [self.visit(each) for each in arguments.defaults]
        arguments.kw_defaults = [each and self.visit(each) for each in arguments.kw_defaults]
        for each in ast.walk(arguments):
            if isinstance(each, ast.arg):
                each.annotation = None
        return arguments


def _is_of_names(target: ast.expr) -> bool:
    if isinstance(target, (ast.Tuple, ast.List)):
        return all(map(_is_of_names, target.elts))
    return isinstance(target.value if isinstance(target, ast.Starred) else target, ast.Name)


def _loaded(target: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Name(target.id, ast.Load()), target) if isinstance(target, ast.Name) else target


def _stored(target: ast.expr) -> ast.expr:
    return ast.Name(target.id, ast.Store()) if isinstance(target, ast.Name) else target
