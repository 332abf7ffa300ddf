"""One call of a kernel: the memory that it holds, and its results on their way to the caller."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from tapeless.abi import Abi, Result
from tapeless.runtime.calling.arguments import NUMPY_DTYPES
from tapeless.runtime.calling.results import result_shape
from tapeless.runtime.cuda.arrays import MAKERS, giver, made, releaser
from tapeless.runtime.cuda.device import READ_AS, Device, Piece
from tapeless.runtime.cuda.device_array import DeviceArray
from tapeless.runtime.cuda.identities import Identity, exact
from tapeless.runtime.cuda.landing import Landing, cell, copied, number
from tapeless.runtime.cuda.library import DriverError
from tapeless.runtime.cuda.loaded import Loaded, LoadingGpu
from tapeless.runtime.cuda.pool import OWN
from tapeless.runtime.cuda.producers import Produced
from tapeless.runtime.cuda.reports import FAILURE_BYTES, DeviceBook

# Types of numbers that plans compute with as those of others.
CELLS = {"u32": "i32"}
# Kernels rely on arrays that start at multiples of this.
ACCESS_BYTES = 16


class Placed(NamedTuple):
    """The arguments of the plan: numbers, and arrays by address and sizes; and the shapes of results it is to fill.

    If nothing `is_copied`, it stays true for as long as the arguments are where they are.
    """

    values: tuple[Any, ...]
    identity: Identity
    extents: dict[int, int]
    shapes: tuple[tuple[int, ...], ...]
    is_copied: bool


class Provided(NamedTuple):
    """Memory for a result, and the array of the caller's library that it belongs to, if that made it."""

    address: int
    shape: tuple[int, ...]
    array: Any = None


