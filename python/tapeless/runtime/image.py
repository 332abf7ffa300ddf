"""Linked code as plain data, and the loader that puts it into memory: no LLVM, no compiler, no linker."""

from __future__ import annotations

import ctypes
import mmap
import struct
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import TargetError
from tapeless.runtime.library import symbol_addresses

PAGE = 65536  # the largest page size of the supported systems
ADDRESS = struct.Struct("<Q")


@dataclass(frozen=True)
class Image:
    """Position-independent code with the relocations for the loader; all places are offsets from the start.

    `imports` are 8-byte places that hold the address of a function of the runtime or of libm; `absolutes` are pairs
    (place, offset) that hold the image's address plus the offset; what follows `writable_from` stays writable.
    """

    code: bytes
    writable_from: int
    exports: dict[str, int]
    imports: dict[str, int]
    absolutes: tuple[tuple[int, int], ...]

    def links(self, entry: str) -> dict[str, Any]:
        """The loader's instructions for the code, as JSON keeps them; of the exports, one entry."""
        return {
            "writable_from": self.writable_from,
            "exports": {entry: self.exports[entry]},
            "imports": self.imports,
            "absolutes": self.absolutes,
        }

    @staticmethod
    def from_links(links: Mapping[str, Any], code: bytes) -> Image:
        """The inverse of `links`."""
        if type(links["absolutes"]) is not list:
            raise TypeError("'absolutes' is no list")
        absolutes = tuple((place, offset) for place, offset in links["absolutes"])
        return Image(code, links["writable_from"], links["exports"], links["imports"], absolutes)

    def identity(self) -> bytes:
        """Bytes that are others for other code."""
        return self.code

    def stored(self) -> Image:
        """Plain data that the kernel cache keeps."""
        return self

    @property
    def summary(self) -> str:
        """The size of the code and its external calls."""
        return f"{self.writable_from} bytes, calls {', '.join(sorted(self.imports)) or 'nothing'}"


class LoadedImage:
    """An image in executable memory; it stays there as long as this object lives."""

    def __init__(self, image: Image) -> None:
        self._memory = mmap.mmap(-1, max(len(image.code), 1), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self._view = (ctypes.c_char * len(self._memory)).from_buffer(self._memory)
        self.base = ctypes.addressof(self._view)
        self.exports = image.exports
        self._memory[: len(image.code)] = image.code
        for name, place in image.imports.items():
            ADDRESS.pack_into(self._memory, place, import_address(name))
        for place, offset in image.absolutes:
            ADDRESS.pack_into(self._memory, place, self.base + offset)
        _make_executable(self.base, image.writable_from)

    def address(self, name: str) -> int:
        """Where an exported function is."""
        return self.base + self.exports[name]


def _make_executable(address: int, size: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(size), mmap.PROT_READ | mmap.PROT_EXEC):
        raise TargetError(
            f"the system refuses executable memory (error {ctypes.get_errno()}); allow it for this process"
        )


@cache
def _system_libraries() -> tuple[ctypes.CDLL, ...]:
    """The C and the mathematics library."""
    return ctypes.CDLL(None), ctypes.CDLL("libm.so.6")


def import_address(name: str) -> int:
    """The address of a function that compiled code calls."""
    runtime = symbol_addresses()
    if name in runtime:
        return runtime[name]
    for library in _system_libraries():
        with suppress(AttributeError):
            return ctypes.cast(library[name], ctypes.c_void_p).value or 0
    raise TargetError(f"compiled code calls '{name}', which neither the runtime nor the C library has")
