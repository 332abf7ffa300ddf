"""Makes the parts of a saved kernel for GPUs."""

from __future__ import annotations

from dataclasses import replace

from tapeless.backend.codegen.llvm import Machine
from tapeless.backend.codegen.ptx import PTX_VERSIONS, gpu_machine
from tapeless.backend.compile import compile_module
from tapeless.backend.saving.request import Request
from tapeless.backend.targets import TARGETS
from tapeless.runtime.bundle.contents import SavedTarget
from tapeless.runtime.bundle.cuda import saved_target

# The newest generation first: what is tried when a kernel is loaded.
NAMES = tuple(f"cuda:{architecture}" for architecture in reversed(PTX_VERSIONS))


def name_of(machine: Machine) -> str:
    """The name of a generation of GPUs."""
    return f"cuda:{machine.cpu}"


def machine_of(name: str) -> Machine:
    """The generation of GPUs of a name."""
    return gpu_machine(name.partition(":")[2])


def save(name: str, request: Request) -> SavedTarget:
    """The program for the generation of GPUs of a name: what the kernel itself runs, or compiled for another one."""
    options = replace(request.options, machine=machine_of(name), target=TARGETS["cuda"])
    if options == request.options:
        return saved_target(name, request.code)
    module, structure = request.emit()
    return saved_target(name, replace(compile_module(module, options), structure=structure))
