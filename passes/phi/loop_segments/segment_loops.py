"""The pass `phi-segment-loops`: loops that have a better derivative as a whole become segments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.phi.exchange.segment import expressions, rewrite
from tapeless.passes.phi.loop_segments.checks import take_checks_out
from tapeless.passes.phi.loop_segments.gate import is_worth_it
from tapeless.passes.phi.loop_segments.outline import is_float, outline, piece_of

LOOPS = ("scf.for", "scf.while")
IsActive = Callable[[ir.Value], bool]
Look = Callable[[ir.OpView], None]


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
        return outline_loops(function, has_floats)


def has_floats(value: ir.Value) -> bool:
    """Whether a value is a float or an array of them."""
    return is_float(value.type)


def outline_loops(
    function: ir.OpView,
    is_active: IsActive,
    *,
    is_forward: bool = False,
    is_read: bool = False,
    look: Look = lambda _: None,
) -> bool:
    """Outlines loops whose derivative is better for the values that are active; whether there is anything changed.

    Values of the function may be read besides. Each segment is handed to `look` while its loop is still as it was.
    """
    changed = take_checks_out(function)
    return bool(_Outlining(is_active, is_forward, is_read, look).inside(function)) or changed


@dataclass
class _Outlining:
    """The loops of a function, the outer ones first; `results` tells which results of segments are active."""

    is_active: IsActive
    is_forward: bool
    is_read: bool
    look: Look
    results: dict[ir.Value, bool] = field(default_factory=dict)

    def inside(self, op: ir.OpView, count: int = 0) -> int:
        """Outlines loops in the regions of an operation; how many there are then."""
        for region in op.operation.regions:
            for block in region.blocks:
                for inner in list(block.operations):
                    if inner.operation.name in LOOPS and self._outlined(inner, f"loop{count}"):
                        count += 1
                    elif not inner.operation.name.startswith("phi."):
                        count = self.inside(inner, count)
        return count

    def _outlined(self, loop: ir.OpView, label: str) -> bool:
        active = [self._is_active(each) for each in loop.operation.results]
        piece = piece_of(loop) if any(active) else None
        if piece is None:
            return False
        graph, given, nodes = piece.expressions()
        wanted = [place for place, each in enumerate(piece.inputs) if self._is_active(each)]
        roots = [node for node, is_active in zip(nodes, active, strict=True) if is_active]
        if not is_worth_it(graph, given, roots, wanted, is_forward=self.is_forward, is_read=self.is_read):
            return False
        made = outline(piece, label)
        self.look(made)
        found = expressions(made)
        rewrite(made, found.symbols, found.roots)
        self.results.update(zip(made.outs, active, strict=True))
        return True

    def _is_active(self, value: ir.Value) -> bool:
        return self.results[value] if value in self.results else self.is_active(value)
