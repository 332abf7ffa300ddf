"""What the system says of the processor: which one it is, and which instructions it has."""

from __future__ import annotations

import platform

# The lines of /proc/cpuinfo that say which instructions there are, on x86_64 and on aarch64.
IDENTITY_LINES = ("vendor_id", "cpu family", "model", "stepping", "flags", "CPU implementer", "CPU part", "Features")
INSTRUCTION_LINES = ("flags", "Features")


def processor() -> str:
    """Everything that tells the first processor from others."""
    lines = _lines(IDENTITY_LINES)
    return platform.processor() if lines is None else "\n".join(lines)


def instruction_sets() -> frozenset[str]:
    """The names of what the first processor can do: `avx2`, `fma`, `asimd`, ..."""
    lines = _lines(INSTRUCTION_LINES)
    if lines is None:
        return frozenset({platform.processor()})
    return frozenset(word for line in lines for word in line.partition(":")[2].split())


def _lines(beginnings: tuple[str, ...]) -> list[str] | None:
    """Lines of the first processor's paragraph, or None on systems that have none."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            first = file.read(16384).split("\n\n")[0]
    except OSError:
        return None
    return [line for line in first.splitlines() if line.startswith(beginnings)]
