"""Intervals of integers, and the arithmetic of 64 and fewer bits on them: a result that may
overflow may be anything.
"""

from __future__ import annotations

from collections.abc import Callable

from tapeless.dataclasses_on_use import dataclass

# No array has as many elements along an axis, so that the sum of two sizes is an integer of 64 bits.
LARGEST_SIZE = (1 << 62) - 1


@dataclass(frozen=True)
class Interval:
    """All integers from `low` to `high`, both included."""

    low: int
    high: int

    @property
    def is_one(self) -> bool:
        return self.low == self.high

    def join(self, other: Interval) -> Interval:
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def holds(self, other: Interval) -> bool:
        return self.low <= other.low and other.high <= self.high

    def clipped(self, low: int | None = None, high: int | None = None) -> Interval:
        """The interval between bounds; all of it if that is empty, since it never happens then."""
        at_least = self.low if low is None else max(self.low, low)
        at_most = self.high if high is None else min(self.high, high)
        return Interval(at_least, at_most) if at_least <= at_most else self


BIT = Interval(0, 1)
TRUE, FALSE = Interval(1, 1), Interval(0, 0)
SIZE = Interval(0, LARGEST_SIZE)


def all_of(bits: int) -> Interval:
    """The range of an integer of so many bits; one of a single bit is 0 or 1."""
    return BIT if bits == 1 else Interval(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)


def widened(before: Interval, after: Interval, bits: int) -> Interval:
    """An interval that holds both; a bound that moved goes to the next of few places, so that it soon stays."""
    whole = all_of(bits)
    low, high = before.low, before.high
    if after.low < low:
        low = 0 if after.low >= 0 else whole.low
    if after.high > high:
        high = LARGEST_SIZE if after.high <= LARGEST_SIZE <= whole.high else whole.high
    return Interval(low, high)


def add(a: Interval, b: Interval) -> Interval:
    return Interval(a.low + b.low, a.high + b.high)


def subtract(a: Interval, b: Interval) -> Interval:
    return Interval(a.low - b.high, a.high - b.low)


def multiply(a: Interval, b: Interval) -> Interval:
    products = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Interval(min(products), max(products))


def divide(a: Interval, b: Interval) -> Interval | None:
    """A quotient, where signs do not matter."""
    return Interval(a.low // b.high, a.high // b.low) if a.low >= 0 and b.low > 0 else None


def remainder(a: Interval, b: Interval) -> Interval | None:
    return Interval(0, min(a.high, b.high - 1)) if a.low >= 0 and b.low > 0 else None


def both_bits(a: Interval, b: Interval) -> Interval | None:
    """The bits that both have in common are no larger than either."""
    return Interval(0, min(a.high, b.high)) if a.low >= 0 and b.low >= 0 else None


def bitwise(a: Interval, b: Interval) -> Interval | None:
    """No bit is set above those of numbers that are not negative."""
    return Interval(0, (1 << max(a.high, b.high).bit_length()) - 1) if a.low >= 0 and b.low >= 0 else None


def smaller(a: Interval, b: Interval) -> Interval:
    return Interval(min(a.low, b.low), min(a.high, b.high))


def larger(a: Interval, b: Interval) -> Interval:
    return Interval(max(a.low, b.low), max(a.high, b.high))


OPERATIONS: dict[str, Callable[[Interval, Interval], Interval | None]] = {
    "arith.addi": add,
    "arith.subi": subtract,
    "arith.muli": multiply,
    "arith.divsi": divide,
    "arith.divui": divide,
    "arith.floordivsi": divide,
    "arith.remsi": remainder,
    "arith.remui": remainder,
    "arith.andi": both_bits,
    "arith.ori": bitwise,
    "arith.xori": bitwise,
    "arith.minsi": smaller,
    "arith.maxsi": larger,
}
# Those that mean the same for bits, which are not negative here.
OF_BITS = frozenset({"arith.andi", "arith.ori", "arith.xori"})


# The predicates of `arith.cmpi` by number; those of unsigned integers say the same where neither side is negative.
NAMES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
SWAPPED = {"slt": "sgt", "sle": "sge", "sgt": "slt", "sge": "sle", "eq": "eq"}


def decided(name: str, a: Interval, b: Interval) -> Interval:
    """Whether a comparison holds: always, never, or either."""
    if name.startswith("u"):
        if a.low < 0 or b.low < 0:
            return BIT
        name = "s" + name[1:]
    if name in ("sgt", "sge"):
        return decided(SWAPPED[name], b, a)
    if name in ("slt", "sle"):
        is_strict = name == "slt"
        if a.high < b.low or (not is_strict and a.high <= b.low):
            return TRUE
        return FALSE if a.low > b.high or (is_strict and a.low >= b.high) else BIT
    if a.high < b.low or b.high < a.low:
        return FALSE if name == "eq" else TRUE
    if a.is_one and a == b:
        return TRUE if name == "eq" else FALSE
    return BIT


def bounded(name: str, a: Interval, b: Interval) -> Interval:
    """The range of the left operand where the comparison holds."""
    match name:
        case "slt":
            return a.clipped(high=b.high - 1)
        case "sle":
            return a.clipped(high=b.high)
        case "sgt":
            return a.clipped(low=b.low + 1)
        case "sge":
            return a.clipped(low=b.low)
        case "eq":
            return a.clipped(b.low, b.high)
    return a
