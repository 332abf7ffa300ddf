"""The machine of a measurement, in words that two machines can be compared by."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

CPUINFO = Path("/proc/cpuinfo")
# ARM processors give numbers where others give a name.
ARM_PARTS = {
    ("0x41", "0xd08"): "Cortex-A72",
    ("0x41", "0xd0c"): "Neoverse-N1",
    ("0x41", "0xd40"): "Neoverse-V1",
    ("0x41", "0xd49"): "Neoverse-N2",
    ("0x41", "0xd4f"): "Neoverse-V2",
    ("0x41", "0xd83"): "Neoverse-V3AE",
    ("0x41", "0xd84"): "Neoverse-V3",
    ("0x41", "0xd8e"): "Neoverse-N3",
    ("0xc0", "0xac3"): "Ampere-1",
    ("0xc0", "0xac4"): "Ampere-1A",
}
PACKAGES = ("tapeless", "jax", "jaxlib", "torch", "numpy", "llvmlite", "torch-mlir")


def header() -> dict[str, Any]:
    """The heading of files of results."""
    when = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return {"when": when, "machine": description(), "versions": versions()}


def description() -> dict[str, Any]:
    """The machine, as JSON files name it."""
    return {
        "architecture": platform.machine(),
        "processor": processor(),
        "processors": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "gpu": gpu(),
    }


def versions() -> dict[str, str]:
    """Versions of the software that has a part in the times: the C compiler, and packages that are installed."""
    found = {package: _version(package) for package in PACKAGES}
    return {"cc": c_compiler(), **{package: version for package, version in found.items() if version}}


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def gpu() -> str | None:
    """The name of the GPU and the version of its driver, None without one."""
    command = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout.strip() or None
    except (OSError, subprocess.SubprocessError):
        return None


def processor() -> str:
    """The name of the processor."""
    try:
        return name_from(CPUINFO.read_text(errors="replace"))
    except OSError:
        return platform.processor() or platform.machine()


def name_from(text: str) -> str:
    """The name in the text of `/proc/cpuinfo`."""
    fields: dict[str, str] = {}
    for line in text.splitlines():
        name, separator, value = line.partition(":")
        if separator:
            fields.setdefault(name.strip(), value.strip())
    return fields["model name"] if "model name" in fields else arm_name(fields)


def arm_name(fields: Mapping[str, str]) -> str:
    """The name of an ARM processor by its numbers, or the numbers where the table has none."""
    numbers = fields.get("CPU implementer", ""), fields.get("CPU part", "")
    if not all(numbers):
        return platform.machine()
    return ARM_PARTS.get(numbers, f"implementer {numbers[0]}, part {numbers[1]}")


def c_compiler() -> str:
    """The first line that `cc --version` prints."""
    try:
        found = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "none"
    return found.stdout.partition("\n")[0].strip()
