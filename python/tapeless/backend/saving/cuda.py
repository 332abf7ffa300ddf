"""Makes the parts of a saved kernel for GPUs."""

from __future__ import annotations

from dataclasses import replace

from tapeless.backend.codegen import emission
from tapeless.backend.codegen.llvm import Machine
from tapeless.backend.codegen.ptx import PTX_VERSIONS, gpu_machine
from tapeless.backend.compile import CompileOptions, compile_module, lower
from tapeless.backend.faults.faults import explaining_faults
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
    """The program for the generation of GPUs of a name: that of the kernel itself, or compiled for another one."""
    options = options_for(name, request)
    if options == request.options:
        return saved_target(name, request.code)
    module, structure = request.emit()
    return saved_target(name, replace(compile_module(module, options), structure=structure))


def emit(kind: str, name: str, request: Request) -> bytes:
    """The kernels of the program for the generation of GPUs of a name as LLVM IR or PTX, or their plan of launches."""
    options = options_for(name, request)
    module, _ = request.emit()

    def work() -> bytes:
        lower(module, options)
        return emission.emit(module, kind, options.machine)

    return explaining_faults(work, module, options.pipeline)


def options_for(name: str, request: Request) -> CompileOptions:
    """The options of a request, for the generation of GPUs of a name."""
    return replace(request.options, machine=machine_of(name), target=TARGETS["cuda"])
