"""One NVIDIA GPU by its driver: context, stream, modules, memory, launches. Nothing but the driver is needed."""

from __future__ import annotations

import atexit
import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from tapeless.errors import TargetError
from tapeless.runtime.cuda.device import Piece
from tapeless.runtime.cuda.library import NO_STREAM, OUT_OF_MEMORY, SUCCESS, DriverError, Library
from tapeless.runtime.cuda.pool import Pool
from tapeless.runtime.cuda.recordings.nodes import Nodes
from tapeless.runtime.cuda.recordings.order import Waits
from tapeless.runtime.cuda.turns import Turns

RELAXED: Final = 2
NON_BLOCKING: Final = 1
UNTIMED: Final = 2
STACK_LIMIT: Final = 0
HEAP_LIMIT: Final = 2
MOST_SHARED: Final = 8
MAJOR: Final = 75
MINOR: Final = 76
NUMBER_OF_POINTER: Final = 9
LOG_BYTES: Final = 8192
# Small results of a call, together.
STAGING_BYTES: Final = 16384
ERROR_LOG: Final = 5
ERROR_LOG_BYTES: Final = 6

WORDS: dict[str, Any] = {
    "ptr": ctypes.c_uint64,
    "i64": ctypes.c_int64,
    "i32": ctypes.c_int32,
    "f64": ctypes.c_double,
    "f32": ctypes.c_float,
}
size_t, address_t, handle_t = ctypes.c_size_t, ctypes.c_uint64, ctypes.c_void_p


class Module(NamedTuple):
    """Kernels that the driver has compiled, with the library they are in where the driver has libraries."""

    module: ctypes.c_void_p
    library: ctypes.c_void_p | None


