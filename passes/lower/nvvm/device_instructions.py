"""The pass `lower-device-instructions`: calls and globals of converted kernels, as the device has them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass

# Functions of libdevice have the names of the C library after this.
DEVICE_CALL = "__nv_"
# Functions of libdevice that are single instructions: as intrinsics they need no library.
INSTRUCTIONS = {
    f"{DEVICE_CALL}{name}{suffix}": intrinsic
    for suffix in ("", "f")
    for name, intrinsic in {
        "sqrt": "llvm.intr.sqrt",
        "fabs": "llvm.intr.fabs",
        "floor": "llvm.intr.floor",
        "ceil": "llvm.intr.ceil",
        "trunc": "llvm.intr.trunc",
        "rint": "llvm.intr.rint",
        "fma": "llvm.intr.fma",
        "copysign": "llvm.intr.copysign",
    }.items()
}
DYNAMIC_MEMORY = "__dynamic_shmem__"
KERNEL, NVVM_KERNEL = "gpu.kernel", "nvvm.kernel"
CONTAINER = "gpu.module"


@dataclass(frozen=True)
class DeviceInstructions:
    """Replaces calls of libdevice by intrinsics where the device has an instruction, after the conversion to NVVM.

    ```mlir
    %y = llvm.call @__nv_sqrt(%x) : (f64) -> f64

    %y = llvm.intr.sqrt(%x) : (f64) -> f64
    ```
    Shared memory whose size a launch tells is declared as external: what has no elements could be left out as never
    read. Kernels that the conversion marks twice as such lose one mark.
    """

    name: ClassVar[str] = "lower-device-instructions"
    after: ClassVar[dict[str, str]] = {
        "lower-launches": "it rewrites calls in kernels",
    }

    def run(self, module: ir.Module) -> None:
        with module.context, ir.Location.unknown():
            for op in inside_of_kernels(module, ["llvm.call"]):
                use_instruction(op)
            for op in inside_of_kernels(module, ["llvm.mlir.global"]):
                leave_open(op)
            for op in inside_of_kernels(module, ["llvm.func"]):
                mark_once(op)


def use_instruction(call: ir.Operation) -> None:
    """Replaces a call by the intrinsic that does the same, if there is one."""
    callee = call.attributes.get("callee")
    intrinsic = None if callee is None else INSTRUCTIONS.get(ir.FlatSymbolRefAttr(callee).value)
    if intrinsic is None:
        return
    types = [result.type for result in call.results]
    made = ir.Operation.create(intrinsic, types, list(call.operands), loc=call.location, ip=ir.InsertionPoint(call))
    call.results[0].replace_all_uses_with(made.results[0])
    call.erase()


def leave_open(memory: ir.Operation) -> None:
    """Declares shared memory of a size that is not known."""
    if ir.StringAttr(memory.attributes["sym_name"]).value.startswith(DYNAMIC_MEMORY):
        memory.attributes["linkage"] = ir.Attribute.parse("#llvm.linkage<external>")


def mark_once(function: ir.Operation) -> None:
    """Takes the second of two equal marks from a kernel, with which its text could not be parsed."""
    if KERNEL in function.attributes and NVVM_KERNEL in function.attributes:
        del function.attributes[KERNEL]


def kernel_modules(module: ir.Module) -> list[ir.Operation]:
    """The modules of kernels."""
    return [op.operation for op in module.body if op.operation.name == CONTAINER]


def inside_of_kernels(module: ir.Module, names: Iterable[str]) -> list[ir.Operation]:
    """The operations of some names inside of modules of kernels."""
    wanted, found = set(names), []

    def collect(op: ir.Operation) -> ir.WalkResult:
        if op.name in wanted:
            found.append(op)
        return ir.WalkResult.ADVANCE

    for container in kernel_modules(module):
        container.walk(collect)
    return found
