"""Comparisons of intervals: their outcome, and the ranges of their operands where they hold."""

from __future__ import annotations

from tapeless.passes.soac.ranges.interval import BIT, FALSE, TRUE, Interval

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
