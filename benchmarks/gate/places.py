"""Arrays at the same places in every process: how they lie to each other changes what a loop over them takes."""

from __future__ import annotations

import mmap
from contextlib import suppress
from typing import Any

import numpy as np

PAGE = 4096
# From one array to the next, so that no two begin at the same place of a page: a load would wait for a store there.
STEP = 1216
LARGE_PAGE = 2 << 20


class Places:
    """Copies of arrays, one behind the other, in a large page if the system has any: so caches hold all of them."""

    def __init__(self) -> None:
        self.memory = mmap.mmap(-1, 2 * LARGE_PAGE)
        if hasattr(mmap, "MADV_HUGEPAGE"):
            with suppress(OSError):  # the system has none
                self.memory.madvise(mmap.MADV_HUGEPAGE)
        whole = np.frombuffer(self.memory, np.uint8)
        start = -whole.ctypes.data % LARGE_PAGE
        self.free = whole[start : start + LARGE_PAGE]
        self.count = 0

    def __call__(self, given: Any) -> Any:
        """The same array elsewhere, on a border of cache lines; what is no array stays as it is."""
        if not isinstance(given, np.ndarray):
            return given
        offset = self.count * STEP % PAGE
        end = offset + given.nbytes
        if end > len(self.free):
            raise ValueError(f"the arrays of a row or reference take more than {LARGE_PAGE} bytes; choose smaller ones")
        placed = self.free[offset:end].view(given.dtype).reshape(given.shape)
        placed[...] = given
        self.free = self.free[-(-end // PAGE) * PAGE :]
        self.count += 1
        return placed
