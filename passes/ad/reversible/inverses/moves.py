"""Operations that only move elements, undone by moving them back."""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import ir, tensor
from tapeless.dialects import soac
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ad.redundant.elements.structure import unflatten
from tapeless.passes.ad.reversible.inverses.solver import Inverse, Solver
from tapeless.passes.ad.reversible.inverses.undoing import Undoing
from tapeless.passes.ir.build import index


def transposed_back(op: ir.OpView, moved: ir.Value) -> ir.Value:
    """The axes in their old order."""
    permutation = [ir.IntegerAttr(axis).value for axis in ir.ArrayAttr(op.operation.attributes["permutation"])]
    i64 = ir.IntegerType.get_signless(64)
    inverse = [ir.IntegerAttr.get(i64, permutation.index(axis)) for axis in range(len(permutation))]
    return soac.TransposeOp(moved, op.operation.operands[0].type, permutation=ir.ArrayAttr.get(inverse)).out


def turned_back(op: ir.OpView, moved: ir.Value) -> ir.Value:
    """The axis in its old direction."""
    return soac.ReverseOp(moved, moved.type, axis=op.operation.attributes["axis"]).out


def cast_back(op: ir.OpView, moved: ir.Value) -> ir.Value:
    """The same array with the static sizes it had."""
    return tensor.CastOp(op.operation.operands[0].type, moved).result


def reshaped_back(op: ir.OpView, moved: ir.Value) -> ir.Value:
    """The elements in their old shape, which is static."""
    type_ = op.operation.operands[0].type
    sizes = [index(extent) for extent in type_.shape]
    shape = tensor.FromElementsOp(ir.RankedTensorType.get([len(sizes)], ir.IndexType.get()), sizes).result
    return tensor.ReshapeOp(type_, moved, shape).result


MOVES: dict[str, Callable[[ir.OpView, ir.Value], ir.Value]] = {
    "soac.transpose": transposed_back,
    "soac.reverse": turned_back,
    "tensor.cast": cast_back,
    "soac.widen": cast_back,
    "tensor.reshape": reshaped_back,
}


def undo_move(solver: Solver, op: ir.OpView) -> None:
    """Finds the array from its moved elements."""
    array, (result,) = op.operation.operands[0], op.operation.results
    if not solver.is_known(result) or solver.is_known(array):
        return
    if op.operation.name == "tensor.reshape" and DYNAMIC in array.type.shape:
        return

    def step(undoing: Undoing) -> None:
        with op.location:
            undoing.bind(array, MOVES[op.operation.name](op, undoing.value(result)))

    solver.learn(array, step, op=op)


def undo_literal(solver: Solver, op: ir.OpView) -> None:
    """The elements of a literal are read from it."""
    (result,) = op.operation.results
    if not solver.is_known(result):
        return
    for position, element in enumerate(op.operation.operands):
        if not solver.is_known(element):
            solver.learn(element, _element_step(op, position, element, result), op=op)


def _element_step(op: ir.OpView, position: int, element: ir.Value, result: ir.Value) -> Callable[[Undoing], None]:
    def step(undoing: Undoing) -> None:
        with op.location:
            place = unflatten(position, result.type.shape)
            undoing.bind(element, tensor.ExtractOp(undoing.value(result), place).result)

    return step


MOVING: dict[str, Inverse] = {**dict.fromkeys(MOVES, undo_move), "tensor.from_elements": undo_literal}
