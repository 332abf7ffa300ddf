"""Procedures with structures as arguments: the same procedure on cells, one for each number or array in them.

`p["w"] += x`, for a dict, becomes an update of a cell that is called `p['w']`. Where a structure stands as a whole in
an expression, it is made of its cells; given to another procedure, that becomes one of cells too. What chooses code
(None, strings, functions) is no cell: it is known when compiling.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tapeless.annotations import Access, conformed
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.frontend.syntax.procedures import Procedure
from tapeless.frontend.syntax.source import Source
from tapeless.frontend.syntax.unchanged import callee_of
from tapeless.frontend.values.value import STRUCTURES, Decorated, Opaque, Structured, Value, describe
from tapeless.lang import Operator
from tapeless.signature import REQUIRED, Parameter
from tapeless.trees import DICT, REGISTERED, Node, Part, shown_parts, step, words
from tapeless.types import Type

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True)
class Kept:
    """A value in a structure that chooses code."""

    value: Any


@dataclass(frozen=True)
class Whole:
    """A structure, its parts being structures, cells (None) and values that choose code."""

    node: Node
    parts: tuple[Whole | Kept | None, ...]


Shape = Whole | Kept | None


def shape_of(t: Translator, value: Value, path: str) -> Shape:
    """The shape of an argument."""
    if isinstance(value, STRUCTURES):
        return Whole(value.node, tuple(shape_of(t, part, name) for part, name in named_parts(value, path)))
    if isinstance(value, Operator):
        return Kept(value)
    if isinstance(value, Opaque):
        return Kept(value.value)
    if isinstance(value, Decorated):
        if value.given is None:
            raise t.error(f"'{path}' is {describe(value)}", "give the procedure a decorated function", TypeMismatch)
        return Kept(value.given)
    return None


def named_parts(value: Structured, path: str) -> Iterator[tuple[Value, str]]:
    """The parts of a structure, with their paths."""
    return ((part, path + step(value.node, k)) for k, part in enumerate(value.items))


def cells_of(shape: Shape, path: str) -> Iterator[str]:
    """The names of the cells of a structure."""
    if shape is None:
        yield path
    elif isinstance(shape, Whole):
        for k, part in enumerate(shape.parts):
            yield from cells_of(part, path + step(shape.node, k))


def flat_source(t: Translator, source: Source, shapes: Mapping[str, Shape]) -> Source:
    """The procedure on cells, for parameters that have these shapes; made once for a module."""
    key = (source, tuple(shapes.items()))
    known: dict[Any, Source] = t.session.flat_procedures
    if key not in known:
        assert isinstance(source.node, ast.FunctionDef)
        flat = replace(
            source,
            node=copy.deepcopy(source.node),
            parameters=tuple(_flat_parameters(source, shapes)),
            captured=dict(source.captured),
        )
        known[key] = flat  # before its body, which may call it
        assert isinstance(flat.node, ast.FunctionDef)
        names = [ast.copy_location(ast.arg(each.name), flat.node) for each in flat.parameters]
        flat.node.args = ast.arguments([], names, None, [], [], None, [])
        rewriter = _Rewriter(t, source, flat, dict(shapes))
        flat.node.body = [rewriter.visit(statement) for statement in flat.node.body]
    return known[key]


def _flat_parameters(source: Source, shapes: Mapping[str, Shape]) -> Iterator[Parameter]:
    for parameter in source.parameters:
        if parameter.name not in shapes:
            yield parameter
            continue
        types = _annotated(source, parameter, shapes[parameter.name])
        for name in cells_of(shapes[parameter.name], parameter.name):
            yield Parameter(name, types.get(name), REQUIRED, is_read_only=parameter.is_read_only)


def _annotated(source: Source, parameter: Parameter, shape: Shape) -> dict[str, Type | None]:
    """The types of cells that an annotation fixes, by their paths; refuses another structure than it says."""
    types: dict[str, Type | None] = {}

    def refused(message: str, instead: str) -> Exception:
        return source.error(source.node, message, instead, TypeMismatch)

    def leaf(wanted: Type | None, given: Shape, path: str) -> Shape:
        if wanted is not None and isinstance(given, Kept):
            raise refused(f"'{path}' is {given.value!r}, and annotated as {wanted!r}", f"pass {wanted!r}")
        types[path] = wanted
        return given

    if parameter.type is not None:
        raise refused(f"'{parameter.name}' is {_described(shape)}, and annotated as {parameter.type!r}", "pass that")
    if parameter.layout is not None:
        conformed(Access(_opened, Whole, leaf, _described, refused), parameter.layout, shape, parameter.name)
    return types


def _opened(shape: Shape) -> tuple[Node, Sequence[Shape]] | None:
    return (shape.node, shape.parts) if isinstance(shape, Whole) else None


def _described(shape: Shape) -> str:
    if isinstance(shape, Whole):
        return words(shape.node, len(shape.parts))
    return "a number or an array" if shape is None else repr(shape.value)


class _Rewriter(ast.NodeTransformer):
    """Puts names of cells in place of paths into structures."""

    def __init__(self, t: Translator, source: Source, flat: Source, shapes: dict[str, Shape]) -> None:
        self.t, self.source, self.flat, self.shapes = t, source, flat, shapes

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._visit_path(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return self._visit_path(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        return self._visit_path(node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return self._visit_function(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._visit_function(node)

    def _visit_function(self, node: ast.Lambda | ast.FunctionDef) -> ast.AST:
        """Parameters of inner functions hide those of the procedure."""
        saved = self.shapes
        hidden = {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
        self.shapes = {name: shape for name, shape in saved.items() if name not in hidden}
        try:
            return self.generic_visit(node)
        finally:
            self.shapes = saved

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        """A call of a procedure with structures is one of another procedure, on cells."""
        call = node.value
        callee = callee_of(self.source, call) if isinstance(call, ast.Call) else None
        if not isinstance(call, ast.Call) or callee is None:
            return self.generic_visit(node)
        positional = [each.name for each in callee.parameters if not each.keyword_only]
        given = [*zip(positional, call.args, strict=False), *((each.arg or "", each.value) for each in call.keywords)]
        found = {name: self._found(value) for name, value in given}
        shapes = {name: each[1] for name, each in found.items() if each is not None and each[1] is not None}
        if not shapes or len(call.args) > len(positional):
            return self.generic_visit(node)
        cells = [
            ast.keyword(to, ast.copy_location(ast.Name(cell, ast.Load()), value))
            for name, value in given
            if name in shapes
            for to, cell in zip(cells_of(shapes[name], name), self._cells(found[name]), strict=True)
        ]
        others = [ast.keyword(name, self.visit(value)) for name, value in given if name not in shapes]
        function = self._renamed(call.func, Procedure(flat_source(self.t, callee, shapes)))
        node.value = ast.copy_location(ast.Call(function, [], [*others, *cells]), call)
        ast.fix_missing_locations(node)
        return node

    def _cells(self, found: tuple[str, Shape] | None) -> Iterator[str]:
        assert found is not None
        return cells_of(found[1], found[0])

    def _renamed(self, function: ast.expr, procedure: Procedure) -> ast.expr:
        """The procedure in place of the name of another, which may be inverted."""
        if isinstance(function, ast.UnaryOp):
            inner = self._renamed(function.operand, procedure)
            return ast.copy_location(ast.UnaryOp(function.op, inner), function)
        return self._captured(procedure, function)

    def _captured(self, value: Any, node: ast.expr) -> ast.Name:
        name = f"<{len(self.flat.captured)}>"
        self.flat.captured[name] = value
        return ast.copy_location(ast.Name(name, ast.Load()), node)

    def _visit_path(self, node: ast.Name | ast.Attribute | ast.Subscript) -> ast.AST:
        found = self._found(node)
        if found is None:
            return node if isinstance(node, ast.Name) else self.generic_visit(node)
        path, shape = found
        if shape is not None and not isinstance(node.ctx, ast.Load):
            raise self.source.error(
                node, f"'{path}' is no cell, and cannot be changed as a whole", "change its parts one by one"
            )
        return self._expression(path, shape, node)

    def _expression(self, path: str, shape: Shape, node: ast.Name | ast.Attribute | ast.Subscript) -> ast.expr:
        if shape is None:
            return ast.copy_location(ast.Name(path, node.ctx), node)
        if isinstance(shape, Kept):
            return self._captured(shape.value, node)
        parts = [self._expression(path + step(shape.node, k), part, node) for k, part in enumerate(shape.parts)]
        return ast.copy_location(ast.Call(self._captured(shape.node, node), parts, []), node)

    def _found(self, node: ast.expr) -> tuple[str, Shape] | None:
        """The path and the shape that an expression leads to; None if it is none of structures."""
        if isinstance(node, ast.Name):
            return (node.id, self.shapes[node.id]) if node.id in self.shapes else None
        if not isinstance(node, (ast.Attribute, ast.Subscript)):
            return None
        around = self._found(node.value)
        if around is None or not isinstance(around[1], Whole):
            return None
        path, shape = around
        k = _position(shape, node)
        if k is None:
            raise self.source.error(
                node,
                f"'{ast.unparse(node)}' is no part of '{path}' that is known when compiling",
                f"its parts are {', '.join(path + step(shape.node, each) for each in range(len(shape.parts)))}",
                ArgumentError,
            )
        return path + step(shape.node, k), shape.parts[k]


def _position(shape: Whole, node: ast.Attribute | ast.Subscript) -> int | None:
    """Which part of a structure an attribute or a constant index is."""
    kind, count = shape.node, len(shape.parts)
    if isinstance(node, ast.Attribute):
        if kind.kind == REGISTERED:
            shown = shown_parts(kind, count).get(node.attr)
            return shown.position if isinstance(shown, Part) else None
        return kind.keys.index(node.attr) if kind.kind != DICT and node.attr in kind.keys else None
    try:
        key = ast.literal_eval(node.slice)
    except (ValueError, TypeError, SyntaxError):
        return None
    if kind.kind == DICT:
        return kind.keys.index(key) if key in kind.keys else None
    if not kind.is_sequence or type(key) is not int or not -count <= key < count:
        return None
    return key % count
