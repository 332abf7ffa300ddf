"""The expression language of sizes of array axes."""

from __future__ import annotations

from dataclasses import field
from typing import Any, TypeAlias

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass

# What a size is the sum of, each with how often.
Terms: TypeAlias = frozenset[tuple[Any, int]]
LONGEST = 100  # sizes written with more are left as the values that compute them


@dataclass(frozen=True)
class Dim:
    """The size of one axis of an array about which nothing more is known."""

    array: ir.Value
    axis: int


class Arithmetic:
    """A size that is computed from others: compared by its terms, so that `n + n` is `2 * n`."""

    terms: Terms

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Arithmetic) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(self.terms)


@dataclass(frozen=True, eq=False)
class Computed(Arithmetic):
    """A size computed by pure index arithmetic; `model` is an operation to copy where the size is wanted."""

    name: str
    operands: tuple[Size, ...]
    attributes: tuple[ir.Type | ir.Attribute, ...]
    model: ir.Value
    terms: Terms = field(repr=False)
    length: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", 1 + sum(map(length, self.operands)))


@dataclass(frozen=True, eq=False)
class Total(Arithmetic):
    """A sum of sizes, each so many times, as concatenation makes it."""

    parts: tuple[tuple[Size, int], ...]
    terms: Terms = field(repr=False)
    length: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", 1 + sum(length(part) for part, _ in self.parts))


Size: TypeAlias = int | ir.Value | Dim | Computed | Total


def length(size: Size) -> int:
    """The number of sizes that an expression is written with."""
    return size.length if isinstance(size, (Computed, Total)) else 1
