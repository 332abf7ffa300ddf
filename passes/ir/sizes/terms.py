"""Sizes as sums of terms, by which sizes that are written differently are seen to be equal.

Index arithmetic wraps in 64 bits, and so do sums of terms: sizes with equal terms are equal, whatever overflows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Any

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.sizes.expressions import Arithmetic, Computed, Dim, Size, Terms

ONE = ()  # the term of numbers
SIGNS = {"arith.addi": 1, "arith.subi": -1}


@dataclass(frozen=True)
class Whole:
    """Arithmetic that is no sum, as a term."""

    name: str
    operands: tuple[Size, ...]
    attributes: tuple[ir.Type | ir.Attribute, ...]
    model: ir.Value = field(compare=False)


def terms_of_sum(parts: Iterable[tuple[Size, int]]) -> Terms:
    """The terms of a sum of sizes, each so many times."""
    return _summed(parts)


def terms_of_arithmetic(whole: Whole) -> Terms:
    """The terms of a sum, a difference or the multiple of a size; other arithmetic is a term by itself."""
    left, right = whole.operands if len(whole.operands) == 2 else (None, None)
    if whole.name in SIGNS:
        return _summed(((left, 1), (right, SIGNS[whole.name])))
    if whole.name == "arith.muli" and isinstance(right, int):
        return _summed(((left, right),))
    if whole.name == "arith.muli" and isinstance(left, int):
        return _summed(((right, left),))
    return frozenset({(whole, 1)})


def plain(size: Size) -> Size:
    """The only term that is left where everything else in a size cancels; otherwise the size."""
    if not isinstance(size, Arithmetic) or len(size.terms) > 1:
        return size
    for what, times in size.terms:
        if what == ONE:
            return times
        if times != 1:
            return size
        if not isinstance(what, Whole):
            return what
        return Computed(what.name, what.operands, what.attributes, what.model, size.terms)
    return 0


def _summed(parts: Iterable[tuple[Any, int]]) -> Terms:
    counts: dict[Any, int] = {}
    for size, times in parts:
        _add(counts, size, times)
    while (cut := _cut_in_two(counts)) is not None:
        first, second, end = cut
        times = min(counts[first], counts[second])
        counts[first] -= times
        counts[second] -= times
        _add(counts, end, times)
    return frozenset((what, count) for what, count in counts.items() if count)


def _add(counts: dict[Any, int], size: Size, times: int) -> None:
    for what, count in terms_of(size):
        counts[what] = counts.get(what, 0) + times * count


def terms_of(size: Size) -> Terms:
    """The terms of a size."""
    if isinstance(size, Arithmetic):
        return size.terms
    return frozenset({(ONE, size)} if isinstance(size, int) else {(size, 1)})


def _cut_in_two(counts: dict[Any, int]) -> tuple[Whole, Whole, Size] | None:
    """Two terms that are the parts of an axis that was cut, and their sum."""
    present = [what for what, count in counts.items() if count > 0 and isinstance(what, Whole)]
    rests = [what for what in present if what.name == "arith.maxsi"]
    for first in present if rests else ():
        if first.name == "arith.minsi":
            for second in rests:
                if (end := _rejoined(first, second)) is not None:
                    return first, second, end
    return None


def _rejoined(first: Whole, second: Whole) -> Size | None:
    """The end of an axis that was cut in two, if these are its parts: `min(cut, n) + max(end - cut, 0)` is the end.

    That is n itself or `min(b, n)` with b not below the cut. With n below the cut, the first part is n and the second
    empty, and the end is n, too.
    """
    for cut, whole in (first.operands, first.operands[::-1]):
        end = _end_of_rest(second, cut)
        if end is not None and (end == whole or any(_is_at_most(cut, limit) for limit in _limits(end, whole))):
            return end
    return None


def _end_of_rest(rest: Whole, cut: Size) -> Size | None:
    """The end, if a size is `max(end - cut, 0)`; canonicalization writes `end - 3` as `end + -3`."""
    difference, least = rest.operands
    if least != 0 or not (isinstance(difference, Computed) and difference.name in SIGNS):
        return None
    end, less = difference.operands
    is_cut = less == cut if difference.name == "arith.subi" else isinstance(cut, int) and less == -cut
    return end if is_cut else None


def _limits(end: Size, whole: Size) -> list[Size]:
    """The further operands of the minimum that an index is, beside the size of the axis."""
    if not (isinstance(end, Computed) and end.name == "arith.minsi"):
        return []
    return [limit for limit, other in (end.operands, end.operands[::-1]) if other == whole]


def _is_at_most(left: Size, right: Size) -> bool:
    """Whether a number is no greater than another one, or the multiple of an array's size than a larger multiple."""
    if isinstance(left, int) and isinstance(right, int):
        return left <= right
    (size, times), (other, more) = _multiple(left), _multiple(right)
    return size == other and isinstance(size, Dim) and times <= more


def _multiple(size: Size) -> tuple[Size, int]:
    if isinstance(size, Computed) and size.name == "arith.muli" and isinstance(size.operands[1], int):
        return size.operands[0], size.operands[1]
    return size, 1
