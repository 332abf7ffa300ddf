"""Calls the C function of a saved kernel as a C program would: by its prototype, from its shared library."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tapeless.abi import Abi
from tapeless.runtime.bundle.choose import read_bundle
from tapeless.runtime.bundle.cpu import LIBRARY
from tapeless.runtime.calling.arguments import NUMPY_DTYPES, bind_array
from tapeless.runtime.calling.results import result_shape
from tapeless.runtime.library import load_library

C_TYPES: dict[str, Any] = {
    "f64": ctypes.c_double,
    "f32": ctypes.c_float,
    "i64": ctypes.c_int64,
    "i32": ctypes.c_int32,
    "u32": ctypes.c_uint32,
    "i1": ctypes.c_bool,
}


def call_from_c(bundle: bytes, abi: Abi, arguments: Sequence[Any], folder: Path) -> list[Any]:
    """Flat results of the first target of a bundle."""
    target = read_bundle(bundle, "").targets[0]
    path = folder / "kernel.so"
    path.write_bytes(target.parts[LIBRARY])
    load_library()
    function = getattr(ctypes.CDLL(str(path)), target.details["symbol"])
    values = [
        bind_array(value, parameter, "x") if parameter.kind == "array" else value
        for value, parameter in zip(arguments, abi.parameters, strict=True)
    ]
    results = list(_places(abi, values))
    passed = [*_passed(abi, values), *(pointer for _, pointers in results for pointer in pointers), None]
    assert function(*passed) == 0
    return [_value(place) for place, _ in results]


def _passed(abi: Abi, values: Sequence[Any]) -> Iterator[Any]:
    for value, parameter in zip(values, abi.parameters, strict=True):
        if parameter.kind == "scalar":
            yield C_TYPES[parameter.dtype](value)
            continue
        yield ctypes.c_void_p(value.ctypes.data)
        sizes = zip(value.shape, parameter.dims, strict=True)
        yield from (ctypes.c_int64(size) for size, fixed in sizes if fixed is None)


def _places(abi: Abi, values: Sequence[Any]) -> Iterator[tuple[Any, list[Any]]]:
    """Where each result goes, and the pointers to that which are passed."""
    dims = [value.shape if isinstance(value, np.ndarray) else () for value in values]
    for result in abi.results:
        if result.place == "out":
            array = np.empty(result_shape(result, dims, values, "f"), NUMPY_DTYPES[result.dtype])
            yield array, [ctypes.c_void_p(array.ctypes.data)]
        elif result.place == "value":
            scalar = C_TYPES[result.dtype]()
            yield scalar, [ctypes.byref(scalar)]
        else:
            pointer, sizes = ctypes.c_void_p(), (ctypes.c_int64 * len(result.dims))()
            yield (pointer, sizes, NUMPY_DTYPES[result.dtype]), [ctypes.byref(pointer), sizes]


def _value(place: Any) -> Any:
    if isinstance(place, np.ndarray):
        return place
    if not isinstance(place, tuple):
        return place.value
    pointer, sizes, dtype = place
    count = int(np.prod(list(sizes))) * dtype.itemsize
    array = np.frombuffer(ctypes.string_at(pointer, count), dtype).reshape(list(sizes))
    load_library().tl_free(pointer)
    return array
