"""The output formats of code: LLVM IR, assembly, an object file, PTX, or a plan of launches."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tapeless._mlir import ir
from tapeless.abi import PLAN_ATTRIBUTE
from tapeless.backend.codegen.llvm import Machine
from tapeless.backend.codegen.llvm_text import for_llvmlite
from tapeless.backend.codegen.native import llvm_ir, native_assembly, object_code
from tapeless.backend.codegen.ptx import device_llvm_ir, ptx
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.lower.nvvm.device_instructions import kernel_modules

Emit = Callable[[ir.Module, Machine], bytes]
# The first part of the names of operations that LLVM's code generators take.
TRANSLATED = ("llvm", "nvvm")


@dataclass(frozen=True)
class Emitted:
    """The output formats of a kind of target, and the pipeline that makes such code."""

    target: str
    pipeline: str
    kinds: Mapping[str, Emit]


def _host_ir(module: ir.Module, machine: Machine) -> bytes:
    return for_llvmlite(llvm_ir(module)).encode()


def _assembly(module: ir.Module, machine: Machine) -> bytes:
    return native_assembly(module, machine).encode()


def _device_ir(module: ir.Module, machine: Machine) -> bytes:
    return for_llvmlite(device_llvm_ir(module)[0]).encode()


def _ptx(module: ir.Module, machine: Machine) -> bytes:
    return ptx(module, machine).encode()


def _plan(module: ir.Module, machine: Machine) -> bytes:
    attributes = module.operation.attributes
    if PLAN_ATTRIBUTE not in attributes:
        raise OpRefused(module.operation, f"has no {PLAN_ATTRIBUTE}; run --cuda or --cuda-nvvm, which make a plan")
    return f"{ir.StringAttr(attributes[PLAN_ATTRIBUTE]).value}\n".encode()


OF_PROCESSORS = Emitted("cpu", "--cpu", {"llvm-ir": _host_ir, "asm": _assembly, "obj": object_code})
OF_GPUS = Emitted("cuda", "--cuda-nvvm", {"llvm-ir": _device_ir, "asm": _ptx, "ptx": _ptx, "plan": _plan})
KINDS = tuple(dict.fromkeys((*OF_PROCESSORS.kinds, *OF_GPUS.kinds)))


def emitted_as(module: ir.Module) -> Emitted:
    """The output formats of the module: kernels of a GPU, or code of a processor."""
    return OF_GPUS if kernel_modules(module) else OF_PROCESSORS


def emit(module: ir.Module, kind: str, machine: Machine) -> bytes:
    """The code of a module that passes have taken to the llvm dialect, or its kernels to nvvm."""
    emitted = emitted_as(module)
    if kind not in emitted.kinds:
        other = next(each for each in (OF_PROCESSORS, OF_GPUS) if kind in each.kinds)
        raise OpRefused(
            module.operation,
            f"has code for {emitted.target}, which is no {kind}; emit {' or '.join(emitted.kinds)}, or run "
            f"{other.pipeline} for {kind}",
        )
    if kind != "plan":
        check_translated(module, emitted)
    return emitted.kinds[kind](module, machine)


def check_translated(module: ir.Module, emitted: Emitted) -> None:
    """Refuses operations that passes have not taken to the dialects that LLVM's code generators read."""
    roots = kernel_modules(module) or [module.operation]
    untranslated: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op in roots or op.name.partition(".")[0] in TRANSLATED:
            return ir.WalkResult.ADVANCE
        untranslated.append(op)
        return ir.WalkResult.INTERRUPT

    for root in roots:
        root.walk(visit, ir.WalkOrder.PRE_ORDER)
    if untranslated:
        raise OpRefused(untranslated[0], f"is not of the llvm dialect; run {emitted.pipeline} before code is emitted")
