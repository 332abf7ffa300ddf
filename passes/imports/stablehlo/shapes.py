"""Rules of operations that make, move and cut arrays."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.imports.emit import shapes
from tapeless.passes.imports.emit.gather import clamped
from tapeless.passes.imports.emit.lazy import Value, in_memory, shape_of
from tapeless.passes.imports.stablehlo.attributes import integer, integers
from tapeless.passes.imports.stablehlo.resources import elements_of
from tapeless.passes.imports.stablehlo.translator import Rule, Translator
from tapeless.passes.imports.stablehlo.unsigned import core_element
from tapeless.passes.ir.build import number

# Sizes of results are known, so operations that are given sizes as operands read what types say.

Values = Sequence[Value]


def _constant(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    return [shapes.constant(elements_of(op))]


def _iota(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    type_ = op.results[0].type
    return [shapes.iota(type_.shape, integer(op, "iota_dimension"), core_element(type_))]


def _broadcast_in_dim(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    return [shapes.broadcast(operands[0], op.results[0].type.shape, integers(op, "broadcast_dimensions"))]


def _broadcast(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    shape = op.results[0].type.shape
    added = len(integers(op, "broadcast_sizes"))
    return [shapes.broadcast(operands[0], shape, range(added, len(shape)))]


def _reshape(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    return [shapes.reshape(operands[0], op.results[0].type.shape)]


def _transpose(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    return [shapes.transpose(operands[0], integers(op, "permutation"))]


def _reverse(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    return [shapes.reverse(operands[0], integers(op, "dimensions"))]


def _slice(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    sizes = op.results[0].type.shape
    steps = [step if size > 1 else 1 for step, size in zip(integers(op, "strides"), sizes, strict=True)]
    return [shapes.cut(operands[0], integers(op, "start_indices"), sizes, steps)]


def _concatenate(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    return [shapes.concatenate(operands, integer(op, "dimension"))]


def _pad(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    amounts = (integers(op, f"{which}_padding") for which in ("edge_low", "edge_high", "interior"))
    if "edge_padding_low" in op.attributes:
        amounts = (integers(op, name) for name in ("edge_padding_low", "edge_padding_high", "interior_padding"))
    return [shapes.pad(operands[0], in_memory(operands[1]), *amounts)]


def _starts(t: Translator, op: ir.Operation, starts: Values, first: int, sizes: Sequence[int]) -> list[int | ir.Value]:
    """Where a slice begins, moved as far as it takes to be inside of the operand; constants where they are known."""
    shape, found = op.operands[0].type.shape, []
    for axis, start in enumerate(starts):
        largest, known = shape[axis] - sizes[axis], t.bounds_of(op.operands[first + axis])
        if largest == 0 or (known and known[0] == known[1]):
            found.append(min(max(known[0] if known else 0, 0), largest))
        else:
            found.append(in_memory(clamped(start, largest, known)))
    return found


def _dynamic_slice(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    sizes = integers(op, "slice_sizes")
    starts = _starts(t, op, operands[1:], 1, sizes)
    return [shapes.cut(operands[0], starts, sizes, [1] * len(sizes))]


def _dynamic_update_slice(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    starts = _starts(t, op, operands[2:], 2, shape_of(operands[1]))
    if not starts:
        return [operands[1]]
    return [shapes.replaced(operands[0], operands[1], starts)]


def _size(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    return [number(op.results[0].type.element_type, op.operands[0].type.shape[integer(op, "dimension")])]


RULES: dict[str, Rule] = {
    "stablehlo.constant": Rule(_constant),
    "arith.constant": Rule(_constant),
    "stablehlo.iota": Rule(_iota),
    "stablehlo.broadcast_in_dim": Rule(_broadcast_in_dim),
    "stablehlo.dynamic_iota": Rule(_iota),
    "stablehlo.dynamic_broadcast_in_dim": Rule(_broadcast_in_dim),
    "stablehlo.dynamic_reshape": Rule(_reshape),
    "stablehlo.get_dimension_size": Rule(_size),
    "stablehlo.broadcast": Rule(_broadcast),
    "stablehlo.reshape": Rule(_reshape),
    "stablehlo.transpose": Rule(_transpose),
    "stablehlo.reverse": Rule(_reverse),
    "stablehlo.slice": Rule(_slice),
    "stablehlo.concatenate": Rule(_concatenate),
    "stablehlo.pad": Rule(_pad),
    "stablehlo.dynamic_slice": Rule(_dynamic_slice),
    "stablehlo.dynamic_update_slice": Rule(_dynamic_update_slice),
}
