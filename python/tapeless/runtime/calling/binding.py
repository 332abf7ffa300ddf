"""The general call of a compiled kernel: any acceptable arguments, every check, in plain Python."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from tapeless.abi import Abi, Parameter, Result
from tapeless.runtime.calling.arguments import bind_array, bind_scalar, scalar_bits
from tapeless.runtime.calling.results import allocate, result_shape, unpack
from tapeless.runtime.invoke import Invoke
from tapeless.runtime.owned import address_of, new_results


def slot_count(abi: Abi) -> int:
    """How many slots a call of a kernel takes."""
    entries: tuple[Parameter | Result, ...] = (*abi.parameters, *abi.results)
    return sum(1 + len(entry.dims) for entry in entries)


def call(abi: Abi, names: Sequence[str], origin: str, invoke: Invoke, arguments: Sequence[Any]) -> list[Any]:
    """Runs a kernel on checked arguments and returns its results in order; messages use `names` and `origin`."""
    values: list[Any] = [
        (bind_array if parameter.kind == "array" else bind_scalar)(argument, parameter, name)
        for argument, parameter, name in zip(arguments, abi.parameters, names, strict=True)
    ]
    dims = [value.shape if isinstance(value, np.ndarray) else () for value in values]
    outs = [allocate(result_shape(result, dims, values, origin), result.dtype) for result in abi.outs]
    slots = fill_slots(abi, values, outs)
    results = new_results() if any(result.kind == "array" for result in abi.returned) else None
    invoke(ctypes.addressof(slots), None if results is None else address_of(results, None))
    returned = iter(unpack(abi.returned, slots, used_slots(abi)))
    provided = iter(outs)
    return [next(provided) if result.place == "out" else next(returned) for result in abi.results]


def fill_slots(abi: Abi, values: Sequence[Any], outs: Sequence[np.ndarray]) -> ctypes.Array:
    """The slots of a call, those of returned results zero."""
    filled: list[int] = []
    for parameter, value in zip(abi.parameters, values, strict=True):
        filled += array_slots(value) if parameter.kind == "array" else [scalar_bits(value, parameter.dtype)]
    for out in outs:
        filled += array_slots(out)
    return (ctypes.c_int64 * slot_count(abi))(*filled)


def array_slots(array: np.ndarray) -> list[int]:
    """Pointer and sizes."""
    return [array.ctypes.data, *array.shape]


def used_slots(abi: Abi) -> int:
    """Where the slots of returned results begin."""
    return slot_count(abi) - sum(1 + len(result.dims) for result in abi.returned)
