"""What a failed kernel call reports, and the Python exception that it becomes."""

from __future__ import annotations

import ctypes
import linecache
import struct
from collections.abc import Mapping
from typing import Final

from tapeless import errors
from tapeless.abi import Site
from tapeless.runtime.host import raised_by_handler
from tapeless.runtime.library import load_library

CHECK_FAILED: Final = 1
OUT_OF_MEMORY: Final = 2
INTERRUPTED: Final = 3
MAX_VALUES: Final = 8


class Failure(ctypes.Structure):
    """`tl_error` of runtime/tapeless_runtime.h."""

    _fields_ = (
        ("kind", ctypes.c_int32),
        ("site", ctypes.c_int64),
        ("count", ctypes.c_int64),
        ("values", ctypes.c_int64 * MAX_VALUES),
        ("bytes", ctypes.c_int64),
    )


def to_exception(failure: Failure, sites: Mapping[int, Site]) -> BaseException:
    """The exception for a failed call; check sites that `sites` does not list are a damaged kernel."""
    if failure.kind == OUT_OF_MEMORY:
        return MemoryError(
            f"a kernel asked for {_amount(failure.bytes)}; use smaller arrays or a machine with more memory"
        )
    if failure.kind == INTERRUPTED:
        return raised_by_handler(load_library())
    site = sites.get(failure.site)
    if failure.kind != CHECK_FAILED or site is None:
        return errors.TargetError(
            f"a kernel failed with kind {failure.kind} at unknown site {failure.site}; recompile it"
        )
    error_class: type[Exception] = getattr(errors, site.kind)
    return error_class(_locate(site, site.message.format(*_values(failure, site))))


def _values(failure: Failure, site: Site) -> list[int | float]:
    """The numbers of the message; floats come as their bits."""
    numbers = failure.values[: failure.count]
    types = (*site.types, *[""] * (len(numbers) - len(site.types)))
    return [
        struct.unpack("<d", struct.pack("<q", number))[0] if dtype == "f64" else number
        for number, dtype in zip(numbers, types, strict=False)
    ]


def _amount(size: int) -> str:
    if size < 0:
        return f"a buffer of {size} bytes"
    scale = next((power for power in (3, 2, 1) if size >= 1024**power), 0)
    return f"{size / 1024**scale:.4g} {('bytes', 'KiB', 'MiB', 'GiB')[scale]} of memory"


def _locate(site: Site, message: str) -> str:
    """The message after its file and line, with the source line below it when the file can still be read."""
    source = linecache.getline(site.file, site.line).strip()
    excerpt = f"\n    {source}" if source else ""
    return f"{site.file}:{site.line}: {message}{excerpt}"
