"""The callables behind a kernel on a GPU: arguments to it, the launch plan carried out, results back."""

from __future__ import annotations

import base64
import ctypes
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, Protocol
from weakref import finalize

import numpy as np

from tapeless.abi import Parameter, Result, Site
from tapeless.computed_once import computed_once
from tapeless.errors import TargetError
from tapeless.runtime.calling.arguments import NUMPY_DTYPES
from tapeless.runtime.calling.calls import Call, build
from tapeless.runtime.calling.results import result_shape
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.cuda.arrays import Lending, giver, releaser
from tapeless.runtime.cuda.device import Device, Gpu, Piece
from tapeless.runtime.cuda.device_array import DeviceArray
from tapeless.runtime.cuda.driver import driver
from tapeless.runtime.cuda.image import DeviceImage, bound_names, returned_ranks
from tapeless.runtime.cuda.kernel_table import KernelTable
from tapeless.runtime.cuda.landing import Landing, cell, copied, number
from tapeless.runtime.cuda.library import DriverError
from tapeless.runtime.cuda.pool import OWN
from tapeless.runtime.cuda.producers import Produced, Producing
from tapeless.runtime.cuda.recordings.graphs import Graphs, RecordingGpu, can_record
from tapeless.runtime.cuda.rehearsal import rehearsed
from tapeless.runtime.cuda.reports import FAILURE_BYTES, DeviceBook
from tapeless.runtime.cuda.sources import Sources
from tapeless.runtime.cuda.steps import program
from tapeless.runtime.cuda.streams import handle_of

# Kernels rely on arrays that start at multiples of this.
ACCESS_BYTES = 16


class Placed(NamedTuple):
    """An array where kernels read it."""

    address: int
    shape: tuple[int, ...]


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
    """What a kernel keeps on a GPU: the functions and constants of its plan, and recordings of its calls."""

    def __init__(self, gpu: LoadingGpu, code: CompiledCode, plan: Mapping[str, Any]) -> None:
        assert isinstance(code.image, DeviceImage)
        _check_generation(code.image, gpu)
        gpu.need_stack(plan.get("stack", 0))
        gpu.need_heap(plan.get("heap", 0))
        self._gpu = gpu
        self.functions = KernelTable(gpu, code.image.code, plan)
        self.constants: list[int] = []
        self._clean: list[int] = []
        self.sites: Mapping[int, Site] = dict(enumerate(code.sites))
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
        """Gives back what the next call can do without."""
        if self.graphs is not None:
            self.graphs.give_up()
        while self._clean:
            self._gpu.pool.free(self._clean.pop())

    def give_back(self) -> None:
        """Leaves the GPU; with the last kernel goes what the pool keeps."""
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


class CudaCalls:
    """Makes the callables of one kernel. A call has its turn at the GPU until its results are there.

    Nothing is loaded before the first call, so that kernels can be compiled and saved where there is no GPU.
    """

    def __init__(
        self,
        code: CompiledCode,
        names: Sequence[str],
        origin: str,
        gpu: LoadingGpu | None = None,
        book: DeviceBook | None = None,
    ) -> None:
        assert isinstance(code.image, DeviceImage)
        self._code, self.abi, self.names, self.origin = code, code.abi, tuple(names), origin
        self._run = program(code.image.plan, bound_names(code.abi), returned_ranks(code.abi))
        self._plan = json.loads(code.image.plan)
        self._given, self._book = gpu, book

    @computed_once
    def _gpu(self) -> LoadingGpu:
        return self._given or driver()

    @computed_once
    def _loaded(self) -> Loaded:
        loaded = Loaded(self._gpu, self._code, self._plan)
        leaving = finalize(self, self._gpu.turns.soon, loaded.give_back)
        leaving.atexit = False
        try:
            loaded.upload(self._plan.get("constants", ()))
        except BaseException:
            leaving()
            raise
        return loaded

    def general(self, *arguments: Any) -> Any:
        """Takes arrays of numpy and of libraries for GPUs, in any mixture; results are of the kind of the latter."""
        return self.on_stream(None, arguments)

    def on_stream(self, stream: Any, arguments: Sequence[Any]) -> Any:
        """A call that comes after what is queued on a stream of the caller, if one is given."""
        handle = None if stream is None else handle_of(stream)
        gpu = self._gpu
        with gpu.turns:
            try:
                sources = Sources(arguments, self.abi, self.names, gpu, handle)
                gpu.pool.at_home = sources.home
                call = _Call(gpu, self._loaded, sources, self._book)
                return build(self._code.structure, call.run(self))
            finally:
                gpu.pool.at_home = OWN

    def recorded(self) -> Any:
        """The latest call as a graph, for measurements; None if it was not recorded."""
        return self._loaded.graphs.latest() if self._loaded.graphs is not None else None

    def carried_out(self, device: Device, flat: Sequence[Any]) -> list[Any]:
        """Has the plan carried out and tells where its results are."""
        values, graphs = device.values, self._loaded.graphs
        device.foresee = lambda: rehearsed(self._run, flat, values)
        if graphs is None:
            return self._run(device, *flat)
        return graphs.run(tuple(flat), lambda each: self._run(each, *flat), device, self._gpu.pool)

    def fast(self, fallback: Call, by_type: frozenset[int] = frozenset()) -> Call:
        """There is one way to call."""
        return fallback


