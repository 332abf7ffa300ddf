"""What sizes of array axes are written with, and when two that are written differently are the same size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tapeless._mlir import ir

# What a size is the sum of, each with how often; a number is that many times the empty tuple. Sums that wrap in 64 bits
# are equal where their terms are.
Terms: TypeAlias = frozenset[tuple[Any, int]]
ONE = ()
SIGNS = {"arith.addi": 1, "arith.subi": -1}
LONGEST = 100  # sizes written with more are left as the values that compute them


class Arithmetic:
    """A size that is computed from others: compared by its terms, so that `n + n` is `2 * n`."""

    terms: Terms

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Arithmetic) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(self.terms)


@dataclass(frozen=True)
class Dim:
    """The size of one axis of an array about which nothing more is known."""

    array: ir.Value
    axis: int


@dataclass(frozen=True, eq=False)
class Computed(Arithmetic):
    """A size computed by pure index arithmetic; `model` is an operation to copy where the size is wanted."""

    name: str
    operands: tuple[Size, ...]
    attributes: tuple[ir.Type | ir.Attribute, ...]
    model: ir.Value
    terms: Terms = field(init=False, repr=False)
    length: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        linear = _linear(self.name, self.operands)
        itself = (self.name, self.operands, self.attributes)
        object.__setattr__(self, "terms", frozenset({(itself, 1)}) if linear is None else linear)
        object.__setattr__(self, "length", 1 + sum(map(length, self.operands)))


@dataclass(frozen=True, eq=False)
class Total(Arithmetic):
    """A sum of sizes, as concatenation makes it."""

    parts: tuple[Size, ...]
    terms: Terms = field(init=False, repr=False)
    length: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "terms", _summed((part, 1) for part in self.parts))
        object.__setattr__(self, "length", 1 + sum(map(length, self.parts)))


Size: TypeAlias = int | ir.Value | Dim | Computed | Total


def length(size: Size) -> int:
    """The number of sizes that an expression is written with."""
    return size.length if isinstance(size, (Computed, Total)) else 1


def plain(size: Computed | Total) -> Size:
    """The number, axis or value that is left when everything else in a size cancels; otherwise the size."""
    if not size.terms:
        return 0
    if len(size.terms) > 1:
        return size
    ((what, times),) = size.terms
    if isinstance(what, (Dim, ir.Value)):
        return what if times == 1 else size
    return times if what == ONE else size


def _linear(name: str, operands: tuple[Size, ...]) -> Terms | None:
    """The terms of a sum, a difference or the multiple of a size; nothing for other arithmetic."""
    if name in SIGNS:
        left, right = operands
        return _summed(((left, 1), (right, SIGNS[name])))
    if name == "arith.muli":
        left, right = operands
        for size, times in ((left, right), (right, left)):
            if isinstance(times, int):
                return _summed(((size, times),))
    return None


def _summed(parts: Iterator[tuple[Size, int]] | tuple[tuple[Size, int], ...]) -> Terms:
    counts: dict[Any, int] = {}
    for size, times in parts:
        for what, count in _terms(size):
            counts[what] = counts.get(what, 0) + times * count
    return frozenset((what, count) for what, count in counts.items() if count)


def _terms(size: Size) -> Terms:
    if isinstance(size, Arithmetic):
        return size.terms
    return frozenset({(ONE, size)} if isinstance(size, int) else {(size, 1)})
