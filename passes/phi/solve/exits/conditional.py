"""Loops that run while a condition holds: their values as those of a counted loop of as many steps as were done.

A `break` arrives as a flag that is carried and ends the loop. No step but the last sets it, so all steps before go the
other way; if the step that sets it leaves the values alone, they are those of one step less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from tapeless.passes.phi.graph.branches import compare, gamma, truth
from tapeless.passes.phi.graph.loops.recurrences import INDEX
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import ONE, number
from tapeless.passes.phi.graph.sums import linear
from tapeless.passes.phi.graph.walk import substitute
from tapeless.passes.phi.solve.counted import Counted
from tapeless.passes.phi.solve.exits.exit_loops import Loop
from tapeless.passes.phi.solve.exits.steps import how_it_ends


def values_at_end(loop: Loop, wanted: Iterable[int], *, is_trusting: bool, is_stepwise: bool) -> dict[int, Node]:
    """The wanted values at the end, and under the place after the last one the number of steps.

    If it `is_trusting`, decisions by sums that are taken outside of the loop are not doubted; `is_stepwise` as for
    `solved`.
    """
    g, wanted = loop.graph, list(wanted)
    counted = partial(_counted, loop, is_stepwise=is_stepwise)
    places = [place for place in wanted if place < len(loop.values)]
    flag = loop.flag()
    steps, broken = how_it_ends(loop, flag, is_trusting=is_trusting)
    exits = {len(loop.values): steps}
    if flag is None or broken is None:
        return exits | counted(steps, loop.following, places)
    set_ = loop.following[flag]
    going, ending = (substitute(g, loop.following, {set_: truth(g, each)}) for each in (False, True))
    before = linear(g, [(ONE, steps)], number(-1), steps.type)
    exits[flag] = broken
    places = [place for place in places if place != flag]
    still = [place for place in places if _is_left_alone(loop, going, ending, place, flag)]
    exits |= counted(gamma(g, broken, before, steps), going, still) if still else {}
    rest = [place for place in places if place not in still]
    return exits | (_with_last_step(loop, counted, broken, steps, before, going, ending, rest) if rest else {})


def _is_left_alone(loop: Loop, going: Sequence[Node], ending: Sequence[Node], place: int, flag: int) -> bool:
    """Whether the step that sets the flag changes neither a value nor its operands."""
    return all(ending[each] is loop.values[each] for each in loop.needed(going, [place]) if each != flag)


def _with_last_step(
    loop: Loop,
    counted: Callable[[Node, Sequence[Node], Sequence[int]], dict[int, Node]],
    broken: Node,
    steps: Node,
    before: Node,
    going: Sequence[Node],
    ending: Sequence[Node],
    places: list[int],
) -> dict[int, Node]:
    """The values before the last step, and the results of the last step by the way it went."""
    g = loop.graph
    none = compare(g, "eq", steps, g.constant(0, steps.type))
    needed = sorted(loop.needed([*going, *ending], places))
    last = counted(before, going, needed)
    known = {loop.values[place]: last[place] for place in needed}
    found = {}
    for place in places:
        then, otherwise = substitute(g, [ending[place], going[place]], known)
        ended = gamma(g, broken, then, otherwise, lazy=True)
        found[place] = gamma(g, none, loop.inits[place], ended, lazy=True)
    return found


def _counted(
    loop: Loop, steps: Node, following: Sequence[Node], places: Sequence[int], *, is_stepwise: bool
) -> dict[int, Node]:
    step = loop.graph.fresh(INDEX)
    found = Counted(loop.graph, steps, loop.inits, step, loop.values, list(following), is_stepwise).solve(places)
    return {place: found[place] for place in places}
