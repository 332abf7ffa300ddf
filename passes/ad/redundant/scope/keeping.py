"""Which values of a scope are worth keeping for the way back instead of computing them again.

Kept: what cost a function such as exp, and what a loop boiled down to fewer values than it took steps; of iterations of
a loop, long sums alone. Computed again: what cost a few multiplications, because loading it would cost as much.
"""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import ir
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.segmented import is_segment, one_by_one
from tapeless.passes.ir.costs import adds_up, calls_function

CONDENSING = frozenset({"soac.reduce", "soac.scan", "soac.hist", "scf.for", "scf.while"})
# Their return rules need what their forward rules leave, so they run again.
RUN_AGAIN = frozenset({"scf.for", "func.call", "ad.checkpoint"})


def costly_values(block: ir.Block) -> list[ir.Value]:
    """The float results of a block's statements that cost a function or a loop."""
    return _results(block, lambda op: condenses(op) or calls_function(op))


def function_values(block: ir.Block) -> list[ir.Value]:
    """The float results of a block's statements that cost a function."""
    return _results(block, calls_function)


def long_values(block: ir.Block) -> list[ir.Value]:
    """The float results of a block's statements that cost a function or a long sum, as of matrices and vectors."""
    return _results(block, lambda op: adds_up(op) or calls_function(op))


def _results(block: ir.Block, is_worth: Callable[[ir.OpView], bool]) -> list[ir.Value]:
    statements = [op for op in one_by_one(list(block.operations)[:-1]) if op.operation.name not in RUN_AGAIN]
    worth = [op for op in statements if is_worth(op) and all(is_float(r.type) for r in op.operation.results)]
    return [result for op in worth for result in op.operation.results if not _is_accumulator(result)]


def _is_accumulator(value: ir.Value) -> bool:
    return not isinstance(value.type, ir.RankedTensorType | ir.F64Type | ir.F32Type)


def condenses(op: ir.OpView) -> bool:
    """Whether `op` is a loop that gives fewer values than it takes steps, or a map of such loops."""
    if op.operation.name in CONDENSING or is_segment(op):
        return True
    return op.operation.name == "soac.map" and any(condenses(inner) for inner in _inner(op))


def _inner(op: ir.OpView) -> list[ir.OpView]:
    return [inner for region in op.operation.regions for block in region.blocks for inner in block.operations]
