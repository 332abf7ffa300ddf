"""Arguments for parameters that are only read: expressions are held in ancillas for the length of a call."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.arrays.whole_arrays import filled
from tapeless.frontend.reversible import regions
from tapeless.frontend.reversible.cells.cells import Cell, Stack
from tapeless.frontend.reversible.statements import routines, updates
from tapeless.frontend.reversible.statements.ancillas import First, with_ancilla
from tapeless.frontend.reversible.temporaries import tried
from tapeless.frontend.values import integers, promotion
from tapeless.frontend.values.value import Scalar, literal
from tapeless.number_types import is_log, read_as
from tapeless.signature import Parameter
from tapeless.types import strong

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator


def with_cells(
    t: ProcedureTranslator,
    parameters: Sequence[Parameter],
    nodes: Sequence[ast.expr],
    inner: Callable[[Sequence[ast.expr]], None],
) -> None:
    """Calls `inner` with arguments that all name cells."""
    pairs = zip(parameters, nodes, strict=True)
    position = next((k for k, (each, node) in enumerate(pairs) if each.is_read_only and not _names_cell(t, node)), None)
    if position is None:
        inner(nodes)
        return
    name = ast.copy_location(ast.Name(f"%{parameters[position].name}", ast.Store()), nodes[position])
    rest = [*nodes[:position], name, *nodes[position + 1 :]]
    _hold(t, parameters[position], name, nodes[position], lambda: with_cells(t, parameters, rest, inner))


def _names_cell(t: ProcedureTranslator, node: ast.expr) -> bool:
    root = node.value if isinstance(node, ast.Subscript) else node
    return isinstance(root, ast.Name) and isinstance(t.named.get(root.id), (Cell, Stack))


def _hold(
    t: ProcedureTranslator, parameter: Parameter, name: ast.Name, node: ast.expr, inner: Callable[[], None]
) -> None:
    """A value that reads no cell is the initial one of an ancilla; any other is added to one, and taken away again."""
    with t.unwatched() as effects:
        value = t.held(t.number(tried(t, node), f"the argument '{parameter.name}'"))
    dims = () if isinstance(value, Scalar) else value.dims
    if not all(integers.is_available(t.builder, size) for size in dims):
        raise t.source.error(node, "the size of this argument is known only when running", "put it into an ancilla")
    annotated = None if parameter.type is None else strong(parameter.type)
    dtype = getattr(annotated, "dtype", annotated) or value.dtype

    def start() -> ir.Value:
        if not effects.reads:
            return regions.shaped(t, regions.value_for(t, node, dtype), read_as(dtype), dims)
        zero, held = literal(0), read_as(dtype)
        return filled(t, dims, zero, held).ssa if dims else promotion.ssa(t.builder, zero, held)

    first = First(regions.yielding(t, start)[0], dtype, dims)
    if not effects.reads:
        with_ancilla(t, name, first, None, inner)
        return
    sign = ast.BitXor() if dtype.is_bool else ast.Mult() if is_log(dtype) else ast.Add()
    added = ast.copy_location(ast.AugAssign(name, sign, node), node)
    with_ancilla(t, name, first, None, lambda: routines.compute(t, lambda: updates.update(t, added), inner))
