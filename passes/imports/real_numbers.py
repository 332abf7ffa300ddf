"""Complex numbers, which core IR has not: refused wherever a module has them, by type and place."""

from __future__ import annotations

from tapeless._mlir import func, ir
from tapeless.passes.driver.base import OpRefused

TRANSFORM = "stablehlo.fft"


def check_real(module: ir.Module) -> None:
    """Refuses the first argument or result of an operation that has complex numbers; transforms are named before."""
    found: list[tuple[ir.Operation, str]] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        reason = _complex_part(op)
        if reason is None:
            return ir.WalkResult.ADVANCE
        found.append((op, reason))
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    if found:
        raise OpRefused(*min(found, key=lambda each: each[0].name != TRANSFORM))


def _complex_part(op: ir.Operation) -> str | None:
    """The complex part of an operation, and the advice against it."""
    if isinstance(op.opview, func.FuncOp):
        type_ = op.opview.type
        for kind, types in (("argument", type_.inputs), ("result", type_.results)):
            for position, each in enumerate(types):
                if is_complex(each):
                    return f"has {kind} {position} of type {each}; pass real and imaginary parts as two arrays"
    if op.name == TRANSFORM:
        return "transforms to or from complex numbers; multiply by matrices of cosines and sines, or transform outside"
    for result in op.results:
        if is_complex(result.type):
            return f"has a result of type {result.type}; compute with real and imaginary parts"
    return None


def is_complex(type_: ir.Type) -> bool:
    """Whether a type is one of complex numbers, or of arrays of them."""
    element = type_.element_type if isinstance(type_, ir.ShapedType) else type_
    return isinstance(element, ir.ComplexType)
