"""Two variants of an operation, of which the host takes one by sizes that it knows before."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir import build
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.sizes.expressions import Size
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of
from tapeless.passes.ir.sizes.sizes import as_value, can_write, write
from tapeless.passes.marks import VARIANTS
from tapeless.passes.soac.spread.sums.owners import Equal

LONGEST = 1 << 30


@dataclass
class Choice:
    """A `scf.if` whose branches are a copy of an operation, to be changed, and the operation itself."""

    branch: ir.OpView

    @staticmethod
    def around(op: ir.OpView) -> Choice:
        """Puts the operation into the second branch."""
        with op.location, ir.InsertionPoint(op):
            always = arith.ConstantOp(ir.IntegerType.get_signless(1), 1).result
            branch = scf.IfOp(always, [result.type for result in op.results], has_else=True)
        branch.operation.attributes[VARIANTS] = ir.UnitAttr.get(op.context)
        for old, new in zip(op.results, branch.results, strict=True):
            old.replace_all_uses_with(new)
        with op.location, ir.InsertionPoint(branch.then_block):
            scf.YieldOp(op.operation.clone().results)
        with op.location, ir.InsertionPoint(branch.else_block):
            end = scf.YieldOp(op.results)
        op.operation.move_before(end.operation)
        return Choice(branch)

    @property
    def changed(self) -> ir.Block:
        """The new form of the copy."""
        block: ir.Block = self.branch.regions[0].blocks[0]
        return block

    def undo(self) -> None:
        """Leaves the operation as it was."""
        *original, end = list(self.branch.regions[1].blocks[0].operations)
        for op in original:
            op.operation.move_before(self.branch.operation)
        replace_op(self.branch, list(end.operands))

    def decide(
        self, limits: Limits, width: ir.Value | None, arrays: Sequence[ir.Value], equal: Sequence[Equal]
    ) -> bool:
        """Writes the condition for the copy; says whether all it depends on is known before."""
        at = ir.InsertionPoint(self.branch)
        needed: list[Size] = [size_of(array, axis) for array in arrays for axis in range(array.type.rank)]
        pairs = [[scalar_size(size) if isinstance(size, ir.Value) else size for size in pair] for pair in equal]
        needed += [size for pair in pairs for size in pair]
        outer = [] if width is None else [scalar_size(width)]
        if not all(can_write(size, at) for size in [*needed, *outer]):
            return False
        with self.branch.location, at:
            kept = [_bytes(array, limits.most + 1, at) for array in arrays]
            wanted = limits.hold(None if width is None else value_of(scalar_size(width), at), kept)
            for left, right in pairs:
                same = arith.cmpi(arith.CmpIPredicate.eq, value_of(left, at), value_of(right, at))
                wanted = arith.andi(wanted, same)
        self.branch.operation.operands[0] = wanted
        return True


@dataclass(frozen=True)
class Limits:
    """How much memory may be kept between stages, and how many outer iterations are enough as they are."""

    least: int
    most: int
    enough: int | None
    # Whether an iteration takes longer than the launches of stages, however little they keep.
    is_long: ir.Value | None = None

    def hold(self, width: ir.Value | None, kept: Sequence[ir.Value]) -> ir.Value:
        """Whether the limits hold for an outer width, if that matters, and so many bytes."""
        total = build.index(0)
        for each in kept:
            total = arith.addi(total, each)
        wanted = arith.cmpi(arith.CmpIPredicate.sle, total, build.index(self.most))
        tests = [arith.cmpi(arith.CmpIPredicate.sge, total, build.index(self.least))]
        if self.is_long is not None:
            tests[0] = arith.ori(tests[0], self.is_long)
        if self.enough is not None and width is not None:
            tests.append(arith.cmpi(arith.CmpIPredicate.slt, width, build.index(self.enough)))
        for test in tests:
            wanted = arith.andi(wanted, test)
        return wanted


def value_of(size: Size, at: ir.InsertionPoint) -> ir.Value:
    """A size as a value."""
    return as_value(write(size, at), at)


def _bytes(array: ir.Value, most: int, at: ir.InsertionPoint) -> ir.Value:
    """How much memory an array takes, or `most` if it is more; no product on the way is larger than an integer."""
    element = array.type.element_type
    limit = build.index(most)
    total = build.index(8 if isinstance(element, ir.IndexType) else max(element.width // 8, 1))
    for axis in range(array.type.rank):
        size = arith.minsi(value_of(size_of(array, axis), at), build.index(LONGEST))
        total = arith.minsi(arith.muli(total, size), limit)
    return total
