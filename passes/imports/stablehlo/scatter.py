"""The rule of `scatter`."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir, stablehlo
from tapeless.passes.imports.emit import scalars, scatter
from tapeless.passes.imports.emit.elementwise import elementwise
from tapeless.passes.imports.emit.lazy import Value, element_of, in_memory
from tapeless.passes.imports.stablehlo.gather import starts_of
from tapeless.passes.imports.stablehlo.reductions import operator_of
from tapeless.passes.imports.stablehlo.translator import Rule, Translator, refuse

Values = Sequence[Value]


def _scatter(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    if len(operands) != 3:
        refuse(op, f"updates {len(operands) // 2} arrays together; write one scatter for each")
    array, _, updates = operands
    axes = stablehlo().ScatterDimensionNumbers(op.attributes["scatter_dimension_numbers"])
    operator, is_kept = _operator_of(t, op), _handed_on(op.regions[0])
    if is_kept == 0:
        return [array]
    if _is_difference(op.regions[0]):
        operator, updates = "add", elementwise(scalars.negate, element_of(updates), updates)
    starts, bounds = starts_of(t, op, 1, axes.index_vector_dim)
    how = scatter.Scatter(
        windows=list(axes.update_window_dims),
        inserted=list(axes.inserted_window_dims),
        starts=list(axes.scattered_dims_to_operand_dims),
        batching=list(axes.input_batching_dims),
        start_batching=[axis - (axis > axes.index_vector_dim) for axis in axes.scatter_indices_batching_dims],
        bounds=bounds,
        unique="unique_indices" in op.attributes and ir.BoolAttr(op.attributes["unique_indices"]).value,
    )
    return [scatter.scatter(array, starts, updates, how, operator)]


def _operator_of(t: Translator, op: ir.Operation) -> scatter.Operator | None:
    """How a region combines an element and an update; None where it gives one of them."""
    region = op.regions[0]
    if _handed_on(region) is not None:
        return None
    return operator_of(region) or (lambda old, update: in_memory(t.region(region, [old, update])[0]))


def _is_difference(region: ir.Region) -> bool:
    """Whether a region takes the update from the old element."""
    operations = list(region.blocks[0].operations)
    is_alone = len(operations) == 2 and operations[0].operation.name == "stablehlo.subtract"
    return is_alone and list(operations[0].operands) == list(region.blocks[0].arguments)


def _handed_on(region: ir.Region) -> int | None:
    """Which argument a region gives as it is: 0 for the old element, 1 for the update."""
    block = region.blocks[0]
    last = list(block.operations)[-1].operands[0]
    return next((k for k, argument in enumerate(block.arguments) if argument == last), None)


RULES: dict[str, Rule] = {"stablehlo.scatter": Rule(_scatter)}
