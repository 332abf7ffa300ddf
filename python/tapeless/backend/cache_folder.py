"""Where compiled kernels are kept, and why they cannot be kept there, for people."""

from __future__ import annotations

import os
from pathlib import Path

from tapeless.backend.private_files import NotPrivate, trusted_folder

VARIABLE = "TAPELESS_CACHE_DIR"
OWN_FOLDER = f"set {VARIABLE} to a folder of your own"


class NoFolder(OSError):
    """Nothing says where kernels could be kept, as for users of containers that have no home."""


def folder() -> Path:
    """Where cached kernels are; raises NoFolder if this user has no place for them."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else _home() / ".cache") / "tapeless"


def _home() -> Path:
    try:
        return Path.home()
    except (RuntimeError, KeyError):  # what different versions of Python raise
        raise NoFolder(f"HOME is not set, and the system knows no home of user {os.getuid()}") from None


def obstacle() -> str | None:
    """Why kernels cannot be kept, or None if they can; raises NotPrivate for a folder that others may write to."""
    try:
        path = folder()
        trusted_folder(path)
    except NotPrivate:
        raise
    except FileNotFoundError:
        pass  # It is made with the first kernel.
    except OSError as error:
        return str(error)
    nearest = next(each for each in (path, *path.absolute().parents) if each.exists())
    return None if os.access(nearest, os.W_OK | os.X_OK) else f"'{nearest}' cannot be written to"
