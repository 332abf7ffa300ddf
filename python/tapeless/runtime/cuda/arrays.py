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
    """What is done with the memory of a result that nobody uses any more, in whatever thread that happens.

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
