"""Every rule for undoing a statement in one table."""

from __future__ import annotations

from tapeless.passes.ad.reversible.inverses.accumulations import ACCUMULATIONS
from tapeless.passes.ad.reversible.inverses.arrays import ARRAYS
from tapeless.passes.ad.reversible.inverses.branches import BRANCHES, solve_by_cases
from tapeless.passes.ad.reversible.inverses.linear import solve_together
from tapeless.passes.ad.reversible.inverses.loops import undo_loop
from tapeless.passes.ad.reversible.inverses.maps import undo_map
from tapeless.passes.ad.reversible.inverses.moves import MOVING
from tapeless.passes.ad.reversible.inverses.scalars import SCALARS
from tapeless.passes.ad.reversible.inverses.solver import Inverses

INVERSES = Inverses(
    rules={
        **SCALARS,
        **ARRAYS,
        **MOVING,
        **ACCUMULATIONS,
        **BRANCHES,
        "scf.for": undo_loop,
        "soac.map": undo_map,
    },
    together=lambda solver: solve_together(solver) or solve_by_cases(solver),
)
