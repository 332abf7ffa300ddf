"""Which code each kind of loop becomes."""

from __future__ import annotations

from collections.abc import Callable

from tapeless.passes.phi.graph.loops.ranges import PLACES
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.lower.loops import doubling, ranges, recurrences
from tapeless.passes.phi.lower.loops.code import Code, Values

LOOPS: dict[str, Callable[[Code, Node, Values], Values]] = {
    **dict.fromkeys(ranges.STARTS, ranges.reduced),
    **dict.fromkeys(PLACES, ranges.place_of_extreme),
    "map": recurrences.array,
    "iterate": recurrences.iterated,
    "while": recurrences.run_while,
    "affine_scan": recurrences.scanned,
    "affine_states": recurrences.all_states,
    "pow_iter": recurrences.power_iterated,
    "affine_pow": doubling.powers,
    "affine_iter": doubling.system,
    "matrix_pow": doubling.matrix_power,
}
