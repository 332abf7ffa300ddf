"""Statements that exchange or turn cells: swaps, negation, reciprocals, rotations, Hadamard's transformation."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.errors import TypeMismatch
from tapeless.frontend.elementwise.broadcasting import same_size
from tapeless.frontend.reversible import regions
from tapeless.frontend.reversible.cells import places
from tapeless.frontend.reversible.cells.cells import Access
from tapeless.frontend.reversible.cells.overlaps import Overlap, overlap, text
from tapeless.frontend.reversible.cells.views import as_cell
from tapeless.number_types import is_log, number_of

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator


def swap(t: ProcedureTranslator, a: ast.expr, b: ast.expr) -> None:
    """`a, b = b, a`."""
    pair = _pair(t, a, b)
    t.builder.operation("rev.swap", [], [as_cell(t.builder, each.place) for each in pair])
    _have_changed(t, pair)


def negate(t: ProcedureTranslator, target: ast.expr) -> None:
    """`x = -x`."""
    place = places.place_of(t, target)
    if place.cell.dtype.is_bool:
        raise t.error("a bool has no sign", "write 'b ^= True'", TypeMismatch)
    if is_log(place.cell.dtype):
        raise t.refusal(target, "a log number is positive", "keep the sign in a cell of its own, such as a bool")
    _one(t, "rev.neg", Access(place, target))


def recip(t: ProcedureTranslator, x: ast.expr) -> None:
    """`tl.recip(x)`; of a log number, the other sign of the contents of the cell."""
    place = places.place_of(t, x)
    if is_log(place.cell.dtype):
        _one(t, "rev.neg", Access(place, x))
        return
    target = _float(t, "recip", x)
    _one(t, "rev.recip", target)


def hadamard(t: ProcedureTranslator, a: ast.expr, b: ast.expr) -> None:
    """`tl.hadamard(a, b)`."""
    pair = _floats(t, "hadamard", a, b)
    t.builder.operation("rev.hadamard", [], [as_cell(t.builder, each.place) for each in pair])
    _have_changed(t, pair)


def rot(t: ProcedureTranslator, a: ast.expr, b: ast.expr, theta: ast.expr) -> None:
    """`tl.rot(a, b, theta)`; the angle must not read the rotated cells."""
    pair = _floats(t, "rot", a, b)
    cells = [as_cell(t.builder, each.place) for each in pair]
    angle = regions.right_hand_side(t, theta, pair[0].place.cell.dtype, (), pair)
    attributes = {"inv": ir.BoolAttr.get(False)}
    t.builder.attach(t.builder.operation("rev.rot", [], cells, attributes, regions=1), angle)
    _have_changed(t, pair)


def _one(t: ProcedureTranslator, name: str, target: Access) -> None:
    t.builder.operation(name, [], [as_cell(t.builder, target.place)])
    t.has_written(target.place, target.node)


def _have_changed(t: ProcedureTranslator, pair: list[Access]) -> None:
    for each in pair:
        t.has_written(each.place, each.node)


def _float(t: ProcedureTranslator, name: str, node: ast.expr) -> Access:
    place = places.place_of(t, node)
    if not place.cell.dtype.is_float or number_of(place.cell.dtype) is not None:
        raise t.error(f"tl.{name} on a cell of {place.cell.dtype!r}", "use it on floats", TypeMismatch)
    return Access(place, node)


def _floats(t: ProcedureTranslator, name: str, a: ast.expr, b: ast.expr) -> list[Access]:
    _float(t, name, a)
    return _pair(t, a, b)


def _pair(t: ProcedureTranslator, a: ast.expr, b: ast.expr) -> list[Access]:
    """Two places of one shape and type, which must have no element in common."""
    first, second = Access(places.place_of(t, a), a), Access(places.place_of(t, b), b)
    _check_alike(t, first, second)
    if overlap(t.builder, first.place, second.place) is Overlap.ALWAYS:
        raise t.refusal(b, f"'{text(a)}' and '{text(b)}' are the same place", "name two different places")
    return [first, second]


def _check_alike(t: ProcedureTranslator, a: Access, b: Access) -> None:
    one, other = a.place, b.place
    if one.cell.dtype != other.cell.dtype or len(one.dims) != len(other.dims):
        raise t.error(
            f"'{text(a.node)}' and '{text(b.node)}' are of different types",
            "use two of one type and rank",
            TypeMismatch,
        )
    for axis, (left, right) in enumerate(zip(one.dims, other.dims, strict=True)):
        same_size(t, left, right, axis)
