"""Where the files that reproduce faults lie: beside the kernel cache, else in a temporary folder of this user."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tapeless.backend import cache
from tapeless.backend.private_files import trusted_folder, write_private

FOLDER = "reproducers"
SUFFIX = ".mlir"
MOST_FILES = 20


def keep_reproducer(text: str) -> Path | None:
    """Writes a reproducer and gives its path, or None if no folder can be written to; the oldest of many go.

    The name is a digest of the text, so that a fault that comes again leaves one file.
    """
    data = text.encode()
    name = hashlib.sha256(data).hexdigest()[:16] + SUFFIX
    for candidate in _folders():
        try:
            folder = trusted_folder(candidate, FOLDER, create=True)
            write_private(folder / name, data, cache.PART_SUFFIX)
            _remove_oldest(folder)
        except OSError:
            continue
        return folder / name
    return None


def _folders() -> Iterator[Path]:
    yield cache.folder()
    yield Path(tempfile.gettempdir()) / f"tapeless-{os.geteuid()}"


def _remove_oldest(folder: Path) -> None:
    files = [entry for entry in os.scandir(folder) if entry.name.endswith((SUFFIX, cache.PART_SUFFIX))]
    by_age = sorted(files, key=lambda entry: entry.stat(follow_symlinks=False).st_mtime)
    for entry in by_age[:-MOST_FILES]:
        Path(entry.path).unlink(missing_ok=True)
