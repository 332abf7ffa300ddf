"""Between which numbers integers lie, so that indices that are in range are not clamped.

JAX writes `select(i < 0, i + n, i)` before it reads at `i`; where `i` counts a loop, this is `i`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tapeless._mlir import ir

Bounds = tuple[int, int]
MOST_ELEMENTS = 1 << 16


def _sum(a: Bounds, b: Bounds) -> Bounds:
    return a[0] + b[0], a[1] + b[1]


def _difference(a: Bounds, b: Bounds) -> Bounds:
    return a[0] - b[1], a[1] - b[0]


def _product(a: Bounds, b: Bounds) -> Bounds:
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def _largest(a: Bounds, b: Bounds) -> Bounds:
    return max(a[0], b[0]), max(a[1], b[1])


def _least(a: Bounds, b: Bounds) -> Bounds:
    return min(a[0], b[0]), min(a[1], b[1])


def _between(low: Bounds, value: Bounds, high: Bounds) -> Bounds:
    return _least(_largest(value, low), high)


def _either(a: Bounds, b: Bounds) -> Bounds:
    return min(a[0], b[0]), max(a[1], b[1])


def _same(a: Bounds, *_: Bounds | None) -> Bounds:
    return a


COMBINED: dict[str, Callable[..., Bounds]] = {
    "stablehlo.add": _sum,
    "stablehlo.subtract": _difference,
    "stablehlo.multiply": _product,
    "stablehlo.maximum": _largest,
    "stablehlo.minimum": _least,
    "stablehlo.clamp": _between,
    "stablehlo.convert": _same,
    "stablehlo.broadcast_in_dim": _same,
    "stablehlo.broadcast": _same,
    "stablehlo.reshape": _same,
    "stablehlo.transpose": _same,
    "stablehlo.slice": _same,
    "stablehlo.reverse": _same,
    "stablehlo.optimization_barrier": _same,
}
"""Operations whose operands all have bounds if their result has any."""

HOLDS: dict[str, Callable[[Bounds, Bounds], tuple[bool, bool]]] = {
    "LT": lambda a, b: (a[1] < b[0], a[0] >= b[1]),
    "LE": lambda a, b: (a[1] <= b[0], a[0] > b[1]),
    "GT": lambda a, b: (a[0] > b[1], a[1] <= b[0]),
    "GE": lambda a, b: (a[0] >= b[1], a[1] < b[0]),
}
"""Whether a comparison holds for all numbers between bounds, and whether it does for none."""


def is_integer(type_: ir.Type) -> bool:
    """Whether a type has integers as elements, which are no bools."""
    element = type_.element_type if isinstance(type_, ir.RankedTensorType) else type_
    return isinstance(element, ir.IntegerType) and element.is_signless and element.width > 1


def of_constant(attribute: ir.Attribute) -> Bounds | None:
    """The least and the largest number of a constant of integers."""
    if not isinstance(attribute, ir.DenseIntElementsAttr) or not is_integer(attribute.type):
        return None
    if attribute.is_splat:
        value = ir.IntegerAttr(attribute.get_splat_value()).value
        return value, value
    numbers = np.array(attribute) if 0 < len(attribute) <= MOST_ELEMENTS else np.zeros(0)
    return (int(numbers.min()), int(numbers.max())) if numbers.size else None


def of_result(op: ir.Operation, operands: Sequence[Bounds | None]) -> Bounds | None:
    """The value range of an operation's result, or nothing."""
    type_ = op.results[0].type if len(op.results) == 1 else None
    if type_ is None or not isinstance(type_, ir.RankedTensorType) or not is_integer(type_):
        return None
    if op.name in ("stablehlo.constant", "arith.constant"):
        return of_constant(op.attributes["value"])
    if op.name in ("stablehlo.iota", "stablehlo.dynamic_iota"):
        return 0, max(0, _longest(type_, ir.IntegerAttr(op.attributes["iota_dimension"]).value) - 1)
    if op.name == "stablehlo.get_dimension_size":
        return 0, 2 ** (type_.element_type.width - 1) - 1
    if op.name == "stablehlo.select":
        return _within(type_, _either(operands[1], operands[2])) if operands[1] and operands[2] else None
    if op.name not in COMBINED or not all(operands) or not all(is_integer(each.type) for each in op.operands):
        return None
    return _within(type_, COMBINED[op.name](*operands))


def _longest(type_: ir.RankedTensorType, axis: int) -> int:
    """The size of an axis, or the largest that its index has numbers for."""
    return int(2 ** (type_.element_type.width - 1) if type_.is_dynamic_dim(axis) else type_.shape[axis])


def _within(type_: ir.RankedTensorType, bounds: Bounds) -> Bounds | None:
    """The bounds, unless numbers between them overflow."""
    limit = 2 ** (type_.element_type.width - 1)
    return bounds if -limit <= bounds[0] and bounds[1] < limit else None


def decided(direction: str, left: Bounds | None, right: Bounds | None) -> bool | None:
    """Whether a comparison holds, if the bounds tell."""
    if left is None or right is None or direction not in HOLDS:
        return None
    always, never = HOLDS[direction](left, right)
    return True if always else False if never else None
