"""The pass `lower-device-instructions`: calls and globals of converted kernels, as the device has them."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.search import ops_named

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
            for container in kernel_modules(module):
                declared = list(container.regions[0].blocks[0].operations)
                for op in declared:
                    if (change := CHANGES.get(op.operation.name)) is not None:
                        change(op.operation)
                if any(map(_is_instruction, declared)):
                    for call in ops_named(container.opview, "llvm.call"):
                        use_instruction(call.operation)


def _is_instruction(function: ir.OpView) -> bool:
    """Whether an operation declares a function that is one instruction: without such, no call is looked at."""
    op = function.operation
    return op.name == "llvm.func" and ir.StringAttr(op.attributes["sym_name"]).value in INSTRUCTIONS


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


# What is changed at the top of a module of kernels, by the names of operations.
CHANGES = {"llvm.mlir.global": leave_open, "llvm.func": mark_once}
