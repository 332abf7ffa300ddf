"""The body of a map cut into stages: computed values, recomputed values, and the arrays between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from enum import Enum, auto

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.build import is_array
from tapeless.passes.ir.scopes import ancestor_in, outer_values
from tapeless.passes.soac.spread.weights import (
    MOST_REPEATED,
    chain_length,
    is_repeatable,
    is_short,
    is_wide,
    uses_accumulators,
)


class Kind(Enum):
    """The kind of a statement: an operator for a grid, a long reduction to numbers, which a team of threads can share,
    sequential code of a thread, or a sum into an accumulator.
    """

    WIDE = auto()
    LONG = auto()
    LIGHT = auto()
    ADDING = auto()


def kind_of(statement: ir.OpView, around: ir.Operation) -> Kind:
    """The kind of a statement of a body."""
    if is_wide(statement, around):
        return Kind.WIDE
    if uses_accumulators(statement):
        return Kind.ADDING
    return Kind.LONG if reduces_to_numbers(statement) and not is_short(statement) else Kind.LIGHT


def reduces_to_numbers(statement: ir.OpView) -> bool:
    """Whether a statement is a reduction, and makes no array."""
    return statement.operation.name in ("soac.fused", "soac.reduce") and not _makes_arrays(statement)


def _makes_arrays(statement: ir.OpView) -> bool:
    return any(isinstance(each.type, ir.RankedTensorType) for each in statement.results)


@dataclass
class Stages:
    """Statements of a body in order, those that stay together in one list; the rest is repeated where it is wanted."""

    loop: Loop
    groups: list[list[ir.OpView]] = field(default_factory=list)
    stored: set[ir.Value] = field(default_factory=set)
    is_wide: bool = False
    reduces_beside_rows: bool = False

    @staticmethod
    def of(op: ir.OpView) -> Stages:
        stages = Stages(Loop.seen_as(op))
        statements = list(stages.loop.body.operations)[:-1]
        kept = stages._long_chains(statements)
        kinds: list[Kind] = []
        for statement in statements:
            if is_repeatable(statement) and not any(value in kept for value in statement.results):
                continue
            kind = kind_of(statement, op.operation)
            if kind is Kind.LIGHT and kinds[-1:] == [Kind.LONG] and not _makes_arrays(statement):
                kind = Kind.LONG
            if kind is Kind.WIDE or kinds[-1:] != [kind]:
                stages.groups.append([])
                kinds.append(kind)
            stages.groups[-1].append(statement)
            stages.stored.update(statement.results)
        stages.reduces_beside_rows = Kind.LONG in kinds and bool(stages._rows())
        are_mixed = len({Kind.LONG, Kind.LIGHT, Kind.ADDING}.intersection(kinds)) > 1
        stages.is_wide = Kind.WIDE in kinds or are_mixed or stages.reduces_beside_rows
        return stages

    @property
    def is_one_reduction(self) -> bool:
        """Whether a reduction to numbers is all there is beside simple operations, which come after it."""
        statements = [each for group in self.groups for each in group]
        if not statements or not reduces_to_numbers(statements[0]):
            return False
        return not any(len(each.regions) or uses_accumulators(each) for each in statements[1:])

    @property
    def makes_simple_rows(self) -> bool:
        """Whether the body yields rows that simple operations make, which whoever reads them can repeat."""
        return any(value not in self.stored for value in self._rows())

    def _rows(self) -> list[ir.Value]:
        """The rows that the body makes and yields."""
        rows = [value for value in self.loop.lifted() if is_array(value) and isinstance(value, ir.OpResult)]
        return [value for value in rows if value.owner.operation.block == self.loop.body]

    def _long_chains(self, statements: Sequence[ir.OpView]) -> set[ir.Value]:
        """Numbers that inner operators use and that take more operations than are repeated for each inner element."""
        block = self.loop.body
        kept = {value for op in statements if not is_repeatable(op) for value in op.results}
        for op in statements:
            for value in outer_values(op) if len(op.regions) else ():
                is_own = isinstance(value, ir.OpResult) and value.owner.operation.block == block
                if is_own and not len(value.owner.regions) and chain_length(value, block, kept) > MOST_REPEATED:
                    kept.add(value)
        return kept

    def repeated_for(self, statements: Sequence[ir.OpView], values: Sequence[ir.Value]) -> list[ir.OpView]:
        """These statements and all that they, or values, need and that nothing stores, in order."""
        block = self.loop.body
        own = {value for op in statements for value in op.results}
        wanted = [op.operation for op in statements]
        pending = [*values, *(value for op in statements for value in outer_values(op))]
        seen: set[ir.Value] = set()
        needed: set[ir.Value] = set()
        while pending:
            value = pending.pop()
            if value in seen or isinstance(value, ir.BlockArgument) or value in own or value in self.stored:
                continue
            seen.add(value)
            if value.owner.operation.block == block:
                needed.update(value.owner.results)
                pending.extend(outer_values(value.owner))
        operations = list(block.operations)
        return [op for op in operations if op.operation in wanted or any(value in needed for value in op.results)]

    def outgoing(self, statements: Sequence[ir.OpView]) -> list[ir.Value]:
        """The results of these statements that others, or the end of the body, read."""
        block = self.loop.body
        own = [op.operation for op in statements]
        found = []
        for op in statements:
            for value in op.results:
                users = [ancestor_in(block, use.owner.operation) for use in value.uses]
                if any(user not in own for user in users):
                    found.append(value)
        return found
