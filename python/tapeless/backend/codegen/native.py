"""The code generator of the CPU: LLVM's optimiser and code generator, then the linker."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from tapeless._mlir import ir, llvm
from tapeless.backend.codegen.interruptible import interruptible
from tapeless.backend.codegen.llvm import Machine, emit_assembly, emit_object, optimise
from tapeless.backend.linking.link import link
from tapeless.runtime.image import Image

# Measures what happens inside a `with`, under a name.
Measure = Callable[[str], AbstractContextManager[None]]


def unmeasured(name: str) -> AbstractContextManager[None]:
    """Measures nothing."""
    return nullcontext()


def native_image(module: ir.Module, machine: Machine, measure: Measure = unmeasured) -> Image:
    """The linked code of a module in the llvm dialect."""
    code = object_code(module, machine, measure)
    with measure("Linker"):
        return link(code)


def object_code(module: ir.Module, machine: Machine, measure: Measure = unmeasured) -> bytes:
    """The object file of a module in the llvm dialect."""
    with measure("Translation to LLVM IR"):
        text = llvm_ir(module)
    return object_of_text(text, machine, measure)


def object_of_text(
    text: str, machine: Machine, measure: Measure = unmeasured, exported: tuple[str, ...] | None = None
) -> bytes:
    """The object file of LLVM IR; other modules see the functions named, or the entries of kernels."""

    def work() -> bytes:
        with measure("LLVM optimiser"):
            optimised = optimise(text, machine, exported)
        with measure("LLVM code generator"):
            return emit_object(optimised, machine)

    return interruptible(work)


def native_assembly(module: ir.Module, machine: Machine) -> str:
    """The assembly text of a module in the llvm dialect."""
    return assembly_of_text(llvm_ir(module), machine)


def assembly_of_text(text: str, machine: Machine, exported: tuple[str, ...] | None = None) -> str:
    """The assembly text of LLVM IR; other modules see the functions named, or the entries of kernels."""
    return interruptible(lambda: emit_assembly(optimise(text, machine, exported), machine))


def llvm_ir(module: ir.Module) -> str:
    """LLVM IR text of a module in the llvm dialect."""
    return llvm.translate_module_to_llvmir(module.operation)
