"""Relocation kinds of the supported processors: the address each wants, and how it is written into the code."""

from __future__ import annotations

import struct
from collections.abc import Callable
from enum import Enum, auto

from tapeless.dataclasses_on_use import dataclass

Write = Callable[[bytearray, int, int], None]


class Wants(Enum):
    """The address a relocation asks for."""

    TARGET = auto()
    TABLE_ENTRY = auto()
    ABSOLUTE = auto()


@dataclass(frozen=True)
class Kind:
    """One relocation kind: `write(code, place, address)` patches the code; addresses count from the image's start."""

    wants: Wants
    write: Write


@dataclass(frozen=True)
class Processor:
    """A processor for the linker: relocation kinds, and the jump through a table entry."""

    kinds: dict[int, Kind]
    stub_bytes: int
    write_stub: Write


def _check_reach(delta: int, bits: int) -> None:
    if not -(1 << (bits - 1)) <= delta < 1 << (bits - 1):
        raise OverflowError(f"a kernel's code is too large: a branch would span {delta} bytes")


def _relative32(code: bytearray, place: int, address: int) -> None:
    _check_reach(address - place, 32)
    struct.pack_into("<i", code, place, address - place)


def _relative64(code: bytearray, place: int, address: int) -> None:
    struct.pack_into("<q", code, place, address - place)


def _absolute64(code: bytearray, place: int, address: int) -> None:
    struct.pack_into("<Q", code, place, address)


def _x86_stub(code: bytearray, place: int, entry: int) -> None:
    """`jmp *entry(%rip)`."""
    code[place : place + 2] = b"\xff\x25"
    struct.pack_into("<i", code, place + 2, entry - (place + 6))


def _set_bits(code: bytearray, place: int, value: int, low: int, width: int) -> None:
    instruction = struct.unpack_from("<I", code, place)[0]
    mask = ((1 << width) - 1) << low
    struct.pack_into("<I", code, place, instruction & ~mask | value << low & mask)


def _arm_page(code: bytearray, place: int, address: int) -> None:
    """`adrp`: the distance in 4 KiB pages, its two low bits apart from the others."""
    pages = (address >> 12) - (place >> 12)
    _check_reach(pages, 21)
    _set_bits(code, place, pages & 3, 29, 2)
    _set_bits(code, place, pages >> 2, 5, 19)


def _arm_low12(scale: int) -> Write:
    """The offset within a page, in units of the access size."""
    return lambda code, place, address: _set_bits(code, place, (address & 0xFFF) >> scale, 10, 12)


def _arm_branch(code: bytearray, place: int, address: int) -> None:
    _check_reach(address - place, 28)
    _set_bits(code, place, (address - place) >> 2, 0, 26)


def _arm_stub(code: bytearray, place: int, entry: int) -> None:
    """`adrp x16, entry; ldr x16, [x16, entry]; br x16`."""
    struct.pack_into("<III", code, place, 0x90000010, 0xF9400210, 0xD61F0200)
    _arm_page(code, place, entry)
    _arm_low12(3)(code, place + 4, entry)


X86_64 = Processor(
    kinds={
        1: Kind(Wants.ABSOLUTE, _absolute64),
        2: Kind(Wants.TARGET, _relative32),
        4: Kind(Wants.TARGET, _relative32),
        9: Kind(Wants.TABLE_ENTRY, _relative32),
        24: Kind(Wants.TARGET, _relative64),
        41: Kind(Wants.TABLE_ENTRY, _relative32),
        42: Kind(Wants.TABLE_ENTRY, _relative32),
    },
    stub_bytes=8,
    write_stub=_x86_stub,
)

AARCH64 = Processor(
    kinds={
        257: Kind(Wants.ABSOLUTE, _absolute64),
        260: Kind(Wants.TARGET, _relative64),
        261: Kind(Wants.TARGET, _relative32),
        275: Kind(Wants.TARGET, _arm_page),
        277: Kind(Wants.TARGET, _arm_low12(0)),
        278: Kind(Wants.TARGET, _arm_low12(0)),
        282: Kind(Wants.TARGET, _arm_branch),
        283: Kind(Wants.TARGET, _arm_branch),
        284: Kind(Wants.TARGET, _arm_low12(1)),
        285: Kind(Wants.TARGET, _arm_low12(2)),
        286: Kind(Wants.TARGET, _arm_low12(3)),
        299: Kind(Wants.TARGET, _arm_low12(4)),
        311: Kind(Wants.TABLE_ENTRY, _arm_page),
        312: Kind(Wants.TABLE_ENTRY, _arm_low12(3)),
    },
    stub_bytes=16,
    write_stub=_arm_stub,
)

# ELF machine number to processor.
PROCESSORS = {62: X86_64, 183: AARCH64}
