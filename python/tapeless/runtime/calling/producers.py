"""Types of arrays of other libraries that the C runtime reads itself: noted when an object of one is first passed.

A type is read by the functions that it exports for DLPack (`__dlpack_c_exchange_api__`, torch), or its objects are
buffers (JAX, `array.array`). Nothing else is known of a library; what the runtime does not take goes the general way.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from tapeless.runtime.library import load_library, symbol_addresses
from tapeless.runtime.owned import address_of

ADDRESS = ctypes.c_void_p
ADD = ctypes.PYFUNCTYPE(ctypes.c_int32, ADDRESS)

FUNCTIONS = (
    "PyEval_SaveThread",
    "PyEval_RestoreThread",
    "PyObject_GetBuffer",
    "PyBuffer_Release",
    "PyObject_GetAttr",
    "PyObject_VectorcallMethod",
    "Py_DecRef",
    "PyErr_ExceptionMatches",
    "PyErr_Clear",
    "PyErr_Occurred",
    "PyCapsule_GetPointer",
    "PyBytes_AsString",
    "PyLong_AsVoidPtr",
    "PyLong_FromLong",
    "Py_IncRef",
)
NUMBERS = ("PyFloat_FromDouble", "PyLong_FromLongLong")
NAMES = 2
# An object for which one of these is not False does not hand over its elements, or they are not those in memory.
ATTRIBUTES = ("requires_grad",)
METHODS = ("is_neg",)

EXCHANGE = "__dlpack_c_exchange_api__"
CAPSULE = b"dlpack_exchange_api"
VERSION = 1  # of DLPack: the table has another form in each
POSITION = 5  # of `dltensor_from_py_object_no_sync` in the table, in words


class Python(ctypes.Structure):
    """`tl_python` of runtime/tapeless_runtime.h."""

    _fields_ = tuple((name, ADDRESS) for name in (*FUNCTIONS, "exception", "no", "none", *NUMBERS))


class Producer(ctypes.Structure):
    """`tl_producer` of runtime/tapeless_runtime.h."""

    _fields_ = (
        ("type", ADDRESS),
        ("exchange", ADDRESS),
        ("attributes", ADDRESS * NAMES),
        ("methods", ADDRESS * NAMES),
    )


@cache
def connect() -> None:
    """Hands the functions of Python to the runtime."""
    python = Python(*_addresses(FUNCTIONS), id(Exception), id(False), id(None), *_addresses(NUMBERS))
    load_library().tl_set_python(ctypes.addressof(python))


def _addresses(names: Sequence[str]) -> list[ctypes.c_void_p]:
    return [ctypes.cast(getattr(ctypes.pythonapi, name), ADDRESS) for name in names]


_known: set[type] = set()
_OTHERS = (np.ndarray, np.generic, bool, int, float, str, bytes, bytearray)


def note_types(values: Sequence[Any]) -> None:
    """Tells the runtime of types of arrays that it does not know and that it can read."""
    for value in values:
        if type(value) not in _known and not isinstance(value, _OTHERS):
            _note(type(value), value)


def _note(kind: type, value: Any) -> None:
    exchange = _exchange_of(kind)
    if exchange is None and not _is_buffer(kind, value):
        return
    attributes, methods = (
        (ADDRESS * NAMES)(*(id(name) for name in names if hasattr(kind, name))) for names in (ATTRIBUTES, METHODS)
    )
    producer = Producer(id(kind), exchange, attributes, methods)
    if ADD(symbol_addresses()["tl_add_producer"])(ctypes.addressof(producer)):
        _known.add(kind)


def _exchange_of(kind: type) -> int | None:
    """The function that describes objects of exactly this type; classes derived from it may be something else."""
    capsule = vars(kind).get(EXCHANGE)
    if type(capsule).__name__ != "PyCapsule":
        return None
    try:
        address = address_of(capsule, CAPSULE)
    except ValueError:  # it is a table of something else
        return None
    table = (ctypes.c_uint64 * (POSITION + 1)).from_address(address)
    version = table[0] & 0xFFFFFFFF
    return (table[POSITION] or None) if version == VERSION else None


def _is_buffer(kind: type, value: Any) -> bool:
    """Whether objects of a type are buffers that are made without code in Python, and that mean arrays of numbers."""
    if isinstance(getattr(kind, "__buffer__", None), FunctionType):
        return False
    try:
        memoryview(value)
    except Exception:  # it has none, or a library raises whatever it likes
        return False
    return True
