"""The pass `soac-sink-guards` simplifies conditions of guarded branches and sinks operations that only they use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import any_order
from tapeless.passes.ir.guards import guard, guard_of, is_guarded
from tapeless.passes.ir.scopes import ancestor_in
from tapeless.passes.ir.search import ops_named


@dataclass(frozen=True)
class SinkGuards:
    """Sinks scalar operations that only the exact fallback of a guarded branch uses into it.

    ```mlir
    %e = math.exp %x
    %ok = "soac.guard"(%whole) {exact = "operations"}  %ok = "soac.guard"(%whole) {exact = "operations"}
    %y = scf.if %ok -> f64 {                           %y = scf.if %ok -> f64 {
      scf.yield %whole                                   scf.yield %whole
    } else {                                           } else {
                                                         %e = math.exp %x
      %s = arith.mulf %e, %bar                           %s = arith.mulf %e, %bar
      scf.yield %s                                       scf.yield %s
    }                                                  }
    ```
    Going forward, operations run one by one, and the second way runs them again: equal operations were made one.

    What is divided by a product that overflowed is zero, which looks finite: such products are looked at, too.
    """

    name: ClassVar[str] = "soac-sink-guards"
    after: ClassVar[dict[str, str]] = {
        "soac-fuse": "operations move within one body",
    }

    def run(self, module: ir.Module) -> None:
        """Settles every guarded branch."""
        for branch in ops_named(module.operation.opview, "scf.if"):
            if is_guarded(branch):
                take_signs_out(branch.operation)
                sink_into_second_way(branch.operation)
                watch_denominators(branch.operation)


SCALAR_CODE = ("arith.", "math.")


def watch_denominators(branch: ir.Operation) -> None:
    """Has the guard of a branch test products that only the first way divides by, too."""
    old = guard_of(branch)
    assert old is not None
    tested = list(old.tested)
    widest = max(value.type.width for value in tested)
    products = _denominators(tested, _read_by_second_way(branch))
    more = [product for product in products if product.type.width <= widest]
    if more:
        with ir.InsertionPoint(old), old.location:
            made = guard([*tested, *more], old.exact.value)
        old.operation.results[0].replace_all_uses_with(made)
        old.operation.erase()


def _read_by_second_way(branch: ir.Operation) -> set[ir.Value]:
    """The values that both ways start from, and those within the second one."""
    found: set[ir.Value] = set()

    def visit(op: ir.Operation) -> ir.WalkResult:
        found.update(op.operands)
        return ir.WalkResult.ADVANCE

    for op in branch.regions[1].blocks[0].operations:
        op.operation.walk(visit)
    return found


def _denominators(values: Sequence[ir.Value], known: set[ir.Value]) -> Iterator[ir.Value]:
    """The products that scalar code divides by on the way to values from known ones."""
    seen, waiting = set(known), list(values)
    while waiting:
        each = waiting.pop()
        if each in seen or isinstance(each, ir.BlockArgument) or not each.owner.name.startswith(SCALAR_CODE):
            continue
        seen.add(each)
        waiting += each.owner.operands
        if each.owner.name == "arith.divf" and _is_product(each.owner.operands[1], known):
            yield each.owner.operands[1]


def _is_product(value: ir.Value, known: set[ir.Value]) -> bool:
    return value not in known and not isinstance(value, ir.BlockArgument) and value.owner.name == "arith.mulf"


def take_signs_out(branch: ir.Operation) -> None:
    """Lets the first way give a value where it gave the negative of it."""
    first, second = (list(region.blocks[0].operations)[-1].operation for region in branch.regions)
    for place, result in enumerate(branch.results):
        negated = first.operands[place]
        if isinstance(negated, ir.BlockArgument) or negated.owner.name != "arith.negf":
            continue
        uses = [(use.owner, use.operand_number) for use in result.uses]
        with ir.InsertionPoint(second), second.location:
            second.operands[place] = arith.NegFOp(second.operands[place], fastmath=any_order()).result
        first.operands[place] = negated.owner.operands[0]
        with ir.InsertionPoint.after(branch), branch.location:
            again = arith.NegFOp(result, fastmath=any_order()).result
        for owner, number in uses:
            owner.operands[number] = again


def sink_into_second_way(branch: ir.Operation) -> None:
    """Moves the scalar operations before a branch that nothing else uses, the last one first."""
    block, rare = branch.block, branch.regions[1].blocks[0]
    before: list[ir.Operation] = []
    for op in block.operations:
        if op.operation == branch:
            break
        before.append(op.operation)
    for op in reversed(before):
        if (
            op.name.startswith((*SCALAR_CODE, "soac.fn", "soac.guard"))
            and op.name != "arith.constant"
            and _is_used_only_in(rare, op)
        ):
            op.move_before(rare.operations[0].operation)


def _is_used_only_in(block: ir.Block, op: ir.Operation) -> bool:
    uses = [use.owner for result in op.results for use in result.uses]
    return bool(uses) and all(ancestor_in(block, use.operation) is not None for use in uses)
