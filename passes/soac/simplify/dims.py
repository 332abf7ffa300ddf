"""Sizes of arrays: `tensor.dim` folds by the producer, widened arrays whose size no loop changes get it back."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.regions.slots import argument_for
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.expressions import Dim, Size
from tapeless.passes.ir.sizes.shapes import remembered_sizes, size_of
from tapeless.passes.ir.sizes.sizes import as_value, can_write, constant_int, write
from tapeless.passes.soac.simplify.known_writes import kept_sizes


def fold_dims(root: ir.OpView) -> bool:
    """Folds every `tensor.dim` below an operation; all sizes are found before anything changes, so each is found once.

    Says whether anything changed.
    """
    asked = ops_named(root, "tensor.dim")
    with remembered_sizes():
        sizes = [_known_size(op) for op in asked]
    return any([_write_size(op, size) is None for op, size in zip(asked, sizes, strict=True)])


def fold_dim(op: ir.OpView) -> ir.OpView | None:
    """The size of an array known from its producers, so that asking for it does not keep the array alive."""
    with kept_sizes():
        size = _known_size(op)
    return _write_size(op, size)


def _known_size(op: ir.OpView) -> Size | None:
    """The size that is asked for; nothing where it cannot be told without the array."""
    array, axis = op.operands
    number = constant_int(axis)
    if number is None or not 0 <= number < array.type.rank:
        return None
    size = size_of(array, number)
    return None if size == Dim(array, number) else size


def _write_size(op: ir.OpView, size: Size | None) -> ir.OpView | None:
    at = ir.InsertionPoint(op)
    if size is None or not can_write(size, at):
        return op
    replace_op(op, [as_value(write(size, at), at)])
    return None


LOOPS = ("scf.for", "scf.while")


def narrow_kept_sizes(op: ir.OpView) -> ir.OpView | None:
    """`soac.widen` becomes a cast, which upstream passes fold, unless a loop that starts from it changes the size."""
    with kept_sizes():
        changes = any(_changes_size(use.owner, use.operand_number) for use in op.results[0].uses)
    if changes:
        return op
    replace_op(op, [op.operands[0]])
    return None


def _changes_size(user: ir.OpView, position: int) -> bool:
    """Whether an operation is a loop that carries this operand and may change its size."""
    if user.operation.name not in LOOPS:
        return False
    argument, start = argument_for(user, position), user.operands[position]
    if argument is None:
        return False
    return any(size_of(argument, axis) != size_of(start, axis) for axis in range(start.type.rank))
