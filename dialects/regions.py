"""Checks on regions of one block: their arguments and yielded values."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dialects.verification import Problems, types_text


def is_empty(region: ir.Region) -> bool:
    """Whether a region has no block at all, which is how an absent region is written."""
    return len(region.blocks) == 0


def yielded_types(region: ir.Region) -> list[ir.Type]:
    """The yielded types of the only block of a region."""
    return [value.type for value in terminator(region).operands]


def terminator(region: ir.Region) -> ir.Operation:
    """The last operation of the only block of a region."""
    return region.blocks[0].operations[-1].operation


def block_problems(name: str, region: ir.Region, ending: str) -> Problems:
    """A region must be one block that ends in the operation called `ending`."""
    count = len(region.blocks)
    if count != 1:
        yield f"has {count} blocks in the region {name}; give it exactly one"
    operations = region.blocks[0].operations
    if len(operations) == 0 or terminator(region).name != ending:
        yield f"has a region {name} that does not end in {ending}; end it with one"


def argument_problems(name: str, region: ir.Region, wanted: Sequence[ir.Type], meaning: str) -> Problems:
    """The block arguments of a region must have the wanted types; `meaning` names them."""
    given = [argument.type for argument in region.blocks[0].arguments]
    if given != list(wanted):
        yield f"has {name} arguments {types_text(given)}; make them {types_text(wanted)}: {meaning}"


def yield_problems(name: str, region: ir.Region, wanted: Sequence[ir.Type], meaning: str) -> Problems:
    """A region must yield values of the wanted types; `meaning` names them."""
    given = yielded_types(region)
    if given != list(wanted):
        yield f"yields {types_text(given)} from {name}; yield {types_text(wanted)}: {meaning}"
