"""Results on a GPU as arrays of the caller's library, in place."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

from tapeless.runtime.cuda.device_array import DeviceArray
from tapeless.runtime.cuda.pool import Pool
from tapeless.runtime.cuda.streams import CURRENT, handle_of
from tapeless.runtime.cuda.turns import Turns


class Lending(Protocol):
    """A GPU whose memory callers get."""

    number: int
    pool: Pool
    turns: Turns

    def mark(self, stream: int) -> Callable[[], bool] | None: ...


def _empty_of_torch(shape: tuple[int, ...], dtype: str, number: int) -> Any:
    torch = sys.modules["torch"]
    try:
        return torch.empty(shape, dtype=getattr(torch, TYPES_OF_TORCH[dtype]), device=f"cuda:{number}")
    except torch.cuda.OutOfMemoryError as error:
        raise MemoryError(
            f"torch has no memory for a result of shape {shape}; use smaller arrays or let go of tensors ({error})"
        ) from None


TYPES_OF_TORCH = {
    "f64": "float64",
    "f32": "float32",
    "f16": "float16",
    "bf16": "bfloat16",
    "i64": "int64",
    "i32": "int32",
    "u32": "uint32",
    "i1": "bool",
}
# Libraries that make arrays to be filled, of memory that is theirs. What is queued on it by then is on the stream that
# they work on, which kernels wait for; who gives an array to another stream tells the library, as of any other array.
MAKERS: dict[str | None, Callable[[tuple[int, ...], str, int], Any]] = {"torch": _empty_of_torch}


def made(gpu: Lending, library: str | None, shape: tuple[int, ...], dtype: str) -> Any:
    """An array of a library for a result; when the GPU has no more memory, the pool gives back its cache."""
    make = MAKERS[library]
    try:
        return make(shape, dtype, gpu.number)
    except MemoryError:
        gpu.pool.give_up()
        return make(shape, dtype, gpu.number)


def _jax(array: DeviceArray) -> Any:
    return sys.modules["jax"].dlpack.from_dlpack(array)


def _torch(array: DeviceArray) -> Any:
    return sys.modules["torch"].as_tensor(array, device=f"cuda:{array.number}")


def _cupy(array: DeviceArray) -> Any:
    return sys.modules["cupy"].asarray(array)


def _plain(array: DeviceArray) -> Any:
    return array


# How an array of ours becomes one of a library, in place, by the package that the caller's arrays come from.
LIBRARIES: dict[str, Callable[[DeviceArray], Any]] = {"jax": _jax, "jaxlib": _jax, "torch": _torch, "cupy": _cupy}


def giver(library: str) -> Callable[[DeviceArray], Any]:
    """How results are given to callers with arrays of a library."""
    return LIBRARIES.get(library, _plain)


def releaser(gpu: Lending, home: int, library: str) -> Callable[[int], None]:
    """The release of the memory of a result that nobody uses any more, in whatever thread that happens.

    The caller's library may have work queued on it: on the stream of the call, which is its home, or on the one that
    the library works on when it lets go. Who took an array that no library was given, is not known: it may be any.
    """
    asked = [library] if library in LIBRARIES else list(CURRENT)

    def release(address: int) -> None:
        if gpu.turns.is_ending:  # Python may have taken the modules apart already.
            return
        visitors = []
        for name in asked:
            if name in CURRENT and name in sys.modules:
                with suppress(Exception):  # whatever a library raises that is about to end
                    visitors.append(CURRENT[name](gpu.number))
        gpu.turns.later(partial(_free, gpu, address, home, visitors))

    return release


def _free(gpu: Lending, address: int, home: int, visitors: list[Any]) -> None:
    handles = {handle_of(visitor) for visitor in visitors} - {home}
    marks = [mark for mark in map(gpu.mark, handles) if mark is not None]
    gpu.pool.free(address, home, (lambda: all(mark() for mark in marks)) if marks else None)
