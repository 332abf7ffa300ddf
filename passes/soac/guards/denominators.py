"""Products that something is divided by: where they overflow, a guarded branch takes its second way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tapeless._mlir import ir
from tapeless.passes.ir.guards import guard, guard_of

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
