"""Rules of operations that make, move and cut arrays."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.imports.emit import shapes
from tapeless.passes.imports.emit.gather import as_index, clamped
from tapeless.passes.imports.emit.lazy import Value, in_memory, shape_of
from tapeless.passes.imports.emit.open_sizes import (
    Shape,
    Size,
    is_open,
    minus,
    plus,
    quotient,
    require_at_most,
    smaller,
)
from tapeless.passes.imports.stablehlo import unsigned
from tapeless.passes.imports.stablehlo.attributes import integer, integers
from tapeless.passes.imports.stablehlo.elements import core_element
from tapeless.passes.imports.stablehlo.resources import elements_of
from tapeless.passes.imports.stablehlo.translator import Rule, Translator, refuse
from tapeless.passes.ir.build import number

Values = Sequence[Value]


def _constant(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    return [shapes.constant(elements_of(op))]


def given_shape(t: Translator, op: ir.Operation, position: int) -> list[Size]:
    """The sizes of the result: those that its type knows, and for the others those that an operand has."""
    known = op.results[0].type.shape
    if DYNAMIC not in known:
        return list(known)
    given = t.sizes_of(op.operands[position])
    return [own if size == DYNAMIC else size for size, own in zip(known, given, strict=True)]


def _iota(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    shape = given_shape(t, op, 0)
    return [shapes.iota(shape, integer(op, "iota_dimension"), core_element(op.results[0].type))]


def _broadcast_in_dim(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    shape = given_shape(t, op, 1)
    return [shapes.broadcast(operands[0], shape, integers(op, "broadcast_dimensions"))]


def _broadcast(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    added = integers(op, "broadcast_sizes")
    shape = [*added, *shape_of(operands[0])]
    return [shapes.broadcast(operands[0], shape, range(len(added), len(shape)))]


def _reshape(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    return [shapes.reshape(operands[0], given_shape(t, op, 1))]


def _transpose(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    return [shapes.transpose(operands[0], integers(op, "permutation"))]


def _reverse(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    return [shapes.reverse(operands[0], integers(op, "dimensions"))]


def _slice(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    bounds = [integers(op, name) for name in ("start_indices", "limit_indices", "strides")]
    return [_cut(operands[0], *bounds)]


def _cut(value: Value, starts: Shape, limits: Shape, steps: Sequence[int]) -> Value:
    """The elements from starts on, and before limits, which must be inside."""
    for limit, size in zip(limits, shape_of(value), strict=True):
        require_at_most(limit, size, "a slice ends at {} on an axis of size {}")
    spans = [minus(limit, start) for start, limit in zip(starts, limits, strict=True)]
    sizes = [quotient(plus(span, step - 1), step) for span, step in zip(spans, steps, strict=True)]
    strides = [step if is_open(size) or size > 1 else 1 for step, size in zip(steps, sizes, strict=True)]
    return shapes.cut(value, starts, sizes, strides)


def _real_dynamic_slice(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    """A slice with starts and limits that are known when running; strides must be constants."""
    starts, limits, steps = (t.sizes_of(operand) for operand in op.operands[1:4])
    for start, limit in zip(starts, limits, strict=True):
        if is_open(start):
            require_at_most(0, start, "a slice should begin at {} or behind it, and begins at {}")
        if is_open(start) or is_open(limit):
            require_at_most(start, limit, "a slice begins at {} and ends at {}")
    return [_cut(operands[0], starts, limits, _constants(op, steps, "strides"))]


def _constants(op: ir.Operation, sizes: Shape, what: str) -> list[int]:
    known = [size for size in sizes if isinstance(size, int)]
    if len(known) < len(sizes):
        refuse(op, f"has {what} that are known only when running; give constants")
    return known


def _concatenate(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    return [shapes.concatenate(operands, integer(op, "dimension"))]


def _pad(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    amounts = (integers(op, f"{which}_padding") for which in ("edge_low", "edge_high", "interior"))
    if "edge_padding_low" in op.attributes:
        amounts = (integers(op, name) for name in ("edge_padding_low", "edge_padding_high", "interior_padding"))
    return [shapes.pad(operands[0], in_memory(operands[1]), *amounts)]


def _dynamic_pad(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    """Padding by amounts that are known when running; those between elements must be constants."""
    low, high, inner = (t.sizes_of(operand) for operand in op.operands[2:5])
    between = _constants(op, inner, "amounts between elements")
    return [shapes.pad(operands[0], in_memory(operands[1]), low, high, between)]


def _starts(t: Translator, op: ir.Operation, operands: Values, first: int, sizes: Shape) -> list[Size]:
    """Where a slice begins, moved as far as it takes to be inside of the operand; constants where they are known."""
    shape, found = shape_of(operands[0]), []
    for axis, start in enumerate(operands[first:]):
        require_at_most(sizes[axis], shape[axis], "a slice of size {} is taken of an axis of size {}")
        largest, known = minus(shape[axis], sizes[axis]), t.bounds_of(op.operands[first + axis])
        if largest == 0 or (known and known[0] == known[1]):
            found.append(smaller(max(known[0] if known else 0, 0), largest))
        elif is_open(largest) and t.is_below(op.operands[first + axis], plus(largest, 1)):
            found.append(as_index(in_memory(start)))
        else:
            value = in_memory(start)
            value = unsigned.as_signed_index(value) if unsigned.is_unsigned(op.operands[first + axis].type) else value
            found.append(in_memory(clamped(value, largest, known)))
    return found


def _dynamic_slice(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    sizes = integers(op, "slice_sizes")
    starts = _starts(t, op, operands, 1, sizes)
    return [shapes.cut(operands[0], starts, sizes, [1] * len(sizes))]


def _dynamic_update_slice(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    starts = _starts(t, op, operands, 2, shape_of(operands[1]))
    if not starts:
        return [operands[1]]
    return [shapes.replaced(operands[0], operands[1], starts)]


def _size(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    size, element = shape_of(operands[0])[integer(op, "dimension")], core_element(op.results[0].type)
    t.scope.sizes[op.results[0]] = (size,)
    return [arith.IndexCastOp(element, size).result if is_open(size) else number(element, size)]


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
    "stablehlo.real_dynamic_slice": Rule(_real_dynamic_slice),
    "stablehlo.dynamic_pad": Rule(_dynamic_pad),
    "stablehlo.dynamic_slice": Rule(_dynamic_slice),
    "stablehlo.dynamic_update_slice": Rule(_dynamic_update_slice),
}
