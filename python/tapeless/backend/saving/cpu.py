"""Makes the parts of a saved kernel for one processor: an image, an object file, a shared library and a header."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from tapeless._mlir import ir
from tapeless.backend.codegen.llvm import Machine
from tapeless.backend.codegen.llvm_text import for_llvmlite
from tapeless.backend.codegen.native import assembly_of_text, llvm_ir, object_of_text
from tapeless.backend.compile import Contract, contract_of, lower
from tapeless.backend.faults.faults import explaining_faults
from tapeless.backend.linking.link import link
from tapeless.backend.saving.c_function import c_function_text, check_name
from tapeless.backend.saving.c_header import c_header
from tapeless.backend.saving.c_names import CFunction
from tapeless.backend.saving.processors import processor_named
from tapeless.backend.saving.request import Request
from tapeless.backend.saving.shared_object import shared_object
from tapeless.backend.targets import CPU
from tapeless.errors import ArgumentError
from tapeless.runtime.bundle.contents import SavedTarget
from tapeless.runtime.bundle.cpu import HEADER, LIBRARY, OBJECT, RUNTIME_HEADER, saved_target
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.interface import Interface
from tapeless.runtime.library import library_path
from tapeless.runtime.structures import Structure


def save(name: str, request: Request) -> SavedTarget:
    """Compiles the program for the processor of a name."""
    options = replace(request.options, machine=processor_named(name).machine, target=CPU)
    module, structure = request.emit()

    def work() -> SavedTarget:
        lower(module, options)
        return generated(name, module, structure, request.interface, request.symbol)

    return explaining_faults(work, module, options.pipeline)


class ForC(NamedTuple):
    """LLVM IR of a kernel with its C function, the arguments of that, and the names that others see."""

    text: str
    function: CFunction
    contract: Contract
    exported: tuple[str, ...]


def _for_c(module: ir.Module, structure: Structure, interface: Interface, symbol: str) -> ForC:
    contract = contract_of(module)
    function = CFunction.of(symbol, interface.flat_names, contract.abi, structure)
    kernel = llvm_ir(module)
    if f"@{symbol}(" in kernel:
        raise ArgumentError(f"symbol='{symbol}' is the name of another function of the kernel; give another")
    exported = (symbol, check_name(symbol))
    return ForC(kernel + c_function_text(function, contract), function, contract, exported)


def generated(name: str, module: ir.Module, structure: Structure, interface: Interface, symbol: str) -> SavedTarget:
    """The parts for the processor of a name, of a module that went through all passes."""
    processor = processor_named(name)
    text, function, contract, exported = _for_c(module, structure, interface, symbol)
    code = object_of_text(text, processor.machine, exported=exported)
    compiled = CompiledCode(contract.entry, link(code), contract.abi, contract.sites, structure)
    library = shared_object(link(code, writable_table=True), processor.architecture, exported, f"lib{symbol}.so")
    for_c = {
        OBJECT: code,
        LIBRARY: library,
        HEADER: c_header(function, interface, compiled).encode(),
        RUNTIME_HEADER: runtime_header(),
    }
    return saved_target(name, compiled, processor.architecture, processor.needs, for_c, symbol)


def emit(kind: str, name: str, request: Request) -> bytes:
    """The program for the processor of a name, with its C function, as LLVM IR, assembly or an object file."""
    machine = processor_named(name).machine
    options = replace(request.options, machine=machine, target=CPU)
    module, structure = request.emit()

    def work() -> bytes:
        lower(module, options)
        made = _for_c(module, structure, request.interface, request.symbol)
        return EMITTED[kind](made, machine)

    return explaining_faults(work, module, options.pipeline)


EMITTED: dict[str, Callable[[ForC, Machine], bytes]] = {
    "llvm-ir": lambda made, machine: for_llvmlite(made.text).encode(),
    "asm": lambda made, machine: assembly_of_text(made.text, machine, made.exported).encode(),
    "obj": lambda made, machine: object_of_text(made.text, machine, exported=made.exported),
}


def runtime_header() -> bytes:
    """The header of the C runtime, which lies beside the library."""
    return library_path().with_name(RUNTIME_HEADER).read_bytes()
