"""Accumulators come back in the places where they were given: which one a value stands for."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dialects.verification import Problems

# Which operand a result of these operators stands for, given the numbers of operands, of results and of the result.
BEHIND = {
    "soac.update": lambda operands, results, number: 0,
    "soac.map": lambda operands, results, number: operands - results + number,
    "scf.for": lambda operands, results, number: operands - results + number,
}


def order_problems(arguments: Sequence[ir.Value], yielded: Sequence[ir.Value]) -> Problems:
    """One problem for the first accumulator that is yielded in another's place."""
    for place, value in enumerate(yielded):
        source = argument_behind(value)
        if source in arguments and source != arguments[place]:
            given = list(arguments).index(source)
            yield f"yields accumulator {given} in place {place}; yield accumulators in the order of the arguments"


def argument_behind(value: ir.Value) -> ir.Value:
    """The block argument that an accumulator was before updates, maps and loops; some result where branches hide it."""
    seen = set()
    while not isinstance(value, ir.BlockArgument) and value not in seen:
        seen.add(value)
        op = value.owner.operation
        place = BEHIND[op.name](len(op.operands), len(op.results), value.result_number) if op.name in BEHIND else -1
        if not 0 <= place < len(op.operands):
            break
        value = op.operands[place]
    return value
