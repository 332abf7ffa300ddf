"""The first run of a loop with guarded branches: it takes their first way, and notes whether that was right."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, func, ir, scf
from tapeless.passes.ir.build import number
from tapeless.passes.ir.guards import GUARD, nothing_of, tested_by, widest
from tapeless.passes.lower.vectorise.walking import body_of, nested, op_name
from tapeless.passes.soac.contract.mark_fma import mark_shared_products

WATCH, SAW = "tl_watch_floats", "tl_saw_infinite"
SUMMED = "#arith.fastmath<reassoc,nsz,contract>"


def results_behind(loop: ir.Operation, branches: Sequence[ir.Operation]) -> list[int]:
    """Which results of a loop depend on what its branches give."""
    *body, end = body_of(loop).operations
    carried = list(body_of(loop).arguments)[1:]
    behind = {result for branch in branches for result in branch.results}
    known = -1
    while known < len(behind):
        known = len(behind)
        for op in body:
            if any(value in behind for value in _read_by(op.operation)):
                behind.update(op.operation.results)
        behind.update(inner for inner, last in zip(carried, end.operation.operands, strict=True) if last in behind)
    return [k for k, value in enumerate(end.operation.operands) if value in behind]


def noted(
    loop: ir.Operation, branches: Sequence[ir.Operation], others: Sequence[ir.Operation], also: Sequence[ir.Value]
) -> tuple[list[ir.Value], ir.Value]:
    """The loop with the first way of branches, which adds up what they test; its results, and what it added.

    Those of `others` are right where those of branches are.
    """
    tested = []
    with loop.location:
        for branch in branches:
            with ir.InsertionPoint(branch.operands[0].owner):
                tested.append(nothing_of(tested_by(branch)))
        tested += [_nothing(value) for value in also]
    zero = number(max((each.type for each in tested), key=lambda kind: kind.width), 0.0)
    made = scf.ForOp(*list(loop.operands)[:3], [*list(loop.operands)[3:], zero])
    for name in loop.attributes:
        made.operation.attributes[name] = loop.attributes[name]
    for old, new in zip(body_of(loop).arguments, made.body.arguments, strict=False):
        old.replace_all_uses_with(new)
    *statements, end = body_of(loop).operations
    for op in statements:
        made.body.append(op)
    for branch in (*branches, *others):
        _take_first_way(branch)
    with ir.InsertionPoint(made.body), loop.location:
        summed = ir.Attribute.parse(SUMMED)
        first, *others, total = widest([*tested, made.inner_iter_args[-1]])
        for each in others:
            first = arith.AddFOp(first, each, fastmath=summed).result
        scf.YieldOp([*end.operation.operands, arith.AddFOp(total, first, fastmath=summed).result])
    *results, status = made.results
    for old, new in zip(loop.results, results, strict=True):
        old.replace_all_uses_with(new)
    end.operation.erase()
    loop.erase()
    return results, status


def is_zero(status: ir.Value) -> ir.Value:
    """Whether what a loop added up is zero, rather than no number."""
    return arith.CmpFOp(arith.CmpFPredicate.OEQ, status, number(status.type, 0.0)).result


def watched(loop: ir.Operation, branches: Sequence[ir.Operation]) -> tuple[list[ir.Value], ir.Value]:
    """The loop with the first way of branches, while the processor watches; its results, and whether it was right.

    Such loops add to elements of arrays, and are often short of places for one more sum.
    """
    for branch in branches:
        _take_first_way(branch)
    _erase_unused(body_of(loop))
    mark_shared_products(body_of(loop))
    word = ir.IntegerType.get_signless(64)
    with ir.InsertionPoint.at_block_begin(loop.block):
        func.CallOp([], WATCH, [])
    seen = func.CallOp([word], SAW, []).result
    return list(loop.results), arith.CmpIOp(arith.CmpIPredicate.eq, seen, number(word, 0)).result


def after(op: ir.Operation) -> ir.Operation:
    """The operation that follows another one in its block."""
    operations = [each.operation for each in op.block.operations]
    return operations[1 + operations.index(op)]


def _read_by(op: ir.Operation) -> list[ir.Value]:
    inner = [other.operation for region in op.regions for block in region.blocks for other in nested(block)]
    return [value for each in (op, *inner) for value in each.operands]


def _nothing(value: ir.Value) -> ir.Value:
    """Zero, or no number where a value is not finite."""
    owner = value.owner.operation
    with ir.InsertionPoint(after(owner)):
        return arith.MulFOp(value, number(value.type, 0.0)).result


def _take_first_way(branch: ir.Operation) -> None:
    condition = branch.operands[0].owner
    *statements, end = branch.regions[0].blocks[0].operations
    for op in statements:
        op.operation.move_before(branch)
    for result, value in zip(branch.results, end.operation.operands, strict=True):
        result.replace_all_uses_with(value)
    branch.erase()
    if condition.name == GUARD and not any(True for _ in condition.results[0].uses):
        condition.erase()


def _erase_unused(block: ir.Block) -> None:
    """Erases scalar code that nothing uses any more."""
    for op in reversed(list(block.operations)):
        if op_name(op).startswith("arith.") and not any(True for result in op.results for _ in result.uses):
            op.operation.erase()
