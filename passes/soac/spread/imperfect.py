"""Imperfect nests: loops that hold operators which a grid of their own could run."""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.search import holds, ops_named
from tapeless.passes.soac.spread.stages import Stages
from tapeless.passes.soac.spread.sums.parts import is_divisible
from tapeless.passes.soac.spread.weights import (
    depth,
    is_repeatable,
    is_short,
    is_wide,
    operations_in,
    reduces_reductions,
)

HOST_CONTROL = frozenset({"scf.for", "scf.if", "scf.while"})
LAUNCHED = frozenset({"soac.map", "soac.fused", "soac.with_acc"})


def host_operations(op: ir.OpView) -> Iterator[ir.OpView]:
    """The operators and accumulations that the host runs, also in loops and branches of its own."""
    for inner in list(operations_in(op)):
        if inner.operation.name in HOST_CONTROL:
            yield from host_operations(inner)
        elif inner.operation.name in LAUNCHED:
            yield inner


def inner_sums(op: ir.OpView) -> Iterator[ir.OpView]:
    """The accumulations inside of the loops of an operation, which their threads make."""
    yield from (each for each in ops_named(op, "soac.with_acc") if each.operation != op.operation)


def top_loops(op: ir.OpView) -> list[ir.OpView]:
    """The loops of an accumulation, or the loop itself."""
    loops = list(operations_in(op)) if op.operation.name == "soac.with_acc" else [op]
    return [each for each in loops if each.operation.name in ("soac.map", "soac.fused")]


def adds_to_arrays(block: ir.Block) -> bool:
    """Whether anything in a block adds to an accumulator."""
    return any(holds(op, "soac.update") for op in block.operations)


def is_imperfect(op: ir.OpView) -> bool:
    """Whether a loop holds operators that a grid of its own could run."""
    loop = Loop.seen_as(op)
    if loop.scanned.neutral or _is_perfect(op):
        return False
    inner = [each for each in loop.body.operations if is_wide(each, op.operation) or is_divisible(each, op.operation)]
    return not all(map(is_short, inner)) or Stages.of(op).reduces_beside_rows


def sums_nests(op: ir.OpView) -> bool:
    """Whether iterations sum the results of nests, which may be operators before the sums, into arrays of their own."""
    sums = [each for each in Loop.seen_as(op).body.operations if each.operation.name == "soac.with_acc"]
    maps = [each for accumulation in sums for each in top_loops(accumulation)]
    return any(depth(each) > 1 and not is_short(each) and is_imperfect(each) for each in maps)


def _is_perfect(op: ir.OpView, *, is_inner: bool = False) -> bool:
    """Whether a loop is a nest of maps around one element, which at most an inner loop computes."""
    if depth(op) == 1:
        return op.operation.name != "soac.fused" or not (is_inner and _makes_rows(op))
    if op.operation.name != "soac.map" or len(op.accs):
        return False
    *statements, end = list(op.body.blocks[0].operations)
    kept = [each for each in statements if not is_repeatable(each)]
    is_alone = len(kept) == 1 and all(value in list(kept[0].results) for value in end.operands)
    return is_alone and kept[0].operation.name in ("soac.map", "soac.fused") and _is_perfect(kept[0], is_inner=True)


def _makes_rows(op: ir.OpView) -> bool:
    """Whether a reduction makes an element of a row in each iteration, too."""
    loop = Loop.seen_as(op)
    return bool(loop.mapped and loop.reduced.neutral)


def folds_contraction(op: ir.OpView) -> bool:
    """Whether all that a map has to do is to reduce the rows of a contraction, for which tiles have blocks of rows."""
    nests = [each for each in Loop.seen_as(op).body.operations if depth(each) > 1]
    return op.operation.name == "soac.map" and all(map(reduces_reductions, nests))
