"""The pass `ad-unroll`: loops marked `ad.unroll` with a constant number of iterations become straight code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.errors import FrontendError
from tapeless.passes.ad.copying import inline_block
from tapeless.passes.ad.prepare.functions import ops_named, replace
from tapeless.passes.ad.refusals import refusal
from tapeless.passes.soac.build import index

UNROLL = "ad.unroll"


@dataclass(frozen=True)
class Unroll:
    """Writes out the iterations of loops marked `ad.unroll`; nothing of them is stored when run backwards.

    ```mlir
    scf.for %i = 0 to 2 step 1 { body(%i) } {ad.unroll}      body(0); body(1)
    ```
    """

    name: ClassVar[str] = "ad-unroll"

    def run(self, module: ir.Module) -> None:
        """Unrolls every marked loop of the module."""
        for function in module.body.operations:
            unroll_loops(function)


def unroll_loops(function: ir.OpView) -> None:
    """Unrolls the marked loops of a function, inner ones first."""
    for op in ops_named(function, "scf.for"):
        if UNROLL in op.operation.attributes:
            with ir.InsertionPoint(op), op.location:
                replace(op, _unrolled(op))


def _unrolled(op: ir.OpView) -> list[ir.Value]:
    lower, upper, step, *state = op.operation.operands
    bounds = [_constant(value) for value in (lower, upper, step)]
    if None in bounds:
        raise refusal(FrontendError, op, "is marked unroll=True without constant bounds; give numbers or drop unroll")
    block = op.operation.regions[0].blocks[0]
    for i in range(*bounds):
        state = inline_block(block, [index(i), *state])
    return state


def _constant(value: ir.Value) -> int | None:
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.operation.name != "arith.constant":
        return None
    return ir.IntegerAttr(owner.operation.attributes["value"]).value
