"""Compiled kernels on disk, found by a digest of everything they depend on.

Several processes may share the folder: entries are written under a temporary name and renamed, and a reader checks the
checksum before it believes an entry. A damaged entry counts as missing. The environment variables `TAPELESS_CACHE_DIR`
and `TAPELESS_CACHE_BYTES` set the folder and the size at which the entries used longest ago are removed.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tapeless.backend.code import CompiledCode, DamagedCode, checked_body, split_body
from tapeless.errors import ArgumentError

DEFAULT_BYTES = 512 * 1024 * 1024
SUFFIX = ".kernel"
PART_SUFFIX = ".part"
LEFTOVER_SECONDS = 3600.0


@dataclass(frozen=True)
class Entry:
    """One cached kernel: its file, size, when it was last used (seconds since the epoch), and what it is."""

    path: Path
    size: int
    last_used: float
    description: dict[str, Any]


def folder() -> Path:
    """Where cached kernels are."""
    if named := os.environ.get("TAPELESS_CACHE_DIR"):
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "tapeless"


def capacity() -> int:
    """How many bytes the cache may hold."""
    named = os.environ.get("TAPELESS_CACHE_BYTES", str(DEFAULT_BYTES))
    if not named.isdecimal():
        raise ArgumentError(f"TAPELESS_CACHE_BYTES={named!r} is not a number of bytes; set it to an integer")
    return int(named)


def load(key: str) -> CompiledCode | None:
    """The kernel with this key, or None when there is no whole one."""
    path = _path(key)
    try:
        code = CompiledCode.from_bytes(path.read_bytes())
    except (OSError, DamagedCode):
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    return code


def store(key: str, code: CompiledCode, description: dict[str, Any]) -> None:
    """Adds a kernel; a folder that cannot be written to leaves the cache as it is."""
    path = _path(key)
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _replace(path, code.to_bytes(description))
        prune(capacity())


def list_entries() -> list[Entry]:
    """Every whole entry, the one used last first."""
    entries = [entry for path in _files() if (entry := _entry(path)) is not None]
    return sorted(entries, key=lambda entry: -entry.last_used)


def prune(keep_bytes: int = 0) -> int:
    """Removes the entries used longest ago until at most `keep_bytes` are left; returns how many were removed."""
    _remove_leftovers()
    aged = sorted((status.st_mtime, status.st_size, path) for path in _files() if (status := _status(path)))
    excess = sum(size for _, size, _ in aged) - keep_bytes
    removed = 0
    for _, size, path in aged:
        if excess <= 0:
            break
        path.unlink(missing_ok=True)
        excess -= size
        removed += 1
    return removed


def _path(key: str) -> Path:
    return folder() / key[:2] / (key[2:] + SUFFIX)


def _files() -> list[Path]:
    return list(folder().glob(f"*/*{SUFFIX}"))


def _remove_leftovers() -> None:
    """Removes what processes that were killed while writing left behind."""
    oldest = time.time() - LEFTOVER_SECONDS
    for path in folder().glob(f"*/*{PART_SUFFIX}"):
        if (status := _status(path)) and status.st_mtime < oldest:
            path.unlink(missing_ok=True)


def _status(path: Path) -> os.stat_result | None:
    """Size and times, or None when another process has just removed the file."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _entry(path: Path) -> Entry | None:
    try:
        manifest, _ = split_body(checked_body(path.read_bytes()))
        status = path.stat()
    except (OSError, DamagedCode):
        return None
    return Entry(path, status.st_size, status.st_mtime, manifest["description"])


def _replace(path: Path, data: bytes) -> None:
    """Writes a file so that readers see the old contents or the new, never a part."""
    temporary = path.with_name(f"{path.stem}.{os.getpid()}-{threading.get_ident()}{PART_SUFFIX}")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