class Driver:
    """One GPU: its primary context, which other libraries share, and a stream of its own, which waits for none of
    theirs unless it is told to.
    """

    def __init__(self, number: int = 0, library: Any = None) -> None:
        self.library = cuda = library or Library()
        self.number, self.pool, self.turns = number, Pool(self), Turns(self.enter, self.leave)
        device = gpu_of(cuda, number)
        self.capability = tuple(self._attribute(which, device) for which in (MAJOR, MINOR))
        self.memory_bytes = self._memory_of(device)
        self._context = handle_t()
        cuda.cuDevicePrimaryCtxRetain(ctypes.byref(self._context), device)
        self._stream, self._mark = handle_t(), handle_t()
        self._nodes: Nodes | None = None
        with self.turns:
            cuda.cuStreamCreate(ctypes.byref(self._stream), NON_BLOCKING)
            cuda.cuEventCreate(ctypes.byref(self._mark), UNTIMED)
            staging = handle_t()
            cuda.cuMemAllocHost_v2(ctypes.byref(staging), size_t(STAGING_BYTES))
        self._staging: int = staging.value or 0
        self.stream: int = self._stream.value or 0

    def _attribute(self, which: int, device: ctypes.c_int) -> int:
        value = ctypes.c_int()
        self.library.cuDeviceGetAttribute(ctypes.byref(value), which, device)
        return value.value

    def _memory_of(self, device: ctypes.c_int) -> int:
        size = size_t()
        self.library.cuDeviceTotalMem_v2(ctypes.byref(size), device)
        return size.value

    def enter(self) -> ctypes.c_int:
        """Makes this GPU the one that this thread works with, up to `leave`, whoever else is recording meanwhile."""
        self.library.cuCtxPushCurrent_v2(self._context)
        mode = ctypes.c_int(RELAXED)
        self.library.cuThreadExchangeStreamCaptureMode(ctypes.byref(mode))
        return mode

    def leave(self, mode: ctypes.c_int) -> None:
        """Restores the context that this thread had before."""
        self.library.cuThreadExchangeStreamCaptureMode(ctypes.byref(mode))
        self.library.cuCtxPopCurrent_v2(ctypes.byref(handle_t()))

    def need_stack(self, size: int) -> None:
        """Gives each thread a stack of at least so many bytes, from now on."""
        if self._limit(STACK_LIMIT) < size:
            self.library.cuCtxSetLimit(STACK_LIMIT, size_t(size))

    def need_heap(self, size: int) -> None:
        """Gives threads at least so many bytes to allocate from, unless some have begun to: it stays as it is then."""
        if self._limit(HEAP_LIMIT) < size:
            self.library.cuCtxSetLimit.unchecked(HEAP_LIMIT, size_t(size))

    def _limit(self, which: int) -> int:
        present = size_t()
        self.library.cuCtxGetLimit(ctypes.byref(present), which)
        return present.value

    def load(self, ptx: bytes) -> Module:
        """A module of the text of its kernels, which the driver compiles; raises with the driver's log.

        Several threads may do so at once. Drivers from 12.0 on compile libraries side by side, but modules in turn.
        """
        module, library, log = handle_t(), handle_t(), ctypes.create_string_buffer(LOG_BYTES)
        options = (ctypes.c_int * 2)(ERROR_LOG, ERROR_LOG_BYTES)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), LOG_BYTES)
        has_libraries = self.library.has("cuLibraryLoadData")
        try:
            if has_libraries:
                self.library.cuLibraryLoadData(ctypes.byref(library), ptx + b"\0", options, values, 2, None, None, 0)
                self.library.cuLibraryGetModule(ctypes.byref(module), library)
            else:
                self.library.cuModuleLoadDataEx(ctypes.byref(module), ptx + b"\0", 2, options, values)
        except DriverError as error:
            name = self.library._name_of(error.code)
            raise DriverError("loading kernels", error.code, name, log.value.decode(errors="replace").strip()) from None
        return Module(module, library if has_libraries else None)

    def unload(self, loaded: Module) -> None:
        """Forgets a module."""
        if loaded.library is not None:
            self.library.cuLibraryUnload(loaded.library)
        else:
            self.library.cuModuleUnload(loaded.module)

    def function(self, loaded: Module, name: str) -> ctypes.c_void_p:
        """A kernel of a module."""
        function = handle_t()
        self.library.cuModuleGetFunction(ctypes.byref(function), loaded.module, name.encode())
        return function

    def allocate(self, size: int) -> int:
        """Memory that nobody wrote yet; MemoryError when the GPU has not enough."""
        address = address_t()
        try:
            self.library.cuMemAlloc_v2(ctypes.byref(address), size_t(size))
        except DriverError as error:
            if error.code == OUT_OF_MEMORY:
                free, total = self.free_bytes()
                raise MemoryError(
                    f"the GPU cannot give {size} bytes, {free} of {total} are free; use smaller arrays, or have other "
                    "libraries give back what they keep (torch.cuda.empty_cache())"
                ) from None
            raise
        return address.value

    def free(self, address: int) -> None:
        """Gives memory back; waits for whoever works on it."""
        self.library.cuMemFree_v2(address_t(address))

    def free_bytes(self) -> tuple[int, int]:
        """How much memory of the GPU nobody has, and how much there is."""
        free, total = size_t(), size_t()
        self.library.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total))
        return free.value, total.value

    def number_of(self, address: int) -> int | None:
        """The GPU that memory lies on, as far as the driver knows."""
        number = ctypes.c_int()
        code = self.library.cuPointerGetAttribute.unchecked(ctypes.byref(number), NUMBER_OF_POINTER, address_t(address))
        return number.value if code == SUCCESS else None

    def is_recording(self, stream: int) -> bool:
        """Whether work queued on a stream of a caller is recorded instead of done."""
        status = ctypes.c_int()
        code = self.library.cuStreamIsCapturing.unchecked(stream, ctypes.byref(status))
        if code in NO_STREAM:
            raise TargetError(f"{stream:#x} is no stream of GPU {self.number}; pass one of this GPU that still exists")
        return code != SUCCESS or status.value != 0

    def wait_for(self, stream: int) -> None:
        """Has work queued from now on wait for the work queued on a stream of a caller by now."""
        self.library.cuEventRecord(self._mark, stream)
        self.library.cuStreamWaitEvent(self._stream, self._mark, 0)

    def mark(self, stream: int) -> Callable[[], bool] | None:
        """Whether the work queued on a stream of a caller by now has ended, for whoever asks; None for a recording."""
        return None if self.is_recording(stream) else Mark(self, stream)

    def launch(
        self,
        function: ctypes.c_void_p,
        grid: Sequence[int],
        block: Sequence[int],
        shared: int,
        types: Sequence[str],
        arguments: Sequence[int | float],
    ) -> None:
        """Queues a kernel."""
        if shared:  # Together with what its code has, it may be more than kernels get without asking.
            self.library.cuFuncSetAttribute(function, MOST_SHARED, shared)
        words: list[Any] = [WORDS[type_](value) for type_, value in zip(types, arguments, strict=True)]
        pointers = (ctypes.c_void_p * len(words))(*map(ctypes.addressof, words))
        if self._nodes is not None:
            self._nodes.launch(function, grid, block, shared, pointers)
            return
        self.library.cuLaunchKernel(function, *grid, *block, shared, self._stream, pointers, None)

    def copy(self, to: int, source: int, size: int) -> None:
        """Queues a copy on the GPU."""
        if self._nodes is not None:
            self._nodes.copy(to, source, size)
            return
        self.library.cuMemcpyDtoDAsync_v2(address_t(to), address_t(source), size_t(size), self._stream)

    def fill(self, to: int, byte: int, size: int) -> None:
        """Queues a fill of memory with a byte."""
        if self._nodes is not None:
            self._nodes.fill(to, byte, size)
            return
        self.library.cuMemsetD8Async(address_t(to), ctypes.c_ubyte(byte), size_t(size), self._stream)

    def upload(self, to: int, source: int, size: int) -> None:
        """Queues a copy of memory of this process, which must stay as it is until it is waited for, to the GPU."""
        self.library.cuMemcpyHtoDAsync_v2(address_t(to), ctypes.c_void_p(source), size_t(size), self._stream)

    def download(self, pieces: Sequence[Piece]) -> None:
        """Copies memory of the GPU to this process, after the queued work, and waits once for all of it.

        Small pieces go through memory that the GPU writes to itself: to any other the driver copies one by one.
        """
        small: list[tuple[Piece, int]] = []
        at = 0
        for piece in pieces:
            to, source, size = piece
            if at + size <= STAGING_BYTES:
                small.append((piece, at))
                to = self._staging + at
                at += size
            if size:
                self.library.cuMemcpyDtoHAsync_v2(to, source, size, self._stream)
        self.synchronise()
        for (to, _, size), place in small:
            ctypes.memmove(to, self._staging + place, size)

    def record(self, work: Callable[[], Waits | None]) -> ctypes.c_void_p:
        """The work that `work` queues, as a graph; nothing of it runs. It tells what waits for what, if not all is in
        line.
        """
        self._nodes = nodes = Nodes(self.library, self._context)
        try:
            try:
                waits = work()
            finally:
                self._nodes = None
            return nodes.executable(waits)
        finally:
            nodes.close()

    def elapsed(self, work: Callable[[], Any]) -> float:
        """How many milliseconds the GPU takes for the work that `work` queues, by its own clock."""
        cuda, taken = self.library, ctypes.c_float()
        marks = handle_t(), handle_t()
        with self.turns:
            for mark in marks:
                cuda.cuEventCreate(ctypes.byref(mark), 0)
            cuda.cuEventRecord(marks[0], self._stream)
            work()
            cuda.cuEventRecord(marks[1], self._stream)
            self.synchronise()
            cuda.cuEventElapsedTime(ctypes.byref(taken), *marks)
            for mark in marks:
                cuda.cuEventDestroy_v2(mark)
        return taken.value

    def replay(self, graph: ctypes.c_void_p) -> None:
        """Queues all that was recorded."""
        self.library.cuGraphLaunch(graph, self._stream)

    def discard(self, graph: ctypes.c_void_p) -> None:
        """Forgets a graph."""
        self.library.cuGraphExecDestroy(graph)

    def synchronise(self) -> None:
        """Waits for all that is queued."""
        self.library.cuStreamSynchronize(self._stream)


