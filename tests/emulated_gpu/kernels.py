"""Functions compiled for the emulated GPU."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from emulated_gpu.fake_gpu import FakeGpu
from emulated_gpu.host_build import HostBuild
from tapeless._mlir import ir
from tapeless.abi import ATTRIBUTE, PLAN_ATTRIBUTE, SITES_ATTRIBUTE, Abi, sites_from_json
from tapeless.backend.compile import kernel_of
from tapeless.backend.ptx import device_llvm_ir
from tapeless.runtime.code import Structure
from tapeless.runtime.cuda.calls import CudaCalls


def emulated(module: ir.Module, names: Sequence[str], structure: Structure = 0, gpu: FakeGpu | None = None) -> Any:
    """A module that went through the passes of the target cuda, as a function of numpy arrays."""
    attributes = module.operation.attributes
    with module.context:
        plan = json.loads(ir.StringAttr(attributes[PLAN_ATTRIBUTE]).value)
        abi = Abi.from_json(ir.StringAttr(kernel_of(module).attributes[ATTRIBUTE]).value)
        sites = sites_from_json(ir.StringAttr(attributes[SITES_ATTRIBUTE]).value) if SITES_ATTRIBUTE in attributes else ()
    text, _ = device_llvm_ir(module)
    code = HostBuild(text, plan["kernels"])
    return CudaCalls(gpu or FakeGpu(), (code, plan, abi, sites, structure), names, "f").general
