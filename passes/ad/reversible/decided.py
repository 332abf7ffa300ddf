"""Decisions that a loop takes from its carried values: running backwards gives back rounded numbers, and a comparison
of such numbers may turn out differently where the true ones are equal or nearly so.
"""

from __future__ import annotations

from collections.abc import Iterable

from tapeless._mlir import ir
from tapeless.passes.ir.build import element_type
from tapeless.passes.ir.scopes import outer_values
from tapeless.passes.ir.search import holds

DECISIONS = frozenset(
    {
        "arith.cmpf",
        "arith.fptosi",
        "arith.maximumf",
        "arith.minimumf",
        "arith.maxnumf",
        "arith.minnumf",
        "math.ceil",
        "math.floor",
        "math.round",
        "math.roundeven",
        "soac.argsort",
    }
)


def decides_by(block: ir.Block, carried: Iterable[ir.Value]) -> bool:
    """Whether a statement that compares floats, or makes integers of them, depends on floats that are carried."""
    rounded = {value for value in carried if isinstance(element_type(value.type), ir.FloatType)}
    for op in block.operations:
        if not any(value in rounded for value in [*op.operation.operands, *outer_values(op)]):
            continue
        if op.operation.name in DECISIONS or holds(op, *DECISIONS):
            return True
        rounded.update(op.operation.results)
    return False
