"""A stand-in for the driver: memory of this process with guards around it, launches by the emulator, calls recorded."""

from __future__ import annotations

import ctypes
import random
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from emulated_gpu.host_build import MOST_SHARED, HostBuild, emulator, host_build
from tapeless.errors import TargetError
from tapeless.runtime.cuda.device import Piece
from tapeless.runtime.cuda.pool import Pool
from tapeless.runtime.cuda.turns import Turns

GUARD = 64
POISON = 0xFF  # floats read as NaN
FORMATS = {"ptr": "<Q", "i64": "<q", "i32": "<i4x", "f64": "<d", "f32": "<f4x"}


@dataclass
class FakeGraph:
    """Recorded calls, and which earlier ones each has to wait for."""

    calls: list[tuple[Any, ...]]
    waits: list[list[int]]

    def order(self, chance: random.Random) -> list[int]:
        """One of the orders in which they may run."""
        missing = [len(others) for others in self.waits]
        ready = [number for number, count in enumerate(missing) if not count]
        order = []
        while ready:
            order.append(ready.pop(chance.randrange(len(ready))))
            for number in range(order[-1] + 1, len(missing)):
                if order[-1] in self.waits[number]:
                    missing[number] -= 1
                    if not missing[number]:
                        ready.append(number)
        assert len(order) == len(self.calls)
        return order


class FakeGpu:
    """Loads the LLVM IR that PTX is made of instead of PTX. Memory that nobody wrote holds NaN."""

    number = 0
    capability = (9, 0)
    stream = 0x5000

    def __init__(self, seed: int = 0, limit: int = 1 << 30) -> None:
        self.turns = Turns(self.enter, self.leave)
        self.pool = Pool(self)
        self.calls: list[tuple[Any, ...]] = []
        self._random = random.Random(seed)
        self._buffers: dict[int, Any] = {}
        self._limit = self.memory_bytes = limit
        self._recording: list[tuple[Any, ...]] | None = None

    def enter(self) -> None:
        """This GPU is always at hand."""

    def leave(self, entered: None) -> None:
        """And it stays."""

    def number_of(self, address: int) -> int:
        return self.number

    def is_recording(self, stream: int) -> bool:
        return False

    def wait_for(self, stream: int) -> None:
        """All is done at once, on every stream."""
        self.calls.append(("wait", stream))

    def mark(self, stream: int) -> Any:
        self.calls.append(("mark", stream))
        return lambda: True

    def free_bytes(self) -> tuple[int, int]:
        return self._limit - sum(map(len, self._buffers.values())), self._limit

    def need_heap(self, size: int) -> None:
        pass

    def need_stack(self, size: int) -> None:
        self.calls.append(("stack", size))

    def load(self, code: bytes) -> HostBuild:
        return host_build(code.decode())

    def unload(self, module: HostBuild) -> None:
        self.calls.append(("unload",))

    def function(self, module: HostBuild, name: str) -> tuple[str, int, bool]:
        return name, module.addresses[name], module.has_barriers

    def allocate(self, size: int) -> int:
        if sum(map(len, self._buffers.values())) + size > self._limit:
            raise MemoryError(f"the GPU cannot give {size} bytes; use smaller arrays")
        buffer = (ctypes.c_ubyte * (size + 2 * GUARD))()
        ctypes.memset(buffer, POISON, len(buffer))
        address = ctypes.addressof(buffer) + GUARD
        self._buffers[address] = buffer
        self.calls.append(("allocate", size))
        return address

    def free(self, address: int) -> None:
        self.check_guards()
        del self._buffers[address]

    def check_guards(self) -> None:
        """Fails if something was written next to a buffer."""
        for buffer in self._buffers.values():
            assert set(buffer[:GUARD]) == {POISON}, "a kernel wrote in front of a buffer"
            assert set(buffer[len(buffer) - GUARD :]) == {POISON}, "a kernel wrote behind a buffer"

    def launch(self, function: Any, grid: Any, block: Any, shared: int, types: Any, arguments: Any) -> None:
        if self._recorded(self.launch, function, grid, block, shared, types, arguments):
            return
        name, address, has_barriers = function
        assert 0 <= shared <= MOST_SHARED, f"{name} asks for {shared} bytes of shared memory"
        self.calls.append(("launch", name, tuple(grid), tuple(block)))
        slots = b"".join(struct.pack(FORMATS[type_], value) for type_, value in zip(types, arguments, strict=True))
        sizes = [(ctypes.c_uint32 * 3)(*each) for each in (grid, block)]
        seed = ctypes.c_uint64(self._random.getrandbits(64))
        if emulator().emulated_launch(ctypes.c_void_p(address), slots, *sizes, int(has_barriers), seed):
            raise TargetError(f"no GPU takes a launch of {grid} blocks of {block} threads")

    def copy(self, to: int, source: int, size: int) -> None:
        if self._recorded(self.copy, to, source, size):
            return
        self.calls.append(("copy", size))
        ctypes.memmove(to, source, size)

    def fill(self, to: int, byte: int, size: int) -> None:
        if self._recorded(self.fill, to, byte, size):
            return
        self.calls.append(("fill", size))
        ctypes.memset(to, byte, size)

    def upload(self, to: int, source: int, size: int) -> None:
        self.calls.append(("upload", size))
        ctypes.memmove(to, source, size)

    def download(self, pieces: Sequence[Piece]) -> None:
        self.calls.append(("download", *(size for _, _, size in pieces)))
        for to, source, size in pieces:
            ctypes.memmove(to, source, size)

    def synchronise(self) -> None:
        """All is done at once."""

    def _recorded(self, *call: Any) -> bool:
        if self._recording is not None:
            self._recording.append(call)
        return self._recording is not None

    def record(self, work: Any) -> FakeGraph:
        recording = self._recording = []
        waits = work()
        self._recording = None
        graph = FakeGraph(recording, waits or [[number - 1] if number else [] for number in range(len(recording))])
        assert len(graph.calls) == len(graph.waits)
        return graph

    def replay(self, graph: FakeGraph) -> None:
        self.calls.append(("replay", len(graph.calls)))
        for number in graph.order(self._random):
            function, *arguments = graph.calls[number]
            function(*arguments)

    def discard(self, graph: FakeGraph) -> None:
        graph.calls.clear()
