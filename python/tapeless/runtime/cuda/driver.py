"""NVIDIA's driver by ctypes: one context, one stream, modules, memory, launches. Nothing but the driver is needed."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from tapeless.errors import TargetError
from tapeless.runtime.cuda.pool import Pool
from tapeless.runtime.cuda.recordings.edges import let_wait
from tapeless.runtime.cuda.recordings.order import Waits
from tapeless.runtime.cuda.required_calls import REQUIRED

NAME: Final = "libcuda.so.1"
NO_DEVICE: Final = 100
INVALID_PTX: Final = 218
WRONG_ARCHITECTURE: Final = 209
NEWER_PTX: Final = 222
OUT_OF_MEMORY: Final = 2
SUCCESS: Final = 0
RELAXED: Final = 2
STACK_LIMIT: Final = 0
MOST_SHARED: Final = 8
HEAP_LIMIT: Final = 2
MAJOR: Final = 75
MINOR: Final = 76
LOG_BYTES: Final = 8192
ERROR_LOG: Final = 5
ERROR_LOG_BYTES: Final = 6

# What a failed call of the driver most often means, and what to do.
ADVICE = {
    NO_DEVICE: "there is no NVIDIA GPU that this process may use; compile for target='cpu'",
    OUT_OF_MEMORY: "the GPU has not enough free memory; use smaller arrays or free some",
    WRONG_ARCHITECTURE: "the kernel is for another generation of GPUs; compile it for this one",
    INVALID_PTX: "the driver refuses the kernel's PTX; a newer driver may take it",
    NEWER_PTX: "the driver is older than the kernel's PTX; update it or compile for an older one",
}

WORDS: dict[str, Any] = {
    "ptr": ctypes.c_uint64,
    "i64": ctypes.c_int64,
    "i32": ctypes.c_int32,
    "f64": ctypes.c_double,
    "f32": ctypes.c_float,
}


class DriverError(TargetError):
    """A call of the driver failed."""

    def __init__(self, call: str, code: int, name: str, detail: str = "") -> None:
        super().__init__(f"{call} failed: {ADVICE.get(code, name)}{f' ({detail})' if detail else ''}")
        self.code = code


class Library:
    """libcuda with its calls checked: `library.cuMemFree_v2(address)` raises DriverError unless it succeeds."""

    def __init__(self) -> None:
        try:
            self._library = ctypes.CDLL(NAME)
        except OSError as error:
            raise TargetError(
                f"there is no NVIDIA driver that can be loaded ({error}); install it or compile for target='cpu'"
            ) from error
        if missing := [name for name in REQUIRED if not self.has(name)]:
            raise TargetError(
                f"the NVIDIA driver ({NAME}) has no {' and no '.join(missing[:2])}; install a whole and newer one, "
                "or compile for target='cpu'"
            )

    def __getattr__(self, name: str) -> Any:
        function = getattr(self._library, name)

        def call(*arguments: Any) -> None:
            code = function(*arguments)
            if code != SUCCESS:
                raise DriverError(name, code, self._name_of(code))

        call.unchecked = function  # type: ignore[attr-defined]
        setattr(self, name, call)
        return call

    def has(self, name: str) -> bool:
        """Whether this version of the driver has a call."""
        return hasattr(self._library, name)

    def _name_of(self, code: int) -> str:
        text = ctypes.c_char_p()
        self._library.cuGetErrorName(code, ctypes.byref(text))
        return (text.value or b"").decode() or f"error {code}"


class Driver:
    """One GPU: its primary context, which other libraries share, and a stream that waits for their default one."""

    def __init__(self, number: int = 0) -> None:
        self.library = cuda = Library()
        self.number, self.lock, self.pool = number, threading.RLock(), Pool(self)
        cuda.cuInit(0)
        device, count = ctypes.c_int(), ctypes.c_int()
        cuda.cuDeviceGetCount(ctypes.byref(count))
        if not 0 <= number < count.value:
            raise TargetError(f"there is no GPU {number}; this machine has {count.value}, counted from 0")
        cuda.cuDeviceGet(ctypes.byref(device), number)
        self.capability = tuple(self._attribute(which, device) for which in (MAJOR, MINOR))
        self.memory_bytes = self._memory_of(device)
        self._context = ctypes.c_void_p()
        cuda.cuDevicePrimaryCtxRetain(ctypes.byref(self._context), device)
        self.enter()
        self._stream = ctypes.c_void_p()
        cuda.cuStreamCreate(ctypes.byref(self._stream), 0)

    def _attribute(self, which: int, device: ctypes.c_int) -> int:
        value = ctypes.c_int()
        self.library.cuDeviceGetAttribute(ctypes.byref(value), which, device)
        return value.value

    def _memory_of(self, device: ctypes.c_int) -> int:
        size = ctypes.c_size_t()
        self.library.cuDeviceTotalMem_v2(ctypes.byref(size), device)
        return size.value

    def enter(self) -> None:
        """Makes this GPU the one that this thread works with."""
        self.library.cuCtxSetCurrent(self._context)

    def need_stack(self, size: int) -> None:
        """Gives each thread a stack of at least so many bytes, from now on."""
        if self._limit(STACK_LIMIT) < size:
            self.library.cuCtxSetLimit(STACK_LIMIT, ctypes.c_size_t(size))

    def need_heap(self, size: int) -> None:
        """Gives threads at least so many bytes to allocate from, unless some have begun to: it stays as it is then."""
        if self._limit(HEAP_LIMIT) < size:
            self.library.cuCtxSetLimit.unchecked(HEAP_LIMIT, ctypes.c_size_t(size))

    def _limit(self, which: int) -> int:
        present = ctypes.c_size_t()
        self.library.cuCtxGetLimit(ctypes.byref(present), which)
        return present.value

    def load(self, ptx: bytes) -> ctypes.c_void_p:
        """A module of the text of its kernels, which the driver compiles; raises with what it says of the text.

        Several threads may do so at once. Drivers from 12.0 on compile libraries side by side, but modules in turn.
        """
        module, library, log = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.create_string_buffer(LOG_BYTES)
        options = (ctypes.c_int * 2)(ERROR_LOG, ERROR_LOG_BYTES)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), LOG_BYTES)
        try:
            if self.library.has("cuLibraryLoadData"):
                self.library.cuLibraryLoadData(ctypes.byref(library), ptx + b"\0", options, values, 2, None, None, 0)
                self.library.cuLibraryGetModule(ctypes.byref(module), library)
            else:
                self.library.cuModuleLoadDataEx(ctypes.byref(module), ptx + b"\0", 2, options, values)
        except DriverError as error:
            name = self.library._name_of(error.code)
            raise DriverError("loading kernels", error.code, name, log.value.decode(errors="replace").strip()) from None
        return module

    def function(self, module: ctypes.c_void_p, name: str) -> ctypes.c_void_p:
        """A kernel of a module."""
        function = ctypes.c_void_p()
        self.library.cuModuleGetFunction(ctypes.byref(function), module, name.encode())
        return function

    def allocate(self, size: int) -> int:
        """Memory that nobody wrote yet; MemoryError when the GPU has not enough."""
        address = ctypes.c_uint64()
        try:
            self.library.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(size))
        except DriverError as error:
            if error.code == OUT_OF_MEMORY:
                raise MemoryError(f"the GPU cannot give {size} bytes; use smaller arrays") from None
            raise
        return address.value

    def free(self, address: int) -> None:
        self.library.cuMemFree_v2(ctypes.c_uint64(address))

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
        self.library.cuLaunchKernel(function, *grid, *block, shared, self._stream, pointers, None)

    def copy(self, to: int, source: int, size: int) -> None:
        """Queues a copy on the GPU."""
        self.library.cuMemcpyDtoDAsync_v2(
            ctypes.c_uint64(to), ctypes.c_uint64(source), ctypes.c_size_t(size), self._stream
        )

    def fill(self, to: int, byte: int, size: int) -> None:
        """Queues a fill of memory with a byte."""
        self.library.cuMemsetD8Async(ctypes.c_uint64(to), ctypes.c_ubyte(byte), ctypes.c_size_t(size), self._stream)

    def upload(self, to: int, source: int, size: int) -> None:
        """Copies memory of this process to the GPU, after what is queued; it may be changed when this returns."""
        self.library.cuMemcpyHtoDAsync_v2(ctypes.c_uint64(to), ctypes.c_void_p(source), size_t(size), self._stream)
        self.synchronise()

    def download(self, to: int, source: int, size: int) -> None:
        """Copies memory of the GPU to this process, after what is queued, and waits for it."""
        self.library.cuMemcpyDtoHAsync_v2(ctypes.c_void_p(to), ctypes.c_uint64(source), size_t(size), self._stream)
        self.synchronise()

    def record(self, work: Callable[[], Waits | None]) -> ctypes.c_void_p:
        """What `work` queues, as a graph; nothing of it runs. It tells what waits for what, if not all is in line."""
        graph, executable = ctypes.c_void_p(), ctypes.c_void_p()
        self.library.cuStreamBeginCapture_v2(self._stream, RELAXED)
        try:
            waits = work()
        finally:
            self.library.cuStreamEndCapture(self._stream, ctypes.byref(graph))
        try:
            if waits is not None:
                let_wait(self.library, graph, waits)
            self.library.cuGraphInstantiateWithFlags(ctypes.byref(executable), graph, ctypes.c_uint64(0))
        finally:
            self.library.cuGraphDestroy(graph)
        return executable

    def elapsed(self, work: Callable[[], Any]) -> float:
        """How many milliseconds the GPU takes for what `work` queues, by its own clock."""
        cuda, taken = self.library, ctypes.c_float()
        marks = ctypes.c_void_p(), ctypes.c_void_p()
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


def size_t(size: int) -> ctypes.c_size_t:
    return ctypes.c_size_t(size)


@cache
def driver(number: int = 0) -> Driver:
    """The GPU with this number; there is one object for each."""
    return Driver(number)
