"""Saved kernels for GPUs: PTX, which the driver compiles for the GPU at hand, and the plan that launches it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tapeless.errors import TargetError
from tapeless.runtime.bundle.contents import SavedTarget
from tapeless.runtime.code import CompiledCode, DamagedCode
from tapeless.runtime.cuda.driver import driver
from tapeless.runtime.cuda.image import ARCHITECTURE, DeviceImage
from tapeless.runtime.cuda.kernel_source import LAYOUT, Ptx

KIND = "cuda"
PTX, PLAN = "kernels.ptx", "plan.json"


def saved_target(name: str, code: CompiledCode) -> SavedTarget:
    """Kernels with the plan beside them, where people can read it."""
    assert isinstance(code.image, DeviceImage)
    image = replace(code.image, kernels=Ptx(code.image.code))
    details = {key: value for key, value in replace(code, image=image).fields().items() if key != "plan"}
    return SavedTarget(KIND, name, details, {PTX: image.code, PLAN: image.plan.encode()})


def compiled_target(code: CompiledCode) -> SavedTarget:
    """Code for the generation that it was compiled for."""
    assert isinstance(code.image, DeviceImage)
    return saved_target(f"{KIND}:{code.image.architecture}", code)


def is_described(details: Mapping[str, Any]) -> bool:
    """Whether the fields of a description that this module reads are there, and of the right types."""
    architecture = details["architecture"]
    return type(architecture) is str and ARCHITECTURE.fullmatch(architecture) is not None


def obstacle(details: Mapping[str, Any]) -> str | None:
    """Why the kernels cannot run here: no driver, no GPU, a forked process, or a GPU of an earlier generation."""
    try:
        gpu = driver()
        gpu.turns.check_process()
        found = gpu.capability
    except TargetError as error:
        return f"needs an NVIDIA GPU: {error}"
    needed = DeviceImage(Ptx(b""), "", details["architecture"]).capability
    if found >= needed:
        return None
    return f"is for GPUs from {details['architecture']} on, and this one is sm_{found[0]}{found[1]}"


def open_code(details: Mapping[str, Any], parts: Mapping[str, bytes]) -> CompiledCode:
    """The code; raises DamagedCode unless everything fits together."""
    if LAYOUT in details:
        raise DamagedCode("kernels of a file are PTX, and these are not finished")
    return CompiledCode.from_fields({**details, "plan": parts[PLAN].decode()}, parts[PTX])
