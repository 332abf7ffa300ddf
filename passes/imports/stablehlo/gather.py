"""The rule of `gather`."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir, stablehlo
from tapeless.passes.imports.emit import gather
from tapeless.passes.imports.emit.lazy import Value
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
    if vector_axis < operand.type.rank and operand.type.shape[vector_axis] == 0:
        refuse(op, "has starts without components; give one for an axis of the operand at least")
    joined = t.producer(operand, "stablehlo.concatenate")
    count = operand.type.shape[vector_axis] if vector_axis < operand.type.rank else 1
    if joined is not None and integer(joined, "dimension") == vector_axis and len(joined.operands) == count:
        parts = [gather.components(t.scope.values[each], vector_axis)[0] for each in joined.operands]
        return parts, [t.bounds_of(each) for each in joined.operands]
    return gather.components(t.scope.values[operand], vector_axis), [t.bounds_of(operand)] * count


def _gather(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    axes = stablehlo().GatherDimensionNumbers(op.attributes["dimension_numbers"])
    starts, bounds = starts_of(t, op, 1, axes.index_vector_dim)
    how = gather.Gather(
        sizes=integers(op, "slice_sizes"),
        offsets=list(axes.offset_dims),
        collapsed=list(axes.collapsed_slice_dims),
        starts=list(axes.start_index_map),
        batching=list(axes.operand_batching_dims),
        start_batching=[axis - (axis > axes.index_vector_dim) for axis in axes.start_indices_batching_dims],
        bounds=bounds,
    )
    return [gather.gather(operands[0], starts, how)]


RULES: dict[str, Rule] = {"stablehlo.gather": Rule(_gather)}
