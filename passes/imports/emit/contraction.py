"""Products summed over shared axes, in the form that `a @ b` has: rows by rows of the transposed second operand."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.imports.emit import reductions, scalars
from tapeless.passes.imports.emit.elementwise import elementwise
from tapeless.passes.imports.emit.lazy import Value, element_of, in_memory, reshaped, shape_of
from tapeless.passes.imports.emit.open_sizes import Size, product, require_same
from tapeless.passes.imports.emit.shapes import transpose
from tapeless.passes.ir.build import dim, is_array, mapped


@dataclass(frozen=True)
class Contraction:
    """Which axes of two arrays run together and stay, and which are summed over."""

    left_batch: Sequence[int]
    right_batch: Sequence[int]
    left_summed: Sequence[int]
    right_summed: Sequence[int]


def contract(left: Value, right: Value, axes: Contraction, element: ir.Type) -> Value:
    """Sums of products; the axes of the result are those of both, then the other ones of the left and of the right."""
    sizes, others = shape_of(left), shape_of(right)
    pairs = [
        *zip(axes.left_batch, axes.right_batch, strict=True),
        *zip(axes.left_summed, axes.right_summed, strict=True),
    ]
    for mine, other in pairs:
        require_same(sizes[mine], others[other], "axes of sizes {} and {} are multiplied")
    batch = [sizes[axis] for axis in axes.left_batch]
    a, outer = _rows(_converted(left, element), axes.left_batch, axes.left_summed)
    b, inner = _rows(_converted(right, element), axes.right_batch, axes.right_summed)
    return reshaped(_stacked(a, b, len(batch)), [*batch, *outer, *inner])


def _converted(value: Value, element: ir.Type) -> Value:
    if element_of(value) == element:
        return value
    return elementwise(scalars.convert(element), element, value)


def _rows(value: Value, batch: Sequence[int], summed: Sequence[int]) -> tuple[ir.Value, list[Size]]:
    """The array as stacks of rows along the contracted axes, and the sizes of the axes that number these rows."""
    shape = shape_of(value)
    free = [axis for axis in range(len(shape)) if axis not in batch and axis not in summed]
    sizes = [shape[axis] for axis in free]
    moved = in_memory(transpose(value, [*batch, *free, *summed]))
    rows = [product(sizes)] if free else []
    length = product(shape[axis] for axis in summed)
    return reshaped(moved, [*(shape[axis] for axis in batch), *rows, length]), sizes


def _stacked(left: ir.Value, right: ir.Value, stacks: int) -> ir.Value:
    if stacks:
        return mapped(dim(left, 0), [left, right], lambda a, b: _stacked(a, b, stacks - 1))
    if left.type.rank > 1:
        return mapped(dim(left, 0), [left], lambda row: _stacked(row, right, 0))
    if right.type.rank > 1:
        return mapped(dim(right, 0), [right], lambda column: _stacked(left, column, 0))
    return _inner(left, right)


def _inner(left: ir.Value, right: ir.Value) -> ir.Value:
    multiply = scalars.FUNCTIONS["multiply"]
    if not is_array(left):
        return multiply(left, right)
    return reductions.by_operator(mapped(dim(left, 0), [left, right], multiply), [0], "add")
