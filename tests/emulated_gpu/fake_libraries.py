"""Libraries for GPUs that share a stand-in for libcuda: their arrays, their streams, and how they take results."""

from __future__ import annotations

import ctypes
import sys
import types
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from emulated_gpu.fake_cuda import FakeCuda
from emulated_gpu.late_streams import LEGACY, Event
from tapeless.runtime.cuda.dlpack import lend

DOUBLE = np.dtype(np.float64)


@dataclass
class Side:
    """A stream as torch and CuPy have them; 0 is the default one."""

    cuda_stream: int

    @property
    def ptr(self) -> int:
        return self.cuda_stream


class Bare:
    """An array on a GPU; subclasses say what they tell of it."""

    def __init__(self, cuda: FakeCuda, shape: tuple[int, ...], made_on: int, address: int | None = None) -> None:
        self.cuda, self.shape, self.made_on = cuda, shape, made_on
        self.address = cuda.memory(8 * int(np.prod(shape))) if address is None else address

    def _interface(self, **more: Any) -> dict[str, Any]:
        data = (self.address, False)
        return {"version": 3, "shape": self.shape, "typestr": DOUBLE.str, "data": data, "strides": None, **more}

    def write_late(self, values: np.ndarray) -> None:
        """Has the stream that it is made on write the elements, when it comes to that."""
        kept = values.copy()
        work = lambda: ctypes.memmove(self.address, kept.ctypes.data, kept.nbytes)  # noqa: E731
        self.cuda.streams.queue(self.made_on, work)


class WithStream(Bare):
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return self._interface(stream=self.made_on)


class WithoutStream(Bare):
    """As libraries that know the default stream alone."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return self._interface(stream=None)


class SecondVersion(Bare):
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {**self._interface(), "version": 2}


class Capsuled(Bare):
    """Speaks nothing but DLPack, and orders the stream that it is given."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0

    def __dlpack__(self, *, stream: int | None = None) -> Any:
        if stream not in (None, -1):
            event = Event()
            self.cuda.streams.record(event, self.made_on)
            self.cuda.streams.wait(stream, event)
        return lend(self, self.address, self.shape, DOUBLE, 0)


class WithBoth(Capsuled):
    """As JAX's: where it is, but not which stream it is made on, unless by DLPack."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {**self._interface(), "version": 2}


class WithReadiness(WithBoth):
    """Knows whether its elements are there, and counts how often it is asked for a handshake."""

    handshakes = 0

    def is_ready(self) -> bool:
        last = self.cuda.streams.at(self.made_on).last
        return last is None or last.is_done

    def __dlpack__(self, *, stream: int | None = None) -> Any:
        self.handshakes += 1
        return super().__dlpack__(stream=stream)


class WithoutHandshake(WithBoth):
    """Does not take streams, but can be waited for."""

    def __dlpack__(self) -> Any:  # type: ignore[override]
        raise AssertionError("without a stream there is no order")

    def block_until_ready(self) -> None:
        self.cuda.streams.synchronise(self.made_on)


class Tensor(SecondVersion):
    """As torch's: works on the current stream, which it does not tell; `home` takes its memory back."""

    dtype, device, requires_grad = "float64", "cuda:0", False
    home: Allocator | None = None
    allocator: Allocator | None = None

    def __init__(self, cuda: FakeCuda, shape: tuple[int, ...], made_on: int, address: int | None = None) -> None:
        super().__init__(cuda, shape, made_on, address)
        if self.allocator is not None:
            self.allocator.cuda = cuda

    def data_ptr(self) -> int:
        return self.address

    def is_contiguous(self) -> bool:
        return True

    def is_neg(self) -> bool:
        return False

    def __del__(self) -> None:
        if self.home is not None:
            self.home.free[self.made_on].append(self.address)


class Allocator:
    """As torch's: what was used on a stream is given out again at once, to whoever works on that stream."""

    def __init__(self, kind: type[Bare], current: Callable[[], Side]) -> None:
        self.kind, self.current = kind, current
        self.free: dict[int, list[int]] = defaultdict(list)
        self.cuda: FakeCuda | None = None

    def empty(self, shape: tuple[int, ...], dtype: Any, device: str) -> Any:
        assert self.cuda is not None and dtype == "float64" and device == "cuda:0"
        stream = self.current().cuda_stream or LEGACY
        address = self.free[stream].pop() if self.free[stream] else None
        made: Any = self.kind(self.cuda, tuple(shape), stream, address)
        made.home = self
        return made


class Taken:
    """A result that a library has taken in place."""

    def __init__(self, array: Any) -> None:
        self.array, self.address, self.shape = array, array.address, array.shape


def install(monkeypatch: pytest.MonkeyPatch, kind: type[Bare], package: str, current: Callable[[], Side]) -> None:
    """Makes arrays of a kind those of a package, which works on a current stream."""
    module: Any = types.ModuleType(package)
    module.as_tensor = lambda array, device: Taken(array)
    module.asarray = Taken
    module.dlpack = SimpleNamespace(from_dlpack=Taken)
    module.cuda = SimpleNamespace(
        current_stream=lambda number: current(),
        get_current_stream=lambda number: current(),
        OutOfMemoryError=MemoryError,
    )
    if issubclass(kind, Tensor):
        allocator = Allocator(kind, current)
        module.float64, module.empty = "float64", allocator.empty
        monkeypatch.setattr(kind, "allocator", allocator)
    monkeypatch.setitem(sys.modules, package, module)
    monkeypatch.setattr(kind, "__module__", package)


DEFAULT = Side(0)
assert LEGACY == 1
