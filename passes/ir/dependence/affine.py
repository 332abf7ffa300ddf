"""Integers as affine sums: a constant, and variables each so many times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.places.indices import keeps_value
from tapeless.passes.ir.sizes.sizes import constant_int

DEEPEST = 16  # so many sums of sums are opened, and what is deeper is a variable
LARGEST = 1 << 11
"""Factors up to it are opened: with steps up to it, no loop is long enough for a difference of indices to wrap."""
SIGNS = {"arith.addi": 1, "arith.subi": -1}


@dataclass(frozen=True)
class Affine:
    """A sum; variables that cancel are not in it."""

    constant: int = 0
    terms: Mapping[Any, int] = field(default_factory=dict)

    def plus(self, other: Affine, times: int = 1) -> Affine:
        """This sum and another one, so many times."""
        terms = dict(self.terms)
        for variable, count in other.terms.items():
            terms[variable] = terms.get(variable, 0) + times * count
        return Affine(self.constant + times * other.constant, {v: n for v, n in terms.items() if n})

    def times(self, factor: int) -> Affine:
        """This sum so many times."""
        return Affine().plus(self, factor)

    def without(self, variable: Any) -> Affine:
        """The rest of the sum."""
        return Affine(self.constant, {v: n for v, n in self.terms.items() if v != variable})


Naming = Callable[[ir.Value], Affine]


def affine(extent: ir.Value | int, naming: Naming, depth: int = DEEPEST) -> Affine:
    """An integer as an affine sum; `naming` gives the symbol of a value that is no sum of others."""
    if isinstance(extent, int):
        return Affine(extent)
    if (known := constant_int(extent)) is not None:
        return Affine(known)
    if isinstance(extent, ir.BlockArgument):
        counter = _as_counter(extent) if depth else None
        return naming(extent) if counter is None else counter.value(naming, depth - 1)
    op = extent.owner
    if depth and keeps_value(op.operation.name, extent.type):
        return affine(op.operands[0], naming, depth - 1)
    if depth and op.operation.name in SIGNS:
        left, right = (affine(operand, naming, depth - 1) for operand in op.operands)
        return left.plus(right, SIGNS[op.operation.name])
    if depth and op.operation.name == "arith.muli" and (factored := _factored(op)) is not None:
        value, factor = factored
        return affine(value, naming, depth - 1).times(factor)
    return naming(extent)


def _factored(op: ir.OpView) -> tuple[ir.Value, int] | None:
    """A value and the number that it is multiplied with."""
    for value, other in (tuple(op.operands), tuple(op.operands)[::-1]):
        factor = constant_int(other)
        if factor is not None and abs(factor) <= LARGEST:
            return value, factor
    return None


@dataclass(frozen=True)
class Counter:
    """A carried integer to which every iteration adds the same number."""

    loop: ir.OpView
    start: ir.Value
    added: int

    def value(self, naming: Naming, depth: int) -> Affine:
        """The value of the sum, as a function of the iteration number."""
        passed = naming(self.loop.regions[0].blocks[0].arguments[0]).plus(
            affine(self.loop.operands[0], naming, depth), -1
        )
        return affine(self.start, naming, depth).plus(passed, self.added)


def _as_counter(argument: ir.BlockArgument) -> Counter | None:
    loop = argument.owner.owner
    if loop.operation.name != "scf.for" or argument.arg_number == 0 or constant_int(loop.operands[2]) != 1:
        return None
    yielded = list(argument.owner.operations)[-1].operands[argument.arg_number - 1]
    if isinstance(yielded, ir.BlockArgument) or yielded.owner.operation.name not in SIGNS:
        return None
    sign, (value, other) = SIGNS[yielded.owner.operation.name], yielded.owner.operands
    added = constant_int(other)
    if value != argument or added is None or abs(added) > LARGEST:
        return None
    return Counter(loop, loop.operands[2 + argument.arg_number], sign * added)
