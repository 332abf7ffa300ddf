"""Runs kernels compiled for another processor under Debian's emulator of user programs.

The C runtime and `run_kernel.c` are compiled by a cross compiler; arrays travel in files. A request is: the image
(size, end of what is executable, bytes), its imports (place, name of 64 bytes), its absolute addresses (place, offset),
the entry, the slots, the arrays (slot, size, bytes), and where the kernel leaves arrays of its own (slot, rank, size of
an element). The answer is the kind of failure, the slots, and the bytes of all these arrays.
"""

from __future__ import annotations

import ctypes
import math
import os
import shutil
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pytest

from tapeless.abi import Abi
from tapeless.runtime.calling.arguments import NUMPY_DTYPES
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.library import load_library

from .machines import Foreign

HERE = Path(__file__).parent
RUNTIME = HERE.parents[2] / "runtime"
NAME_BYTES = 64


def require_tools(foreign: Foreign) -> None:
    """Skips the test where the tools are not installed."""
    for tool in (foreign.compiler, foreign.emulator):
        if shutil.which(tool) is None:
            package = "qemu-user" if tool.startswith("qemu") else f"gcc-{foreign.prefix.replace('_', '-')}"
            pytest.skip(f"{tool} is not installed; on Debian, install {package}")
    if not Path(foreign.libraries, "include").is_dir():
        pytest.skip(
            f"there is no C library in {foreign.libraries}; on Debian, install what {foreign.prefix}-gcc recommends"
        )


@dataclass(frozen=True)
class Layout:
    """Which slots of a call point to arrays of the caller, with their size in bytes, and which to the kernel's."""

    arrays: dict[int, int]
    allocated: dict[int, tuple[int, int]]


def layout(abi: Abi, slots: ctypes.Array) -> Layout:
    arrays, allocated, position = {}, {}, 0
    for entry in (*abi.parameters, *abi.outs, *abi.returned):
        rank, element = len(entry.dims), NUMPY_DTYPES[entry.dtype].itemsize
        if entry.kind == "array" and getattr(entry, "place", "") == "allocated":
            allocated[position] = rank, element
        elif entry.kind == "array":
            arrays[position] = math.prod(slots[position + 1 : position + 1 + rank]) * element
        position += 1 + rank
    return Layout(arrays, allocated)


@dataclass(frozen=True)
class Emulator:
    """A processor that this machine only emulates; programs for it go to a folder."""

    foreign: Foreign
    folder: Path

    @cached_property
    def program(self) -> Path:
        """The program that runs kernels, compiled with the runtime."""
        program = self.folder / "run_kernel"
        sources = [HERE / "run_kernel.c", *sorted(RUNTIME.glob("*.c"))]
        options = ["-std=c11", "-O1", "-D_POSIX_C_SOURCE=200809L", "-rdynamic", f"-I{RUNTIME}"]
        libraries = ["-Wl,--no-as-needed", "-lm", "-ldl", "-lpthread"]
        subprocess.run([self.foreign.compiler, *options, *sources, *libraries, "-o", program], check=True)
        return program

    def run(self, code: CompiledCode, address: int, size: int) -> None:
        """Runs a kernel on the slots at an address, as if it ran here."""
        slots = (ctypes.c_int64 * size).from_address(address)
        known = layout(code.abi, slots)
        request, answer = self.folder / "request", self.folder / "answer"
        request.write_bytes(b"".join(parts_of(code, slots, known)))
        command = [self.foreign.emulator, "-L", self.foreign.libraries, self.program, request, answer]
        subprocess.run(command, check=True, env={**os.environ, "QEMU_CPU": "max"})
        read_answer(answer.read_bytes(), slots, known)


def words(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}q", *values)


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 8)


def parts_of(code: CompiledCode, slots: ctypes.Array, known: Layout) -> Iterator[bytes]:
    image = code.image
    yield words(len(image.code), image.writable_from) + padded(image.code)
    yield words(len(image.imports))
    for name, place in image.imports.items():
        yield words(place) + name.encode().ljust(NAME_BYTES, b"\0")
    yield words(len(image.absolutes), *(word for pair in image.absolutes for word in pair))
    yield words(image.exports[code.entry], len(slots), *slots)
    yield words(len(known.arrays))
    for slot, size in known.arrays.items():
        yield words(slot, size) + padded(ctypes.string_at(slots[slot], size))
    yield words(len(known.allocated))
    for slot, (rank, element) in known.allocated.items():
        yield words(slot, rank, element)


def read_answer(data: bytes, slots: ctypes.Array, known: Layout) -> None:
    """Puts what the kernel left where it would have left it here."""
    assert data[:8] == words(0), "the kernel reported a failure"
    returned = struct.unpack_from(f"<{len(slots)}q", data, 8)
    position = 8 + 8 * len(slots)
    for slot, size in known.arrays.items():
        ctypes.memmove(slots[slot], data[position : position + size], size)
        position += size + -size % 8
    for slot in range(len(slots)):
        if slot not in known.arrays:
            slots[slot] = returned[slot]
    for slot, (rank, element) in known.allocated.items():
        size = element * int(np.prod(returned[slot + 1 : slot + 1 + rank]))
        slots[slot] = load_library().tl_alloc(size)
        ctypes.memmove(slots[slot], data[position : position + size], size)
        position += size + -size % 8
