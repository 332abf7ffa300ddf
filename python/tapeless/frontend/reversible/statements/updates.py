"""Updates: `y += e`, `y -= e`, `y ^= e`; `y *= c`, `y /= c` by constants, and by any number where y is a log number."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING

import numpy as np

from tapeless._mlir import ir
from tapeless.errors import TypeMismatch
from tapeless.frontend.reversible import regions
from tapeless.frontend.reversible.cells import places
from tapeless.frontend.reversible.cells.cells import Access, Place
from tapeless.frontend.reversible.cells.views import as_cell, cell_and_indices
from tapeless.frontend.reversible.temporaries import tried
from tapeless.frontend.values.value import Scalar
from tapeless.number_types import is_log, number_of

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator

KINDS: dict[type[ast.operator], str] = {ast.Add: "add", ast.Sub: "sub", ast.BitXor: "xor"}
LOG_KINDS: dict[type[ast.operator], str] = {ast.Mult: "add", ast.Div: "sub"}
SCALINGS: dict[type[ast.operator], bool] = {ast.Mult: False, ast.Div: True}


def update(t: ProcedureTranslator, statement: ast.AugAssign) -> None:
    """Any update, by its operator."""
    kind = type(statement.op)
    place = places.place_of(t, statement.target)
    if is_log(place.cell.dtype):
        _accumulate(t, statement, place, _log_kind(t, statement))
    elif kind in KINDS:
        _accumulate(t, statement, place, KINDS[kind])
    elif kind in SCALINGS:
        _scale(t, statement, place, SCALINGS[kind])
    else:
        raise t.refusal(statement, "this update has no inverse", "use +=, -=, ^=, or *= and /= by a constant")


def _log_kind(t: ProcedureTranslator, statement: ast.AugAssign) -> str:
    """The effect of an update of a log number on the logarithm in the cell."""
    if type(statement.op) in LOG_KINDS:
        return LOG_KINDS[type(statement.op)]
    raise t.refusal(
        statement,
        "a log number can only be multiplied and divided",
        "write *= or /=, or add its value to a cell of floats: 'y += u'",
    )


def _accumulate(t: ProcedureTranslator, statement: ast.AugAssign, place: Place, kind: str) -> None:
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


def _scale(t: ProcedureTranslator, statement: ast.AugAssign, place: Place, is_division: bool) -> None:
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
    if number_of(place.cell.dtype) is not None:
        raise t.refusal(
            statement,
            f"'{sign}' on a cell of {place.cell.dtype!r} loses what is smaller than its unit",
            "accumulate the product into another cell, 'z += x * y', or use log numbers",
        )
    value = tried(t, statement.value)
    if not isinstance(value, Scalar) or value.literal is None:
        raise t.refusal(
            statement.value,
            f"'{sign}' by what is not a constant has no inverse: it may be 0",
            "use a constant, accumulate the product into another cell, 'z += x * y', or use a log number (tl.ulog)",
        )
    with np.errstate(over="ignore"):
        factor = float(place.cell.dtype.numpy.type(value.literal))
    if not factor or not math.isfinite(factor):
        raise t.refusal(statement.value, f"'{sign}' by {value.literal} has no inverse", "use a constant other than 0")
    return factor
