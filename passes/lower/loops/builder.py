"""Emits operations at the place where they belong: here, or hoisted out of loops that do not change their operands.

Note [Levels]: code is emitted region by region; the regions being filled form a stack of frames. The level of a value
is the depth of the outermost frame in which it is available. A pure operation goes to the deepest of its operands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import TypeAlias

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.sizes import sizes
from tapeless.passes.marks import ACCUMULATING, PARALLEL, REDUCING, WALKS

Index: TypeAlias = int | ir.Value

FOLDS: dict[str, Callable[[int, int], int]] = {
    **sizes.FOLDS,
    "arith.divui": lambda a, b: a // b,
    "arith.remui": lambda a, b: a % b,
}
LEFT_NEUTRAL = {"arith.addi": 0, "arith.muli": 1}
RIGHT_NEUTRAL = {**sizes.IDENTITIES, "arith.divui": 1}


@dataclass(eq=False)
class Frame:
    """A region that is being filled; `anchor` is the operation that holds it."""

    block: ir.Block
    anchor: ir.Operation | None
    is_branch: bool = False
    is_private: bool = False
    keeps_memory: bool = False
    memo: dict[tuple, ir.Value] = field(default_factory=dict)
    demanded: list[ir.Value] = field(default_factory=list)
    buffers: list = field(default_factory=list)


@dataclass(frozen=True)
class Loop:
    """An `scf.for` being filled: its variable and carried values."""

    op: ir.Operation
    variable: ir.Value
    carried: list[ir.Value]


class Builder:
    """Creates operations in a new function."""

    def __init__(self, entry: ir.Block) -> None:
        self.frames = [Frame(entry, None)]
        self.levels: dict[ir.Value, int] = {}
        self.constants: dict[tuple[ir.Type, ir.Attribute], ir.Value] = {}
        self.index = ir.IndexType.get()
        self.location = ir.Location.unknown()
        self.unit = ir.UnitAttr.get()
        self.has_launches = False

    @property
    def depth(self) -> int:
        return len(self.frames) - 1

    @property
    def nest(self) -> ir.Operation | None:
        """The outermost loop of independent iterations that is being filled, else the outermost region at all."""
        anchors = [frame.anchor for frame in self.frames if frame.anchor is not None]
        marked = [op for op in anchors if PARALLEL in op.attributes or ACCUMULATING in op.attributes]
        return next(iter([*marked, *anchors]), None)

    def level(self, value: Index) -> int:
        return 0 if isinstance(value, int) else self.levels.get(value, 0)

    def place(self, level: int) -> ir.InsertionPoint:
        """The insertion point of a level: the end of the current block, or in front of the next inner operation."""
        if level == self.depth:
            return ir.InsertionPoint(self.frames[level].block)
        return ir.InsertionPoint(self.frames[level + 1].anchor)

    @contextmanager
    def here(self) -> Iterator[None]:
        """Operations that are created in other ways, and whose results nobody else uses, go to the current place."""
        with self.location, self.place(self.depth):
            yield

    def create(
        self,
        name: str,
        types: Sequence[ir.Type],
        operands: Sequence[ir.Value],
        attributes: dict[str, ir.Attribute] | None = None,
        regions: int = 0,
        level: int | None = None,
    ) -> ir.Operation:
        """Creates an operation at a level (the current one unless given)."""
        level = self.depth if level is None else level
        op = ir.Operation.create(
            name, types, operands, attributes, regions=regions, loc=self.location, ip=self.place(level)
        )
        for result in op.results:
            self.levels[result] = level
        return op

    def value(self, name: str, type_: ir.Type, operands: Sequence[ir.Value], **attributes: ir.Attribute) -> ir.Value:
        """The single result of an operation created here."""
        return self.create(name, [type_], operands, attributes).results[0]

    def pure_level(self, operands: Sequence[ir.Value], *, leaves_branches: bool = True) -> int:
        """The outermost level at which an operation on these operands can run."""
        level = max((self.levels.get(value, 0) for value in operands), default=0)
        if not leaves_branches:
            for depth in range(self.depth, level, -1):
                if self.frames[depth].is_branch:
                    return depth
        return level

    def memory_level(self) -> int:
        """The outermost level at which memory for what is computed here may be allocated."""
        return next((depth for depth in range(self.depth, 0, -1) if self.frames[depth].keeps_memory), 0)

    def constant(self, type_: ir.Type, attribute: ir.Attribute) -> ir.Value:
        """A constant at the entry of the function, shared by all uses."""
        key = (type_, attribute)
        if key not in self.constants:
            at = ir.InsertionPoint.at_block_begin(self.frames[0].block)
            op = ir.Operation.create("arith.constant", [type_], [], {"value": attribute}, loc=self.location, ip=at)
            self.constants[key] = op.results[0]
        return self.constants[key]

    def as_value(self, index: Index) -> ir.Value:
        """An index as an SSA value."""
        if isinstance(index, int):
            return self.constant(self.index, ir.IntegerAttr.get(self.index, index))
        return index

    def arith(self, name: str, left: Index, right: Index) -> Index:
        """Index arithmetic, folded, hoisted and shared."""
        if isinstance(left, int) and isinstance(right, int):
            return FOLDS[name](left, right)
        if isinstance(right, int) and RIGHT_NEUTRAL.get(name) == right:
            return left
        if isinstance(left, int) and LEFT_NEUTRAL.get(name) == left:
            return right
        if name == "arith.muli" and (left == 0 or right == 0):
            return 0
        operands = [self.as_value(left), self.as_value(right)]
        level = self.pure_level(operands)
        key = (name, *operands)
        memo = self.frames[level].memo
        if key not in memo:
            memo[key] = self.create(name, [self.index], operands, level=level).results[0]
        return memo[key]

    def add(self, left: Index, right: Index) -> Index:
        return self.arith("arith.addi", left, right)

    def sub(self, left: Index, right: Index) -> Index:
        return self.arith("arith.subi", left, right)

    def mul(self, left: Index, right: Index) -> Index:
        return self.arith("arith.muli", left, right)

    def load(self, base: ir.Value, indices: Sequence[Index], walked: Sequence[int] = ()) -> ir.Value:
        """Reads an element; in a branch, the operation says along which axes an operator walks."""
        element = ir.MemRefType(base.type).element_type
        read = self.value("memref.load", element, [base, *(self.as_value(index) for index in indices)])
        if walked and self._is_in_branch():
            read.owner.attributes[WALKS] = ir.DenseI64ArrayAttr.get(list(walked))
        return read

    def _is_in_branch(self) -> bool:
        """Whether code is emitted in a branch; of a loop that will be a part of its own, in one within it."""
        for frame in reversed(self.frames):
            if frame.is_branch or frame.is_private:
                return frame.is_branch
        return False

    def store(self, value: ir.Value, base: ir.Value, indices: Sequence[Index]) -> None:
        self.create("memref.store", [], [value, base, *(self.as_value(index) for index in indices)])

    def push(
        self, op: ir.Operation, region: int, types: Sequence[ir.Type], is_branch: bool = False, is_private: bool = False
    ) -> list[ir.Value]:
        """Starts filling a region; returns its block arguments."""
        block = op.regions[region].blocks.append(*types, arg_locs=[self.location] * len(types))
        self.frames.append(Frame(block, op, is_branch, is_private))
        arguments = list(block.arguments)
        for argument in arguments:
            self.levels[argument] = self.depth
        return arguments

    def pop(self) -> Frame:
        """Ends the current region, whose terminator has been created."""
        return self.frames.pop()

    def begin_for(
        self,
        low: Index,
        high: Index,
        step: Index = 1,
        starts: Sequence[ir.Value] = (),
        parallel: bool = False,
        accumulating: bool = False,
        reducing: bool = False,
        private: bool = False,
    ) -> Loop:
        """Starts a counted loop.

        `parallel` iterations are independent, `accumulating` ones but for sums into memory, `reducing` ones but for
        carried numbers; `private` loops share no buffer with others.
        """
        operands = [self.as_value(low), self.as_value(high), self.as_value(step), *starts]
        types = [start.type for start in starts]
        mark = PARALLEL if parallel else ACCUMULATING if accumulating else REDUCING if reducing else None
        op = self.create("scf.for", types, operands, {mark: self.unit} if mark else None, regions=1)
        variable, *carried = self.push(op, 0, [self.index, *types], is_private=private)
        return Loop(op, variable, carried)

    @property
    def is_private(self) -> bool:
        """Whether a loop that shares no buffers with others is being filled."""
        return any(frame.is_private for frame in self.frames)

    def yield_values(self, values: Sequence[ir.Value] = ()) -> None:
        self.create("scf.yield", [], values)
