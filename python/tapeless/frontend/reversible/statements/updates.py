"""Updates: `y += e`, `y -= e`, `y ^= e`, and `y *= c`, `y /= c` by constants."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING

import numpy as np

from tapeless._mlir import ir
from tapeless.errors import TypeMismatch
from tapeless.frontend.reversible import places, regions
from tapeless.frontend.reversible.cells import Access, Place
from tapeless.frontend.reversible.temporaries import tried
from tapeless.frontend.reversible.views import as_cell, cell_and_indices
from tapeless.frontend.values.value import Scalar

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator

KINDS: dict[type[ast.operator], str] = {ast.Add: "add", ast.Sub: "sub", ast.BitXor: "xor"}
SCALINGS: dict[type[ast.operator], bool] = {ast.Mult: False, ast.Div: True}


def update(t: ProcedureTranslator, statement: ast.AugAssign) -> None:
    """Any update, by its operator."""
    kind = type(statement.op)
    if kind in KINDS:
        _accumulate(t, statement, KINDS[kind])
    elif kind in SCALINGS:
        _scale(t, statement, SCALINGS[kind])
    else:
        raise t.refusal(statement, "this update has no inverse", "use +=, -=, ^=, or *= and /= by a constant")


def _accumulate(t: ProcedureTranslator, statement: ast.AugAssign, kind: str) -> None:
    place = places.place_of(t, statement.target)
    _check_kind(t, place, kind)
    operands = cell_and_indices(t.builder, place)
    target = Access(place, statement.target)
    block = regions.right_hand_side(t, statement.value, place.cell.dtype, place.dims, [target])
    attributes = {"kind": ir.StringAttr.get(kind)}
    t.builder.attach(t.builder.operation("rev.accum", [], operands, attributes, regions=1), block)
    t.has_written(place, statement.target)


def _check_kind(t: ProcedureTranslator, place: Place, kind: str) -> None:
    dtype = place.cell.dtype
    if kind == "xor" and dtype.is_float:
        raise t.error(f"'^=' on a cell of {dtype!r}", "use it on ints and bools; floats have += and -=", TypeMismatch)
    if kind != "xor" and dtype.is_bool:
        raise t.error("a bool cannot be added to", "write 'b ^= c' to flip a bool where c holds", TypeMismatch)


def _scale(t: ProcedureTranslator, statement: ast.AugAssign, is_division: bool) -> None:
    place = places.place_of(t, statement.target)
    factor = _factor(t, statement, place)
    attributes = {
        "factor": ir.FloatAttr.get(t.builder.types.scalars[place.cell.dtype], factor, loc=t.builder.location),
        "divide": ir.BoolAttr.get(is_division),
    }
    t.builder.operation("rev.scale", [], [as_cell(t.builder, place)], attributes)
    t.has_written(place, statement.target)


def _factor(t: ProcedureTranslator, statement: ast.AugAssign, place: Place) -> float:
    """The constant of a scaling, which must have an inverse."""
    sign = "*=" if isinstance(statement.op, ast.Mult) else "/="
    if not place.cell.dtype.is_float:
        raise t.refusal(statement, f"'{sign}' has no inverse on integers and bools", "use += and -=, or floats")
    value = tried(t, statement.value)
    if not isinstance(value, Scalar) or value.literal is None:
        raise t.refusal(
            statement.value,
            f"'{sign}' by what is not a constant has no inverse: it may be 0",
            "use a constant, or accumulate the product into another cell: 'z += x * y'",
        )
    with np.errstate(over="ignore"):
        factor = float(place.cell.dtype.numpy.type(value.literal))
    if not factor or not math.isfinite(factor):
        raise t.refusal(statement.value, f"'{sign}' by {value.literal} has no inverse", "use a constant other than 0")
    return factor
