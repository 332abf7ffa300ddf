"""Return rules of ops that only move elements: fills, literals, concatenation, reshapes, transposes, casts."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, tensor
from tapeless.dialects import soac
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ir.build import cast_to, dim, index, sum_all
from tapeless.passes.ir.rows import Size, slice_of


def splat_back(sweep: Sweep, op: ir.OpView) -> None:
    """Every element of a fill adds to the one value."""
    sweep.bars.add(op.operation.operands[0], sum_all(sweep.bars.of(op.operation.results[0])))


def from_elements_back(sweep: Sweep, op: ir.OpView) -> None:
    """Each element of a literal gets its own adjoint."""
    bar = sweep.bars.of(op.operation.results[0])
    shape = bar.type.shape
    for position, element in enumerate(op.operation.operands):
        if element in sweep.activity:
            sweep.bars.add(element, tensor.ExtractOp(bar, unflatten(position, shape)).result)


def unflatten(position: int, shape: Sequence[int]) -> list[ir.Value]:
    """The indices of an element of a literal, counted in order."""
    places = []
    for extent in reversed(shape):
        position, place = divmod(position, extent)
        places.append(index(place))
    return places[::-1]


def concat_back(sweep: Sweep, op: ir.OpView) -> None:
    """Each part gets its own slice of the adjoint."""
    bar = sweep.bars.of(op.operation.results[0])
    axis = ir.IntegerAttr(op.operation.attributes["dim"]).value
    start: ir.Value = index(0)
    for part in op.operation.operands:
        array = sweep.primal(part)
        rank = part.type.rank
        sizes: list[Size] = [n if n != DYNAMIC else dim(array, k) for k, n in enumerate(part.type.shape)]
        offsets: list[Size] = [start if k == axis else 0 for k in range(rank)]
        if part in sweep.activity:
            sweep.bars.add(part, slice_of(bar, offsets, sizes, [1] * rank, part.type))
        start = arith.AddIOp(start, dim(array, axis)).result


def reshape_back(sweep: Sweep, op: ir.OpView) -> None:
    """The adjoint is reshaped back."""
    source = op.operation.operands[0]
    array = sweep.primal(source)
    sizes = [dim(array, axis) for axis in range(source.type.rank)]
    shape = tensor.FromElementsOp(ir.RankedTensorType.get([len(sizes)], ir.IndexType.get()), sizes).result
    sweep.bars.add(source, tensor.ReshapeOp(source.type, sweep.bars.of(op.operation.results[0]), shape).result)


def transpose_back(sweep: Sweep, op: ir.OpView) -> None:
    """The adjoint is transposed by the inverse permutation."""
    source = op.operation.operands[0]
    permutation = [ir.IntegerAttr(axis).value for axis in ir.ArrayAttr(op.operation.attributes["permutation"])]
    inverse = [permutation.index(axis) for axis in range(len(permutation))]
    i64 = ir.IntegerType.get_signless(64)
    attr = ir.ArrayAttr.get([ir.IntegerAttr.get(i64, axis) for axis in inverse])
    bar = sweep.bars.of(op.operation.results[0])
    shape = [bar.type.shape[axis] for axis in inverse]
    type_ = ir.RankedTensorType.get(shape, bar.type.element_type)
    sweep.bars.add(source, soac.TransposeOp(bar, type_, permutation=attr).out)


def reverse_back(sweep: Sweep, op: ir.OpView) -> None:
    """The adjoint is reversed back."""
    bar = sweep.bars.of(op.operation.results[0])
    sweep.bars.add(op.operation.operands[0], soac.ReverseOp(bar, bar.type, axis=op.operation.attributes["axis"]).out)


def cast_back(sweep: Sweep, op: ir.OpView) -> None:
    """The adjoint has the operand's static sizes."""
    source = op.operation.operands[0]
    sweep.bars.add(source, cast_to(source.type, sweep.bars.of(op.operation.results[0])))
