"""What elements of StableHLO's types are in core IR, which has neither integers without a sign nor 16-bit floats."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.imports.stablehlo import halves, unsigned


def core_element(type_: ir.RankedTensorType) -> ir.Type:
    """The type of elements in core IR."""
    element = type_.element_type
    if unsigned.is_unsigned(element):
        return ir.IntegerType.get_signless(element.width)
    return ir.F32Type.get() if halves.is_half(element) else element
