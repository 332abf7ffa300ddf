"""A stand-in for libcuda: what the driver of NVIDIA does, on late streams, with all that it gives out counted."""

from __future__ import annotations

import ctypes
import itertools
import os
import threading
from collections import defaultdict
from collections.abc import Callable
from functools import wraps
from typing import Any

from emulated_gpu.host_build import KERNEL, HostBuild, emulator, host_build
from emulated_gpu.late_streams import NOT_READY, Event, Node, Refused, Stream, Streams
from tapeless.runtime.cuda.driver import Driver
from tapeless.runtime.cuda.library import Library

POISON = 0xFF
CAPABILITY = {75: 9, 76: 0}
SIZES = {"i32": 4, "float": 4}
OUT_OF_MEMORY, NOT_INITIALISED, NO_CONTEXT, INVALID_VALUE = 2, 3, 201, 1
CONTEXT = 0xC0


def _plain(argument: Any) -> Any:
    """A number of an argument of ctypes; what a reference refers to."""
    if hasattr(argument, "_obj"):
        return argument._obj
    return argument.value if isinstance(argument, ctypes._SimpleCData) else argument


def call(function: Callable[..., Any]) -> Callable[..., int]:
    """A call of the driver: arguments as plain numbers, a code as its result."""

    @wraps(function)
    def checked(cuda: FakeCuda, *arguments: Any) -> int:
        try:
            if function.__name__ not in WITHOUT_CONTEXT and not cuda.contexts[threading.get_ident()]:
                raise Refused(NO_CONTEXT)
            if function.__name__ in UNSAFE:
                cuda.streams.check_safe()
            function(cuda, *map(_plain, arguments))
        except Refused as refusal:
            return refusal.code
        return 0

    return checked


