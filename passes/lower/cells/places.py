"""Where loads and stores of a loop are, as numbers: which touch one cell, and which that of the iteration before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tapeless._mlir import ir, llvm
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.vectorise.walking import body_of, indices_of, is_made_in

Terms = frozenset[tuple[ir.Value, int]]
SIGNS = {"arith.addi": 1, "arith.subi": -1}
VIEWS = ("memref.subview", "memref.cast", "memref.reinterpret_cast", "memref.expand_shape", "memref.collapse_shape")
ALLOCATIONS = ("memref.alloc", "memref.alloca")
DESCRIPTORS = ("builtin.unrealized_conversion_cast", "llvm.insertvalue")


class Cell(NamedTuple):
    """Where an access is in an iteration: a number along the axis that the loop moves on, numbers along the others."""

    place: int
    others: tuple[int, ...]


class Places(NamedTuple):
    """The cells of the accesses to an array, and how far the loop moves on with every iteration: 1 or -1."""

    cells: dict[ir.Operation, Cell]
    direction: int

    def later(self, cell: Cell) -> Cell:
        """The index of this cell in the next iteration."""
        return cell._replace(place=cell.place - self.direction)


def places_of(accesses: Sequence[ir.Operation], loop: ir.Operation) -> Places | None:
    """The cells that accesses to one array touch, if they differ by constants and one axis moves with the loop."""
    variable = body_of(loop).arguments[0]
    sums = [[_sum(index) for index in indices_of(access)] for access in accesses]
    terms, *others = {tuple(each for each, _ in axes) for axes in sums}
    if others or any(is_made_in(value, loop) for axis in terms for value, _ in axis if value != variable):
        return None
    moves = [dict(axis).get(variable, 0) for axis in terms]
    if sorted(map(abs, moves)) != [0] * (len(moves) - 1) + [1]:
        return None
    moving = next(axis for axis, by in enumerate(moves) if by)
    numbers = [[number for _, number in axes] for axes in sums]
    cells = [Cell(each[moving], tuple(each[:moving] + each[moving + 1 :])) for each in numbers]
    return Places(dict(zip(accesses, cells, strict=True)), moves[moving])


def _sum(index: ir.Value) -> tuple[Terms, int]:
    """An index as a sum of multiples of values and a constant."""
    found: Counter[ir.Value] = Counter()
    constant = 0
    left = [(index, 1)]
    while left:
        value, sign = left.pop()
        number = constant_int(value)
        if number is not None:
            constant += sign * number
        elif not isinstance(value, ir.BlockArgument) and value.owner.name in SIGNS:
            first, second = value.owner.operands
            left += [(first, sign), (second, sign * SIGNS[value.owner.name])]
        else:
            found[value] += sign
    return frozenset((value, times) for value, times in found.items() if times), constant


def buffer_behind(memory: ir.Value) -> ir.Value | None:
    """The allocation or the argument of a kernel that memory is part of; None where it may be part of several."""
    while not isinstance(memory, ir.BlockArgument) and memory.owner.name in VIEWS:
        memory = memory.owner.operands[0]
    if isinstance(memory, ir.BlockArgument):
        holder = memory.owner.owner.operation
        return memory if holder.name == "func.func" and "tapeless.abi" in holder.attributes else None
    return memory if memory.owner.name in ALLOCATIONS else None


def argument_of_part(memory: ir.Value) -> ir.Value | None:
    """The pointer that the function of a part takes and makes memory of, if it overlaps no other that is written."""
    while not isinstance(memory, ir.BlockArgument) and memory.owner.name in DESCRIPTORS:
        is_pointer = memory.owner.name == "llvm.insertvalue" and isinstance(
            memory.owner.operands[1].type, llvm.PointerType
        )
        memory = memory.owner.operands[1 if is_pointer else 0]
    if not isinstance(memory, ir.BlockArgument) or memory.owner.owner.operation.name != "func.func":
        return None
    attributes = memory.owner.owner.operation.attributes
    facts = attributes["arg_attrs"][memory.arg_number] if "arg_attrs" in attributes else {}
    return memory if "llvm.noalias" in facts else None
