"""Sizes of axes: Python integers where they are known, and `index` values where they are known only when running.

Arithmetic on integers stays in Python. Sizes that are not seen to be equal where they must be are compared when
running, and whatever is built behind such a check takes them for one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from tapeless._mlir import arith, ir, tensor
from tapeless.dialects import soac
from tapeless.dialects.array_types import DYNAMIC, array_type
from tapeless.passes.ir.build import index, is_array
from tapeless.passes.ir.sizes.shapes import are_equal_at, dim_of, scalar_size

Size: TypeAlias = "int | ir.Value"
Shape: TypeAlias = "Sequence[int | ir.Value]"


def is_open(size: Size) -> bool:
    """Whether a size is known only when running."""
    return not isinstance(size, int)


def type_of(shape: Shape, element: ir.Type) -> ir.RankedTensorType:
    """The type of arrays of a shape."""
    return array_type([size if isinstance(size, int) else DYNAMIC for size in shape], element)


def open_ones(shape: Shape) -> list[ir.Value]:
    """The sizes of a shape that are known only when running, in order."""
    return [size for size in shape if not isinstance(size, int)]


def value_of(size: Size) -> ir.Value:
    """A size as an `index` value."""
    return index(size) if isinstance(size, int) else size


def shape_of_array(array: ir.Value) -> tuple[Size, ...]:
    """The sizes of a tensor; a scalar has none."""
    return tuple(_size(array, axis) for axis in range(array.type.rank)) if is_array(array) else ()


def _size(array: ir.Value, axis: int) -> Size:
    known = array.type.shape[axis]
    if known != DYNAMIC:
        return known
    found = None if isinstance(array, ir.BlockArgument) else dim_of(array, axis, ir.InsertionPoint.current)
    return tensor.DimOp(array, index(axis)).result if found is None else found


def _computed(value: ir.Value) -> Size:
    """The size that a computed value is, an integer where its terms cancel."""
    known = scalar_size(value)
    return known if isinstance(known, int) else value


def plus(left: Size, right: Size) -> Size:
    """The sum of two sizes."""
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    if left == 0 or right == 0:
        return right if left == 0 else left
    return _computed(arith.AddIOp(value_of(left), value_of(right)).result)


def minus(left: Size, right: Size) -> Size:
    """The difference of two sizes."""
    if isinstance(left, int) and isinstance(right, int):
        return left - right
    if right == 0:
        return left
    return _computed(arith.SubIOp(value_of(left), value_of(right)).result)


def times(left: Size, right: Size) -> Size:
    """The product of two sizes."""
    if isinstance(left, int) and isinstance(right, int):
        return left * right
    if left == 1 or right == 1:
        return right if left == 1 else left
    return 0 if left == 0 or right == 0 else _computed(arith.MulIOp(value_of(left), value_of(right)).result)


def quotient(left: Size, right: int) -> Size:
    """A size divided by a positive number, rounded down."""
    if isinstance(left, int):
        return left // right
    return left if right == 1 else arith.FloorDivSIOp(left, index(right)).result


def larger(left: Size, right: Size) -> Size:
    """The larger one of two sizes."""
    if isinstance(left, int) and isinstance(right, int):
        return max(left, right)
    return _computed(arith.MaxSIOp(value_of(left), value_of(right)).result)


def smaller(left: Size, right: Size) -> Size:
    """The smaller one of two sizes."""
    if isinstance(left, int) and isinstance(right, int):
        return min(left, right)
    return _computed(arith.MinSIOp(value_of(left), value_of(right)).result)


def total(sizes: Iterable[Size]) -> Size:
    """The sum of sizes."""
    result: Size = 0
    for size in sizes:
        result = plus(result, size)
    return result


def product(sizes: Iterable[Size]) -> Size:
    """The number of elements of a shape."""
    result: Size = 1
    for size in sizes:
        result = times(result, size)
    return result


def same(left: Size, right: Size) -> bool:
    """Says whether two sizes are equal by their expressions, or by checks before."""
    if isinstance(left, int) and isinstance(right, int):
        return left == right
    if left == right:
        return True
    return are_equal_at(value_of(left), value_of(right), ir.InsertionPoint.current.block)


def all_same(left: Shape, right: Shape) -> bool:
    """Whether two shapes are seen to be equal."""
    return len(left) == len(right) and all(map(same, left, right))


EQUAL, AT_MOST = arith.CmpIPredicate.eq, arith.CmpIPredicate.sle


def require_same(left: Size, right: Size, message: str = "an axis has size {}, and should have {}") -> Size:
    """The size that two are, which is compared when running unless it is known; an integer if one of them is."""
    if not same(left, right):
        check(EQUAL, left, right, message)
    return left if isinstance(left, int) else right


def require_at_most(left: Size, right: Size, message: str) -> None:
    """Checks when running that a size is not larger than another one, unless that is known."""
    room = minus(right, left)
    if not isinstance(room, int) or room < 0:
        check(AT_MOST, left, right, message)


def check(predicate: arith.CmpIPredicate, left: Size, right: Size, message: str) -> None:
    """A comparison of sizes that must hold when running."""
    values = [value_of(left), value_of(right)]
    require(arith.CmpIOp(predicate, *values).result, values, message)


def require(condition: ir.Value, values: Sequence[ir.Value], message: str) -> None:
    """A condition on sizes that must hold when running; `{}` in the message are the values."""
    i64 = ir.IntegerType.get_signless(64)
    shown = [arith.IndexCastOp(i64, value).result for value in values]
    soac.AssertOp(condition, shown, ir.StringAttr.get("ShapeMismatch"), ir.StringAttr.get(message))


def agreed(shapes: Sequence[Shape]) -> tuple[Size, ...]:
    """The common shape of arrays; sizes that are not known to be equal are compared when running."""
    first, *others = shapes
    for shape in others:
        first = [_agreed(left, right) for left, right in zip(first, shape, strict=True)]
    return tuple(first)


def _agreed(left: Size, right: Size) -> Size:
    return left if left == right else require_same(left, right, "an axis has size {} in one array and {} in another")
