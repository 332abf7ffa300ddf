"""Gathers: `x[indices]`, `m[rows, cols]`, `m[:, indices]` with integer arrays of any rank, and `x[mask]`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.arrays import axes
from tapeless.frontend.elementwise import broadcasting, nests
from tapeless.frontend.indexing import extraction, masks, picks
from tapeless.frontend.indexing.picks import Picks
from tapeless.frontend.indexing.selections import Item, Selection
from tapeless.frontend.values import integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Leaf, Pending

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def gather(t: Translator, array: Array, parts: Sequence[Item]) -> Array | Pending:
    """The gather of index arrays, with the slices, integers and new axes beside them."""
    picked = picks.picks(t, array, masks.without_masks(t, array, parts))
    part = sliced(t, array, picked)
    if part.rank == len(picked.axes):
        found: Array | Pending = _elements(t, part, picked)
    else:
        rest = tuple(part.dims[axis] for axis in picked.rest(part))
        rows = Array(part.dtype, (*picked.dims, *rest), _rows(t, part, picked, rest))
        found = _in_place(t, rows, picked)
    new_axes = picked.new_axes
    return extraction.with_new_axes(t, found, new_axes) if new_axes else found


def sliced(t: Translator, array: Array, picked: Picks) -> Array:
    """The part of an array that the slices beside index arrays select; it has all axes."""
    return t.array(extraction.select(t, array, Selection(picked.slices.spans, ())))


def _in_place(t: Translator, rows: Array, picked: Picks) -> Array:
    return axes.permuted(t, rows, picked.order(rows.rank))


def _elements(t: Translator, array: Array, picked: Picks) -> Pending:
    location = t.builder.location

    def build(elements: dict[Leaf, ir.Value]) -> ir.Value:
        with t.builder.at(location):
            return promotion.ssa(t.builder, extraction.element_at(t, array, picked.positions(elements)))

    return Pending(array.dtype, picked.dims, picked.leaves, build)


def _rows(t: Translator, array: Array, picked: Picks, rest: tuple[Affine, ...]) -> ir.Value:
    """The rows that index arrays name, by one map per axis of the index arrays."""

    def row(elements: dict[Leaf, ir.Value]) -> ir.Value:
        offsets, sizes = [Affine(0)] * array.rank, list(array.dims)
        for axis, position in zip(picked.axes, picked.positions(elements), strict=True):
            offsets[axis], sizes[axis] = position, Affine(1)
        return broadcasting.extract_slice(t, array.ssa, offsets, sizes, [1] * array.rank, set(picked.axes))

    pending = Pending(array.dtype, picked.dims, picked.leaves, row)
    return nests.nest(t.builder, pending, rest)


def at_positions(t: Translator, line: Array, order: Array) -> Pending:
    """The elements of a rank-1 array at positions that are known to be in range, which needs no checks."""
    leaf = Leaf(order.ssa, (0,))

    def build(elements: dict[Leaf, ir.Value]) -> ir.Value:
        return promotion.ssa(t.builder, extraction.element_at(t, line, [integers.opaque(t.builder, elements[leaf])]))

    return Pending(line.dtype, order.dims, (leaf,), build)
