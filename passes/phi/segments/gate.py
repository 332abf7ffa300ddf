"""Whether differentiating a segment as a whole is worth it, and gives the same numbers."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.differentiate.derivative import pulled_back
from tapeless.passes.phi.differentiate.finish import Finished, finished
from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.graph.evaluate import evaluated
from tapeless.passes.phi.graph.evaluate_loops import Value
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.sums import add
from tapeless.passes.phi.graph.walk import inside
from tapeless.passes.phi.lower.choices import cost
from tapeless.passes.phi.lower.instructions import selected
from tapeless.passes.phi.segments.candidate import Candidate

# A gain counts from so many units on, and from this share of what operation by operation costs.
SMALLEST_GAIN = 4.0
SMALLEST_SHARE = 0.05
RANGES = ((-1.5, 1.5), (0.1, 0.9), (1.1, 3.0))
TRIALS = 8
SWELL = 1.5
TOLERANCE = 1e-8


@dataclass(frozen=True)
class Estimate:
    """The cost of gradients operation by operation (`before`) and as a whole (`after`), with the values themselves."""

    before: float
    after: float
    gradient_before: float
    gradient_after: float

    @property
    def gain(self) -> float:
        """The saved cost, or nothing if that is too little to count; never at the price of the values."""
        if self.after > self.before:
            return 0.0
        found = max(self.before - self.after, self.gradient_before - self.gradient_after)
        return found if found >= max(SMALLEST_GAIN, SMALLEST_SHARE * self.before) else 0.0


def estimate(candidate: Candidate) -> Estimate | None:
    """The cost of the adjoints of all inputs for seeds of all results that derivatives go through.

    Nothing if there are none, if both do not give the same numbers, or if the derivative multiplied out is so large
    that looking for a better form would take longer than it could be worth.
    """
    if not candidate.wanted or not candidate.seeded:
        return None
    g, symbols, outs, inner = candidate.expressions()
    wanted, roots = candidate.wanted, [outs[k] for k in candidate.seeded]
    plain = _plain_adjoints(g, roots, [symbols[k] for k in wanted])
    derivative = pulled_back(g, symbols, roots, wanted)
    if _size(derivative.roots) > SWELL * _size([*roots, *plain]):
        return None
    done = finished(derivative, inner)
    used = list(done.saved)
    coarse = _cost(done.derivative.roots, done.derivative.graph.flags)
    found = Estimate(
        before=_cost([*roots, *plain], g.flags),
        after=_cost([*roots, *used], g.flags) + coarse,
        gradient_before=_cost(plain, g.flags),
        gradient_after=_cost(used, g.flags) + coarse,
    )
    if found.gain > 0.0 and not _agree(symbols, plain, done):
        return None
    return found


def _plain_adjoints(g: Graph, roots: Sequence[Node], wanted: Sequence[Node]) -> list[Node]:
    """The adjoints as they come, operation by operation."""
    seeds: dict[Node, Node] = {}
    for place, root in enumerate(roots):
        seed = g.symbol(("seed", place), root.type)
        seeds[root] = add(g, seeds[root], seed) if root in seeds else seed
    return adjoints(g, seeds, wanted)


def _size(roots: Sequence[Node]) -> int:
    """How large expressions are: one for each node and each of its arguments."""
    return sum(1 + len(node.args) for node in inside(roots))


def _cost(roots: Sequence[Node], flags: frozenset[str]) -> float:
    return cost(inside(selected(roots, flags)[0]))


def _agree(symbols: Sequence[Node], plain: Sequence[Node], done: Finished) -> bool:
    """Whether both derivatives are the same at random points where the first is finite, and there is such a point."""
    rng = random.Random(len(symbols) + len(plain))
    inputs = {node.data: node for node in (*symbols, *inside(plain)) if node.kind == "symbol"}
    names = [node for node in inside(done.derivative.roots) if node.kind == "symbol" and node.data in inputs]
    checked = 0
    for trial in range(TRIALS):
        low, high = RANGES[trial % len(RANGES)]
        point: dict[Node, Value] = {}
        for node in inputs.values():
            point[node] = rng.uniform(low, high) if node.is_float else float(rng.random() < 0.5)
        given = len(plain)
        first = evaluated([*plain, *done.saved], point)
        if not all(math.isfinite(value) for value in first):
            continue
        saved = dict(zip(done.saved.values(), first[given:], strict=True))
        second = evaluated(done.derivative.roots, saved | {node: point[inputs[node.data]] for node in names})
        checked += 1
        for a, b in zip(first[:given], second, strict=True):
            if not abs(a - b) <= TOLERANCE * max(1.0, abs(a)):
                return False
    return checked > 0