class _Call:
    """One call: memory that it holds is given back at its end, whatever happened."""

    def __init__(self, gpu: LoadingGpu, loaded: Loaded, sources: Sources, book: DeviceBook | None) -> None:
        self.gpu, self.loaded, self.sources, self.book = gpu, loaded, sources, book
        self.status_bytes = FAILURE_BYTES + (book.size if book is not None else 0)
        self.status = loaded.clean_status(self.status_bytes)
        self.device = Device(gpu, gpu.pool, loaded, self.status)

    def run(self, calls: CudaCalls) -> list[Any]:
        is_clean = False
        try:
            results = self._results(calls)
            is_clean = self.book is None
            return results
        except BaseException:
            # Arguments may go with the caller now, and copies of them may still be queued.
            with suppress(DriverError):
                self.gpu.synchronise()
            raise
        finally:
            for address in self.device.held:
                self.gpu.pool.free(address)
            if is_clean:
                self.loaded.keep(self.status)
            else:
                self.gpu.pool.free(self.status)

    def _results(self, calls: CudaCalls) -> list[Any]:
        abi = calls.abi
        values = [self._placed(*each) for each in zip(self.sources.values, abi.parameters, strict=True)]
        dims = [value.shape if isinstance(value, Placed) else () for value in values]
        shapes = [result_shape(result, dims, values, calls.origin) for result in abi.outs]
        outs = [self.device.allocate(_bytes(shape, out)) for shape, out in zip(shapes, abi.outs, strict=True)]
        flat: list[Any] = [self.status]
        given = self.device.given = {self.status: self.status_bytes}
        for value, parameter in zip(values, abi.parameters, strict=True):
            if isinstance(value, Placed):
                flat += [value.address, *value.shape]
                given[value.address] = max(_bytes(value.shape, parameter), given.get(value.address, 0))
            else:
                flat.append(value)
        for address, shape, out in zip(outs, shapes, abi.outs, strict=True):
            flat += [address, *shape]
            given[address] = _bytes(shape, out)
        try:
            returned = iter(calls.carried_out(self.device, flat))
            provided = iter(zip(outs, shapes, strict=True))
            landed = [self._landing(result, returned, provided) for result in abi.results]
            self.device.download([each.piece for each in landed if each.piece is not None])
        finally:
            self._take_reports()
        return [each.result() for each in landed]

    def _landing(self, result: Result, returned: Iterator[Any], provided: Iterator[Any]) -> Landing:
        """How a result comes to the caller: a number, numpy's copy, or in place as an array of the caller's library."""
        if result.kind == "scalar":
            kind, *where = next(returned)
            return number(result, where[0]) if kind == "value" else cell(result, *where)
        address, shape = next(provided) if result.place == "out" else next(returned)[1:]
        if self.sources.library is None:
            return copied(result, address, tuple(shape))
        return Landing(partial(self._in_place, address, tuple(shape), result))

    def _in_place(self, address: int, shape: tuple[int, ...], result: Result) -> Any:
        """An array of the caller's library, which frees it."""
        library = self.sources.library
        assert library is not None
        self.device.held.pop(address, None)
        release = releaser(self.gpu, self.sources.home, library)
        return giver(library)(DeviceArray(address, shape, NUMPY_DTYPES[result.dtype], self.gpu.number, release))

    def _take_reports(self) -> None:
        """Keeps what kernels reported, also in a call that failed."""
        if self.book is not None:
            data = ctypes.create_string_buffer(self.book.size)
            self.gpu.download([Piece(ctypes.addressof(data), self.status + FAILURE_BYTES, self.book.size)])
            self.book.take(data.raw)

    def _placed(self, value: Any, parameter: Parameter) -> Any:
        """Where an array is on the GPU; numbers as they are."""
        if isinstance(value, Produced):
            return self._aligned(value, parameter)
        if not isinstance(value, np.ndarray):
            return value
        address = self.device.allocate(value.nbytes)
        if value.nbytes:
            self.gpu.upload(address, value.ctypes.data, value.nbytes)
        return Placed(address, value.shape)

    def _aligned(self, array: Produced, parameter: Parameter) -> Placed:
        """The array where accesses of 16 bytes are possible, copied if need be; one without elements may be nowhere."""
        size = _bytes(array.shape, parameter)
        if size and array.address % ACCESS_BYTES == 0:
            return Placed(array.address, array.shape)
        address = self.device.allocate(size)
        if size:
            self.device.copy(address, array.address, size)
        return Placed(address, array.shape)


def _bytes(shape: tuple[int, ...], entry: Parameter | Result) -> int:
    size = NUMPY_DTYPES[entry.dtype].itemsize
    for extent in shape:
        size *= extent
    return size
