"""`soac-loops-in-thread`: for GPUs, loops of the host around so little work that a thread is done before launches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir import build
from tapeless.passes.ir.rebuild import Values, copy_op, replace_op
from tapeless.passes.ir.rows import row_at
from tapeless.passes.ir.sizes.shapes import size_of
from tapeless.passes.ir.sizes.sizes import can_write
from tapeless.passes.ir.thread_costs import LOOPS, MOVES, OPERATORS, Cost, Costs, UnknownCost
from tapeless.passes.soac.spread.guard import Choice

WHOLE = (ir.IndexType, ir.IntegerType)
CONTROL = LOOPS | {"scf.if"}
# What a thread makes for itself, rather than copy what the host has made.
MADE_AGAIN = frozenset({"tensor.empty", "tensor.splat"})


@dataclass(frozen=True)
class LoopsInThread:
    """Adds a variant of sequential loops with small launches in which one thread runs all iterations.

    ```mlir
    %x = scf.for %t = ... iter_args(%s = %x0) {       %x = scf.if %is_little {
      %a = "soac.map"(%n, %s) ...                       %all = "soac.map"(%c1) ({ the loop }), of which %x is the row
      %b = "soac.map"(%n, %a) ...                     } else {
      scf.yield %b                                      the loop
    }                                                 }
    ```
    A launch takes as long as `most_work` operations of a thread, about: that decides, when the sizes are known. Loops
    of more than `most_operations` operations stay as they are, since they would be compiled twice.
    """

    name: ClassVar[str] = "soac-loops-in-thread"
    skips_numbers: ClassVar[bool] = True
    most_work: int = 100
    most_operations: int = 600

    def run(self, module: ir.Module) -> None:
        """Looks at the loops of public functions, outer ones first."""
        functions = [op for op in module.body.operations if op.operation.name == "func.func"]
        for function in [op for op in functions if "sym_visibility" not in op.attributes]:
            self._visit(function)

    def _visit(self, op: ir.OpView) -> None:
        for inner in [each for region in op.regions for block in region.blocks for each in list(block.operations)]:
            is_offered = inner.operation.name in LOOPS and self._is_candidate(inner) and self._offer(inner)
            if inner.operation.name in CONTROL and not is_offered:
                self._visit(inner)

    def _is_candidate(self, loop: ir.OpView) -> bool:
        """Whether a loop launches anything, is short, and leaves no integers, which the host would have to read."""
        if not len(loop.results) or any(isinstance(value.type, WHOLE) for value in loop.results):
            return False
        count, launched = 0, False
        for op in _inside(loop):
            count += 1
            launched |= op.name in OPERATORS or op.name in MOVES
        return launched and count <= self.most_operations

    def _offer(self, loop: ir.OpView) -> bool:
        """Writes the variant, if it may be worth it; says whether there is one.

        Loops inside are left alone then: where it does not pay for them all, it seldom does for one.
        """
        at = ir.InsertionPoint(loop)
        arrays = [value for value in loop.results if build.is_array(value)]
        if not all(can_write(size_of(value, axis), at) for value in arrays for axis in range(value.type.rank)):
            return False
        costs = Costs(at)
        try:
            is_little = self._is_little(loop, costs)
        except UnknownCost:
            return False
        if is_little is None or not _is_of_sizes(is_little, set()):
            return False
        choice = Choice.around(loop)
        choice.branch.operation.operands[0] = is_little
        _wrap(next(each for each in choice.changed.operations if each.operation.name in LOOPS))
        return True

    def _is_little(self, loop: ir.OpView, costs: Costs) -> ir.Value | None:
        """Whether launches take longer than a thread, which also has to copy the initial and the final arrays of the
        loop.
        """
        inner = [costs.of_block(block) for region in loop.regions for block in region.blocks]
        body = Cost(costs.sum(each.work for each in inner), costs.sum(each.launches for each in inner))
        are_known = isinstance(body.work, int) and isinstance(body.launches, int)
        if are_known and body.work > self.most_work * body.launches:
            return None
        moved = costs.sum(costs.elements(value) for value in loop.results if build.is_array(value))
        worth = costs.product(body.launches, self.most_work)
        in_all = costs.product(worth, costs.length(loop))
        with costs.at, loop.location:
            tests = [
                arith.cmpi(arith.CmpIPredicate.sle, costs.value(left), costs.value(right))
                for left, right in ((body.work, worth), (moved, in_all))
            ]
            return arith.andi(*tests)


def _is_of_sizes(value: ir.Value, seen: set[ir.Value]) -> bool:
    """Whether a number is computed from arguments, sizes and indices alone, so that the host knows it."""
    if value in seen or isinstance(value, ir.BlockArgument):
        return True
    seen.add(value)
    op = value.owner.operation
    if op.name == "tensor.dim":
        return True
    return op.name.startswith("arith.") and all(_is_of_sizes(operand, seen) for operand in op.operands)


def _inside(op: ir.OpView) -> Iterator[ir.Operation]:
    for region in op.regions:
        for block in region.blocks:
            for each in block.operations:
                yield each.operation
                yield from _inside(each)


def _wrap(loop: ir.OpView) -> None:
    """Puts a loop into a map of one iteration."""

    def body(*_: object) -> tuple[list[ir.Value], list[ir.Value]]:
        values: Values = {}
        for operand in dict.fromkeys(loop.operands):
            if not isinstance(operand.owner, ir.Block) and operand.owner.operation.name in MADE_AGAIN:
                copy_op(operand.owner, values)
        return list(copy_op(loop, values).results), []

    with ir.InsertionPoint(loop), loop.location:
        rows = build.map_(build.index(1), [], [], body)[0]
        results = [_first(row, old) for row, old in zip(rows, loop.results, strict=True)]
    replace_op(loop, results)


def _first(rows: ir.Value, like: ir.Value) -> ir.Value:
    """The only row of an array, in place of another value."""
    return build.cast_to(like.type, row_at(rows, build.index(0)))
