"""Memory for the results of a call, and the Python values they become."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tapeless.abi import LONGEST_AXIS, Result, evaluate
from tapeless.errors import ShapeMismatch
from tapeless.runtime.calling.arguments import NUMPY_DTYPES
from tapeless.runtime.owned import address_of, new_buffer, taken_result

# Arrays from this size on come from the runtime, which recycles memory: fresh pages cost more than filling them.
LARGE_BYTES = 1 << 18
LARGEST_BYTES = (1 << 63) - 1


def _float(slot: int) -> float:
    return struct.unpack("<d", struct.pack("<q", slot))[0]


def _float32(slot: int) -> np.float32:
    return np.float32(struct.unpack("<f", struct.pack("<q", slot)[:4])[0])


def without_sign(word: int) -> int:
    """The number of 32 bits whose bits those of a word with a sign are."""
    return word & 0xFFFFFFFF


# The Python value of a scalar result from its 64-bit slot.
SCALARS: dict[str, Callable[[int], Any]] = {
    "f64": _float,
    "f32": _float32,
    "i64": int,
    "i32": int,
    "u32": without_sign,
    "i1": bool,
}


def result_shape(result: Result, dims: Sequence[Sequence[int]], scalars: Sequence[int], origin: str) -> tuple[int, ...]:
    """The shape of a result that the caller provides the memory for; `origin` names the function in messages."""
    try:
        shape = tuple(evaluate(expression, dims, scalars) for expression in result.dims if expression is not None)
    except ZeroDivisionError:
        raise ShapeMismatch(f"{origin}: the size of a result divides by zero; pass other sizes") from None
    except OverflowError as error:
        raise ShapeMismatch(f"{origin}: the size of a result overflows: {error}; pass smaller numbers") from None
    for axis, size in enumerate(shape):
        if size < 0:
            raise ShapeMismatch(
                f"{origin}: a result would have the negative size {size} in dimension {axis}; pass other sizes"
            )
    return shape


def allocate(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """An uninitialised array; MemoryError when it cannot be had."""
    numpy_dtype = NUMPY_DTYPES[dtype]
    size = math.prod(shape) * numpy_dtype.itemsize
    if max(shape) > LONGEST_AXIS:
        raise MemoryError(f"a result of shape {shape} is larger than any memory; use smaller arrays")
    if size < LARGE_BYTES:
        return np.empty(shape, numpy_dtype)
    try:
        owner = new_buffer(min(size, LARGEST_BYTES))
    except MemoryError:
        raise MemoryError(f"a result of shape {shape} needs {size} bytes; use smaller arrays") from None
    return array_on(owner, shape, numpy_dtype)


class KernelBuffer:
    """Memory of the runtime: numpy arrays on it keep its owner alive, with which it is freed."""

    def __init__(self, owner: object, shape: tuple[int, ...], dtype: np.dtype) -> None:
        self._owner = owner
        data = address_of(owner, None)
        self.__array_interface__ = {"version": 3, "data": (data, False), "shape": shape, "typestr": dtype.str}


def array_on(owner: object, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """An array on memory of the runtime; dtypes that numpy has from elsewhere (bfloat16) are not told by a string."""
    return np.asarray(KernelBuffer(owner, shape, dtype)).view(dtype)


def unpack(returned: Sequence[Result], slots: ctypes.Array, first: int) -> list[Any]:
    """The values of the results that a kernel returned, read from its slots."""
    values = []
    position = first
    for result in returned:
        if result.kind == "scalar":
            values.append(SCALARS[result.dtype](slots[position]))
            position += 1
        else:
            end = position + 1 + len(result.dims)
            shape = tuple(slots[position + 1 : end])
            owner = taken_result(slots[position])
            values.append(array_on(owner, shape, NUMPY_DTYPES[result.dtype]))
            position = end
    return values
