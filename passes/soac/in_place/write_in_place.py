"""The pass `soac-write-in-place` removes the reasons for which arrays would be copied before they are written to."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.places.places import WRITES, Place, are_disjoint, is_write
from tapeless.passes.ir.scopes import is_used_once
from tapeless.passes.ir.search import ops_named
from tapeless.passes.soac.in_place.checkpoints_in_place import checkpoints_in_place
from tapeless.passes.soac.simplify.delays import delay_behind_reads

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


def sink_writes(root: ir.OpView) -> None:
    """Moves every write behind the last read of the elements that it overwrites, those in regions first.

    Writes whose result is wanted earlier stay. What an operator makes of a slice is written before other elements are.
    """
    for write in ops_named(root, *WRITES):
        exchange_with_earlier(write)
        delay_behind_reads(write)


# Fills go right before writes, whose places are known once these have moved.
STEPS: tuple[Callable[[ir.OpView], None], ...] = (separate_empties, checkpoints_in_place, sink_writes, separate_fills)


@dataclass(frozen=True)
class WriteInPlace:
    """Rewrites programs so that arrays are updated where they are, without copies.

    ```mlir
    %b = tensor.insert %v into %a[%i]                 %x = tensor.extract %a[%j]
    %x = tensor.extract %a[%j]                        %b = tensor.insert %v into %a[%i]
    ```
    Arrays without contents and fills are made for each use, a loop that stores every state of an array has the array
    in the rows of its history (`checkpoints_in_place.py`), and writes follow the reads of what they overwrite.
    """

    name: ClassVar[str] = "soac-write-in-place"
    after: ClassVar[dict[str, str]] = {
        "soac-minimise-checkpoints": "states that are not stored have no history",
        "soac-fuse": "fusion decides which reads there are",
    }
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Takes one step after the other."""
        for step in STEPS:
            step(module.operation.opview)
