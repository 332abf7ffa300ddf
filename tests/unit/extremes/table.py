"""The integers at which arithmetic on sizes, indices and bounds goes wrong first, around an array of four elements."""

from __future__ import annotations

LENGTH = 4
LOWEST, HIGHEST = -(2**63), 2**63 - 1
EXTREMES = (
    LOWEST,
    LOWEST + 1,
    -LENGTH - 1,
    -LENGTH,
    -1,
    0,
    1,
    LENGTH - 1,
    LENGTH,
    LENGTH + 1,
    2**31,
    2**62,
    HIGHEST,
)
EXTREMES_32 = tuple(each for each in (-(2**31), -(2**31) + 1, *EXTREMES, 2**31 - 1) if -(2**31) <= each < 2**31)


def wrapped(number: int) -> int:
    """A number as 64 bits hold it."""
    return (number + 2**63) % 2**64 - 2**63
