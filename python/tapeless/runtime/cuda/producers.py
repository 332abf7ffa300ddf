"""Arrays of other libraries on a GPU: where they are, and which stream their elements are made on.

| array | waited for |
| --- | --- |
| a result of a call | nothing: it was there when the call returned |
| of torch | the stream that torch works on at the moment, in this thread |
| `__cuda_array_interface__` with a stream | that stream |
| that says it `is_ready`, as those of JAX | nothing |
| with `__dlpack__` otherwise, as those of JAX | what the library says to the stream of kernels |
| other | the default stream |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from tapeless.abi import Parameter
from tapeless.errors import TargetError, TypeMismatch
from tapeless.runtime.calling.arguments import NUMPY_DTYPES, check_array, gpu_interface, is_on_gpu_for_dlpack
from tapeless.runtime.cuda.device_array import DeviceArray
from tapeless.runtime.cuda.dlpack import NO_STREAM, borrow
from tapeless.runtime.cuda.streams import LEGACY, current_handle, handle_of

PACKAGES = ("torch", "cupy", "jax", "jaxlib")
DETACHED = {"torch": "{0}.detach() of a dense tensor"}
CONTIGUOUS = {"torch": "{}.contiguous()", "cupy": "cupy.ascontiguousarray({})"}
# What libraries raise that do not take the stream that they are given.
NO_HANDSHAKE = (TypeError, ValueError, BufferError, NotImplementedError, RuntimeError)


class Producing(Protocol):
    """The GPU that arrays must lie on, and the stream of its kernels."""

    number: int
    stream: int

    def number_of(self, address: int) -> int | None: ...


class Produced(NamedTuple):
    """An array on a GPU; `stream` has to be waited for, `owner` keeps the memory alive."""

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    typestr: str
    stream: int | None
    owner: Any


def library_of(value: Any) -> str:
    """The package that the type of an array comes from, or that of the class it extends, if that is a known one."""
    names = [each.__module__.partition(".")[0] for each in type(value).__mro__]
    return next((name for name in names if name in PACKAGES), names[0])


def produced(value: Any, name: str, gpu: Producing) -> Produced | None:
    """An array of another library on a GPU, or None; if it offers a handshake, the stream of kernels waits for it."""
    found = None if isinstance(value, np.ndarray) else gpu_interface(value)
    if found is None:
        return _of_capsule(value, name, gpu.stream) if is_on_gpu_for_dlpack(value) else None
    stream, owner = _order(value, found, gpu)
    return _of_interface(found, stream, owner)


def stand_in(value: Any, name: str) -> np.ndarray:
    """An array of the type and shape of one on a GPU, without its elements, which nobody waits for."""
    found = gpu_interface(value)
    return _like(_of_capsule(value, name, NO_STREAM) if found is None else _of_interface(found, None, value))


def _like(array: Produced) -> np.ndarray:
    return np.broadcast_to(np.empty((), np.dtype(array.typestr)), array.shape)


def _of_interface(found: Mapping[str, Any], stream: int | None, owner: Any) -> Produced:
    address, _ = found["data"]
    return Produced(address or 0, tuple(found["shape"]), found.get("strides"), found["typestr"], stream, owner)


def _of_capsule(value: Any, name: str, stream: int) -> Produced:
    try:
        found = borrow(value, stream)
    except NO_HANDSHAKE as error:
        repair = DETACHED.get(library_of(value), "a plain array").format(name)
        raise TypeMismatch(
            f"argument '{name}' lies on a GPU, but its library does not hand it on ({error}); pass {repair}"
        ) from None
    return Produced(found.address, found.shape, found.strides, found.typestr, None, found.capsule)


def _order(value: Any, found: Mapping[str, Any], gpu: Producing) -> tuple[int | None, Any]:
    """The stream to wait for, and the objects to hold until the call has ended."""
    if isinstance(value, DeviceArray):
        return None, value
    library = library_of(value)
    if library == "torch":
        return current_handle(library, gpu.number), value
    stream = found.get("stream")
    if stream is not None:
        return handle_of(stream), value
    if hasattr(value, "is_ready") and value.is_ready():
        return None, value
    if hasattr(value, "__dlpack__"):
        try:
            return None, (value, value.__dlpack__(stream=gpu.stream))
        except NO_HANDSHAKE:
            pass
    if hasattr(value, "block_until_ready"):
        value.block_until_ready()
        return None, value
    return LEGACY, value


def check_produced(array: Produced, value: Any, parameter: Parameter, name: str, gpu: Producing) -> None:
    """Raises unless an array fits the parameter, lies on this GPU, and row by row without gaps."""
    dtype = NUMPY_DTYPES[parameter.dtype]
    if array.typestr != dtype.str or parameter.dims != (None,) * len(array.shape):
        check_array(_like(array), parameter, name, value)
    if 0 in array.shape:
        return
    if array.strides is not None and tuple(array.strides) != _row_major(array.shape, dtype.itemsize):
        repair = CONTIGUOUS.get(library_of(value), "a contiguous copy of {}").format(name)
        raise TypeMismatch(f"argument '{name}' is not contiguous on the GPU; pass {repair}")
    number = gpu.number_of(array.address)
    if number is not None and number != gpu.number:
        raise TargetError(
            f"argument '{name}' lies on GPU {number}, and kernels run on GPU {gpu.number}, the first that the process "
            f"sees; copy it there, or start the process with CUDA_VISIBLE_DEVICES={number}"
        )


def _row_major(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    strides = []
    for extent in reversed(shape):
        strides.append(size)
        size *= extent
    return tuple(reversed(strides))
