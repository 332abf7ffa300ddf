"""Arrays handed on by DLPack: capsules of ours for other libraries, and theirs read."""

from __future__ import annotations

import atexit
import ctypes
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

CUDA: Final = 2  # kDLCUDA
CODES = {"f": 2, "i": 0, "u": 1, "b": 6}  # kDLFloat, kDLInt, kDLUInt, kDLBool
KINDS = {2: "f", 0: "i", 1: "u", 6: "b", 5: "c"}
NAME: Final = b"dltensor"
NO_STREAM: Final = -1  # whoever takes the array needs no order


class DLTensor(ctypes.Structure):
    """`DLTensor` of DLPack, with its device and type spelled out."""

    _fields_: ClassVar = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class ManagedTensor(ctypes.Structure):
    """`DLManagedTensor`: a tensor, whose it is, and how it is given back."""


DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(ManagedTensor))
ManagedTensor._fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", DELETER)]

_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


class Borrowed(NamedTuple):
    """The array of a capsule; strides are in bytes. The capsule keeps its memory alive."""

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    typestr: str
    capsule: Any


def borrow(value: Any, stream: int) -> Borrowed:
    """An array of another library, whose work on it comes before the work queued on a stream from now on."""
    capsule = value.__dlpack__(stream=stream)
    tensor = ManagedTensor.from_address(_pointer(capsule, NAME)).tensor
    size = tensor.bits * tensor.lanes // 8
    strides = tuple(step * size for step in tensor.strides[: tensor.ndim]) if tensor.strides else None
    typestr = np.dtype(f"{KINDS.get(tensor.code, 'V')}{size}").str
    return Borrowed(
        (tensor.data or 0) + tensor.byte_offset, tuple(tensor.shape[: tensor.ndim]), strides, typestr, capsule
    )


def lend(owner: Any, address: int, shape: tuple[int, ...], dtype: np.dtype, number: int) -> Any:
    """A capsule of DLPack's first protocol; whoever takes it keeps the owner alive until it calls the deleter."""
    sizes = (ctypes.c_int64 * max(len(shape), 1))(*shape)
    tensor = DLTensor(address, CUDA, number, len(shape), CODES[dtype.kind], dtype.itemsize * 8, 1, sizes, None, 0)
    managed = ManagedTensor(tensor)
    managed.deleter = _delete
    _lent[ctypes.addressof(managed)] = (managed, sizes, owner)
    return _new(ctypes.addressof(managed), NAME, ctypes.cast(_give_up, ctypes.c_void_p))


# What capsules refer to, until it is given back.
_lent: dict[int, tuple[Any, ...]] = {}


@DELETER
def _delete(managed: Any) -> None:
    _lent.pop(ctypes.addressof(managed.contents), None)


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def _give_up(capsule: int) -> None:
    """A capsule goes that nobody took; those that were taken have another name."""
    if _name(capsule) == NAME:
        _lent.pop(_pointer_of_dying(capsule, NAME), None)


_name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)(("PyCapsule_GetName", ctypes.pythonapi))
_pointer_of_dying = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


@atexit.register
def _forget() -> None:
    """Libraries that still hold arrays when Python ends must not call it; their data stays."""
    for managed, _, _ in _lent.values():
        managed.deleter = ctypes.cast(ctypes.CDLL(None).labs, DELETER)
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(managed))
