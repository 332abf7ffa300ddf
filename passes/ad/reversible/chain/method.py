"""The derivative of a second way where threads have little memory: loops of numbers are chains.

No loop runs backwards: what is found again by inverting a step is rounded, and a second way is taken at the edges of
floats. Loops that carry arrays store their states, as by `redundant`: chains of them would take memory of unknown size,
too.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ad.forward.jvp import jvp
from tapeless.passes.ad.methods import Method
from tapeless.passes.ad.prepare.prepare import FORWARD, REVERSE
from tapeless.passes.ad.redundant import method as redundant
from tapeless.passes.ad.redundant.control import loops as stored
from tapeless.passes.ad.redundant.control.loops import LoopEnds
from tapeless.passes.ad.redundant.method import vjp_by
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ad.retrace import Keeping
from tapeless.passes.ad.reversible.chain.loops import chain_bars, chain_forward
from tapeless.passes.ir.build import is_array

# Up to 16 million steps take log2(n) / 2 others forward each; a state of one f64 takes 192 bytes then. Treeverse would
# take fewer steps, and divide integers between them: kernels would need twice the registers, also where no thread
# goes this way.
KEEPING = Keeping(24, "bisection")


def for_forward(sweep: Sweep, op: ir.OpView) -> None:
    """Runs the loop; one that carries arrays stores its states."""
    (stored.for_forward if _carries_arrays(op) else chain_forward)(sweep, op)


def for_back(sweep: Sweep, op: ir.OpView) -> None:
    """Adds the adjoints of the initial values and of everything else the body reads."""
    ends = LoopEnds.of(sweep, op)
    ends.add(sweep, stored.return_loop(sweep, ends) if _carries_arrays(op) else chain_bars(sweep, ends, KEEPING))


def _carries_arrays(op: ir.OpView) -> bool:
    return any(is_array(value) for value in op.operation.results)


RULES = redundant.RULES.but(forward={"scf.for": for_forward}, back={"scf.for": for_back})


def vjp(op: ir.OpView, function: ir.OpView) -> list[ir.Value]:
    """Expands `ad.vjp`."""
    return vjp_by(RULES, op, function)


METHOD = Method(vjp, jvp, REVERSE, FORWARD)
