"""Sizes that a program computes: the elements of integers and short vectors of the source, as sizes.

Producers that leave sizes open compute shapes with ordinary operations: sizes of axes are read, added, multiplied and
joined to vectors, which then are operands. Followed here, they are integers or `index` values, and two shapes that are
computed in the same way are seen to be the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from tapeless._mlir import arith, ir
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.imports.emit import open_sizes
from tapeless.passes.imports.emit.open_sizes import Size
from tapeless.passes.imports.stablehlo.attributes import integer, integers
from tapeless.passes.imports.stablehlo.bounds import is_integer

Sizes: TypeAlias = "tuple[int | ir.Value, ...]"
MOST_ELEMENTS = 16


def _quotient(left: Size, right: Size) -> Size | None:
    """Sizes are not negative, so that rounding down is what division does; other divisors are not followed."""
    if isinstance(left, int) and isinstance(right, int):
        return left // right if left >= 0 and right > 0 else None
    return open_sizes.quotient(left, right) if isinstance(right, int) and right > 0 and _is_size(left) else None


def _is_size(value: Size) -> bool:
    """Whether a value is seen not to be negative: sizes of axes, their sums and their products."""
    if isinstance(value, int):
        return value >= 0
    owner = None if isinstance(value, ir.BlockArgument) else value.owner.operation
    if owner is None:
        return False
    if owner.name == "arith.constant":
        return bool(ir.IntegerAttr(owner.attributes["value"]).value >= 0)
    return owner.name == "tensor.dim" or (
        owner.name in ("arith.addi", "arith.muli") and all(map(_is_size, owner.operands))
    )


ELEMENTWISE: dict[str, Callable[[Size, Size], Size | None]] = {
    "stablehlo.add": open_sizes.plus,
    "stablehlo.subtract": open_sizes.minus,
    "stablehlo.multiply": open_sizes.times,
    "stablehlo.maximum": open_sizes.larger,
    "stablehlo.minimum": open_sizes.smaller,
    "stablehlo.divide": _quotient,
}

SAME = frozenset({"stablehlo.convert", "stablehlo.reshape", "stablehlo.optimization_barrier"})
"""Operations that keep elements in order."""


def of_result(op: ir.Operation, operands: Sequence[Sizes | None]) -> Sizes | None:
    """The elements of what an operation gives, if it gives a number or a few that sizes are computed with."""
    count = _count(op)
    if count is None:
        return None
    if op.name in ("stablehlo.constant", "arith.constant"):
        return _constant(op.attributes["value"], count)
    if not operands or any(each is None for each in operands):
        return None
    known = [each for each in operands if each is not None]
    if op.name in SAME:
        return known[0]
    if op.name == "stablehlo.broadcast_in_dim":
        return known[0] * (count // len(known[0])) if len(known[0]) in (1, count) and _is_vector(op) else None
    if op.name == "stablehlo.concatenate":
        return tuple(size for each in known for size in each) if _joins_rows(op) else None
    if op.name == "stablehlo.slice" and op.results[0].type.rank == 1:
        first, last, step = (integers(op, name)[0] for name in ("start_indices", "limit_indices", "strides"))
        return known[0][first:last:step]
    if op.name in ELEMENTWISE:
        found = [ELEMENTWISE[op.name](*pair) for pair in zip(*known, strict=True)]
        return None if any(each is None for each in found) else tuple(each for each in found if each is not None)
    return None


def _count(op: ir.Operation) -> int | None:
    """How many integers an operation gives, if they are few."""
    type_ = op.results[0].type if len(op.results) == 1 else None
    if not isinstance(type_, ir.RankedTensorType) or not is_integer(type_) or not type_.has_static_shape:
        return None
    count = int(np.prod(type_.shape, dtype=np.int64))
    return count if 0 < count <= MOST_ELEMENTS else None


def _is_vector(op: ir.Operation) -> bool:
    return bool(op.operands[0].type.rank < 2)


def _joins_rows(op: ir.Operation) -> bool:
    return len(op.operands) == 1 or integer(op, "dimension") == 0


def _constant(attribute: ir.Attribute, count: int) -> Sizes | None:
    if not isinstance(attribute, ir.DenseIntElementsAttr):
        return None
    if attribute.is_splat:
        return (ir.IntegerAttr(attribute.get_splat_value()).value,) * count
    return tuple(int(each) for each in np.array(attribute).ravel())


def compared(op: ir.Operation, operands: Sequence[Sizes | None]) -> ir.Value | None:
    """Whether two sizes are equal, as a comparison of sizes; checks of it tell that they are."""
    left, right = operands
    if left is None or right is None or len(left) != 1 or op.results[0].type.rank:
        return None
    if isinstance(left[0], int) and isinstance(right[0], int):
        return None
    values = [open_sizes.value_of(each) for each in (left[0], right[0])]
    return arith.CmpIOp(arith.CmpIPredicate.eq, *values).result


def has_open_sizes(type_: ir.Type) -> bool:
    """Whether some size of a type is known only when running."""
    return isinstance(type_, ir.RankedTensorType) and DYNAMIC in type_.shape
