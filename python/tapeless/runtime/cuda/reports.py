"""Reports of kernels on a GPU that do not end the call: they follow the failure in the status buffer."""

from __future__ import annotations

import ctypes
import itertools
import struct
import threading
from typing import Final

from tapeless.runtime.failure import MAX_VALUES, Failure
from tapeless.runtime.reports import NOTHING, Page, Record

FAILURE_BYTES: Final = ctypes.sizeof(Failure)
HEAD: Final = struct.Struct(f"<q{MAX_VALUES}q")
RECORD: Final = struct.Struct("<qq")
calls = itertools.count(1)


class DeviceBook:
    """Keeps for each thread the reports of its last call of a kernel with so many sites."""

    def __init__(self, sites: int) -> None:
        self._sites = sites
        self._pages = threading.local()

    @property
    def size(self) -> int:
        """How much room reports take behind the failure."""
        return HEAD.size + self._sites * RECORD.size

    def last(self) -> Page | None:
        """The reports of the last call of this thread, or None before the first."""
        return getattr(self._pages, "last", None)

    def take(self, data: bytes) -> None:
        """Keeps the reports in the status buffer of a call of this thread."""
        first, *values = HEAD.unpack_from(data)
        records = [RECORD.unpack_from(data, HEAD.size + RECORD.size * site) for site in range(self._sites)]
        found = tuple(Record(failures, _number(largest)) for failures, largest in records)
        self._pages.last = Page(next(calls), first - 1 if first else None, tuple(values), found)


def _number(largest: int) -> float:
    """The largest error of a record: the bits of a number and one more, or 0 for none."""
    return struct.unpack("<d", struct.pack("<q", largest - 1))[0] if largest else NOTHING
