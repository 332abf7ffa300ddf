"""Writes into other elements that change places, so that what is computed from the elements of a slice goes there."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.places.places import Place, are_disjoint, is_write
from tapeless.passes.ir.scopes import is_used_once

# What computes all elements of a slice, and can do so where the slice lies.
OPERATORS = ("soac.map", "soac.fused")


def exchange_with_earlier(write: ir.OpView) -> None:
    """Lets the result of an operator be written before what was written into other elements after it was computed.

    ```mlir
    %m = soac.map of %a[0:i]                          %m = soac.map of %a[0:i]
    %b = tensor.insert %v into %a[i]                  %s = tensor.insert_slice %m into %a[0:i]
    %r = tensor.insert_slice %m into %b[0:i]          %r = tensor.insert %v into %s[i]
    ```
    Loops from last to first that clear the adjoint of an element and add to those of all before are such.
    """
    source, array = write.operands[0], write.operands[1]
    if isinstance(source, ir.BlockArgument) or source.owner.operation.name not in OPERATORS:
        return
    while not isinstance(array, ir.BlockArgument) and _may_follow(array.owner, write, source.owner):
        earlier = array.owner.operation
        array = earlier.operands[1]
        write.operation.operands[1] = array
        write.operation.results[0].replace_all_uses_with(earlier.results[0])
        earlier.operands[1] = write.operation.results[0]
        earlier.move_after(write.operation)


def _may_follow(earlier: ir.OpView, write: ir.OpView, maker: ir.OpView) -> bool:
    """Whether an operation behind the maker of a value writes elements that the later write leaves alone."""
    if not is_write(earlier) or earlier.operation.block != write.operation.block:
        return False
    is_behind = maker.operation.block == earlier.operation.block and maker.operation.is_before_in_block(
        earlier.operation
    )
    return is_behind and is_used_once(earlier.results[0]) and are_disjoint(Place.of(earlier), Place.of(write))
