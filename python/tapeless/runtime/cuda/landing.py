"""Results of a call on their way to the caller: all of them are copied together, then converted for the caller."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tapeless.abi import Result
from tapeless.runtime.calling.arguments import NUMPY_DTYPES
from tapeless.runtime.calling.results import without_sign
from tapeless.runtime.cuda.device import READ_AS, Piece

SCALARS: dict[str, Callable[[Any], Any]] = {
    "f64": float,
    "f32": np.float32,
    "i64": int,
    "i32": int,
    "u32": without_sign,
    "i1": bool,
}


class Landing(NamedTuple):
    """A result for the caller, once the piece of the GPU's memory has been copied, if there is one."""

    result: Callable[[], Any]
    piece: Piece | None = None


def number(result: Result, value: Any) -> Landing:
    """A number that the plan knows."""
    return Landing(lambda: SCALARS[result.dtype](value))


def cell(result: Result, address: int, type_: str) -> Landing:
    """A number in the memory of the GPU."""
    value = READ_AS[type_]()
    return Landing(
        lambda: SCALARS[result.dtype](value.value), Piece(ctypes.addressof(value), address, ctypes.sizeof(value))
    )


def copied(result: Result, address: int, shape: tuple[int, ...]) -> Landing:
    """A copy for numpy."""
    array = np.empty(shape, NUMPY_DTYPES[result.dtype])
    return Landing(lambda: array, Piece(array.ctypes.data, address, array.nbytes))
