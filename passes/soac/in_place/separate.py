"""Arrays that are made once for every use of them: those without contents, and fills that are written into others."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.search import ops_named


def separate_empties(root: ir.OpView) -> None:
    """Gives every use of a `tensor.empty` one of its own, so that no loop copies an uninitialised array.

    ```mlir
    %e = tensor.empty() : tensor<8xf64>               %e = tensor.empty()    %f = tensor.empty()
    scf.for ... iter_args(%a = %e, %b = %e)           scf.for ... iter_args(%a = %e, %b = %f)
    ```
    """
    for empty in ops_named(root, "tensor.empty"):
        places = [(use.owner.operation, use.operand_number) for use in empty.operation.results[0].uses]
        for user, number in places[1:]:
            user.operands[number] = empty.operation.clone(ip=ir.InsertionPoint(empty)).results[0]


def separate_fills(root: ir.OpView) -> None:
    """Gives every `tensor.insert_slice` of a fill a fill of its own, right before it.

    ```mlir
    %f = tensor.splat %zero                           %f = tensor.splat %zero
    ...                                               %w = tensor.insert_slice %f into %x[...]
    %w = tensor.insert_slice %f into %x[...]          %g = tensor.splat %zero
    %v = tensor.insert_slice %f into %w[...]          %v = tensor.insert_slice %g into %w[...]
    ```
    """
    for write in ops_named(root, "tensor.insert_slice"):
        part = write.operands[0]
        if not isinstance(part, ir.BlockArgument) and part.owner.operation.name == "tensor.splat":
            _give_fill(write, part)


def _give_fill(write: ir.OpView, part: ir.Value) -> None:
    fill = part.owner.operation
    if len(list(part.uses)) > 1:
        write.operation.operands[0] = fill.clone(ip=ir.InsertionPoint(write)).results[0]
    elif fill.block == write.operation.block:
        fill.move_before(write.operation)