class FakeCuda:
    """libcuda for one process: `alive` has every stream, event, module, library, graph and buffer by its handle."""

    def __init__(self, limit: int = 1 << 30) -> None:
        self.streams = Streams()
        self.contexts: dict[int, list[int]] = defaultdict(list)
        self.alive: dict[int, Any] = {}
        self.buffers: dict[int, Any] = {}
        self.host_memory: list[Any] = []
        self.number_of: dict[int, int] = {}
        self.limit = limit
        self._handles = itertools.count(0x1000, 16)
        self._process = os.getpid()

    def count(self, kind: type) -> int:
        """How many of a kind were given out and not taken back."""
        return sum(isinstance(each, kind) for each in self.alive.values())

    def _new(self, thing: Any) -> int:
        handle = next(self._handles)
        self.alive[handle] = thing
        return handle

    def stream(self, *, is_blocking: bool = False) -> int:
        """A stream of another library."""
        handle = self._new(Stream(is_blocking))
        self.streams.streams[handle] = self.alive[handle]
        return handle

    @call
    def cuInit(self, flags: int) -> None:
        if os.getpid() != self._process:
            raise Refused(NOT_INITIALISED)

    @call
    def cuGetErrorName(self, code: int, text: Any) -> None:
        text.value = f"CUDA_ERROR_{code}".encode()

    @call
    def cuDeviceGetCount(self, count: Any) -> None:
        count.value = 1

    @call
    def cuDeviceGet(self, device: Any, number: int) -> None:
        device.value = number

    @call
    def cuDeviceGetAttribute(self, value: Any, which: int, device: int) -> None:
        value.value = CAPABILITY[which]

    @call
    def cuDeviceTotalMem_v2(self, size: Any, device: int) -> None:
        size.value = self.limit

    @call
    def cuDevicePrimaryCtxRetain(self, context: Any, device: int) -> None:
        context.value = CONTEXT

    @call
    def cuCtxPushCurrent_v2(self, context: int) -> None:
        self.contexts[threading.get_ident()].append(context)

    @call
    def cuCtxPopCurrent_v2(self, context: Any) -> None:
        context.value = self.contexts[threading.get_ident()].pop()

    @call
    def cuCtxGetLimit(self, size: Any, which: int) -> None:
        size.value = 1024

    @call
    def cuCtxSetLimit(self, which: int, size: int) -> None:
        pass

    @call
    def cuStreamCreate(self, stream: Any, flags: int) -> None:
        stream.value = self.stream(is_blocking=not flags)

    @call
    def cuStreamSynchronize(self, stream: int) -> None:
        self.streams.synchronise(stream)

    @call
    def cuStreamWaitEvent(self, stream: int, event: int, flags: int) -> None:
        self.streams.wait(stream, self.alive[event])

    @call
    def cuStreamIsCapturing(self, stream: int, status: Any) -> None:
        status.value = int(self.streams.is_capturing(stream))

    @call
    def cuThreadExchangeStreamCaptureMode(self, mode: Any) -> None:
        mode.value = self.streams.exchange_mode(mode.value)

    @call
    def cuEventCreate(self, event: Any, flags: int) -> None:
        event.value = self._new(Event())

    @call
    def cuEventRecord(self, event: int, stream: int) -> None:
        self.streams.record(self.alive[event], stream)

    @call
    def cuEventQuery(self, event: int) -> None:
        work = self.alive[event].work
        if work is not None and not work.is_done:
            raise Refused(NOT_READY)

    @call
    def cuEventDestroy_v2(self, event: int) -> None:
        del self.alive[event]

    @call
    def cuMemAlloc_v2(self, address: Any, size: int) -> None:
        if sum(map(len, self.buffers.values())) + size > self.limit:
            raise Refused(OUT_OF_MEMORY)
        address.value = self.memory(size)

    @call
    def cuMemAllocHost_v2(self, address: Any, size: int) -> None:
        self.host_memory.append((ctypes.c_ubyte * size)())
        address.value = ctypes.addressof(self.host_memory[-1])

    def memory(self, size: int, number: int = 0) -> int:
        """Memory of a GPU, also for other libraries."""
        buffer = (ctypes.c_ubyte * (size + 16))()
        ctypes.memset(buffer, POISON, size + 16)
        address = -(-ctypes.addressof(buffer) // 16) * 16
        self.buffers[address] = buffer
        self.number_of[address] = number
        return address

    @call
    def cuMemFree_v2(self, address: int) -> None:
        self.streams.finish_all()
        ctypes.memset(address, POISON, len(self.buffers[address]) - 16)
        del self.buffers[address], self.number_of[address]

    @call
    def cuMemGetInfo_v2(self, free: Any, total: Any) -> None:
        total.value = self.limit
        free.value = self.limit - sum(map(len, self.buffers.values()))

    @call
    def cuPointerGetAttribute(self, number: Any, which: int, address: int) -> None:
        if address not in self.number_of:
            raise Refused(INVALID_VALUE)
        number.value = self.number_of[address]

    @call
    def cuMemcpyDtoDAsync_v2(self, to: int, source: int, size: int, stream: int) -> None:
        self.streams.queue(stream, lambda: ctypes.memmove(to, source, size))

    cuMemcpyDtoHAsync_v2 = cuMemcpyHtoDAsync_v2 = cuMemcpyDtoDAsync_v2

    @call
    def cuMemsetD8Async(self, to: int, byte: int, size: int, stream: int) -> None:
        self.streams.queue(stream, lambda: ctypes.memset(to, byte, size))

    @call
    def cuLibraryLoadData(self, library: Any, text: bytes, *rest: Any) -> None:
        library.value = self._new(host_build(text.rstrip(b"\0").decode()))
        self.alive[library.value] = _Module(self.alive[library.value], text.decode())

    @call
    def cuLibraryGetModule(self, module: Any, library: int) -> None:
        module.value = library

    @call
    def cuLibraryUnload(self, library: int) -> None:
        del self.alive[library]

    @call
    def cuModuleGetFunction(self, function: Any, module: int, name: bytes) -> None:
        function.value = self._new((self.alive[module], name.decode()))
        self.alive[function.value] = _Function(*self.alive[function.value])

    @call
    def cuFuncSetAttribute(self, function: int, which: int, value: int) -> None:
        pass

    @call
    def cuLaunchKernel(self, function: int, *rest: Any) -> None:
        *sizes, _, stream, pointers, _ = rest
        found = self.alive[function]
        words = [
            ctypes.string_at(pointer, SIZES.get(type_, 8)) for pointer, type_ in zip(pointers, found.types, strict=True)
        ]
        slots = b"".join(word.ljust(8, b"\0") for word in words)
        self.streams.queue(stream, lambda: found.launch(sizes[:3], sizes[3:6], slots))

    @call
    def cuGraphCreate(self, graph: Any, flags: int) -> None:
        graph.value = self._new([])

    def _node(self, node: Any, graph: int, run: Callable[[], object]) -> None:
        self.alive[graph].append(Node(run))
        node.value = len(self.alive[graph])

    @call
    def cuGraphAddKernelNode(self, node: Any, graph: int, before: None, count: int, given: Any) -> None:
        found = self.alive[given.function]
        pointers = (ctypes.c_void_p * len(found.types)).from_address(given.arguments)
        slots, sizes = found.slots(pointers), (list(given.grid), list(given.block))
        self._node(node, graph, lambda: found.launch(*sizes, slots))

    @call
    def cuGraphAddMemcpyNode(self, node: Any, graph: int, before: None, count: int, given: Any, context: int) -> None:
        to, source, size = given.to.address, given.source.address, given.width * given.height * given.depth
        assert (given.to.kind, given.source.kind, context) == (2, 2, CONTEXT)
        self._node(node, graph, lambda: ctypes.memmove(to, source, size))

    @call
    def cuGraphAddMemsetNode(self, node: Any, graph: int, before: None, count: int, given: Any, context: int) -> None:
        to, value, size = given.to, given.value, given.width * given.height
        assert (given.element_size, context) == (1, CONTEXT)
        self._node(node, graph, lambda: ctypes.memset(to, value, size))

    @call
    def cuGraphAddDependencies(self, graph: int, earlier: Any, later: Any, count: int) -> None:
        nodes: list[Node] = self.alive[graph]
        for number in range(count):
            nodes[later[number] - 1].after.append(nodes[earlier[number] - 1])

    @call
    def cuGraphInstantiateWithFlags(self, executable: Any, graph: int, flags: int) -> None:
        executable.value = self._new(_Executable(list(self.alive[graph])))

    @call
    def cuGraphLaunch(self, executable: int, stream: int) -> None:
        self.streams.queue(stream, self.alive[executable].run)

    @call
    def cuGraphDestroy(self, graph: int) -> None:
        del self.alive[graph]

    @call
    def cuGraphExecDestroy(self, executable: int) -> None:
        del self.alive[executable]


class _Module:
    """Kernels that were loaded."""

    def __init__(self, build: HostBuild, text: str) -> None:
        self.build = build
        self.types = {
            name: [parameter.split()[0] for parameter in parameters.split(", ") if parameter]
            for name, parameters in KERNEL.findall(text)
        }


class _Function:
    """One of them; the driver frees it with its module."""

    def __init__(self, module: _Module, name: str) -> None:
        self.types, self._address = module.types[name], module.build.addresses[name]
        self._has_barriers = module.build.has_barriers

    def slots(self, pointers: Any) -> bytes:
        """The arguments at these addresses, as they are now."""
        words = [
            ctypes.string_at(pointer, SIZES.get(type_, 8)) for pointer, type_ in zip(pointers, self.types, strict=True)
        ]
        return b"".join(word.ljust(8, b"\0") for word in words)

    def launch(self, grid: list[int], block: list[int], slots: bytes) -> None:
        sizes = [(ctypes.c_uint32 * 3)(*each) for each in (grid, block)]
        seed = ctypes.c_uint64(1)
        emulator().emulated_launch(ctypes.c_void_p(self._address), slots, *sizes, int(self._has_barriers), seed)


class _Executable:
    """A graph that can be launched."""

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes = nodes

    def run(self) -> None:
        """What was recorded last goes first, if it may."""
        waiting, done = list(self.nodes), set[Node]()
        while waiting:
            latest = next(node for node in reversed(waiting) if done.issuperset(node.after))
            waiting.remove(latest)
            done.add(latest)
            latest.run()


WITHOUT_CONTEXT = frozenset(
    name for name in vars(FakeCuda) if name.startswith(("cuInit", "cuGet", "cuDevice", "cuCtxPush", "cuThread"))
)
# What may wait for all that a GPU does.
UNSAFE = frozenset({"cuMemAlloc_v2", "cuMemFree_v2", "cuLibraryLoadData", "cuLibraryUnload", "cuEventQuery"})
MODULE, GRAPH, EVENT, STREAM = _Module, _Executable, Event, Stream


def fake_driver(cuda: FakeCuda) -> Driver:
    """The driver of the runtime on a stand-in for libcuda."""
    library = object.__new__(Library)
    library._library = cuda  # type: ignore[assignment]
    return Driver(library=library)
