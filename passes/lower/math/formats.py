"""The two floating-point formats: what polynomial code must know about them."""

from __future__ import annotations

import struct

from tapeless.dataclasses_on_use import dataclass


@dataclass(frozen=True)
class Format:
    """Width, number of mantissa bits, and exponent bias."""

    bits: int
    mantissa: int
    bias: int

    @property
    def shifter(self) -> float:
        """Adding and subtracting this rounds to an integer, whose low bits then sit in the mantissa."""
        return 1.5 * 2.0**self.mantissa

    def encode(self, value: float) -> int:
        """The bit pattern of a constant."""
        return struct.unpack("<q", struct.pack("<d", value))[0] if self.bits == 64 else _encode_single(value)


def _encode_single(value: float) -> int:
    return struct.unpack("<i", struct.pack("<f", value))[0]


DOUBLE = Format(bits=64, mantissa=52, bias=1023)
SINGLE = Format(bits=32, mantissa=23, bias=127)
