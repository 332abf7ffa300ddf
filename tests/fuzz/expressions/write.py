"""An expression of a wanted type: the table of its kind of type, or a leaf."""

from __future__ import annotations

from fuzz.draft import Draft
from fuzz.expressions import (
    arrays,
    calls,
    elements,
    elementwise,
    integers,
    maps,
    matrices,
    operators,
    reductions,
    slices,
)
from fuzz.expressions.kinds import Table
from fuzz.types import Type
from fuzz.writing import Stuck

EVERY_FLOAT: Table = {
    elementwise.unary: 3,
    elementwise.binary: 6,
    elementwise.ternary: 1,
    calls.helper_call: 1,
    calls.gradient_inside: 1,
    calls.marked: 1,
}
SCALAR: Table = {
    **EVERY_FLOAT,
    elements.element: 5,
    elements.conditional: 1,
    reductions.total: 3,
    reductions.product_of_vectors: 1,
    reductions.extreme: 1,
    reductions.operator_reduction: 2,
    reductions.tuple_reduction: 2,
    reductions.of_part: 1,
}
ARRAY: Table = {
    **EVERY_FLOAT,
    elementwise.broadcast: 2,
    slices.line: 2,
    slices.part: 2,
    slices.rotated: 1,
    arrays.gathered: 2,
    arrays.joined: 1,
    arrays.made: 1,
    maps.mapped: 3,
    maps.mapped_tuple: 1,
    operators.scanned: 2,
    operators.tuple_scan: 2,
    operators.histogram: 2,
    operators.tuple_histogram: 1,
    operators.scattered: 1,
    reductions.along_axis: 2,
}
VECTOR: Table = {**ARRAY, arrays.sorted_vector: 1, matrices.matrix_times_vector: 2, arrays.normalised: 1}
MATRIX: Table = {**ARRAY, matrices.product: 1, matrices.outer_product: 1, matrices.transposed: 1, matrices.reshaped: 1}
CUBE: Table = {**ARRAY, matrices.transposed: 1, matrices.reshaped: 1}
DERIVED: Table = {
    slices.line: 3,
    slices.part: 2,
    matrices.outer_product: 3,
    arrays.gathered: 1,
    reductions.along_axis: 1,
}
MOST_ELEMENTS = 1_000_000
FLOATS = {0: SCALAR, 1: VECTOR, 2: MATRIX, 3: CUBE}


def leaf(d: Draft, wanted: Type) -> str:
    """A variable, a number, or an array of one number."""
    found = d.scope.of_type(wanted)
    if found and d.chance(0.92):
        recent = found[-6:]
        return d.pick(recent if d.chance(0.7) else found).name
    if wanted.is_float and wanted.rank == 0:
        return d.number() if wanted.dtype == "f64" else f"tl.astype({d.number()}, tl.f32)"
    if wanted.is_float and not d.is_deriving and d.chance(0.8):
        return derived(d, wanted)
    return arrays.made(d, wanted, 0)


def derived(d: Draft, wanted: Type) -> str:
    """An array of a shape that no variable has, from variables of other shapes where that is possible."""
    d.is_deriving = True
    try:
        return str(d.first_that_works(DERIVED, wanted, 1))
    except Stuck:
        return arrays.made(d, wanted, 0)
    finally:
        d.is_deriving = False


def expression(d: Draft, wanted: Type, depth: int) -> str:
    """Text of an expression of this type that nests at most so deep."""
    if wanted.elements > MOST_ELEMENTS:
        raise Stuck
    if depth <= 0 or d.chance(0.2):
        return leaf(d, wanted)
    if not wanted.is_float:
        return integers.expression(d, wanted, depth)
    try:
        return str(d.first_that_works(FLOATS[wanted.rank], wanted, depth))
    except Stuck:
        return leaf(d, wanted)
