"""A digest of everything but the program that determines the code: Tapeless, LLVM, MLIR, the processor."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import sys
from functools import cache
from pathlib import Path

from tapeless.runtime.processor import processor

PACKAGE = str(Path(__file__).parents[1])
PROVIDERS = ("llvmlite", "mlir", "torch_mlir")
MAPPED_PACKAGES = ("tapeless.dialects", "tapeless.passes")


@cache
def toolchain_digest() -> str:
    """The same for every process with the same compiler on the same processor."""
    parts = (platform.machine(), sys.byteorder, processor(), *source_stamps(), *provider_stamps())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def source_stamps() -> list[str]:
    """Name, size and time of every source file of the compiler: cheaper than their contents, and as telling."""
    folders = {PACKAGE, *(folder for name in MAPPED_PACKAGES for folder in _package_folders(name))}
    return sorted({stamp for folder in folders for stamp in _stamps(folder)})


def provider_stamps() -> list[str]:
    """Name and version of the packages that LLVM and MLIR come from, as their metadata folders are called."""
    folders = ((name, os.path.dirname(folder)) for name in PROVIDERS for folder in _package_folders(name))
    return sorted(
        entry
        for name, parent in folders
        for entry in os.listdir(parent)
        if entry.startswith(name) and entry.endswith(".dist-info")
    )


def _package_folders(name: str) -> list[str]:
    spec = importlib.util.find_spec(name)
    return list(spec.submodule_search_locations or ()) if spec else []


def _stamps(root: str) -> list[str]:
    """A first call in a process waits for this: one list for all folders, and no more than one look at each file."""
    stamps, folders = [], [root]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    status = entry.stat()
                    stamps.append(f"{entry.path} {status.st_size} {status.st_mtime_ns}")
                elif entry.name != "__pycache__" and entry.is_dir():
                    folders.append(entry.path)
    return stamps
