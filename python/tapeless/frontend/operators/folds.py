"""Reductions, scans and histograms with a monoid, along any axis or over all elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.dialects.groups import SEGMENTS
from tapeless.frontend.arrays import whole_arrays
from tapeless.frontend.elementwise import broadcasting, functions
from tapeless.frontend.elementwise.application import ScalarFunction, apply, force
from tapeless.frontend.operators import mapping
from tapeless.frontend.operators.monoids import Monoid
from tapeless.frontend.values import integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Scalar

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def reduction(
    t: Translator,
    name: str,
    width: Affine,
    inputs: Sequence[ir.Value],
    neutral: Sequence[ir.Value],
    block: ir.Block,
    results: Sequence[ir.Type],
    attributes: dict[str, ir.Attribute] | None = None,
) -> ir.Operation:
    """A `soac.reduce` or `soac.scan` with a finished operator."""
    segments = ir.DenseI32ArrayAttr.get([1, len(inputs), len(neutral)])
    operands = [integers.index_value(t.builder, width), *inputs, *neutral]
    every = {SEGMENTS: segments, **(attributes or {})}
    return t.builder.attach(t.builder.operation(name, results, operands, every, regions=1), block)


def _combine(t: Translator, array: Array, monoid: Monoid) -> tuple[ir.Block, ir.Value]:
    """The operator on elements, or rows, and its neutral value."""
    builder, element = t.builder, mapping.element_type(t, array)
    with builder.region([element, element]) as block:
        if array.rank == 1:
            result = monoid.function.emit(builder, array.dtype, *block.arguments)
        else:
            rows = [Array(array.dtype, array.dims[1:], each) for each in block.arguments]
            same = ScalarFunction("combine", functions.numbers, monoid.function.emit)
            result = force(t, apply(t, same, *rows)).ssa
        builder.operation("soac.yield", [], [result])
    neutral = monoid.neutral_of(array.dtype)
    if array.rank == 1:
        return block, promotion.ssa(builder, neutral, array.dtype)
    return block, whole_arrays.filled(t, array.dims[1:], neutral, array.dtype).ssa


def reduce_leading(t: Translator, array: Array, monoid: Monoid) -> Scalar | Array:
    """The leading axis combined."""
    block, neutral = _combine(t, array, monoid)
    operation = reduction(t, "soac.reduce", array.dims[0], [array.ssa], [neutral], block, [neutral.type])
    return mapping.element_value(t, array, operation.result)


def scan_leading(t: Translator, array: Array, monoid: Monoid) -> Array:
    """All prefixes of the leading axis combined."""
    block, neutral = _combine(t, array, monoid)
    flags = {name: ir.BoolAttr.get(False) for name in ("exclusive", "reverse")}
    operation = reduction(t, "soac.scan", array.dims[0], [array.ssa], [neutral], block, [array.ssa.type], flags)
    return Array(array.dtype, array.dims, operation.result)


def reduce_all(t: Translator, array: Array, monoid: Monoid) -> Scalar:
    """All elements combined, rows first."""
    if array.rank > 1:
        row_results = mapping.map_rows(t, [array], lambda rows: reduce_all(t, rows[0], monoid))
        return reduce_leading(t, row_results, monoid)
    return reduce_leading(t, array, monoid)


def reduce_axis(t: Translator, array: Array, axis: int, monoid: Monoid) -> Scalar | Array:
    """One axis combined."""
    if axis == 0:
        return reduce_leading(t, array, monoid)
    return mapping.map_rows(t, [array], lambda rows: reduce_axis(t, rows[0], axis - 1, monoid))


def scan_axis(t: Translator, array: Array, axis: int, monoid: Monoid) -> Array:
    if axis == 0:
        return scan_leading(t, array, monoid)
    return mapping.map_rows(t, [array], lambda rows: scan_axis(t, rows[0], axis - 1, monoid))


def hist_leading(t: Translator, dest: Array, keys: Array, values: Array, monoid: Monoid) -> Array:
    """The rows of `dest`, each combined with the values whose key names it."""
    block, neutral = _combine(t, dest, monoid)
    rows = broadcasting.with_static_sizes(t, values.ssa, (values.dims[0], *dest.dims[1:]))
    operands = [integers.index_value(t.builder, keys.dims[0]), keys.ssa, dest.ssa, rows, neutral]
    attributes = {SEGMENTS: ir.DenseI32ArrayAttr.get([1] * len(operands))}
    operation = t.builder.operation("soac.hist", [dest.ssa.type], operands, attributes, regions=1)
    return Array(dest.dtype, dest.dims, t.builder.attach(operation, block).result)
