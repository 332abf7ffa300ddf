"""Writing results so that a failure never leaves half a file."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from pathlib import Path

from tapeless.errors import PipelineError

STDOUT = "-"


def write_output(path: str, content: bytes) -> None:
    """Writes to standard output for `-`, else to a file that appears complete or not at all."""
    if path == STDOUT:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        _write_file(Path(path).resolve(), content)
    except OSError as error:
        raise PipelineError(f"cannot open output file '{path}': {error.strerror}") from error


def _write_file(path: Path, content: bytes) -> None:
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
    handle, partial = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(partial, mode)
        os.replace(partial, path)
    except BaseException:
        os.unlink(partial)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
