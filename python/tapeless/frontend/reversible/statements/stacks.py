"""Stacks: `tl.new_stack` as an ancilla, `tl.push` and `tl.pop`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from tapeless import lang
from tapeless._mlir import ir
from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.frontend.reversible import regions
from tapeless.frontend.reversible.blocks import attach, body
from tapeless.frontend.reversible.cells import places
from tapeless.frontend.reversible.cells.cells import Stack
from tapeless.frontend.reversible.cells.views import as_cell
from tapeless.frontend.reversible.operators import called_operator
from tapeless.frontend.reversible.specialisations import StackOf, parameter_type
from tapeless.frontend.values import integers, promotion
from tapeless.frontend.values.value import Opaque
from tapeless.number_types import number_of
from tapeless.types import ScalarType, i64

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator


def is_new(t: ProcedureTranslator, node: ast.expr) -> bool:
    """Whether an expression is `tl.new_stack(dtype, capacity)`."""
    return called_operator(t, node) is lang.new_stack


def ancilla(t: ProcedureTranslator, name: ast.Name, node: ast.Call, inner: Callable[[], None]) -> None:
    """A stack for the length of a block; it starts and ends empty."""
    if len(node.args) != 2 or node.keywords:
        raise t.source.error(
            node, "tl.new_stack takes a type and a capacity", "write tl.new_stack(tl.f64, n)", ArgumentError
        )
    dtype = t.evaluate(node.args[0])
    if not (isinstance(dtype, Opaque) and isinstance(dtype.value, ScalarType)):
        raise t.source.error(node.args[0], "a stack holds scalars", "write tl.new_stack(tl.f64, n)", TypeMismatch)
    if number_of(dtype.value) is not None:
        raise t.source.error(
            node.args[0], f"a stack cannot hold {dtype.value!r} yet", "use an array of cells and an index", TypeMismatch
        )
    first = regions.yielding(t, lambda: _capacity(t, node.args[1]))[0]
    with body(t, [parameter_type(t.builder.types, StackOf(dtype.value))]) as block:
        t.named[name.id] = Stack(name.id, dtype.value, block.arguments[0])
        inner()
    attach(t, t.builder.operation("rev.ancilla", [], [], regions=3), first, None, block)


def _capacity(t: ProcedureTranslator, node: ast.expr) -> ir.Value:
    value = t.integer(t.evaluate(node), "the capacity of a stack")
    affine = value.affine or integers.opaque(t.builder, promotion.ssa(t.builder, value, i64))
    return integers.index_value(t.builder, affine)


def push(t: ProcedureTranslator, stack: ast.expr, x: ast.expr) -> None:
    """`tl.push(s, x)`: x moves, and 0 stays."""
    _move(t, "rev.push", stack, x)


def pop(t: ProcedureTranslator, stack: ast.expr, x: ast.expr) -> None:
    """`tl.pop(s, x)`: the top moves to x, which must hold 0."""
    _move(t, "rev.pop", stack, x)


def _move(t: ProcedureTranslator, name: str, stack: ast.expr, x: ast.expr) -> None:
    found = t.named.get(stack.id) if isinstance(stack, ast.Name) else None
    if not isinstance(found, Stack):
        raise t.source.error(
            stack, "this is no stack", "make one: 'with tl.ancilla(tl.new_stack(tl.f64, n)) as s:'", TypeMismatch
        )
    place = places.place_of(t, x)
    if place.dims or place.cell.dtype != found.dtype:
        raise t.source.error(
            x, f"the stack '{found.name}' holds scalars of {found.dtype!r}", "use a cell of that type", TypeMismatch
        )
    attributes = {"mode": ir.StringAttr.get("move")}
    t.builder.operation(name, [], [found.ssa, as_cell(t.builder, place)], attributes)
    t.has_written(place, x)
