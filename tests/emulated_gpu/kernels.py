"""The target cuda on the emulated GPU: everything but PTX and the driver is as it is for users."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest import mock
from weakref import WeakValueDictionary

from emulated_gpu.fake_gpu import FakeGpu
from tapeless._mlir import ir
from tapeless.abi import PLAN_ATTRIBUTE
from tapeless.backend import targets
from tapeless.backend.codegen.llvm import Machine
from tapeless.backend.codegen.native import Measure, unmeasured
from tapeless.backend.codegen.ptx import device_llvm_ir, gpu_machine
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.cuda.image import DeviceImage
from tapeless.runtime.cuda.kernel_source import Ptx


def emulated_image(module: ir.Module, machine: Machine, measure: Measure = unmeasured) -> DeviceImage:
    """The LLVM IR of kernels where their PTX would be."""
    plan = ir.StringAttr(module.operation.attributes[PLAN_ATTRIBUTE]).value
    return DeviceImage(Ptx(device_llvm_ir(module)[0].encode()), plan, machine.cpu)


class KeptKernels:
    """Kernels for cuda by their keys, in place of the kernel cache."""

    def __init__(self) -> None:
        self._kernels: dict[str, CompiledCode] = {}

    def load(self, key: str) -> CompiledCode | None:
        return self._kernels.get(key)

    def store(self, key: str, code: CompiledCode, description: dict[str, Any]) -> None:
        if isinstance(code.image, DeviceImage):
            self._kernels[key] = code


kept = KeptKernels()


@contextmanager
def emulated_cuda(seed: int = 0, *, keeps_kernels: bool = False) -> Iterator[FakeGpu]:
    """Inside, kernels for cuda run on an emulated GPU; none of them may be in the kernel cache.

    A test that changes nothing of the compiler `keeps_kernels`, and takes those that others have kept.
    """
    gpu = FakeGpu(seed)
    cuda = replace(targets.CUDA, machine=lambda: gpu_machine("sm_90"), generate=emulated_image)
    with (
        mock.patch.dict(targets.TARGETS, cuda=cuda),
        mock.patch("tapeless.runtime.cuda.calls.driver", lambda: gpu),
        mock.patch("tapeless.runtime.bundle.cuda.driver", lambda: gpu),
        mock.patch("tapeless.api.program._in_use", WeakValueDictionary()),
        mock.patch("tapeless.backend.cache.load", kept.load if keeps_kernels else lambda key: None),
        mock.patch("tapeless.backend.cache.store", kept.store if keeps_kernels else lambda *entry: None),
    ):
        yield gpu
