"""The pass `lower-device-math`: what kernels call are functions of libdevice, under its names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import arith, ir, math
from tapeless.dialects.groups import SEGMENTS
from tapeless.passes.lower.nvvm.kernels import DEVICE_CALL, inside_of_kernels


@dataclass(frozen=True)
class DeviceMath:
    """Calls of functions of the C library in kernels become calls of libdevice, and questions about floats comparisons.

    ```mlir
    %y = func.call @tgamma(%x) : (f64) -> f64
    %n = math.isnan %x : f64

    %y = llvm.call @__nv_tgamma(%x) : (f64) -> f64
    %n = arith.cmpf uno, %x, %x : f64
    ```
    """

    name: ClassVar[str] = "lower-device-math"

    def run(self, module: ir.Module) -> None:
        with module.context, ir.Location.unknown():
            compare_classes(module)
            call_libdevice(module)


def compare_classes(module: ir.Module) -> None:
    """Questions about floats become comparisons: the conversion to NVVM has none of them."""
    for op in inside_of_kernels(module, CLASSES):
        with ir.InsertionPoint(op), op.location:
            op.results[0].replace_all_uses_with(CLASSES[op.name](op.operands[0]))
        op.erase()


def _is_nan(value: ir.Value) -> ir.Value:
    return arith.cmpf(arith.CmpFPredicate.UNO, value, value)


def _is_finite(value: ir.Value) -> ir.Value:
    return arith.cmpf(arith.CmpFPredicate.OLT, math.absf(value), _infinity(value))


def _is_infinite(value: ir.Value) -> ir.Value:
    return arith.cmpf(arith.CmpFPredicate.OEQ, math.absf(value), _infinity(value))


def _infinity(value: ir.Value) -> ir.Value:
    return arith.constant(value.type, ir.FloatAttr.get(value.type, float("inf")))


CLASSES: dict[str, Callable[[ir.Value], ir.Value]] = {
    "math.isnan": _is_nan,
    "math.isfinite": _is_finite,
    "math.isinf": _is_infinite,
}


def call_libdevice(module: ir.Module) -> None:
    """Functions without a body are declared as LLVM's, which keeps the conversion from wrapping them."""
    declared = [op for op in inside_of_kernels(module, ["func.func"]) if not op.regions[0].blocks]
    names = {ir.StringAttr(op.attributes["sym_name"]).value: op for op in declared}
    for op in inside_of_kernels(module, ["func.call"]):
        callee = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
        if callee in names:
            _replace_call(op, DEVICE_CALL + callee)
    for name, op in names.items():
        type_ = ir.FunctionType(ir.TypeAttr(op.attributes["function_type"]).value)
        attributes = {
            "sym_name": ir.StringAttr.get(DEVICE_CALL + name),
            "function_type": ir.TypeAttr.get(_llvm_type(type_.inputs, type_.results)),
            "linkage": ir.Attribute.parse("#llvm.linkage<external>"),
        }
        ir.Operation.create("llvm.func", [], [], attributes, regions=1, loc=op.location, ip=ir.InsertionPoint(op))
        op.erase()


def _replace_call(op: ir.Operation, callee: str) -> None:
    types = [result.type for result in op.results]
    attributes = {
        "callee": ir.FlatSymbolRefAttr.get(callee),
        "op_bundle_sizes": ir.DenseI32ArrayAttr.get([]),
        SEGMENTS: ir.DenseI32ArrayAttr.get([len(op.operands), 0]),
    }
    made = ir.Operation.create(
        "llvm.call", types, list(op.operands), attributes, loc=op.location, ip=ir.InsertionPoint(op)
    )
    for old, new in zip(op.results, made.results, strict=True):
        old.replace_all_uses_with(new)
    op.erase()


def _llvm_type(inputs: Iterable[ir.Type], results: Iterable[ir.Type]) -> ir.Type:
    given = ", ".join(map(str, inputs))
    returned = next(map(str, results), "void")
    return ir.Type.parse(f"!llvm.func<{returned} ({given})>")
