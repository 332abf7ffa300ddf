"""The rule of `gather`."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir, stablehlo
from tapeless.passes.imports.emit import gather
from tapeless.passes.imports.emit.elementwise import elementwise
from tapeless.passes.imports.emit.lazy import Value
from tapeless.passes.imports.emit.open_sizes import Shape
from tapeless.passes.imports.stablehlo import unsigned
from tapeless.passes.imports.stablehlo.attributes import integer, integers
from tapeless.passes.imports.stablehlo.bounds import Bounds
from tapeless.passes.imports.stablehlo.translator import Rule, Translator, refuse

Values = Sequence[Value]


def starts_of(
    t: Translator, op: ir.Operation, position: int, vector_axis: int
) -> tuple[list[Value], list[Bounds | None]]:
    """The components of the vectors of starts that an operand holds, and their bounds.

    PyTorch joins them by `concatenate`, of which they are the operands: these need not be in memory together.
    """
    operand = op.operands[position]
    if vector_axis < operand.type.rank and operand.type.is_dynamic_dim(vector_axis):
        refuse(op, f"has starts of type {operand.type}; give them a number of components that is known")
    if vector_axis < operand.type.rank and operand.type.shape[vector_axis] == 0:
        refuse(op, "has starts without components; give one for an axis of the operand at least")
    fit = _signed if unsigned.is_unsigned(operand.type) else lambda starts: starts
    joined = t.producer(operand, "stablehlo.concatenate")
    count = operand.type.shape[vector_axis] if vector_axis < operand.type.rank else 1
    if joined is not None and integer(joined, "dimension") == vector_axis and len(joined.operands) == count:
        parts = [gather.components(t.scope.values[each], vector_axis)[0] for each in joined.operands]
        return fit(parts), [t.bounds_of(each) for each in joined.operands]
    return fit(gather.components(t.scope.values[operand], vector_axis)), [t.bounds_of(operand)] * count


def _signed(starts: Values) -> list[Value]:
    i64 = ir.IntegerType.get_signless(64)
    return [elementwise(unsigned.as_signed_index, i64, start) for start in starts]


def _dynamic_gather(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    return _gather(t, op, operands, t.sizes_of(op.operands[2]))


def _gather(t: Translator, op: ir.Operation, operands: Values, sizes: Shape = ()) -> list[Value]:
    axes = stablehlo().GatherDimensionNumbers(op.attributes["dimension_numbers"])
    starts, bounds = starts_of(t, op, 1, axes.index_vector_dim)
    how = gather.Gather(
        sizes=sizes or integers(op, "slice_sizes"),
        offsets=list(axes.offset_dims),
        collapsed=list(axes.collapsed_slice_dims),
        starts=list(axes.start_index_map),
        batching=list(axes.operand_batching_dims),
        start_batching=[axis - (axis > axes.index_vector_dim) for axis in axes.start_indices_batching_dims],
        bounds=bounds,
    )
    return [gather.gather(operands[0], starts, how)]


RULES: dict[str, Rule] = {"stablehlo.gather": Rule(_gather), "stablehlo.dynamic_gather": Rule(_dynamic_gather)}
