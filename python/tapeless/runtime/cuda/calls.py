"""The callables behind a kernel on a GPU: arguments to it, the launch plan carried out, results back."""

from __future__ import annotations

import base64
import ctypes
import json
import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from tapeless.abi import Abi, Parameter, Result, Site
from tapeless.runtime.calling.arguments import NUMPY_DTYPES, bind_array, bind_scalar, is_on_gpu
from tapeless.runtime.calling.calls import Call, build
from tapeless.runtime.calling.results import result_shape
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.cuda.arrays import Placed, giver, place_foreign
from tapeless.runtime.cuda.device import Device, Functions, Gpu
from tapeless.runtime.cuda.driver import driver
from tapeless.runtime.cuda.image import DeviceImage, bound_names
from tapeless.runtime.cuda.kernel_table import KernelTable
from tapeless.runtime.cuda.memory import DeviceArray
from tapeless.runtime.cuda.pool import Pool
from tapeless.runtime.cuda.recordings.graphs import Graphs, RecordingGpu, can_record
from tapeless.runtime.cuda.rehearsal import rehearsed
from tapeless.runtime.cuda.reports import FAILURE_BYTES, DeviceBook
from tapeless.runtime.cuda.steps import program

# Kernels rely on arrays that start at multiples of this.
ACCESS_BYTES = 16
SCALARS = {"f64": float, "f32": np.float32, "i64": int, "i32": int, "i1": bool}


class LoadingGpu(Gpu, RecordingGpu, Protocol):
    """A GPU that kernels are loaded on."""

    number: int
    pool: Pool
    lock: threading.RLock

    def enter(self) -> None: ...
    def need_stack(self, size: int) -> None: ...
    def need_heap(self, size: int) -> None: ...
    def load(self, ptx: bytes) -> Any: ...
    def function(self, module: Any, name: str) -> Any: ...


class Loaded:
    """The kernels and constants of a plan on a GPU."""

    def __init__(self, gpu: LoadingGpu, ptx: bytes, plan: Mapping[str, Any], sites: Sequence[Site]) -> None:
        gpu.enter()
        gpu.need_stack(plan.get("stack", 0))
        gpu.need_heap(plan.get("heap", 0))
        self.functions: Functions = KernelTable(gpu, ptx, plan)
        self.constants: Sequence[int] = [_uploaded(gpu, base64.b64decode(text)) for text in plan.get("constants", ())]
        self.sites: Mapping[int, Site] = dict(enumerate(sites))


def _uploaded(gpu: LoadingGpu, data: bytes) -> int:
    address = gpu.pool.allocate(len(data))
    buffer = ctypes.create_string_buffer(data, len(data))
    gpu.upload(address, ctypes.addressof(buffer), len(data))
    return address


