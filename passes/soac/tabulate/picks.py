"""Maps whose rows are read at places that are data, by one map after them and by nothing else."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.effects import is_or_holds
from tapeless.passes.ir.costs import CHECKS, SUMS, calls_function
from tapeless.passes.ir.places.places import is_data
from tapeless.passes.ir.places.slices import remaining_axes, slice_offsets
from tapeless.passes.ir.scopes import ancestor_in, is_used_once
from tapeless.passes.soac.tabulate.gathers import steps_to
from tapeless.passes.soac.tabulate.keyed import READS

# The most places of an iteration, as the corners of a triangle.
MOST_PLACES = 4
EFFECTS = CHECKS | {"soac.report"}


@dataclass(frozen=True)
class Picks:
    """The map that reads the rows, the places of an iteration, what computes them, and the reads."""

    reader: ir.OpView
    places: list[ir.Value]
    steps: list[ir.OpView]
    reads: list[ir.OpView]


def picks_of(op: ir.OpView) -> Picks | None:
    """How a map's rows are picked, if they are read in no other way and no iteration has an effect."""
    uses = [use for result in op.operation.results for use in result.uses]
    if op.accs or not uses or not all(map(_is_row_read, uses)):
        return None
    reader = _beside(op, uses[0].owner)
    if reader.operation.name != "soac.map" or reader.accs or is_or_holds(op, EFFECTS):
        return None
    if any(_beside(op, use.owner).operation != reader.operation for use in uses[1:]):
        return None
    reads = list({use.owner.operation.results[0]: use.owner for use in uses}.values())
    places = list(dict.fromkeys(read.operation.operands[1] for read in reads))
    body = reader.body.blocks[0]
    if len(places) > MOST_PLACES or not all(_is_made_in(place, body) and is_data(place) for place in places):
        return None
    steps = steps_to(reader, places)
    return None if steps is None else Picks(reader, places, steps, reads)


def after(place: ir.Value) -> ir.OpView:
    """The statement after the one that makes a value; the first one for an argument."""
    if isinstance(place, ir.BlockArgument):
        return place.owner.operations[0]
    operations = list(place.owner.operation.block.operations)
    position = next(k for k, each in enumerate(operations) if place in list(each.operation.results))
    return operations[position + 1]


def takes_long(op: ir.OpView) -> bool:
    """Whether a map, or one that makes elements for it alone, calls a function or sums."""
    if calls_function(op) or is_or_holds(op, SUMS):
        return True
    made = [array for array in op.inputs if not isinstance(array, ir.BlockArgument) and is_used_once(array)]
    return any(array.owner.operation.name == "soac.map" and takes_long(array.owner) for array in made)


def _beside(op: ir.OpView, user: ir.OpView) -> ir.OpView:
    """The operation in the block of `op` that another one is or is in."""
    found = ancestor_in(op.operation.block, user.operation)
    assert found is not None
    return found.opview


def _is_row_read(use: ir.OpOperand) -> bool:
    """Whether an operation reads one row, or part of it, at an index that is a value."""
    read = use.owner
    if use.operand_number != 0 or read.operation.name not in READS:
        return False
    if read.operation.name == "tensor.extract":
        return True
    return not isinstance(slice_offsets(read)[0], int) and 0 not in remaining_axes(read)


def _is_made_in(value: ir.Value, block: ir.Block) -> bool:
    """Whether a body computes a value or gets it as an element."""
    if isinstance(value, ir.BlockArgument):
        return value.owner == block and value.arg_number > 0
    return value.owner.operation.block == block
