"""Operand and result groups: which values of an operation belong to which field.

The stock field classes demand `operandSegmentSizes` (`resultSegmentSizes`) on every operation with a variadic group.
With a single variadic group the sizes follow from the total, so here the attribute exists only for two or more.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, groupby, takewhile
from typing import Any

from tapeless._mlir import ext, ir, irdl
from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass

SEGMENTS = "operandSegmentSizes"
"""The attribute with the number of operands in each group."""

FEW_RUNS, SOME_RUNS, MANY_RUNS = 16, 64, 128
"""How many runs of values of equal type a variadic group may have; each costs some microseconds in every context."""

RUNS_AT_FIRST = SOME_RUNS // 2
"""How many of `SOME_RUNS` a program may use, so that derivatives find room for theirs."""


@dataclass(frozen=True)
class Groups:
    """The operand fields, or the result fields, of an operation class."""

    fields: Sequence[ext.FieldDef]
    kind: str
    sizes_attribute: str
    runs: int

    @computed_once
    def singles(self) -> tuple[bool, ...]:
        """Per field, whether it holds exactly one value."""
        return tuple(field.variadicity == irdl.Variadicity.single for field in self.fields)

    @computed_once
    def fewest(self) -> int:
        """The number of values when every variadic group is empty."""
        return sum(self.singles)

    @computed_once
    def needs_sizes(self) -> bool:
        """Whether the sizes of the groups cannot be told from the total number of values."""
        return len(self.fields) - self.fewest > 1

    def sizes(self, op: ir.OpView) -> list[int]:
        """The number of values in each group of an operation."""
        if not self.needs_sizes:
            spare = len(getattr(op.operation, self.kind)) - self.fewest
            return [1 if single else spare for single in self.singles]
        return self.sizes_in(op.attributes[self.sizes_attribute])

    @computed_once
    def run_widths(self) -> tuple[int, ...]:
        """The number of groups that IRDL sees for each field, see `mixed_groups`."""
        return tuple(1 if single else self.runs for single in self.singles)

    def sizes_in(self, attribute: ir.DenseI32ArrayAttr) -> list[int]:
        """The sizes per field in an attribute that holds them, or the sizes per run, whose unused ones are 0."""
        if len(attribute) != sum(self.run_widths):
            return numbers_of(attribute)
        starts = accumulate(self.run_widths[:-1], initial=0)
        return [
            sum(takewhile(bool, (attribute[position] for position in range(start, start + width))))
            for start, width in zip(starts, self.run_widths, strict=True)
        ]

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
        """The arguments of the generic builder: groups as they are when it splits them, else one flat list."""
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


def run_lengths(types: Sequence[ir.Type]) -> list[int]:
    """The lengths of the runs of equal types."""
    return [len(list(run)) for _, run in groupby(types)]


def has_more_runs(types: Sequence[ir.Type], most: int) -> bool:
    """Whether types form more than `most` runs of equal ones."""
    return len(types) > most and len(run_lengths(types)) > most


def operand_groups(fields: Sequence[ext.FieldDef], runs: int) -> Groups:
    """The groups of operands among all fields of an operation class."""
    return Groups(ext.partition_fields(fields)[0], "operands", SEGMENTS, runs)


def result_groups(fields: Sequence[ext.FieldDef], runs: int) -> Groups:
    """The groups of results among all fields of an operation class."""
    return Groups(ext.partition_fields(fields)[2], "results", "resultSegmentSizes", runs)
