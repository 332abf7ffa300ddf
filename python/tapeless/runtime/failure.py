"""The report of a failed kernel call, and the Python exception that it becomes."""

from __future__ import annotations

import ctypes
import linecache
import os
import stat
import struct
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Final

from tapeless import errors
from tapeless.abi import Site
from tapeless.runtime.host import raised_by_handler
from tapeless.runtime.library import load_library

CHECK_FAILED: Final = 1
OUT_OF_MEMORY: Final = 2
INTERRUPTED: Final = 3
MAX_VALUES: Final = 8
HOLE: Final = "{}"
# Sources are text; what a file calls one may be a device, a pipe, or anything else.
LARGEST_SOURCE: Final = 16 << 20


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
    values = _values(failure, site)
    error = getattr(errors, site.kind)(_locate(site, filled(site.message, values)))
    if isinstance(error, errors.ShapeMismatch):
        error.sizes = tuple(map(int, values[:2]))
    return error


def _values(failure: Failure, site: Site) -> list[int | float]:
    """The numbers of the message; floats come as their bits."""
    numbers = failure.values[: failure.count]
    types = (*site.types, *[""] * (len(numbers) - len(site.types)))
    return [
        struct.unpack("<d", struct.pack("<q", number))[0] if dtype == "f64" else number
        for number, dtype in zip(numbers, types, strict=False)
    ]


def filled(message: str, values: Sequence[object]) -> str:
    """A message with values in its holes; nothing else in it has a meaning, for it may come from a file."""
    first, *others = message.split(HOLE)
    return first + "".join(
        f"{'?' if value is None else value}{part}" for value, part in zip_longest(values[: len(others)], others)
    )


def _amount(size: int) -> str:
    if size < 0:
        return f"a buffer of {size} bytes"
    scale = next((power for power in (3, 2, 1) if size >= 1024**power), 0)
    return f"{size / 1024**scale:.4g} {('bytes', 'KiB', 'MiB', 'GiB')[scale]} of memory"


def _locate(site: Site, message: str) -> str:
    before, behind = surroundings(site)
    return f"{before}{message}{behind}"


def surroundings(site: Site) -> tuple[str, str]:
    """The surroundings of a message: its file and line, and the source line when the file can still be read."""
    source = linecache.getline(site.file, site.line).strip() if _can_be_read(site.file) else ""
    return f"{site.file}:{site.line}: ", f"\n    {source}" if source else ""


def _can_be_read(file: str) -> bool:
    """Whether a source is at hand: known already, as those of notebooks are, or a file of a sensible size."""
    if file in linecache.cache:
        return True
    try:
        status = os.stat(file)
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST_SOURCE
