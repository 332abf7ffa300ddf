"""`with tl.ancilla(value) as z:`: a cell for the length of a block, which must hold its value again at the end."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.frontend.reversible import regions
from tapeless.frontend.reversible.blocks import attach, body
from tapeless.frontend.reversible.cells.cells import Cell, Effects, size_of
from tapeless.frontend.reversible.cells.overlaps import text
from tapeless.frontend.reversible.numbers import number_names
from tapeless.frontend.reversible.specialisations import parameter_type
from tapeless.frontend.reversible.statements import stacks
from tapeless.frontend.reversible.statements.ancilla_calls import AncillaCall, call_of, name_of
from tapeless.frontend.values import integers
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Scalar
from tapeless.number_types import read_as
from tapeless.types import ArrayType, ScalarType

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator


@dataclass
class First:
    """The first value of an ancilla: its region, its type, and its sizes where they are known outside."""

    block: ir.Block
    dtype: ScalarType
    dims: tuple[Affine | None, ...]


def execute(t: ProcedureTranslator, statement: ast.With) -> None:
    """A `with` statement: one ancilla per item, each inside of those before it."""
    _nest(t, statement.items, statement.body)


def _nest(t: ProcedureTranslator, items: list[ast.withitem], inner: list[ast.stmt]) -> None:
    if not items:
        t.run(inner)
        return
    first, *rest = items
    name, call = name_of(t, first), call_of(t, first)
    if stacks.is_new(t, call.value):
        stacks.ancilla(t, name, call.value, lambda: _nest(t, rest, inner))
        return
    started = _first(t, call)
    with_ancilla(t, name, started, _last(t, call, started), lambda: _nest(t, rest, inner))


def with_ancilla(
    t: ProcedureTranslator, name: ast.Name, first: First, last: ir.Block | None, inner: Callable[[], None]
) -> None:
    """A `rev.ancilla` around statements."""
    sizes = [size.constant if size and size.is_constant else None for size in first.dims]
    type_ = ArrayType(first.dtype, tuple(sizes)) if sizes else first.dtype
    with body(t, [parameter_type(t.builder.types, type_)]) as block:
        cell = block.arguments[0]
        dims = tuple(size or size_of(t.builder, cell, axis) for axis, size in enumerate(first.dims))
        t.named[name.id] = Cell(name.id, first.dtype, dims, cell)
        inner()
    attach(t, t.builder.operation("rev.ancilla", [], [], regions=3), first.block, last, block)


def _first(t: ProcedureTranslator, call: AncillaCall) -> First:
    made: list[tuple[ScalarType, tuple[Affine, ...]]] = []

    node, number = number_names.taken_apart(t, call.value)
    wanted = call.dtype or number

    def compute() -> ir.Value:
        value = t.held(regions.value_for(t, node, wanted, "the value of an ancilla"))
        dtype = wanted or value.dtype
        dims = () if isinstance(value, Scalar) else value.dims
        made.append((dtype, dims))
        return regions.shaped(t, value, read_as(dtype), dims)

    block, effects = regions.yielding(t, compute)
    _check_from_nothing(t, effects)
    [(dtype, dims)] = made
    return First(block, dtype, tuple(size if integers.is_available(t.builder, size) else None for size in dims))


def _last(t: ProcedureTranslator, call: AncillaCall, first: First) -> ir.Block | None:
    if call.exit is None:
        return None
    node, _ = number_names.taken_apart(t, call.exit)

    def compute() -> ir.Value:
        value = t.held(regions.value_for(t, node, first.dtype, "the last value of an ancilla"))
        known = () if isinstance(value, Scalar) else value.dims
        dims = tuple(size or known[axis] for axis, size in enumerate(first.dims))
        return regions.shaped(t, value, read_as(first.dtype), dims)

    block, effects = regions.yielding(t, compute)
    _check_from_nothing(t, effects)
    return block


def _check_from_nothing(t: ProcedureTranslator, effects: Effects) -> None:
    """A cell that may change, or has a derivative, is no first value: derivatives would be lost on the way."""
    for read in effects.reads:
        if not read.place.cell.is_read_only or read.place.cell.dtype.is_float:
            raise t.refusal(
                read.node,
                f"an ancilla starts or ends with the cell '{text(read.node)}'",
                f"start at zero and accumulate: 'with tl.ancilla(0.0) as z:', then 'z += {text(read.node)}'",
            )
