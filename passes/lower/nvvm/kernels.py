"""The modules of kernels of a program, and what is in them."""

from __future__ import annotations

from collections.abc import Iterable

from tapeless._mlir import ir

# Functions of libdevice have the names of the C library after this.
DEVICE_CALL = "__nv_"
CONTAINER = "gpu.module"


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
