"""Pure regions: right-hand sides, conditions and first values, checked not to read the targets of their statement."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.errors import ShapeMismatch
from tapeless.frontend.arrays.whole_arrays import broadcast_to
from tapeless.frontend.elementwise.application import force
from tapeless.frontend.elementwise.broadcasting import with_static_sizes
from tapeless.frontend.indexing.insertion import check_storable
from tapeless.frontend.reversible.cells.cells import Access, Effects
from tapeless.frontend.reversible.cells.overlaps import Overlap, overlap, text
from tapeless.frontend.reversible.numbers import logarithms
from tapeless.frontend.values import promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Number, Scalar
from tapeless.number_types import is_log, read_as
from tapeless.types import ScalarType, bool_

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator


def yielding(t: ProcedureTranslator, compute: Callable[[], ir.Value]) -> tuple[ir.Block, Effects]:
    """A pure region that yields the results of `compute`, and its reads."""
    with t.watched() as effects, t.pure() as block:
        t.builder.operation("rev.yield", [], [compute()])
    return block, effects


def right_hand_side(
    t: ProcedureTranslator, node: ast.expr, dtype: ScalarType, dims: tuple[Affine, ...], targets: Sequence[Access]
) -> ir.Block:
    """A pure region with the contents of cells of a type for an expression, in a shape; it must not
    read the targets.
    """

    def compute() -> ir.Value:
        with t.watched() as effects:
            made = shaped(t, value_for(t, node, dtype), read_as(dtype), dims)
        check_apart(t, targets, effects)
        return made

    return yielding(t, compute)[0]


def value_for(
    t: ProcedureTranslator, node: ast.expr, dtype: ScalarType | None, role: str = "the right-hand side"
) -> Number:
    """The contents of a cell of a type for an expression: its value; for log numbers its logarithm."""
    if is_log(dtype):
        return logarithms.logarithm_of(t, node)
    return t.number(t.evaluate(node), role)


def condition(t: ProcedureTranslator, node: ast.expr) -> tuple[ir.Block, Effects]:
    """A pure region with a condition."""

    def compute() -> ir.Value:
        with t.at(node):
            known = t.truth(t.evaluate(node))
        return promotion.ssa(t.builder, Scalar(bool_, constant=known)) if isinstance(known, bool) else known

    return yielding(t, compute)


def check_apart(t: ProcedureTranslator, targets: Sequence[Access], effects: Effects) -> None:
    """Refuses reads of a statement's targets; possible overlaps are checked when running."""
    for target in targets:
        for read in effects.reads:
            if overlap(t.builder, target.place, read.place) is Overlap.ALWAYS:
                raise t.refusal(
                    read.node,
                    f"'{text(read.node)}' is read by the statement that changes '{text(target.node)}'",
                    "compute what is added from other cells, or copy it into an ancilla first",
                )


def shaped(t: ProcedureTranslator, value: Number, dtype: ScalarType, dims: tuple[Affine, ...]) -> ir.Value:
    """A number or array in the dtype and shape of a place."""
    check_storable(t, value, Array(dtype, dims, None))
    if not dims:
        if not isinstance(value, Scalar):
            raise t.error("an array cannot be added to a scalar", "use tl.sum(x), or an element x[i]", ShapeMismatch)
        return promotion.ssa(t.builder, value, dtype)
    if not isinstance(value, Scalar) and value.rank > len(dims):
        raise t.error(
            f"an array of rank {value.rank} does not fit a place of rank {len(dims)}",
            "use an array of the shape of the place",
            ShapeMismatch,
        )
    return with_static_sizes(t, force(t, broadcast_to(t, value, dims, dtype)).ssa, dims)
