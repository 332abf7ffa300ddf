"""Accesses of a loop to an array that it carries: reads and writes with their subscripts, in program order."""

from __future__ import annotations

from dataclasses import field

from tapeless._mlir import ir
from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.dependence.conditions import Known, conditions_around
from tapeless.passes.ir.places.places import is_read, is_write
from tapeless.passes.ir.regions.structure import arguments_of, operands_of
from tapeless.passes.ir.scopes import terminator

Carried = tuple[ir.OpView, int]
SIZES = "tensor.dim"


@dataclass(frozen=True)
class Access:
    """A read or a write, and the loops around it, the outermost first."""

    op: ir.OpView
    loops: tuple[ir.OpView, ...]
    is_write: bool

    @computed_once
    def known(self) -> Known:
        """The conditions that hold there, or do not."""
        return conditions_around(self.op)


@dataclass
class Accesses:
    """All reads and writes of an array that a loop carries, as far as every one is of the latest version.

    `carried` are the loops that carry it, the outermost first, with the position of the array.
    """

    found: list[Access] = field(default_factory=list)
    carried: list[Carried] = field(default_factory=list)
    versions: set[ir.Value] = field(default_factory=set)

    @staticmethod
    def of(loop: ir.OpView, position: int) -> Accesses | None:
        """Those of a carried array; nothing where it is used in another way, or lives beside a later version."""
        accesses = Accesses()
        return accesses if accesses._follow_loop(loop, position, ()) else None

    def _follow_loop(self, loop: ir.OpView, position: int, around: tuple[ir.OpView, ...]) -> bool:
        """Whether each iteration leaves the latest version at the same position, and nowhere else."""
        self.carried.append((loop, position))
        block, argument = loop.regions[0].blocks[0], arguments_of(loop, "carried")[position]
        self.versions.add(argument)
        last = self._follow(block, argument, (*around, loop))
        return last is not None and self._are_ends(block, position, last)

    def _are_ends(self, block: ir.Block, position: int, last: ir.Value) -> bool:
        yielded = list(terminator(block).operands)
        return yielded[position] == last and not any(
            value in self.versions for k, value in enumerate(yielded) if k != position
        )

    def _follow(self, block: ir.Block, latest: ir.Value, loops: tuple[ir.OpView, ...]) -> ir.Value | None:
        """The version that a block ends with."""
        for op in list(block.operations)[:-1]:
            following = self._after(op, latest, loops)
            if following is None:
                return None
            latest = following
        return latest

    def _after(self, op: ir.OpView, latest: ir.Value, loops: tuple[ir.OpView, ...]) -> ir.Value | None:
        """The version after a statement."""
        used = [k for k, operand in enumerate(op.operands) if operand in self.versions]
        name = op.operation.name
        if name == SIZES:
            return latest
        if any(op.operands[k] != latest for k in used) or len(used) > 1:
            return None
        if used and is_read(op):
            self.found.append(Access(op, loops, is_write=False))
            return latest
        if used and is_write(op) and used == [1]:
            self.found.append(Access(op, loops, is_write=True))
            return self._version(op.results[0])
        if name == "scf.for" and used:
            initial = operands_of(op, "carried")
            position = next((k for k, value in enumerate(initial) if value == latest), None)
            if position is None or not self._follow_loop(op, position, loops):
                return None
            return self._version(op.results[position])
        if used:
            return None
        if name == "scf.if":
            return self._after_branch(op, latest, loops)
        inner = (*loops, op) if name == "scf.for" else loops
        return latest if all(self._only_reads(block, latest, inner) for block in _blocks(op)) else None

    def _after_branch(self, op: ir.OpView, latest: ir.Value, loops: tuple[ir.OpView, ...]) -> ir.Value | None:
        """The version after a branch: the result at the one position where both sides yield their latest."""
        ends = [(block, self._follow(block, latest, loops)) for block in _blocks(op)]
        if any(end is None for _, end in ends):
            return None
        positions = {
            k for block, _ in ends for k, value in enumerate(terminator(block).operands) if value in self.versions
        }
        if not positions:
            return latest if all(end == latest for _, end in ends) else None
        if len(positions) > 1 or len(ends) != 2:
            return None
        position = positions.pop()
        if not all(end is not None and self._are_ends(block, position, end) for block, end in ends):
            return None
        return self._version(op.results[position])

    def _only_reads(self, block: ir.Block, latest: ir.Value, loops: tuple[ir.OpView, ...]) -> bool:
        """Whether a block leaves the array as it is, and gives no version of it away."""
        last = self._follow(block, latest, loops)
        if last is None or last != latest:
            return False
        return not any(value in self.versions for value in list(block.operations)[-1].operands)

    def _version(self, value: ir.Value) -> ir.Value:
        self.versions.add(value)
        return value


def _blocks(op: ir.OpView) -> list[ir.Block]:
    return [block for region in op.regions for block in region.blocks]
