"""The addresses that a disassembler finds in linked code, as a second opinion on the linker."""

from __future__ import annotations

import bisect
import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from .machines import Foreign

ARCHITECTURES = {"x86_64": "i386:x86-64", "aarch64": "aarch64"}
LINE = re.compile(r"^\s*([0-9a-f]+):\t(?:[0-9a-f]{2,8} ?)+\s*\t(.*)$", re.MULTILINE)
TARGET = re.compile(r"(?:0x|# 0x)([0-9a-f]+)$")


def disassembler(foreign: Foreign) -> str:
    """The tool for a processor; skips the test where it is not installed."""
    tool = "objdump" if foreign.name == platform.machine() else f"{foreign.prefix}-objdump"
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed; on Debian, install binutils for {foreign.name}")
    return tool


class Disassembly:
    """The instructions of some code by address."""

    def __init__(self, foreign: Foreign, code: bytes, folder: Path) -> None:
        (folder / "code").write_bytes(code)
        command = [disassembler(foreign), "-D", "-b", "binary", "-m", ARCHITECTURES[foreign.name], folder / "code"]
        listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        self.instructions = {int(address, 16): text.strip() for address, text in LINE.findall(listing)}
        self.addresses = sorted(self.instructions)

    def target(self, place: int) -> int | None:
        """The address that the instruction around a place names, if it names one."""
        start = self.addresses[bisect.bisect_right(self.addresses, place) - 1]
        found = TARGET.search(self.instructions[start])
        return None if found is None else int(found[1], 16)

    def behind(self, place: int) -> int:
        """How many bytes the instruction around a place has behind the four at the place: those of a number."""
        end = self.addresses[bisect.bisect_right(self.addresses, place)]
        return end - place - 4
