"""Indices as a number, or as something plus a number; and elements of an array by such indices."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple, TypeAlias

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.sizes import constant_int


class Base(Enum):
    """The base from which a constant index is counted."""

    ZERO = "zero"


class Along(NamedTuple):
    """Where an element lies along an axis of the array that threads share."""

    axis: int


class Term(NamedTuple):
    """An index: its base and a number that is added."""

    base: ir.Value | Along | Base
    offset: int

    @property
    def is_number(self) -> bool:
        return self.base is Base.ZERO

    def shifted(self, by: int) -> Term:
        return Term(self.base, self.offset + by)

    def differs(self, other: Term) -> bool:
        """Whether two indices are never the same."""
        return self.base == other.base and self.offset != other.offset


Place: TypeAlias = tuple[Term, ...]
"""An element of an array, an index for each axis."""


def number(value: int) -> Term:
    """An index that is a number."""
    return Term(Base.ZERO, value)


def term_of(index: ir.Value, known: Mapping[ir.Value, Term]) -> Term:
    """An index as a term; `known` are variables that stand for others."""
    if index in known:
        return known[index]
    constant = constant_int(index)
    if constant is not None:
        return number(constant)
    if not isinstance(index, ir.BlockArgument):
        made = index.owner.operation
        if made.name in ("arith.addi", "arith.subi"):
            left, right = (term_of(operand, known) for operand in made.operands)
            if right.is_number:
                return left.shifted(right.offset if made.name == "arith.addi" else -right.offset)
            if left.is_number and made.name == "arith.addi":
                return right.shifted(left.offset)
    return Term(index, 0)
