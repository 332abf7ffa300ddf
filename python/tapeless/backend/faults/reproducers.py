"""Where the files that reproduce faults lie: beside the kernel cache, else in a temporary folder of this user."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from tapeless.backend.cache import PART_SUFFIX
from tapeless.backend.cache_folder import folder
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
    for candidate in CANDIDATES:
        try:
            kept = trusted_folder(candidate(), FOLDER, create=True)
            write_private(kept / name, data, PART_SUFFIX)
            _remove_oldest(kept)
        except OSError:
            continue
        return kept / name
    return None


def temporary_folder() -> Path:
    """A folder of this user where temporary files lie; raises FileNotFoundError if they can lie nowhere."""
    return Path(tempfile.gettempdir()) / f"tapeless-{os.geteuid()}"


CANDIDATES: tuple[Callable[[], Path], ...] = (folder, temporary_folder)


def _remove_oldest(folder: Path) -> None:
    with os.scandir(folder) as entries:
        files = [entry for entry in entries if entry.name.endswith((SUFFIX, PART_SUFFIX))]
    by_age = sorted(files, key=lambda entry: entry.stat(follow_symlinks=False).st_mtime)
    for entry in by_age[:-MOST_FILES]:
        Path(entry.path).unlink(missing_ok=True)
