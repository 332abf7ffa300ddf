"""Rules of `batch_norm_inference`, `batch_norm_training` and `batch_norm_grad`."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.imports.emit.lazy import Value, in_memory
from tapeless.passes.imports.emit.normalisation import Batch
from tapeless.passes.imports.stablehlo.attributes import integer
from tapeless.passes.imports.stablehlo.translator import Rule, Translator

Values = Sequence[Value]


def _batch(op: ir.Operation, array: Value) -> Batch:
    return Batch(array, integer(op, "feature_index"), ir.FloatAttr(op.attributes["epsilon"]).value)


def _inference(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    array, *features = operands
    return [_batch(op, array).normalised(*features)]


def _training(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    array, scale, offset = operands
    batch = _batch(op, in_memory(array))
    mean, variance = batch.moments()
    return [batch.normalised(scale, offset, mean, variance), mean, variance]


def _grad(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    array, *rest = (in_memory(operand) for operand in operands)
    return _batch(op, array).gradients(*rest)


RULES: dict[str, Rule] = {
    "stablehlo.batch_norm_inference": Rule(_inference, takes_open=False),
    "stablehlo.batch_norm_training": Rule(_training, takes_open=False),
    "stablehlo.batch_norm_grad": Rule(_grad, takes_open=False),
}
