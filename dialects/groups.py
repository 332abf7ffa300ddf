"""Operand and result groups: which values of an operation belong to which field.

The stock field classes demand `operandSegmentSizes` (`resultSegmentSizes`) on every operation with a variadic group.
With a single variadic group the sizes follow from the total, so here the attribute exists only for two or more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir, irdl

Fields = Sequence[ext.FieldDef]
OPERAND_SIZES = "operandSegmentSizes"
RESULT_SIZES = "resultSegmentSizes"


def is_single(field: ext.FieldDef) -> bool:
    """Whether a field holds exactly one value."""
    return field.variadicity == irdl.Variadicity.single


def needs_sizes(fields: Fields) -> bool:
    """Whether the sizes of the groups cannot be told from the total number of values."""
    return sum(not is_single(field) for field in fields) > 1


def group_sizes(op: ir.OpView, fields: Fields, total: int, attribute: str) -> list[int]:
    """The number of values in each group of an operation."""
    if needs_sizes(fields):
        return list(op.attributes[attribute])
    spare = total - sum(map(is_single, fields))
    return [1 if is_single(field) else spare for field in fields]


def group_property(fields: Fields, position: int, values: str, attribute: str) -> property:
    """Reads one group: a value for a single field, a list for a variadic one."""

    def get(op: ir.OpView) -> Any:
        everything = getattr(op.operation, values)
        sizes = group_sizes(op, fields, len(everything), attribute)
        start = sum(sizes[:position])
        if is_single(fields[position]):
            return everything[start]
        return list(everything[start : start + sizes[position]])

    return property(get)


def flatten(fields: Fields, groups: Sequence[Any]) -> list[Any]:
    """What the generic builder takes: groups as they are when it splits them, one flat list when it does not."""
    if needs_sizes(fields):
        return list(groups)
    pairs = zip(fields, groups, strict=True)
    return [value for field, group in pairs for value in ([group] if is_single(field) else group)]
