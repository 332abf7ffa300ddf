"""Compiled kernels on disk, found by a digest of everything they depend on.

The folder is a trust boundary, for its files are run: it is used only if nobody but this user and root can write to it
(`private_files`), and an entry only if everything in it fits together (`code`). Other entries count as missing.
Several processes may share the folder: entries are written under a random name and renamed. The environment variables
`TAPELESS_CACHE_DIR` and `TAPELESS_CACHE_BYTES` set the folder and the size at which the entries used longest ago go.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
import warnings
import weakref
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tapeless.backend.cache_folder import OWN_FOLDER, folder
from tapeless.backend.codegen.on_demand import OnDemand
from tapeless.backend.private_files import (
    NotPrivate,
    check_entry,
    is_private_folder,
    read_private,
    trusted_folder,
    write_private,
)
from tapeless.backend.room import Room
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError
from tapeless.runtime.code import CompiledCode, DamagedCode, split
from tapeless.runtime.cuda.image import DeviceImage
from tapeless.tracebacks import level_of_user

DEFAULT_BYTES = 512 * 1024 * 1024
LARGEST_ENTRY = 256 * 1024 * 1024
SUFFIX = ".kernel"
PART_SUFFIX = ".part"
LEFTOVER_SECONDS = 3600.0
ADVICE = f"take the right to write from others (chmod go-w), or {OWN_FOLDER}"


@dataclass(frozen=True)
class Entry:
    """One cached kernel: its file, size, when it was last used (seconds since the epoch), and its description."""

    path: Path
    size: int
    last_used: float
    description: dict[str, Any]


def capacity() -> int:
    """How many bytes the cache may hold."""
    named = os.environ.get("TAPELESS_CACHE_BYTES", str(DEFAULT_BYTES))
    if not named.isdecimal():
        raise ArgumentError(f"TAPELESS_CACHE_BYTES={named!r} is not a number of bytes; set it to an integer")
    return int(named)


def load(key: str) -> CompiledCode | None:
    """The kernel with this key, or None when there is no whole one that can be trusted."""
    with _uncached:
        path = trusted_folder(folder(), key[:2]) / _file_name(key)
        code = _resumed(CompiledCode.from_bytes(read_private(path, LARGEST_ENTRY), key))
        with contextlib.suppress(OSError):
            os.utime(path, follow_symlinks=False)
        return code
    return None


def store(key: str, code: CompiledCode, description: dict[str, Any]) -> None:
    """Adds a kernel; a folder that cannot be written to, or not be trusted, leaves the cache as it is."""
    with _uncached:
        path = trusted_folder(folder(), key[:2], create=True) / _file_name(key)
        check_entry(path)
        data = code.to_bytes(key, description)
        write_private(path, data, PART_SUFFIX)
        _make_room(len(data), capacity())


def renew(key: str, code: CompiledCode, description: dict[str, Any]) -> None:
    """Stores a kernel for GPUs again whenever more of it has been compiled."""
    if isinstance(code.image, DeviceImage) and isinstance(code.image.kernels, OnDemand):
        known = weakref.ref(code)
        code.image.kernels.when_made = lambda: None if (now := known()) is None else store(key, now, description)


def _resumed(code: CompiledCode) -> CompiledCode:
    if not isinstance(code.image, DeviceImage):
        return code
    from tapeless.backend.codegen.ptx import resumed  # LLVM takes long to import

    return replace(code, image=resumed(code.image))


def list_entries() -> list[Entry]:
    """Every entry whose manifest is whole, the one used last first."""
    entries = [entry for path, status in _files(SUFFIX) if (entry := _entry(path, status)) is not None]
    return sorted(entries, key=lambda entry: -entry.last_used)


def prune(keep_bytes: int = 0) -> int:
    """Removes the entries used longest ago until at most `keep_bytes` are left; returns how many were removed."""
    return _prune(keep_bytes)[0]


def _make_room(added: int, limit: int) -> None:
    """Keeps the cache within its limit after bytes were added."""
    cache = folder(), limit
    if not _room.holds(cache, added):
        _room.counted(cache, _prune(limit)[1], limit)


def _prune(keep_bytes: int) -> tuple[int, int]:
    """How many entries were removed, and how many bytes are left."""
    _remove_leftovers()
    aged = sorted((status.st_mtime, status.st_size, path) for path, status in _files(SUFFIX))
    left = sum(size for _, size, _ in aged)
    removed = 0
    for _, size, path in aged:
        if left <= keep_bytes:
            break
        path.unlink(missing_ok=True)
        left -= size
        removed += 1
    return removed, left


def _file_name(key: str) -> str:
    return key[2:] + SUFFIX


def _files(suffix: str) -> list[tuple[Path, os.stat_result]]:
    """The regular files with a suffix in the folders of the cache, if these can be trusted."""
    with _uncached:
        root = trusted_folder(folder())
        with os.scandir(root) as entries:
            folders = [each.path for each in entries if is_private_folder(each.path)]
        return [found for each in folders for found in _regular_files(each, suffix)]
    return []


def _regular_files(folder: str, suffix: str) -> Iterator[tuple[Path, os.stat_result]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):  # another process has just removed it
                status = entry.stat(follow_symlinks=False)
                if entry.name.endswith(suffix) and stat.S_ISREG(status.st_mode):
                    yield Path(entry.path), status


def _remove_leftovers() -> None:
    """Removes the leftovers of processes that were killed while writing."""
    oldest = time.time() - LEFTOVER_SECONDS
    for path, status in _files(PART_SUFFIX):
        if status.st_mtime < oldest:
            path.unlink(missing_ok=True)


def _entry(path: Path, status: os.stat_result) -> Entry | None:
    with _uncached:
        description = split(read_private(path, LARGEST_ENTRY))[0].get("description")
        if isinstance(description, dict):
            return Entry(path, status.st_size, status.st_mtime, description)
    return None


class _Uncached:
    """Inside, entries that cannot be read, written or believed count as missing, with one warning."""

    def __init__(self) -> None:
        self.has_warned = False

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> bool:
        if isinstance(error, NotPrivate) and not self.has_warned:
            self.has_warned = True
            warnings.warn(f"compiled kernels are not kept: {error}; {ADVICE}", RuntimeWarning, level_of_user())
        return isinstance(error, (OSError, DamagedCode))


_uncached = _Uncached()
_room = Room()
