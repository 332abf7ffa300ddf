"""Reads addresses back from linked code, by the formulas of the processors' ELF supplements: the linker's inverse.

Each reader gives the address of the symbol that a relocation with an addend refers to, or that of its table entry.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

Read = Callable[[bytes, int, int], int]


def _int(code: bytes, place: int, format_: str) -> int:
    return struct.unpack_from(f"<{format_}", code, place)[0]


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


def x86_relative(code: bytes, place: int, addend: int) -> int:
    """S + A - P in 32 bits."""
    return _int(code, place, "i") + place - addend


def relative64(code: bytes, place: int, addend: int) -> int:
    return _int(code, place, "q") + place - addend


def arm_branch(code: bytes, place: int, addend: int) -> int:
    """`b` and `bl`: 26 bits of a distance in instructions."""
    instruction = _int(code, place, "I")
    assert instruction & 0x7C000000 == 0x14000000, hex(instruction)
    return place + 4 * _signed(instruction & 0x3FFFFFF, 26) - addend


def arm_page(code: bytes, place: int) -> int:
    """`adrp`: the first address of a page of 4 KiB."""
    instruction = _int(code, place, "I")
    assert instruction & 0x9F000000 == 0x90000000, hex(instruction)
    pages = _signed((instruction >> 5 & 0x7FFFF) << 2 | instruction >> 29 & 3, 21)
    return ((place >> 12) + pages) << 12


def arm_offset(code: bytes, place: int) -> int:
    """The offset in the page that an addition, a load or a store holds in 12 bits, scaled by what it moves."""
    instruction = _int(code, place, "I")
    offset = instruction >> 10 & 0xFFF
    if instruction & 0x1F000000 == 0x11000000:
        return offset
    assert instruction & 0x3B000000 == 0x39000000, hex(instruction)
    is_vector = instruction >> 26 & 1 and instruction >> 23 & 1
    return offset << (4 if is_vector else instruction >> 30)


# Kinds that hold a whole address; TABLE kinds hold that of a table entry.
READERS: dict[int, dict[int, Read]] = {
    62: {2: x86_relative, 4: x86_relative, 24: relative64},
    183: {260: relative64, 261: x86_relative, 282: arm_branch, 283: arm_branch},
}
TABLE_READERS: dict[int, dict[int, Read]] = {62: {9: x86_relative, 41: x86_relative, 42: x86_relative}, 183: {}}
# Kinds that hold a page and an offset in it, which belong together when symbol and addend are the same.
PAGES = {183: {275: False, 311: True}}
OFFSETS = {183: {277: False, 278: False, 284: False, 285: False, 286: False, 299: False, 312: True}}
ABSOLUTE = {62: 1, 183: 257}


def stub_entry(machine: int, code: bytes, place: int) -> int:
    """The table entry through which the stub at a place jumps."""
    if machine == 62:
        assert code[place : place + 2] == b"\xff\x25"
        return place + 6 + _int(code, place + 2, "i")
    assert _int(code, place + 8, "I") == 0xD61F0200
    return arm_page(code, place) + arm_offset(code, place + 4)


def is_stub_of(machine: int, code: bytes, place: int, entry: int) -> bool:
    """Whether a stub that jumps through a table entry is at a place."""
    try:
        return stub_entry(machine, code, place) == entry
    except AssertionError:
        return False
