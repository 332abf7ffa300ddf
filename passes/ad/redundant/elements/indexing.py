"""Return rules of element and slice reads and writes."""

from __future__ import annotations

from operator import eq
from typing import TypeAlias

from tapeless._mlir import arith, ir, tensor
from tapeless.dialects import soac
from tapeless.passes.ad.redundant.elements.zeroed import add_beside_zeros
from tapeless.passes.ad.redundant.scope.bars import update_inside
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ir.build import Rows, add, dim, index, is_array, map_, number, zeros_like
from tapeless.passes.ir.places.coverage import is_nearly_whole
from tapeless.passes.ir.places.places import Place, Range
from tapeless.passes.ir.places.slices import remaining_axes, slice_offsets, slice_sizes, slice_strides
from tapeless.passes.ir.rows import Size, slice_of, with_slice


def extract_back(sweep: Sweep, op: ir.OpView) -> None:
    """v = a[i]: a_bar[i] += v_bar."""
    array, *indices = op.operation.operands
    bar = sweep.bars.of(op.operation.results[0])
    sweep.bars.add_at(array, sweep.primals(indices), bar, sweep.primal(array))


def insert_back(sweep: Sweep, op: ir.OpView) -> None:
    """b = a with [i] = v: v_bar += b_bar[i]; a_bar += b_bar with [i] = 0."""
    value, array, *indices = op.operation.operands
    bar = sweep.bars.of(op.operation.results[0])
    places = sweep.primals(indices)
    if value in sweep.activity:
        sweep.bars.add(value, tensor.ExtractOp(bar, places).result)
    if array in sweep.activity:
        sweep.bars.add(array, tensor.InsertOp(number(value.type, 0.0), bar, places).result)


def extract_slice_back(sweep: Sweep, op: ir.OpView) -> None:
    """v = a[s]: a_bar[s] += v_bar."""
    array = op.operation.operands[0]
    if array not in sweep.activity:
        return
    place = _place(sweep, op)
    seed = sweep.bars.of(op.operation.results[0])
    bar = sweep.bars.get(array)
    if bar is None:
        sweep.bars.set(array, with_slice(zeros_like(sweep.primal(array)), seed, *place))
    elif isinstance(bar.type, soac.AccType):
        sweep.bars.set(array, _add_slice(bar, seed, op, place))
    else:
        sweep.bars.set(array, _with_added(sweep, bar, seed, place, op))


def _with_added(sweep: Sweep, bar: ir.Value, seed: ir.Value, place: Bounds, op: ir.OpView) -> ir.Value:
    """The adjoint with `seed` added to the slice that `op` reads."""
    ranges = [Range(*part) for part in zip(*place, strict=True)]
    place_of_bar = Place(bar, ranges, remaining_axes(op))
    only_there = is_nearly_whole(Place.of(op), eq)
    beside = add_beside_zeros(bar, seed, place_of_bar, sweep.written, only_there=only_there)
    if beside is not None:
        return beside
    current = slice_of(bar, *place, op.operation.results[0].type)
    return with_slice(bar, add(current, seed), *place)


def insert_slice_back(sweep: Sweep, op: ir.OpView) -> None:
    """b = a with [s] = v: v_bar += b_bar[s]; a_bar += b_bar with [s] = 0."""
    part, array = list(op.operation.operands)[:2]
    bar = sweep.bars.of(op.operation.results[0])
    place = _place(sweep, op)
    if part in sweep.activity:
        sweep.bars.add(part, slice_of(bar, *place, part.type))
    if array in sweep.activity:
        sweep.bars.add(array, with_slice(bar, zeros_like(sweep.primal(part)), *place))


Bounds: TypeAlias = tuple[list[Size], list[Size], list[Size]]


def _place(sweep: Sweep, op: ir.OpView) -> Bounds:
    """Offsets, sizes and strides of a slice op, in terms of executed values."""

    def executed(numbers: list[Size]) -> list[Size]:
        return [n if isinstance(n, int) else sweep.primal(n) for n in numbers]

    return executed(slice_offsets(op)), executed(slice_sizes(op)), executed(slice_strides(op))


def _add_slice(acc: ir.Value, seed: ir.Value, op: ir.OpView, place: Bounds) -> ir.Value:
    """Adds an array to a slice of an accumulator, element by element."""
    offsets, _, strides = place
    start = [_value(offset) for offset in offsets]
    axes = remaining_axes(op)

    def add_part(acc: ir.Value, part: ir.Value, depth: int, at: list[ir.Value]) -> ir.Value:
        if not is_array(part):
            return update_inside(acc, at, part)

        def body(i: ir.Value, elements: Rows, accs: Rows) -> tuple[Rows, Rows]:
            axis = axes[depth]
            moved = list(at)
            moved[axis] = _step(at[axis], i, strides[axis])
            return [], [add_part(accs[0], elements[0], depth + 1, moved)]

        return map_(dim(part, 0), [part], [acc], body)[1][0]

    return add_part(acc, seed, 0, start)


def _value(size: Size) -> ir.Value:
    return index(size) if isinstance(size, int) else size


def _step(start: ir.Value, i: ir.Value, stride: Size) -> ir.Value:
    return arith.AddIOp(start, arith.MulIOp(i, _value(stride)).result).result
