"""Scalar functions applied to corresponding elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.dialects.groups import RUNS_AT_FIRST, has_more_runs
from tapeless.passes.imports.emit.lazy import (
    Elements,
    Lazy,
    Value,
    forced,
    in_memory,
    lazy,
    rank_of,
    remapped,
    shape_of,
)
from tapeless.passes.imports.emit.open_sizes import Size, agreed

MOST_RUNS = RUNS_AT_FIRST // 2
DEEPEST = 40
"""How many operations an element may be deep before it is put into memory: deeper ones take long to build."""


def elementwise(emit: Callable[..., ir.Value], element: ir.Type, *operands: Value) -> Value:
    """`emit` on corresponding elements of arrays of equal shape, and on scalars, which go with all; not in memory."""
    arrays = [each for each in operands if rank_of(each)]
    if not arrays:
        return emit(*map(in_memory, operands))
    shape = agreed([shape_of(each) for each in arrays])
    location = ir.Location.current
    parts = [_fitted(each, shape) for each in operands]
    leaves = tuple(dict.fromkeys(leaf for part in parts for leaf in part.leaves))
    if has_more_runs([leaf.value.type for leaf in leaves], MOST_RUNS):
        parts = [lazy(in_memory(part)) for part in parts]
        leaves = tuple(leaf for part in parts for leaf in part.leaves)

    def build(elements: Elements, indices: Sequence[ir.Value]) -> ir.Value:
        built = {part: part.build(elements, indices) for part in dict.fromkeys(parts)}
        with location:
            return emit(*(built[part] for part in parts))

    depth = 1 + max(part.depth for part in parts)
    made = Lazy(shape, element, leaves, build, cheap=False, depth=depth)
    return forced(made) if depth >= DEEPEST else made


def _fitted(operand: Value, shape: tuple[Size, ...]) -> Lazy:
    return lazy(operand) if rank_of(operand) else remapped(operand, shape, ())
