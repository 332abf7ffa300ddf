"""The rule of `convolution`."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir, stablehlo
from tapeless.passes.imports.emit.convolution import Convolution, convolve
from tapeless.passes.imports.emit.lazy import Value
from tapeless.passes.imports.emit.shapes import transpose
from tapeless.passes.imports.emit.windows import Windows
from tapeless.passes.imports.stablehlo.attributes import integer, integers, pairs, truths
from tapeless.passes.imports.stablehlo.shape_values import has_open_sizes
from tapeless.passes.imports.stablehlo.translator import Rule, Translator, refuse

Values = Sequence[Value]


def _convolution(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    element = op.results[0].type.element_type
    if any(operand.type.element_type != element for operand in op.operands):
        refuse(op, f"has operands of another type than its result of {element}; convert them first")
    if has_open_sizes(op.operands[1].type):
        refuse(op, f"has a kernel of type {op.operands[1].type}; give it sizes that are known")
    if has_open_sizes(op.operands[0].type) and integer(op, "batch_group_count", 1) > 1:
        refuse(op, f"has groups of batches and an operand of type {op.operands[0].type}; give it sizes that are known")
    axes = stablehlo().ConvDimensionNumbers(op.attributes["dimension_numbers"])
    places = list(axes.kernel_spatial_dimensions)
    ones = [1] * len(places)
    image = transpose(
        operands[0],
        [axes.input_batch_dimension, *axes.input_spatial_dimensions, axes.input_feature_dimension],
    )
    kernel = transpose(
        operands[1], [*places, axes.kernel_input_feature_dimension, axes.kernel_output_feature_dimension]
    )
    windows = Windows(
        sizes=[op.operands[1].type.shape[axis] for axis in places],
        strides=integers(op, "window_strides", ones),
        steps=integers(op, "rhs_dilation", ones),
        spread=integers(op, "lhs_dilation", ones),
        padding=pairs(op, "padding", len(places)),
    )
    turned = [axis for axis, holds in enumerate(truths(op, "window_reversal", len(places))) if holds]
    groups = (integer(op, name, 1) for name in ("feature_group_count", "batch_group_count"))
    result = convolve(image, kernel, Convolution(windows, turned, *groups))
    order = [axes.output_batch_dimension, *axes.output_spatial_dimensions, axes.output_feature_dimension]
    return [transpose(result, [order.index(axis) for axis in range(len(order))])]


RULES: dict[str, Rule] = {"stablehlo.convolution": Rule(_convolution)}
