"""Arrays in the memory of a GPU, which other libraries can use in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeless.runtime.cuda.dlpack import CUDA, NO_STREAM, lend


class DeviceArray:
    """A contiguous array on a GPU; `release` is called with its address when nobody uses it any more.

    A call returns when its results are there, so nobody has to wait for them, on no stream: that is what both protocols
    say by the stream None.
    """

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
        return {
            "version": 3,
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.address if 0 not in self.shape else 0, False),
            "strides": None,
            "stream": None,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, self.number

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A capsule; requests beyond the array where it lies are refused, as the protocol wants it."""
        if stream is not None and (stream < NO_STREAM or stream == 0):
            raise ValueError(f"stream={stream} is ambiguous on a GPU; pass 1 for the default stream, or a handle")
        if dl_device is not None and tuple(dl_device) != (CUDA, self.number):
            raise BufferError(f"the array lies on GPU {self.number}; take it there, and copy it then")
        if copy:
            raise BufferError("the array is handed on where it lies; take it without copy=True, and copy it then")
        return lend(self, self.address, self.shape, self.dtype, self.number)
