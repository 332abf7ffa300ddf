"""Arrays in the memory of a GPU, which other libraries can use in place."""

from __future__ import annotations

import atexit
import ctypes
from collections.abc import Callable
from typing import Any, ClassVar, Final

import numpy as np

CUDA: Final = 2  # kDLCUDA
CODES = {"f": 2, "i": 0, "b": 6}  # kDLFloat, kDLInt, kDLBool
NAME: Final = b"dltensor"


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


class DeviceArray:
    """A contiguous array on a GPU; `release` is called with its address when nobody uses it any more."""

    def __init__(
        self, address: int, shape: tuple[int, ...], dtype: np.dtype, number: int, release: Callable[[int], None]
    ) -> None:
        self.address = address
        self.shape = shape
        self.dtype = dtype
        self.number = number
        self._release = release

    def __del__(self) -> None:
        self._release(self.address)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Memory that nothing is queued on any more."""
        data = (self.address if 0 not in self.shape else 0, False)
        return {"version": 3, "shape": self.shape, "typestr": self.dtype.str, "data": data, "strides": None}

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, self.number

    def __dlpack__(self, **options: Any) -> Any:
        """A capsule of DLPack's first protocol; whoever takes it keeps this array alive until it calls the deleter."""
        rank = len(self.shape)
        shape = (ctypes.c_int64 * max(rank, 1))(*self.shape)
        tensor = DLTensor(
            self.address, CUDA, self.number, rank, CODES[self.dtype.kind], self.dtype.itemsize * 8, 1, shape, None, 0
        )
        managed = ManagedTensor(tensor)
        address = ctypes.addressof(managed)
        managed.deleter = _delete
        _lent[address] = (managed, shape, self)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(address, NAME, None)


# What capsules refer to, until it is given back.
_lent: dict[int, tuple[Any, ...]] = {}


@DELETER
def _delete(managed: Any) -> None:
    _lent.pop(ctypes.addressof(managed.contents), None)


@atexit.register
def _forget() -> None:
    """Libraries that still hold arrays when Python ends must not call it; what they look at stays."""
    for managed, _, _ in _lent.values():
        managed.deleter = ctypes.cast(ctypes.CDLL(None).labs, DELETER)
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(managed))
