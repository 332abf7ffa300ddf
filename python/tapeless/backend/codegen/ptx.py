"""The code generator of NVIDIA GPUs: kernels of a `gpu.module` by NVVM and LLVM to PTX."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from importlib import metadata
from pathlib import Path

import llvmlite.binding as llvm

from tapeless._mlir import ir
from tapeless._mlir import llvm as llvm_dialect
from tapeless.abi import PLAN_ATTRIBUTE
from tapeless.backend.codegen.interruptible import interruptible
from tapeless.backend.codegen.llvm import Machine
from tapeless.backend.codegen.llvm_text import for_llvmlite
from tapeless.backend.codegen.native import Measure, unmeasured
from tapeless.backend.codegen.on_demand import OnDemand
from tapeless.backend.codegen.rejection import RejectedCode
from tapeless.errors import TargetError
from tapeless.passes.lower.nvvm.device_instructions import DEVICE_CALL, kernel_modules
from tapeless.runtime.code import DamagedCode
from tapeless.runtime.cuda.image import DeviceImage
from tapeless.runtime.cuda.kernel_source import Unfinished

TRIPLE = "nvptx64-nvidia-cuda"
LIBDEVICE_PACKAGE = "nvidia-nvvm"
CALL_OF_LIBDEVICE = re.compile(rf"call [^\n]*@{DEVICE_CALL}")
# The oldest version of PTX that knows each generation: the older it is, the more drivers take it.
PTX_VERSIONS = {"sm_80": 70, "sm_86": 71, "sm_89": 78, "sm_90": 78, "sm_100": 86}


def gpu_machine(architecture: str = "sm_80") -> Machine:
    """A generation of GPUs in LLVM's words; code for one runs on all later ones."""
    if architecture not in PTX_VERSIONS:
        raise TargetError(f"there is no code for {architecture}; choose one of {', '.join(PTX_VERSIONS)}")
    return Machine(TRIPLE, architecture, f"+ptx{PTX_VERSIONS[architecture]}")


def this_gpu() -> Machine:
    """The generation of the GPU of this machine, or the oldest one, whose code runs on all, where there is none."""
    from tapeless.runtime.cuda.driver import driver

    try:
        major, minor = driver().capability
    except TargetError:
        return gpu_machine()
    known = [name for name in PTX_VERSIONS if generation(name) <= (major, minor)]
    return gpu_machine(max(known, key=generation)) if known else gpu_machine()


def generation(architecture: str) -> tuple[int, int]:
    """`sm_90` as numbers that can be compared."""
    digits = architecture.removeprefix("sm_")
    return int(digits[:-1]), int(digits[-1])


def device_image(module: ir.Module, machine: Machine, measure: Measure = unmeasured) -> DeviceImage:
    """The kernels and the launch plan of a module that went through the passes of the target."""
    plan = ir.StringAttr(module.operation.attributes[PLAN_ATTRIBUTE]).value
    with measure("Translation to LLVM IR"):
        text, kernels = device_llvm_ir(module)
    if CALL_OF_LIBDEVICE.search(text):
        _libdevice_bytes()
    return DeviceImage(OnDemand(text, kernels, partial(ptx_of_text, machine=machine)), plan, machine.cpu)


def resumed(image: DeviceImage) -> DeviceImage:
    """Kernels from the kernel cache, of which some may still be LLVM IR."""
    if not isinstance(image.kernels, Unfinished):
        return image
    make = partial(ptx_of_text, machine=gpu_machine(image.architecture))
    try:
        return replace(image, kernels=OnDemand.of_stored(image.kernels, make))
    except (LookupError, TypeError, ValueError, zlib.error) as error:
        raise DamagedCode(f"the LLVM IR of kernels is malformed: {error!r}") from error


def ptx(module: ir.Module, machine: Machine, measure: Measure = unmeasured) -> str:
    """The PTX of the kernels of a module."""
    with measure("Translation to LLVM IR"):
        text, kernels = device_llvm_ir(module)
    return ptx_of_text(text, kernels, machine, measure)


def ptx_of_text(text: str, kernels: Sequence[str], machine: Machine, measure: Measure = unmeasured) -> str:
    """The PTX of kernels in LLVM IR text."""

    def work() -> str:
        with measure("LLVM optimiser"):
            optimised = optimise_device(text, kernels, machine)
        with measure("LLVM code generator"):
            return gpu_target(machine).emit_assembly(optimised)

    return interruptible(work)


def device_llvm_ir(module: ir.Module) -> tuple[str, list[str]]:
    """LLVM IR text of the kernels of a module, which went through all passes of the target, and their names."""
    with module.context, ir.Location.unknown():
        device, kernels = ir.Module.create(), []
        for container in kernel_modules(module):
            for op in container.regions[0].blocks[0]:
                device.body.append(op.operation.clone())
                if "nvvm.kernel" in op.operation.attributes:
                    kernels.append(ir.StringAttr(op.operation.attributes["sym_name"]).value)
        return llvm_dialect.translate_module_to_llvmir(device.operation), kernels


def optimise_device(text: str, kernels: Sequence[str], machine: Machine) -> llvm.ModuleRef:
    """Parses LLVM IR of kernels, links the functions of libdevice that it calls, and runs the O3 pipeline."""
    try:
        module = llvm.parse_assembly(for_llvmlite(text))
    except RuntimeError as error:
        raise RejectedCode(f"llvmlite {llvm.llvm_version_info} rejects the generated LLVM IR: {error}") from error
    target = gpu_target(machine)
    module.triple, module.data_layout = TRIPLE, str(target.target_data)
    if CALL_OF_LIBDEVICE.search(text):
        module.link_in(_libdevice(module))
    for function in module.functions:
        if not function.is_declaration and function.name not in kernels:
            function.linkage = "internal"
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = False
    builder = llvm.create_pass_builder(target, options)
    builder.getModulePassManager().run(module, builder)
    return module


def gpu_target(machine: Machine) -> llvm.TargetMachine:
    """LLVM's code generator for a GPU."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(machine.triple)
    return target.create_target_machine(cpu=machine.cpu, features=machine.features, opt=3)


def _libdevice(module: llvm.ModuleRef) -> llvm.ModuleRef:
    library = llvm.parse_bitcode(_libdevice_bytes())
    library.triple, library.data_layout = module.triple, module.data_layout
    return library


@cache
def _libdevice_bytes() -> bytes:
    try:
        found = metadata.files(LIBDEVICE_PACKAGE) or []
    except metadata.PackageNotFoundError:
        raise TargetError(
            f"mathematical functions of GPUs come with the package {LIBDEVICE_PACKAGE}; pip install 'tapeless[cuda]'"
        ) from None
    paths = [path for path in found if path.name.startswith("libdevice") and path.suffix == ".bc"]
    return Path(str(paths[0].locate())).read_bytes()
