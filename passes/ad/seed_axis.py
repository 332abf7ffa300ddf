"""Requests with one seed, or with an axis of seeds: code emitted once, or in a map over rows of seeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.dialects.ad.derivatives import SEED_SIZE
from tapeless.dialects.ad.marks import SEEDS
from tapeless.passes.ir.build import dim, map_


def has_seed_axis(op: ir.OpView) -> bool:
    """Whether a request asks for a derivative per row of its seeds."""
    return SEED_SIZE in op.operation.attributes


def for_each_seed(
    op: ir.OpView, seeds: Sequence[ir.Value], emit: Callable[[list[ir.Value]], list[ir.Value]]
) -> list[ir.Value]:
    """The result of `emit` for the seeds: once, or for each row when there is a seed axis."""
    if not has_seed_axis(op):
        return emit(list(seeds))
    arrays, _ = map_(dim(op.seeds[0], 0), list(seeds), [], lambda _, rows, __: (emit(list(rows)), []))
    for array in arrays[:1]:
        array.owner.operation.attributes[SEEDS] = ir.UnitAttr.get()
    return arrays


def wrt_of(op: ir.OpView) -> list[int]:
    """The positions of the arguments that a request differentiates by."""
    return [ir.IntegerAttr(position).value for position in op.wrt]
