"""Floats of 16 bits: `f16` and `bf16` are `f32` whose values have been rounded.

Operations compute in `f32` and round what they give, once: an elementwise operation its result, a reduction, a product
or a convolution its sums, which it keeps in `f32`. Operations that only move, choose or compare numbers round nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.passes.imports.emit import scalars
from tapeless.passes.imports.emit.elementwise import elementwise
from tapeless.passes.imports.emit.lazy import Value
from tapeless.passes.ir.build import flags

NAMES = ("f16", "bf16")

KEEPS = frozenset(
    f"stablehlo.{name}"
    for name in (
        *("constant", "broadcast_in_dim", "broadcast", "reshape", "transpose", "reverse", "slice", "concatenate"),
        *("pad", "dynamic_slice", "dynamic_update_slice", "dynamic_reshape", "dynamic_broadcast_in_dim", "gather"),
        *("select", "maximum", "minimum", "clamp", "negate", "abs", "sort", "while", "case", "if", "map", "convert"),
        *("optimization_barrier", "custom_call", "composite"),
    )
) | {"func.call", "arith.constant", "chlo.top_k"}
"""Operations whose results need no rounding: they are operands, or have been rounded where they were made."""


def is_half(type_: ir.Type) -> bool:
    """Whether a type has floats of 16 bits as elements."""
    element = type_.element_type if isinstance(type_, ir.RankedTensorType) else type_
    return isinstance(element, (ir.F16Type, ir.BF16Type))


def rounded(value: Value, element: ir.Type) -> Value:
    """The nearest numbers of a type of 16 bits, as `f32`."""
    return elementwise(nearest(element), ir.F32Type.get(), value)


def nearest(element: ir.Type) -> scalars.Emit:
    """The function that gives the nearest number of a type of 16 bits, rounded once, as an `f32`."""
    round_ = scalars.named(f"round_{element}")

    def emit(value: ir.Value) -> ir.Value:
        is_narrow = isinstance(value.type, ir.F32Type) or scalars.is_bool(value)
        wide = ir.F32Type.get() if is_narrow else ir.F64Type.get()
        number = round_(scalars.convert(wide)(value))
        return number if is_narrow else arith.TruncFOp(ir.F32Type.get(), number, fastmath=flags()).result

    return emit


def nearest_results(op: ir.Operation, values: Sequence[Value]) -> list[Value]:
    """What an operation gives, rounded where its type has 16 bits and the operation computes."""
    if op.name in KEEPS:
        return list(values)
    return [
        rounded(value, result.type.element_type) if is_half(result.type) else value
        for result, value in zip(op.results, values, strict=True)
    ]
