"""Integers of a program as sums of atoms times constants.

An atom is an SSA value, a size, a loop's iteration, or one of these as another iteration sees it. Nothing here is
shared with the analysis that makes the plan.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeAlias

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.sizes.expressions import Computed, Size, Total
from tapeless.passes.ir.sizes.shapes import scalar_size
from tapeless.passes.lower.storage.tree import Node

Atom: TypeAlias = Hashable
CASTS = frozenset({"arith.index_cast", "arith.extsi"})
LINEAR = {"arith.addi": 1, "arith.subi": -1, "arith.muli": 0}
DEPTH = 8


@dataclass(frozen=True)
class Affine:
    """A constant and atoms with their factors."""

    constant: int
    terms: frozenset[tuple[Atom, int]] = frozenset()

    def plus(self, other: Affine, factor: int = 1) -> Affine:
        """This plus a multiple of another one."""
        terms = dict(self.terms)
        for atom, count in other.terms:
            terms[atom] = terms.get(atom, 0) + factor * count
        kept = frozenset((atom, count) for atom, count in terms.items() if count)
        return Affine(self.constant + factor * other.constant, kept)

    def moved(self, amount: int) -> Affine:
        return Affine(self.constant + amount, self.terms)

    def replaced(self, replace: Callable[[Atom], Affine]) -> Affine:
        """This with every atom replaced."""
        total = Affine(self.constant)
        for atom, count in self.terms:
            total = total.plus(replace(atom), count)
        return total


@dataclass(frozen=True)
class Distance:
    """How many iterations lie between two: at least one."""


@dataclass(frozen=True)
class Key:
    """The bin that an iteration of a histogram or a scatter writes: some number."""

    node: Node


@dataclass(frozen=True)
class Elsewhere:
    """An atom as it is in another iteration of a loop."""

    atom: Atom
    loop: Node


def single(atom: Atom) -> Affine:
    return Affine(0, frozenset({(atom, 1)}))


def affine(extent: Size, depth: int = DEPTH) -> Affine:
    """An offset, a size, or an index as an affine expression; arithmetic that lies too deep is an atom."""
    if isinstance(extent, int):
        return Affine(extent)
    if isinstance(extent, Total):
        return _sum(extent.parts, depth)
    if isinstance(extent, Computed):
        return _arithmetic(extent.name, extent.operands, extent.model.type, depth) or single(extent)
    if isinstance(extent, ir.Value) and not isinstance(extent, ir.BlockArgument):
        op = extent.owner
        found = _arithmetic(op.operation.name, op.operands, extent.type, depth)
        return found or _of_size(scalar_size(extent))
    return single(extent)


def _of_size(size: Size) -> Affine:
    return single(size) if isinstance(size, ir.Value) else affine(size)


def _sum(parts: Sequence[tuple[Size, int]], depth: int) -> Affine:
    total = Affine(0)
    for part, times in parts:
        total = total.plus(affine(part, depth), times)
    return total


def _arithmetic(name: str, operands: Sequence[Size], type_: ir.Type, depth: int) -> Affine | None:
    """The sum, difference or multiple that an operation computes; nothing for other operations."""
    if depth == 0:
        return None
    if name in CASTS and (isinstance(type_, ir.IndexType) or type_.width >= 64):
        return affine(operands[0], depth - 1)
    if name not in LINEAR:
        return None
    left, right = (affine(operand, depth - 1) for operand in operands)
    if name != "arith.muli":
        return left.plus(right, LINEAR[name])
    if left.terms and right.terms:
        return None
    return Affine(0).plus(right, left.constant) if not left.terms else Affine(0).plus(left, right.constant)
