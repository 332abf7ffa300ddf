"""Checks that several operators of `soac` share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tapeless._mlir import ir
from tapeless.dialects.array_types import is_array, leading_sizes_agree, row_type
from tapeless.dialects.regions import argument_problems, block_problems, yield_problems
from tapeless.dialects.soac.dialect import YieldOp
from tapeless.dialects.verification import Problems, types_text

YIELD = YieldOp.OPERATION_NAME


def types_of(values: Iterable[ir.Value]) -> list[ir.Type]:
    """The types of some values."""
    return [value.type for value in values]


def array_problems(name: str, types: Sequence[ir.Type]) -> Problems:
    """Every type must be an array."""
    for type_ in types:
        if not is_array(type_):
            yield f"has {name} of type {type_}; give a ranked tensor of rank 1 or more"


def width_problems(types: Sequence[ir.RankedTensorType]) -> Problems:
    """All arrays must be able to have the operator's width as the size of axis 0."""
    if not leading_sizes_agree(types):
        yield f"has arrays {types_text(types)} of different widths; make the sizes of axis 0 equal"


def body_block_problems(name: str, region: ir.Region) -> Problems:
    """A region must be one block that ends in `soac.yield`."""
    return block_problems(name, region, YIELD)


def combine_problems(name: str, region: ir.Region, rows: Sequence[ir.Type]) -> Problems:
    """An operator region must combine two tuples of rows into one."""
    yield from body_block_problems(name, region)
    yield from argument_problems(name, region, [*rows, *rows], "the left operands, then the right ones")
    yield from yield_problems(name, region, rows, "one value per operand pair")


def neutral_problems(neutral: Sequence[ir.Type], rows: Sequence[ir.Type]) -> Problems:
    """There must be one neutral element per combined array, of its row type."""
    if list(neutral) != list(rows):
        yield f"has neutral elements {types_text(neutral)}; make them {types_text(rows)}: one row per array"


def rows_of(types: Iterable[ir.RankedTensorType]) -> list[ir.Type]:
    """The row types of arrays."""
    return [row_type(type_) for type_ in types]
