"""The pass `phi-lower`: segments and their derivatives become core IR where they stand."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.phi.exchange.attributes import flags_of
from tapeless.passes.phi.exchange.segment import block_of, expressions
from tapeless.passes.phi.lower.emit import emitted


@dataclass(frozen=True)
class Lower(FunctionPass):
    """Replaces `phi.segment` and `phi.adjoint` by the code of their bodies.

    ```mlir
    %w = "phi.mono"(%u, %v) {coeff = 1 : i64, exps = [2, -1]} : (f64, f64) -> f64

    %a = arith.mulf %u, %u : f64
    %w = arith.divf %a, %v : f64
    ```
    Where the flags allow it, long sums are added in two halves and reciprocals that occur twice are computed once. A
    merge becomes `arith.select`, or `scf.if` where it came from a branch and an arm is costly. Core IR in a segment
    stays as it is.
    """

    name: ClassVar[str] = "phi-lower"

    def run_on(self, function: ir.OpView) -> bool:
        """Lowers all of a function; whether there was anything."""
        found = ops_named(function, "phi.segment", "phi.adjoint")
        for op in found:
            with ir.InsertionPoint(op), op.location:
                values = _code(op)
            for old, new in zip(op.operation.results, values, strict=True):
                old.replace_all_uses_with(new)
            op.operation.erase()
        return bool(found)


def _code(op: ir.OpView) -> list[ir.Value]:
    """The code of a body at the insertion point."""
    operands = list(op.operation.operands)
    if not _has_expressions(block_of(op)):
        return _copied(block_of(op), operands)
    found = expressions(op, as_written=True)
    return emitted(found.roots, flags_of(op.fm), dict(zip(found.symbols, operands, strict=True)))


def _copied(block: ir.Block, operands: list[ir.Value]) -> list[ir.Value]:
    values: Values = dict(zip(block.arguments, operands, strict=True))
    *body, last = block.operations
    for op in body:
        copy_op(op, values)
    return [values[operand] for operand in last.operation.operands]


def _has_expressions(block: ir.Block) -> bool:
    return any(op.operation.name.startswith("phi.") for op in list(block.operations)[:-1])
