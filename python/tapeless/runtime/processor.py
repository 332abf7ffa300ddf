"""The system's description of the processor: which one it is, and which instructions it has."""

from __future__ import annotations

import os
import platform

from tapeless.runtime.instructions import INSTRUCTIONS

CPUINFO = "/proc/cpuinfo"
# The lines that say which instructions there are, on x86_64 and on aarch64.
IDENTITY_LINES = ("vendor_id", "cpu family", "model", "stepping", "flags", "CPU implementer", "CPU part", "Features")
FEATURE_LINES = ("flags", "Features")


def processor() -> str:
    """Everything that tells the first processor from others."""
    lines = _lines(IDENTITY_LINES)
    return platform.processor() if lines is None else "\n".join(lines)


def features() -> frozenset[str]:
    """All that the system says of the first processor: `avx2`, `asimd`, but also `apic`, `hypervisor`, ..."""
    lines = _lines(FEATURE_LINES)
    if lines is None:
        return frozenset({platform.processor()})
    return frozenset(word for line in lines for word in line.partition(":")[2].split())


def instruction_sets() -> frozenset[str]:
    """The features that code compiled for this very processor may use; its name on systems that list none."""
    known = INSTRUCTIONS.get(os.uname().machine)
    return features() if known is None or _lines(FEATURE_LINES) is None else features() & known.keys()


def _lines(beginnings: tuple[str, ...]) -> list[str] | None:
    """Lines of the first processor's paragraph, or None on systems that have none."""
    try:
        with open(CPUINFO, encoding="utf-8", errors="replace") as file:
            first = file.read(16384).split("\n\n")[0]
    except OSError:
        return None
    return [line for line in first.splitlines() if line.startswith(beginnings)]
