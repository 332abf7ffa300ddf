"""The machine and the versions that results belong to."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path
from typing import Any

PACKAGES = ("tapeless", "jax", "jaxlib", "torch", "numpy", "llvmlite", "torch-mlir")


def machine() -> dict[str, Any]:
    return {
        "architecture": platform.machine(),
        "processor": _processor(),
        "processors": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "gpu": _gpu(),
    }


def versions() -> dict[str, str | None]:
    return {name: _version(name) for name in PACKAGES}


def _processor() -> str:
    """The name that Linux has of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith(("model name", "CPU part")))
    return next(names, platform.processor())


def _gpu() -> str | None:
    command = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout.strip() or None
    except (OSError, subprocess.SubprocessError):
        return None


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
