"""Carried arrays of which each iteration of a loop reads and writes its own part, that no other iteration touches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.regions import terminator
from tapeless.passes.soac.parallelise.parts import READS, WRITES, Parts, own_index


@dataclass
class Versions:
    """The values that a carried array takes within an iteration, and the operations that read and write them."""

    loop: ir.OpView
    number: int
    values: set[ir.Value] = field(default_factory=set)
    accesses: list[ir.OpView] = field(default_factory=list)
    _joined: list[ir.Value] = field(default_factory=list)

    def are_all(self) -> bool:
        """Whether versions are only read and written at places, and nothing else takes their way."""
        self._joined.append(terminator(self.loop.regions[0]).operands[self.number])
        pending = [self.loop.regions[0].blocks[0].arguments[1 + self.number]]
        while pending:
            value = pending.pop()
            if value in self.values:
                continue
            self.values.add(value)
            for use in value.uses:
                next_values = self._after(use.owner.opview, use.operand_number)
                if next_values is None:
                    return False
                pending += next_values
        return all(value in self.values for value in self._joined)

    def _after(self, op: ir.OpView, operand: int) -> list[ir.Value] | None:
        """The versions that a use leads to; nothing where it is of another kind."""
        name = op.operation.name
        if name in READS and operand == 0:
            self.accesses.append(op)
            return []
        if name in WRITES and operand == 1:
            self.accesses.append(op)
            return [op.results[0]]
        if name == "scf.for" and operand >= 3:
            return self._through(op, operand - 3)
        if name != "scf.yield":
            return None
        around = op.operation.parent.opview
        if around.operation == self.loop.operation:
            return [] if operand == self.number else None
        return self._through(around, operand)

    def _through(self, op: ir.OpView, number: int) -> list[ir.Value] | None:
        """The versions inside and after a branch or loop; all that may become one of them has to be one."""
        self._joined += [terminator(region).operands[number] for region in op.regions if len(region.blocks)]
        if op.operation.name == "scf.for":
            self._joined.append(op.operands[3 + number])
            return [op.regions[0].blocks[0].arguments[1 + number], op.results[number]]
        return [op.results[number]] if op.operation.name == "scf.if" else None


@dataclass(frozen=True)
class Slab:
    """A carried array, the operations of the body on it, and the parts to which they keep.

    What `before` reads is as it was before the loop.
    """

    versions: Versions
    parts: Parts
    before: tuple[ir.OpView, ...] = ()

    @staticmethod
    def of(loop: ir.OpView, number: int) -> Slab | None:
        """The slab of a carried array, if iterations keep to their own."""
        start = loop.operands[3 + number]
        if not isinstance(start.type, ir.RankedTensorType):
            return None
        versions = Versions(loop, number)
        if not versions.are_all() or not any(op.operation.name in WRITES for op in versions.accesses):
            return None
        parts = Parts.of(start, versions.accesses, loop)
        return _read_before(versions, start) if parts is None else Slab(versions, parts)

    def narrow(self) -> None:
        """Makes the body work on parts, whose types all versions take."""
        for read in self.before:
            read.operation.operands[0] = self.versions.loop.operands[3 + self.versions.number]
        for value in self.versions.values:
            if isinstance(value, ir.BlockArgument) or value.owner.operation.name not in WRITES:
                value.set_type(self.parts.row)
        for op in self.versions.accesses:
            with ir.InsertionPoint(op), op.location:
                part = op.operands[1 if op.operation.name in WRITES else 0]
                op.results[0].replace_all_uses_with(self.parts.access(op, part))
            op.operation.erase()


def _read_before(versions: Versions, start: ir.Value) -> Slab | None:
    """The slab of an array of which iterations read elsewhere than they write, but at their own index of one axis.

    ```mlir
    %x = tensor.extract %a[%p, %k]                  // %k counts the iterations: others write nowhere in this column,
    %b = tensor.insert %y into %a[%q, %k]           // so it is as it was before the loop
    ```
    """
    loop = versions.loop
    if not any(_are_own(versions.accesses, axis, loop) for axis in range(start.type.rank)):
        return None
    first = loop.regions[0].blocks[0].arguments[1 + versions.number]
    before = [op for op in versions.accesses if op.operation.name in READS and op.operands[0] == first]
    rest = [op for op in versions.accesses if op not in before]
    parts = Parts.of(start, rest, loop) if before else None
    return None if parts is None else Slab(replace(versions, accesses=rest), parts, tuple(before))


def _are_own(accesses: Sequence[ir.OpView], axis: int, loop: ir.OpView) -> bool:
    """Whether accesses keep to the index of their iteration along an axis."""
    found = {own_index(op, axis, loop) for op in accesses}
    return len(found) == 1 and None not in found