class OneCall:
    """`with OneCall(...) as call:` gives back the memory that the call holds at its end, whatever happened.

    Results go to the caller's `library`, or to numpy; `home` is the stream that the caller works on. Libraries that can
    make arrays for results do so, unless they are to be `from_pool`.
    """

    def __init__(
        self,
        gpu: LoadingGpu,
        loaded: Loaded,
        library: str | None,
        home: int,
        book: DeviceBook | None,
        from_pool: bool = False,
    ) -> None:
        self.gpu, self.loaded, self.library, self.home, self.book = gpu, loaded, library, home, book
        self._is_making = library in MAKERS and not from_pool
        self.status_bytes = FAILURE_BYTES + (book.size if book is not None else 0)
        self.status = loaded.clean_status(self.status_bytes)
        self.device = Device(gpu, gpu.pool, loaded, self.status)

    def __enter__(self) -> OneCall:
        self.gpu.pool.at_home = self.home
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        pool = self.gpu.pool
        try:
            if kind is not None:
                # Arguments may go with the caller now, and copies of them may still be queued.
                with suppress(DriverError):
                    self.gpu.synchronise()
        finally:
            pool.at_home = OWN
            for address in self.device.held:
                pool.free(address)
            if kind is None and self.book is None:
                self.loaded.keep(self.status)
            else:
                pool.free(self.status)

    def placed(self, values: Sequence[Any], abi: Abi, origin: str) -> Placed:
        """The arguments of a call where kernels read them."""
        flat: list[Any] = []
        dims: list[tuple[int, ...]] = []
        extents: dict[int, int] = {}
        is_copied = False
        for value, parameter in zip(values, abi.parameters, strict=True):
            if parameter.kind != "array":
                flat.append(with_sign(value) if parameter.dtype == "u32" else value)
                dims.append(())
                continue
            size = _bytes(value.shape, parameter.dtype)
            address = self._address(value, size)
            is_copied |= not isinstance(value, Produced) or address != value.address
            flat += [address, *value.shape]
            dims.append(value.shape)
            extents[address] = max(size, extents.get(address, 0))
        shapes = tuple(result_shape(result, dims, values, origin) for result in abi.outs)
        return Placed(tuple(flat), tuple(map(exact, flat)), extents, shapes, is_copied)

    def _address(self, value: Produced | np.ndarray, size: int) -> int:
        """Where an array is on the GPU: copied from this process, and to where accesses of 16 bytes are possible.

        One without elements may be nowhere.
        """
        if isinstance(value, Produced):
            if size and value.address % ACCESS_BYTES == 0:
                return value.address
            address = self.device.allocate(size)
            if size:
                self.device.copy(address, value.address, size)
            return address
        address = self.device.allocate(size)
        if size:
            self.gpu.upload(address, value.ctypes.data, size)
        return address

    def results(
        self, abi: Abi, placed: Placed, carried_out: Callable[[Device, Sequence[Any], Identity], Sequence[Any]]
    ) -> list[Any]:
        """The results of the plan for the arguments, as the caller gets them."""
        provided = [self._provided(*each) for each in zip(placed.shapes, abi.outs, strict=True)]
        try:
            returned, outs = iter(self._carried_out(abi, placed, provided, carried_out)), iter(provided)
            landed = [self._landing(result, returned, outs) for result in abi.results]
            self.device.download([each.piece for each in landed if each.piece is not None])
        finally:
            self._take_reports()
        return [each.result() for each in landed]

    def into(
        self,
        abi: Abi,
        placed: Placed,
        places: Sequence[int],
        carried_out: Callable[[Device, Sequence[Any], Identity], Sequence[Any]],
    ) -> None:
        """Has the plan fill memory of the caller, one place per result; numbers are copied there."""
        outs = (place for place, result in zip(places, abi.results, strict=True) if result.place == "out")
        provided = [Provided(*each) for each in zip(outs, placed.shapes, strict=True)]
        returned = iter(self._carried_out(abi, placed, provided, carried_out))
        cells = []  # They must stay until they are copied.
        try:
            for place, result in zip(places, abi.results, strict=True):
                if result.place == "out":
                    continue
                kind, *where = next(returned)
                if kind == "value":
                    cells.append(READ_AS[CELLS.get(result.dtype, result.dtype)](where[0]))
                    self.gpu.upload(place, ctypes.addressof(cells[-1]), ctypes.sizeof(cells[-1]))
                else:
                    self.device.copy(place, where[0], NUMPY_DTYPES[result.dtype].itemsize)
            self.device.download()
            self.gpu.synchronise()
        finally:
            self._take_reports()

    def _carried_out(
        self,
        abi: Abi,
        placed: Placed,
        provided: Sequence[Provided],
        carried_out: Callable[[Device, Sequence[Any], Identity], Sequence[Any]],
    ) -> Sequence[Any]:
        filled = [value for each in provided for value in (each.address, *each.shape)]
        status = {self.status: self.status_bytes}
        self.device.given = lambda: status | placed.extents | _extents(abi, provided)
        flat, identity = (self.status, *placed.values, *filled), (self.status, *placed.identity, *filled)
        return carried_out(self.device, flat, identity)

    def _provided(self, shape: tuple[int, ...], out: Result) -> Provided:
        if self._is_making and 0 not in shape:
            array = made(self.gpu, self.library, shape, out.dtype)
            return Provided(array.data_ptr(), shape, array)
        return Provided(self.device.allocate(_bytes(shape, out.dtype)), shape)

    def _landing(self, result: Result, returned: Iterator[Any], provided: Iterator[Provided]) -> Landing:
        """How a result comes to the caller: a number, numpy's copy, or in place as an array of the caller's library."""
        if result.kind == "scalar":
            kind, *where = next(returned)
            return number(result, where[0]) if kind == "value" else cell(result, *where)
        if result.place == "out":
            address, shape, array = next(provided)
            if array is not None:
                return Landing(lambda: array)
        else:
            _, address, shape = next(returned)
        if self.library is None:
            return copied(result, address, tuple(shape))
        library = self.library
        return Landing(lambda: self._in_place(library, address, tuple(shape), result))

    def _in_place(self, library: str, address: int, shape: tuple[int, ...], result: Result) -> Any:
        """An array of the caller's library, which frees it."""
        self.device.held.pop(address, None)
        release = releaser(self.gpu, self.home, library)
        return giver(library)(DeviceArray(address, shape, NUMPY_DTYPES[result.dtype], self.gpu.number, release))

    def _take_reports(self) -> None:
        """Keeps the reports of kernels, also in a call that failed."""
        if self.book is not None:
            data = ctypes.create_string_buffer(self.book.size)
            self.gpu.download([Piece(ctypes.addressof(data), self.status + FAILURE_BYTES, self.book.size)])
            self.book.take(data.raw)


def with_sign(number: int) -> int:
    """A number of 32 bits as plans compute with them, which keep integers with their sign."""
    return number - (1 << 32) if number >= 1 << 31 else number


def _bytes(shape: Sequence[int], dtype: str) -> int:
    size = NUMPY_DTYPES[dtype].itemsize
    for extent in shape:
        size *= extent
    return size


def _extents(abi: Abi, provided: Sequence[Provided]) -> dict[int, int]:
    """Where results are, with their sizes in bytes."""
    return {each.address: _bytes(each.shape, out.dtype) for each, out in zip(provided, abi.outs, strict=True)}
