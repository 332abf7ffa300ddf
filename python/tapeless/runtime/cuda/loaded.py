"""The state of a kernel on a GPU between its calls."""

from __future__ import annotations

import base64
import ctypes
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from tapeless.abi import Site
from tapeless.errors import TargetError
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.cuda.arrays import Lending
from tapeless.runtime.cuda.device import Gpu
from tapeless.runtime.cuda.image import DeviceImage
from tapeless.runtime.cuda.kernel_table import KernelTable
from tapeless.runtime.cuda.producers import Producing
from tapeless.runtime.cuda.recordings.graphs import Graphs, RecordingGpu, can_record


class LoadingGpu(Gpu, RecordingGpu, Producing, Lending, Protocol):
    """A GPU that kernels are loaded on."""

    capability: tuple[int, ...]

    def enter(self) -> Any: ...
    def leave(self, entered: Any) -> None: ...
    def need_stack(self, size: int) -> None: ...
    def need_heap(self, size: int) -> None: ...
    def load(self, ptx: bytes) -> Any: ...
    def unload(self, module: Any) -> None: ...
    def function(self, module: Any, name: str) -> Any: ...
    def is_recording(self, stream: int) -> bool: ...
    def wait_for(self, stream: int) -> None: ...


class Loaded:
    """The state of a kernel on a GPU: the functions and constants of its plan, and recordings of its calls."""

    def __init__(self, gpu: LoadingGpu, code: CompiledCode, plan: Mapping[str, Any]) -> None:
        assert isinstance(code.image, DeviceImage)
        _check_generation(code.image, gpu)
        gpu.need_stack(plan.get("stack", 0))
        gpu.need_heap(plan.get("heap", 0))
        self._gpu = gpu
        self.functions = KernelTable(gpu, code.image.kernels, plan)
        self.constants: list[int] = []
        self._clean: list[int] = []
        self.sites: Mapping[int, Site] = dict(enumerate(code.sites))
        # Kernels report failed checks, of which calls of themselves are one, and threads that get no memory.
        self.can_fail = bool(code.sites) or any(plan.get(name, 0) for name in ("stack", "heap"))
        self.graphs = Graphs(gpu) if can_record(plan["steps"]) else None
        gpu.pool.reserves.add(self)
        gpu.pool.users += 1

    def upload(self, constants: Sequence[str]) -> None:
        """Brings the constants of a plan to the GPU."""
        for text in constants:
            data = base64.b64decode(text)
            self.constants.append(self._gpu.pool.allocate(len(data)))
            buffer = ctypes.create_string_buffer(data, len(data))
            self._gpu.upload(self.constants[-1], ctypes.addressof(buffer), len(data))
            self._gpu.synchronise()

    def clean_status(self, size: int) -> int:
        """Memory of zeros that kernels of a call report to; a call that leaves it so `keep`s it for the next."""
        if self._clean:
            return self._clean.pop()
        address = self._gpu.pool.allocate(size)
        self._gpu.fill(address, 0, size)
        return address

    def keep(self, status: int) -> None:
        self._clean.append(status)

    def give_up(self) -> None:
        """Gives back memory that the next call can do without."""
        if self.graphs is not None:
            self.graphs.give_up()
        while self._clean:
            self._gpu.pool.free(self._clean.pop())

    def give_back(self) -> None:
        """Leaves the GPU; with the last kernel goes the cache of the pool."""
        self.give_up()
        self.functions.unload()
        while self.constants:
            self._gpu.pool.free(self.constants.pop())
        self._gpu.pool.users -= 1
        if not self._gpu.pool.users:
            self._gpu.pool.trim()


def _check_generation(image: DeviceImage, gpu: LoadingGpu) -> None:
    if image.capability > gpu.capability:
        here = f"sm_{gpu.capability[0]}{gpu.capability[1]}"
        raise TargetError(
            f"the kernel is for GPUs from {image.architecture} on, and this one is {here}; compile it with "
            f"target='cuda', which is the GPU at hand, or for {here} or an earlier generation"
        )