class Mark:
    """A place in a stream of a caller; called, it says whether the GPU has come to it."""

    def __init__(self, gpu: Driver, stream: int) -> None:
        self._gpu, self._event = gpu, handle_t()
        gpu.library.cuEventCreate(ctypes.byref(self._event), UNTIMED)
        gpu.library.cuEventRecord(self._event, handle_t(stream))

    def __call__(self) -> bool:
        return self._gpu.library.cuEventQuery.unchecked(self._event) == SUCCESS

    def __del__(self) -> None:
        event, cuda = self._event, self._gpu.library
        self._gpu.turns.later(lambda: cuda.cuEventDestroy_v2(event))


def gpu_of(cuda: Any, number: int = 0) -> ctypes.c_int:
    """The GPU with a number, as the driver calls it; nothing is allocated on it."""
    device, count = ctypes.c_int(), ctypes.c_int()
    cuda.cuInit(0)
    cuda.cuDeviceGetCount(ctypes.byref(count))
    if not 0 <= number < count.value:
        raise TargetError(f"there is no GPU {number}; this process sees {count.value}, counted from 0")
    cuda.cuDeviceGet(ctypes.byref(device), number)
    return device


@cache
def driver() -> Driver:
    """The first GPU that this process sees; there is one object for it."""
    made = Driver()
    atexit.register(made.turns.end)
    return made
