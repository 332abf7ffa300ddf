"""The pass `phi-segment-loops`: loops that have a better derivative as a whole become segments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.phi.exchange.segment import expressions, rewrite
from tapeless.passes.phi.loop_segments.checks import take_checks_out
from tapeless.passes.phi.loop_segments.gate import is_worth_it
from tapeless.passes.phi.loop_segments.outline import is_float, outline, piece_of

LOOPS = ("scf.for", "scf.while")


@dataclass(frozen=True)
class SegmentLoops(FunctionPass):
    """Outlines loops of scalars as `phi.segment` where their derivative is of lower order, or stores no states.

    ```mlir
    %d = scf.for %k = %zero to %n step %one iter_args(%x = %p) -> f64 {
      %m = arith.mulf %a, %x : f64
      %y = arith.addf %m, %b : f64
      scf.yield %y : f64
    }

    %d = "phi.segment"(%a, %b, %p, %n) ({...}) {label = "loop0", ...} : (f64, f64, f64, index) -> f64
    ```
    Their bodies are raised, so that no pass for loops of core IR looks into them. Checks in such a loop that no step
    changes are made before it. Loops that are mere reductions over arrays stay.
    """

    name: ClassVar[str] = "phi-segment-loops"

    def run_on(self, function: ir.OpView) -> bool:
        """Outlines the loops of a function, the outer ones first; whether there are any."""
        changed = take_checks_out(function)
        return bool(_outlined_in(function, 0)) or changed


def _outlined_in(op: ir.OpView, count: int) -> int:
    """Outlines loops in the regions of an operation, the outer ones first; how many there are then."""
    for region in op.operation.regions:
        for block in region.blocks:
            for inner in list(block.operations):
                if inner.operation.name in LOOPS and _outlined(inner, f"loop{count}"):
                    count += 1
                elif not inner.operation.name.startswith("phi."):
                    count = _outlined_in(inner, count)
    return count


def _outlined(loop: ir.OpView, label: str) -> bool:
    if not any(is_float(each.type) for each in loop.operation.results):
        return False
    piece = piece_of(loop)
    if piece is None or not is_worth_it(*piece.expressions()):
        return False
    made = outline(piece, label)
    found = expressions(made)
    rewrite(made, found.symbols, found.roots)
    return True
