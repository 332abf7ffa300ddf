"""Operand and result groups: which values of an operation belong to which field.

The stock field classes demand `operandSegmentSizes` (`resultSegmentSizes`) on every operation with a variadic group.
With a single variadic group the sizes follow from the total, so here the attribute exists only for two or more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from tapeless._mlir import ext, ir, irdl

RUNS = 32
"""How many runs of values of equal type a variadic group may have."""


@dataclass(frozen=True)
class Groups:
    """The operand fields, or the result fields, of an operation class."""

    fields: Sequence[ext.FieldDef]
    kind: str
    sizes_attribute: str

    @cached_property
    def singles(self) -> tuple[bool, ...]:
        """Per field, whether it holds exactly one value."""
        return tuple(field.variadicity == irdl.Variadicity.single for field in self.fields)

    @cached_property
    def fewest(self) -> int:
        """The number of values when every variadic group is empty."""
        return sum(self.singles)

    @cached_property
    def needs_sizes(self) -> bool:
        """Whether the sizes of the groups cannot be told from the total number of values."""
        return len(self.fields) - self.fewest > 1

    def sizes(self, op: ir.OpView) -> list[int]:
        """The number of values in each group of an operation."""
        if not self.needs_sizes:
            spare = len(getattr(op.operation, self.kind)) - self.fewest
            return [1 if single else spare for single in self.singles]
        return self.merge_runs(numbers_of(op.attributes[self.sizes_attribute]))

    @cached_property
    def run_widths(self) -> tuple[int, ...]:
        """The number of groups that IRDL sees for each field, see `mixed_groups`."""
        return tuple(1 if single else RUNS for single in self.singles)

    def merge_runs(self, sizes: list[int]) -> list[int]:
        """The sizes per field from sizes per run; others are given back as they are."""
        if len(sizes) != sum(self.run_widths):
            return sizes
        runs = iter(sizes)
        return [sum(islice(runs, width)) for width in self.run_widths]

    def owners(self, op: ir.OpView) -> list[ext.FieldDef]:
        """The field that each value belongs to."""
        return [field for field, size in zip(self.fields, self.sizes(op), strict=True) for _ in range(size)]

    def accessor(self, position: int) -> property:
        """Reads one group: a value for a single field, a list for a variadic one."""

        def get(op: ir.OpView) -> Any:
            values = getattr(op.operation, self.kind)
            sizes = self.sizes(op)
            start = sum(sizes[:position])
            if self.singles[position]:
                return values[start]
            return list(values[start : start + sizes[position]])

        return property(get)

    def flatten(self, groups: Sequence[Any]) -> list[Any]:
        """What the generic builder takes: groups as they are when it splits them, else one flat list."""
        if self.needs_sizes:
            return list(groups)
        pairs = zip(self.singles, groups, strict=True)
        return [value for single, group in pairs for value in ([group] if single else group)]

    def __str__(self) -> str:
        """The fields as they are written in a message: `width, inputs..., neutral...`."""
        pairs = zip(self.singles, self.fields, strict=True)
        return ", ".join(field.name if single else f"{field.name}..." for single, field in pairs) or "none"


def numbers_of(attribute: ir.DenseI32ArrayAttr | ir.DenseI64ArrayAttr) -> list[int]:
    """The numbers of an array attribute, by position: the bindings take ten times as long to iterate over it."""
    return [attribute[position] for position in range(len(attribute))]


def operand_groups(fields: Sequence[ext.FieldDef]) -> Groups:
    """The groups of operands among all fields of an operation class."""
    return Groups(ext.partition_fields(fields)[0], "operands", "operandSegmentSizes")


def result_groups(fields: Sequence[ext.FieldDef]) -> Groups:
    """The groups of results among all fields of an operation class."""
    return Groups(ext.partition_fields(fields)[2], "results", "resultSegmentSizes")
