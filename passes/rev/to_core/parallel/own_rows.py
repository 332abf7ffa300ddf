"""Rows of their own: the part of a cell that the iterations of a parallel loop go through, one row after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.dialects.rev.accesses import Access, accesses
from tapeless.dialects.rev.cells import base
from tapeless.dialects.rev.iterations import Own
from tapeless.dialects.rev.places import Symbol
from tapeless.passes.ir.build import cast_to, dim, static_size
from tapeless.passes.ir.rows import Size, slice_of, with_slice
from tapeless.passes.ir.search import ops_named
from tapeless.passes.rev.to_core.parallel.own_ranges import (
    ARITHMETIC,
    first_row,
    fixed_axes,
    fixed_place,
    is_all,
    is_element,
)
from tapeless.passes.rev.to_core.state import Held, Slice, State


@dataclass(frozen=True)
class OwnRows:
    """The values of a cell with the rows of iterations in front."""

    cell: ir.Value
    arrays: list[ir.Value]
    held: Held
    position: int
    """The axis of rows in what is selected of the values that are held."""
    part: Slice | None
    """What is selected; None for all."""
    taken: frozenset[int]
    """The axes of the cell that a row no longer has."""

    def put_back(self, rows: Sequence[ir.Value]) -> Held:
        """The contents of the cell when its rows have become others."""
        return tuple(self._with(array, made) for array, made in zip(self.held, rows, strict=True))

    def _with(self, array: ir.Value, rows: ir.Value) -> ir.Value:
        order = _in_front(rows.type.rank, self.position)
        back = _transposed(rows, [order.index(axis) for axis in range(rows.type.rank)])
        return cast_to(array.type, back) if self.part is None else with_slice(array, back, *self.part)


def own_rows(state: State, op: ir.OpView, cell: ir.Value, own: Sequence[Own], level: int) -> OwnRows:
    """The rows of a cell that iterations of a loop have for themselves."""
    held, here, taken = state.cells[cell], own[level], state.taken(cell)
    fixed = fixed_axes(state, op, cell)
    axes = [axis for axis in range(cell.type.rank) if axis not in taken]
    position = [axis for axis in axes if axis not in fixed].index(here.axis)
    part = None if not fixed and is_all(op, cell, here, level) else _part(state, op, axes, fixed, here, level, held[0])
    arrays = []
    for array in held:
        rows = array if part is None else _selected(array, part, [axis in fixed for axis in axes])
        arrays.append(_transposed(rows, _in_front(rows.type.rank, position)))
    return OwnRows(cell, arrays, held, position, part, frozenset({here.axis, *fixed}))


def _part(
    state: State,
    op: ir.OpView,
    axes: Sequence[int],
    fixed: Mapping[int, Symbol],
    own: Own,
    level: int,
    array: ir.Value,
) -> Slice:
    """The rows of all iterations, at the elements of fixed axes."""
    (width,) = state.mapped([op.upper[level]])
    known = static_size(width)
    offsets: list[Size] = []
    sizes: list[Size] = []
    for number, axis in enumerate(axes):
        if axis in fixed:
            offsets.append(fixed_place(state, fixed[axis]))
            sizes.append(1)
        elif axis == own.axis:
            offsets.append(first_row(state, op, own, level))
            sizes.append(width if known == DYNAMIC else known)
        else:
            offsets.append(0)
            sizes.append(array.type.shape[number] if array.type.shape[number] != DYNAMIC else dim(array, number))
    return offsets, sizes, [own.stride if axis == own.axis else 1 for axis in axes]


def _selected(array: ir.Value, part: Slice, is_dropped: Sequence[bool]) -> ir.Value:
    kept = [size for size, dropped in zip(part[1], is_dropped, strict=True) if not dropped]
    shape = [size if isinstance(size, int) else DYNAMIC for size in kept]
    return slice_of(array, *part, ir.RankedTensorType.get(shape, array.type.element_type))


def can_be_rows(state: State, op: ir.OpView, own: Mapping[ir.Value, list[Own]]) -> bool:
    """Whether the private cells of iterations can be handed to them: whole rows, which every access goes through."""
    if any(each.stride < 0 for places in own.values() for each in places):
        return False
    for cell, places in own.items():
        found = [access for access in accesses(op.body) if base(access.cell) == cell]
        taken = {each.axis for each in places} | set(fixed_axes(state, op, cell)) | state.taken(cell)
        rest = [axis for axis in range(cell.type.rank) if axis not in taken]
        if not all(_takes(access, taken) for access in found) or not all(_is_swept(found, op, axis) for axis in rest):
            return False
    return True


def _is_swept(found: Sequence[Access], op: ir.OpView, axis: int) -> bool:
    """Whether iterations use much of an axis: a range, or the range of loops inside; else rows are too large."""
    here = [access.place().axes[axis] for access in found]
    loops = ops_named(op, "rev.for", "rev.parallel")
    variables = [
        variable for loop in loops for variable in loop.body.blocks[0].arguments if loop.operation != op.operation
    ]
    return any(
        not is_element(each)
        or (each.offset is not None and each.offset.root is not None and _follows(each.offset.root, variables))
        for each in here
    )


def _follows(value: ir.Value, variables: Sequence[ir.Value]) -> bool:
    """Whether a value is computed from the index of a loop by sums and products."""
    if value in variables:
        return True
    is_computed = not isinstance(value.owner, ir.Block) and value.owner.name in ARITHMETIC
    return is_computed and any(_follows(operand, variables) for operand in value.owner.operands)


def _takes(access: Access, axes: set[int]) -> bool:
    """Whether an access takes single elements of axes, either by its indices or by the first view of the cell."""
    if access.cell == base(access.cell):
        return all(axis < len(access.indices) for axis in axes)
    view = access.cell.owner.opview
    while view.operation.name == "rev.view" and view.source != base(access.cell):
        view = view.source.owner.opview
    return view.operation.name == "rev.view" and axes <= {ir.IntegerAttr(axis).value for axis in view.drop}


def _in_front(rank: int, axis: int) -> list[int]:
    return [axis, *(k for k in range(rank) if k != axis)]


def _transposed(array: ir.Value, permutation: list[int]) -> ir.Value:
    if permutation == sorted(permutation):
        return array
    type_ = ir.RankedTensorType.get([array.type.shape[axis] for axis in permutation], array.type.element_type)
    axes = ir.ArrayAttr.get([ir.IntegerAttr.get(ir.IntegerType.get_signless(64), axis) for axis in permutation])
    return ir.Operation.create("soac.transpose", [type_], [array], {"permutation": axes}).results[0]
