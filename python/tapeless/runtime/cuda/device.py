"""The device of a running launch plan: one call's view of a GPU."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from tapeless.abi import Site
from tapeless.runtime.cuda.pool import Memory
from tapeless.runtime.cuda.recordings.order import Touched
from tapeless.runtime.failure import CHECK_FAILED, Failure, to_exception

# The kind of failure of a thread that gets no memory; how much it asked for is where the site of a check is.
EXHAUSTED: Final = 5
READ_AS: dict[str, Any] = {
    "f64": ctypes.c_double,
    "f32": ctypes.c_float,
    "i64": ctypes.c_int64,
    "index": ctypes.c_int64,
    "i32": ctypes.c_int32,
    "i1": ctypes.c_bool,
}


class Piece(NamedTuple):
    """Memory of the GPU, and where in this process it is copied to."""

    to: int
    source: int
    size: int


class Gpu(Memory, Protocol):
    """The driver, or its stand-in in tests."""

    def launch(
        self,
        function: Any,
        grid: Sequence[int],
        block: Sequence[int],
        shared: int,
        types: Sequence[str],
        arguments: Sequence[int | float],
    ) -> None: ...
    def copy(self, to: int, source: int, size: int) -> None: ...
    def fill(self, to: int, byte: int, size: int) -> None: ...
    def upload(self, to: int, source: int, size: int) -> None: ...
    def download(self, pieces: Sequence[Piece]) -> None: ...
    def synchronise(self) -> None: ...


class Functions(Protocol):
    """The kernels of a plan by their numbers, with the types of their parameters."""

    def get(self, number: int, foresee: Callable[[], Iterable[int]]) -> tuple[Any, Sequence[str]]: ...
    def touched(self, number: int, arguments: Sequence[Any]) -> Touched: ...


class LoadedPlan(Protocol):
    """The state on a GPU between calls of a kernel: its functions and constants."""

    @property
    def functions(self) -> Functions: ...
    @property
    def constants(self) -> Sequence[int]: ...
    @property
    def sites(self) -> Mapping[int, Site]: ...
    @property
    def can_fail(self) -> bool: ...


class Device:
    """The operations of a plan for one call. What the plan allocates and does not give back is freed at the end."""

    def __init__(self, gpu: Gpu, pool: Memory, loaded: LoadedPlan, status: int) -> None:
        self._gpu = gpu
        self._pool = pool
        self._loaded = loaded
        self._status = status
        self.held: dict[int, None] = {}
        # Where arguments and results of the call are, with their sizes; what is queued, where that is to be known.
        self.given: Callable[[], Mapping[int, int]] = dict
        self.queued: list[Touched] | None = None
        # What the plan has read so far, and which kernels it launches as far as that tells.
        self.values: list[Any] = []
        self.launches = 0
        self.foresee: Callable[[], Iterable[int]] = tuple

    def allocate(self, size: int) -> int:
        address = self._pool.allocate(size)
        self.held[address] = None
        return address

    def free(self, address: int) -> None:
        self.held.pop(address, None)
        self._pool.free(address)

    def launch(
        self, number: int, grid: Sequence[int], block: Sequence[int], shared: int, arguments: Sequence[int | float]
    ) -> None:
        """Queues a kernel, unless it has nothing to do."""
        if 0 not in grid and 0 not in block:
            function, types = self._loaded.functions.get(number, self.foresee)
            self._gpu.launch(function, grid, block, shared, types, arguments)
            self.launches += 1
            if self.queued is not None:
                self.queued.append(self._loaded.functions.touched(number, arguments))

    def copy(self, to: int, source: int, size: int) -> None:
        if size:
            self._gpu.copy(to, source, size)
            self._note([source], [to])

    def fill(self, to: int, byte: int, size: int) -> None:
        if size:
            self._gpu.fill(to, byte, size)
            self._note([], [to])

    def _note(self, reads: Sequence[int], writes: Sequence[int]) -> None:
        if self.queued is not None:
            self.queued.append(Touched(reads, writes))

    def constant(self, number: int) -> int:
        return self._loaded.constants[number]

    def read(self, address: int, type_: str) -> float | int | bool:
        """A scalar of the GPU's memory; waits for its producer, and for a check that failed on the way."""
        cell = READ_AS[type_]()
        self.download([Piece(ctypes.addressof(cell), address, ctypes.sizeof(cell))])
        self.values.append(cell.value)
        return cell.value

    def download(self, pieces: Sequence[Piece] = ()) -> None:
        """Copies results to this process, and raises the failures that kernels reported so far."""
        if not self._loaded.can_fail:
            self._gpu.download(pieces)
            return
        failure = Failure()
        self._gpu.download([Piece(ctypes.addressof(failure), self._status, ctypes.sizeof(failure)), *pieces])
        if failure.kind == EXHAUSTED:
            raise MemoryError(
                f"a thread of a kernel asked for {failure.site} bytes, and the heap of the GPU has no more; give "
                "arrays that are made for each iteration sizes that are known before, or run on fewer elements at once"
            )
        if failure.kind:
            raise to_exception(failure, self._loaded.sites)

    def fail(self, site: int, values: Sequence[int]) -> None:
        """A check of the plan itself failed; one of a kernel that ran before comes first."""
        self.download()
        failure = Failure(CHECK_FAILED, site, len(values))
        for number, value in enumerate(values):
            failure.values[number] = value
        raise to_exception(failure, self._loaded.sites)
