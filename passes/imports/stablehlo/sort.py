"""The rule of `sort`."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.imports.emit.lazy import Value, shape_of
from tapeless.passes.imports.emit.sort import sort
from tapeless.passes.imports.stablehlo.attributes import integer
from tapeless.passes.imports.stablehlo.comparators import keys_of
from tapeless.passes.imports.stablehlo.translator import Rule, Translator

Values = Sequence[Value]


def _sort(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    rank = len(shape_of(operands[0]))
    return list(sort(operands, integer(op, "dimension", -1) % rank, keys_of(op)))


RULES: dict[str, Rule] = {"stablehlo.sort": Rule(_sort)}
