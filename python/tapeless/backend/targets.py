"""Targets for the compiler: their passes, the machine's options of these, and the code generator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from tapeless._mlir import ir
from tapeless.backend.codegen.llvm import Machine, host
from tapeless.backend.codegen.native import Measure, native_assembly, native_image, unmeasured
from tapeless.backend.codegen.ptx import device_image, gpu_machine, ptx, this_gpu
from tapeless.dataclasses_on_use import dataclass
from tapeless.runtime.cuda.image import DeviceImage
from tapeless.runtime.image import Image


class Generate(Protocol):
    """Makes code of a module that has gone through the passes of the target."""

    def __call__(self, module: ir.Module, machine: Machine, measure: Measure = unmeasured) -> Image | DeviceImage: ...


@dataclass(frozen=True)
class Target:
    """A kind of machine that kernels run on; everything that the compiler does for it alone is asked here.

    `machine` is what code is generated for unless another one is given, `settings` are the options of passes that the
    machine decides. A saved kernel has no compiler and names its target: how code gets into memory, arguments to it and
    results back is therefore in `runtime/calling/loaders.py`, under the same name. `pipeline` is the
    name of the passes from core IR to the input of `generate`; `has_recipes` says whether some of them are recipes.
    `timed` makes all code at once, also where `generate` leaves some of it for the first call.
    """

    name: str
    pipeline: str
    machine: Callable[[], Machine]
    settings: Callable[[Machine], Mapping[str, int]]
    generate: Generate
    assembly: Callable[[ir.Module, Machine], str]
    timed: Callable[[ir.Module, Machine, Measure], object]
    has_recipes: bool = False


def _cpu_settings(machine: Machine) -> dict[str, int]:
    return {
        "vector_bits": machine.vector_bits,
        "fused": machine.fuses,
        "estimates": machine.estimates,
        "root_steps": machine.root_steps,
    }


def _cuda_settings(machine: Machine) -> dict[str, int]:
    return {"generation": int(machine.cpu.removeprefix("sm_"))}


CPU = Target("cpu", "cpu", host, _cpu_settings, native_image, native_assembly, native_image)
CUDA = Target("cuda", "cuda-nvvm", this_gpu, _cuda_settings, device_image, ptx, ptx, has_recipes=True)
TARGETS = {target.name: target for target in (CPU, CUDA)}


def target_and_machine(name: str) -> tuple[Target, Machine]:
    """The target and machine of a user's name: `cuda` is the GPU at hand, `cuda:sm_90` a generation of them."""
    kind, _, architecture = name.partition(":")
    target = TARGETS[kind]
    return target, gpu_machine(architecture) if architecture else target.machine()
