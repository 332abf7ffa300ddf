"""Arrays that callers pass: those of this process are copied to the GPU, those of other libraries stay in place."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tapeless.abi import Parameter
from tapeless.errors import TypeMismatch
from tapeless.runtime.calling.arguments import check_array, is_on_gpu, stand_in
from tapeless.runtime.cuda.memory import DeviceArray


@dataclass(frozen=True)
class Placed:
    """An argument on the GPU: its address and shape; `owner` keeps the memory alive."""

    address: int
    shape: tuple[int, ...]
    owner: Any


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
CONTIGUOUS = {"torch": "{}.contiguous()", "cupy": "cupy.ascontiguousarray({})"}


def library_of(value: Any) -> str:
    """The package that a value's type comes from."""
    return type(value).__module__.partition(".")[0]


def giver(arguments: tuple[Any, ...]) -> Callable[[DeviceArray], Any] | None:
    """How results are given back: in the kind of the first array on a GPU; None if there is none."""
    for argument in arguments:
        if is_on_gpu(argument):
            return LIBRARIES.get(library_of(argument), _plain)
    return None


def place_foreign(value: Any, parameter: Parameter, name: str) -> Placed:
    """An array on a GPU, checked like one of this process and used where it is."""
    if hasattr(value, "block_until_ready"):
        value.block_until_ready()
    found = value.__cuda_array_interface__
    seen = stand_in(value)
    check_array(seen, parameter, name)
    shape, strides = seen.shape, found.get("strides")
    if strides is not None and tuple(strides) != _row_major(shape, seen.itemsize) and 0 not in shape:
        repair = CONTIGUOUS.get(library_of(value), "a contiguous copy of {}").format(name)
        raise TypeMismatch(f"argument '{name}' is not contiguous on the GPU; pass {repair}")
    return Placed(found["data"][0] or 0, shape, value)


def _row_major(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    strides = []
    for extent in reversed(shape):
        strides.append(size)
        size *= extent
    return tuple(reversed(strides))
