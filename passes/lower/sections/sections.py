"""The pass `lower-outline-sections`: long functions cut into short ones."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

from tapeless._mlir import func, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.sections.outline import Uses, is_repeated, moved_along, outline

# What makes memory of its own.
ALLOCATIONS = frozenset({"memref.alloc", "memref.alloca"})

# What operations call their fast-math flags; `lower-fma` makes operations of the second kind.
FLAGS = ("fastmath", "fastmathFlags")


@dataclass(frozen=True)
class Sections:
    """Outlines sections of long functions into functions of their own.

    ```mlir
    func.func @f(%x: memref<?xf64>) {               func.func private @f_section0(%x: memref<?xf64>) {
      ...many loops and branches...                   ...some of them...
                                                    }
                                                    func.func @f(%x: memref<?xf64>) {
                                                      call @f_section0(%x)
    ```
    LLVM's passes over loops and branches look at the whole function for each of them, so that functions of many take
    a time that grows faster than they do. Functions with more than `most` loops and branches are cut into sections
    of about `length` of them, those in nests first. Sums whose order LLVM chooses, by what is around them, stay.
    """

    name: ClassVar[str] = "lower-outline-sections"
    most: int = 128
    length: int = 32

    def run(self, module: ir.Module) -> None:
        """Cuts every long function."""
        for function in [op for op in module.body if op.operation.name == "func.func" and not op.is_external]:
            if not _is_part(function) and _branchings(function) > self.most:
                Cut(function, self.length).below(function.operation)


def _is_part(function: func.FuncOp) -> bool:
    """Whether a function is a part, whose sums LLVM orders by what is in it."""
    return "llvm.linkage" in function.attributes


def _branchings(function: func.FuncOp) -> int:
    """How many loops and branches a function has."""
    count = 0

    def visit(op: ir.Operation) -> ir.WalkResult:
        nonlocal count
        count += len(op.regions) > 0
        return ir.WalkResult.ADVANCE

    function.operation.walk(visit)
    return count


@dataclass(frozen=True)
class Stock:
    """What some code has of loops, branches and calls of sections, and whether LLVM chooses the order of sums in it."""

    branchings: int = 0
    has_sums: bool = False

    def with_(self, other: Stock) -> Stock:
        """Both together."""
        return Stock(self.branchings + other.branchings, self.has_sums or other.has_sums)


@dataclass
class Cut:
    """The cutting of one function: how many sections it has so far, and which of their results are fresh memory."""

    function: func.FuncOp
    length: int
    made: int = 0
    fresh: set[ir.Value] = field(default_factory=set)
    free: dict[ir.Attribute, bool] = field(default_factory=dict)

    def below(self, op: ir.Operation) -> Stock:
        """Cuts what is in an operation; what is left of it."""
        stock = Stock(len(op.regions) > 0, self._is_free(op))
        for region in op.regions:
            for block in region.blocks:
                stock = stock.with_(self._block(block))
        return stock

    def _block(self, block: ir.Block) -> Stock:
        """Moves stretches of a block that are long enough; the rest stays, and may go with what is around it."""
        left, here = Stock(), Stock()
        stretch: list[ir.Operation] = []
        for op in [each.operation for each in block.operations][:-1]:
            stock = self.below(op)
            if stock.has_sums:
                left, here, stretch = left.with_(here).with_(stock), Stock(), []
                continue
            here = here.with_(stock)
            stretch.append(op)
            if here.branchings >= self.length:
                self._move(stretch)
                left, here, stretch = left.with_(Stock(1)), Stock(), []
        return left.with_(here)

    def _is_free(self, op: ir.Operation) -> bool:
        """Whether an operation is part of a sum whose order LLVM chooses."""
        flags = next((op.attributes[name] for name in FLAGS if name in op.attributes), None)
        if flags is None:
            return False
        if flags not in self.free:
            names = str(flags).partition("<")[2].rstrip(">").replace(" ", "").split(",")
            self.free[flags] = "reassoc" in names or "fast" in names
        return self.free[flags]

    def _move(self, stretch: list[ir.Operation]) -> None:
        """Makes a function of a stretch."""
        moved = moved_along(stretch)
        uses = Uses.of(moved)
        given = uses.given(moved)
        apart = all(map(self._is_apart, uses.taken()))
        call = outline(self.function, moved, uses, f"{self.function.name.value}_section{self.made}", apart=apart)
        self.fresh.update(
            result for value, result in zip(given, call.results, strict=True) if self._is_allocation(value)
        )
        self.made += 1

    def _is_apart(self, value: ir.Value) -> bool:
        """Whether a value is no array, or a whole one in memory that no other array has a part of."""
        if not isinstance(value.type, ir.MemRefType) or is_repeated(value):
            return True
        if isinstance(value, ir.BlockArgument):
            return value.owner == self.function.entry_block
        return self._is_allocation(value) or value in self.fresh

    def _is_allocation(self, value: ir.Value) -> bool:
        if isinstance(value, ir.BlockArgument):
            return False
        return value.owner.operation.name in ALLOCATIONS
