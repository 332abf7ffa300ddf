"""Sizes that iterations compute for themselves, and checks find equal to a size of all: these are used instead."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.scopes import ancestor_in, is_defined_outside
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.checked_sizes import compared_sizes
from tapeless.passes.marks import NOTED

SLICE = "tensor.extract_slice"


def share_sizes(op: ir.OpView) -> bool:
    """Has what comes after the checks in an operator use sizes from outside of it; says whether there were any.

    ```mlir
    map over n:                                       map over n:
      %m = length of a slice from %i                    %m = length of a slice from %i
      %row = tensor.extract_slice %x[%i] [%m]           soac.assert %m == %k
      soac.assert %m == %k                              %row = tensor.extract_slice %x[%i] [%k]
      map over %m: ...                                  map over %k: ...
    ```
    Slices at places of their own, which NumPy may cut short, are rows of equal length then. Those that are read behind
    the check alone are taken there.
    """
    changed = False
    for check in ops_named(op, "soac.assert"):
        pair = None if NOTED in check.operation.attributes else compared_sizes(check.operands[0])
        if pair is not None:
            outside = [value for value in pair if is_defined_outside(value, op.operation)]
            inside = [value for value in pair if value not in outside]
            changed |= len(outside) == len(inside) and _use_behind(check, inside[0], outside[0])
    return changed


def _use_behind(check: ir.OpView, own: ir.Value, shared: ir.Value) -> bool:
    """Replaces uses of a size behind the check that it is another one."""
    changed = False
    for use in list(own.uses):
        user, number = use.owner.operation, use.operand_number
        if user.name == SLICE and not _is_behind(check, user) and _is_read_behind(check, user):
            user.move_after(check.operation)
        if _is_behind(check, user):
            user.operands[number] = shared
            changed = True
    return changed


def _is_behind(check: ir.OpView, op: ir.Operation) -> bool:
    around = ancestor_in(check.operation.block, op)
    return around is not None and check.operation.is_before_in_block(around)


def _is_read_behind(check: ir.OpView, op: ir.Operation) -> bool:
    """Whether an operation is in the block of a check, and its results are used behind this."""
    is_beside = op.block == check.operation.block
    return is_beside and all(_is_behind(check, use.owner.operation) for result in op.results for use in result.uses)
