"""What the values of a launched nest depend on: its loops, the loop that reduces, and what that carries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass

# What a value may depend on besides the loops of the nest, which are numbers from 0.
STEP, CARRIED, REDUCED, FOLDED = -1, -2, -3, -4
NOTHING: frozenset[int] = frozenset()


@dataclass
class NestValues:
    """The operations of a nest by their results, and the sources that each value depends on."""

    made_by: dict[ir.Value, ir.Operation]
    sources: dict[ir.Value, frozenset[int]]
    _read: dict[ir.Value, bool] = field(default_factory=dict)

    @staticmethod
    def of(loops: list[ir.Operation], reduction: ir.Operation) -> NestValues:
        values = NestValues({}, {})
        for number, loop in enumerate(loops):
            variable, *folded = loop.regions[0].blocks[0].arguments
            values.sources[variable] = frozenset((number,))
            values.sources.update(dict.fromkeys((*folded, *loop.results), frozenset((FOLDED,))))
        step, *carried = reduction.regions[0].blocks[0].arguments
        values.sources[step] = frozenset((STEP,))
        values.sources.update(dict.fromkeys(carried, frozenset((CARRIED,))))
        values.sources.update(dict.fromkeys(reduction.results, frozenset((REDUCED,))))
        for op in (*operations_between(loops, reduction), *body_of(reduction)):
            for result in op.results:
                values.made_by[result] = op
                values.sources[result] = frozenset().union(*(values.of_value(operand) for operand in op.operands))
        return values

    def of_value(self, value: ir.Value) -> frozenset[int]:
        """What a value depends on: nothing, if it is made outside."""
        return self.sources.get(value, NOTHING)

    def is_inside(self, value: ir.Value) -> bool:
        return value in self.sources

    def reads_memory(self, value: ir.Value) -> bool:
        """Whether a load is among the operations that make a value."""
        if value not in self._read:
            op = self.made_by.get(value)
            self._read[value] = op is not None and (
                op.name == "memref.load" or any(self.reads_memory(operand) for operand in op.operands)
            )
        return self._read[value]

    def closure(self, wanted: list[ir.Value]) -> list[ir.Operation]:
        """The operations inside that make some values, those of operands first."""
        found: dict[ir.Operation, None] = {}

        def visit(value: ir.Value) -> None:
            op = self.made_by.get(value)
            if op is not None and op not in found:
                for operand in op.operands:
                    visit(operand)
                found[op] = None

        for value in wanted:
            visit(value)
        return list(found)


def body_of(loop: ir.Operation) -> list[ir.Operation]:
    """The operations of a loop's body, without its end."""
    return [view.operation for view in loop.regions[0].blocks[0].operations][:-1]


def terminator_of(loop: ir.Operation) -> ir.Operation:
    operations = loop.regions[0].blocks[0].operations
    return operations[len(operations) - 1].operation


def operations_between(loops: list[ir.Operation], reduction: ir.Operation) -> Iterator[ir.Operation]:
    """What a nest does around its reduction, from the outermost loop to the end of the innermost."""
    inner = [*loops[1:], reduction]
    for loop, holder in zip(loops, inner, strict=True):
        yield from (op for op in body_of(loop) if op != holder)
