"""Reads arrays of other libraries by DLPack, also those of bfloat16, a type that numpy does not take there."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from tapeless.runtime.owned import address_of
from tapeless.types import bfloat16

CAPSULE = b"dltensor"
CODE = 20
"""The place of the code of the dtype in a `DLManagedTensor`: behind data, device and number of axes."""
UNSIGNED, BFLOAT = 1, 4


class _Bits:
    """An array of bfloat16 that calls its elements integers of 16 bits."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.value.__dlpack_device__()

    def __dlpack__(self, **_: Any) -> Any:
        capsule = self.value.__dlpack__()
        code = ctypes.c_uint8.from_address(address_of(capsule, CAPSULE) + CODE)
        if code.value == BFLOAT:
            code.value = UNSIGNED
        return capsule


def from_dlpack(value: Any) -> np.ndarray:
    """The elements of an array that knows DLPack, in place."""
    if "bfloat16" not in str(getattr(value, "dtype", "")):
        return np.from_dlpack(value)
    return np.from_dlpack(_Bits(value)).view(bfloat16())