class CudaCalls:
    """Makes the callables of one kernel. A call holds the GPU until its results are there.

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
        plan = json.loads(code.image.plan)
        self._code, self._abi, self._names, self._origin = code, code.abi, tuple(names), origin
        self._run = program(code.image.plan, bound_names(code.abi))
        self._plan = plan
        self._given, self._book = gpu, book

    @cached_property
    def _gpu(self) -> LoadingGpu:
        return self._given or driver()

    @cached_property
    def _loaded(self) -> Loaded:
        return Loaded(self._gpu, self._code.image.code, self._plan, self._code.sites)

    @cached_property
    def _graphs(self) -> Graphs | None:
        if not can_record(self._plan["steps"]):
            return None
        graphs = Graphs(self._gpu)
        self._gpu.pool.reserves.add(graphs)
        return graphs

    def general(self, *arguments: Any) -> Any:
        """Takes arrays of numpy and of libraries for GPUs, in any mixture; results are of the kind of the latter."""
        with self._gpu.lock:
            self._gpu.enter()
            call = _Call(self._gpu, self._loaded, self._abi, self._book)
            return build(self._code.structure, call.run(self, arguments))

    def recorded(self) -> Any:
        """The latest call as a graph, for measurements; None if it was not recorded."""
        return self._graphs.latest() if self._graphs is not None else None

    def _carried_out(self, device: Device, flat: Sequence[Any]) -> list[Any]:
        values = device.values
        device.foresee = lambda: rehearsed(self._run, flat, values)
        if self._graphs is None:
            return self._run(device, *flat)
        return self._graphs.run(tuple(flat), lambda each: self._run(each, *flat), device, self._gpu.pool)

    def fast(self, fallback: Call) -> Call:
        """There is one way to call."""
        return fallback


class _Call:
    """One call: memory that it holds is given back at its end, whatever happened."""

    def __init__(self, gpu: LoadingGpu, loaded: Loaded, abi: Abi, book: DeviceBook | None) -> None:
        self.gpu, self.abi, self.book = gpu, abi, book
        self.status_bytes = FAILURE_BYTES + (book.size if book is not None else 0)
        self.status = gpu.pool.allocate(self.status_bytes)
        self.device = Device(gpu, gpu.pool, loaded, self.status)
        self.device.held[self.status] = None

    def run(self, calls: CudaCalls, arguments: tuple[Any, ...]) -> list[Any]:
        try:
            return self._results(calls, arguments)
        finally:
            for address in self.device.held:
                self.gpu.pool.free(address)

    def _results(self, calls: CudaCalls, arguments: tuple[Any, ...]) -> list[Any]:
        self.gpu.fill(self.status, 0, self.status_bytes)
        values: list[Any] = [
            self._placed(argument, parameter, name)
            if parameter.kind == "array"
            else bind_scalar(argument, parameter, name)
            for argument, parameter, name in zip(arguments, self.abi.parameters, calls._names, strict=True)
        ]
        dims = [value.shape if isinstance(value, Placed) else () for value in values]
        shapes = [result_shape(result, dims, values, calls._origin) for result in self.abi.outs]
        outs = [self.device.allocate(_bytes(shape, out)) for shape, out in zip(shapes, self.abi.outs, strict=True)]
        flat: list[Any] = [self.status]
        given = self.device.given = {self.status: self.status_bytes}
        for value, parameter in zip(values, self.abi.parameters, strict=True):
            if isinstance(value, Placed):
                flat += [value.address, *value.shape]
                given[value.address] = max(_bytes(value.shape, parameter), given.get(value.address, 0))
            else:
                flat.append(value)
        for address, shape, out in zip(outs, shapes, self.abi.outs, strict=True):
            flat += [address, *shape]
            given[address] = _bytes(shape, out)
        try:
            returned = iter(calls._carried_out(self.device, flat))
            self.device.raise_failure()
        finally:
            self._take_reports()
        give = giver(arguments)
        provided = iter(zip(outs, shapes, strict=True))
        results: list[Any] = []
        for result in self.abi.results:
            if result.kind == "scalar":
                kind, *where = next(returned)
                number = where[0] if kind == "value" else self.device.read(*where)
                results.append(SCALARS[result.dtype](number))
            else:
                address, shape = next(provided) if result.place == "out" else next(returned)[1:]
                results.append(self._given(address, tuple(shape), result, give))
        return results

    def _take_reports(self) -> None:
        """Keeps what kernels reported, also in a call that failed."""
        if self.book is not None:
            data = ctypes.create_string_buffer(self.book.size)
            self.gpu.download(ctypes.addressof(data), self.status + FAILURE_BYTES, self.book.size)
            self.book.take(data.raw)

    def _placed(self, argument: Any, parameter: Any, name: str) -> Placed:
        if is_on_gpu(argument):
            return self._aligned(place_foreign(argument, parameter, name), parameter)
        array = bind_array(argument, parameter, name)
        address = self.device.allocate(array.nbytes)
        if array.nbytes:
            self.gpu.upload(address, array.ctypes.data, array.nbytes)
        return Placed(address, array.shape, array)

    def _aligned(self, placed: Placed, parameter: Any) -> Placed:
        """The array where accesses of 16 bytes are possible, copied if need be; one without elements may be nowhere."""
        size = _bytes(placed.shape, parameter)
        if size and placed.address % ACCESS_BYTES == 0:
            return placed
        address = self.device.allocate(size)
        if size:
            self.device.copy(address, placed.address, size)
        return Placed(address, placed.shape, placed.owner)

    def _given(self, address: int, shape: tuple[int, ...], result: Result, give: Any) -> Any:
        """A result as numpy's copy, or in place as an array of the caller's library, which frees it."""
        dtype = NUMPY_DTYPES[result.dtype]
        if give is not None:
            self.device.held.pop(address, None)
            return give(DeviceArray(address, shape, dtype, self.gpu.number, self.gpu.pool.free))
        array = np.empty(shape, dtype)
        if array.nbytes:
            self.gpu.download(array.ctypes.data, address, array.nbytes)
        return array


def _bytes(shape: tuple[int, ...], entry: Parameter | Result) -> int:
    size = NUMPY_DTYPES[entry.dtype].itemsize
    for extent in shape:
        size *= extent
    return size
