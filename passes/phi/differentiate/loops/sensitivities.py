"""Forward sensitivities of a counted loop: tangents carried beside the values, nothing stored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from tapeless.errors import NoRuleError
from tapeless.passes.phi.differentiate.activity import flow_order, taken
from tapeless.passes.phi.differentiate.loops.definitions import Recurrence
from tapeless.passes.phi.differentiate.loops.opening import Opening, opening
from tapeless.passes.phi.graph.contents import symbols
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.array_terms import is_array
from tapeless.passes.phi.graph.loops.recurrences import iterate
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.sums import add
from tapeless.passes.phi.graph.walk import bind


class NoClosedDerivativeError(NoRuleError):
    """A loop had better be differentiated step by step; whoever chose the segment leaves it to another method."""

    def __init__(self, why: str):
        super().__init__(f"{why}; leave this loop out of segments, so that it is differentiated step by step")


# Tangents that a loop carries beside its values: a guess that fits the programs.
MOST_DIRECTIONS = 8
Tangents = Callable[[Graph, Sequence[Node], Mapping[Node, Node]], list[Node]]
Changes = dict[int, Node]  # by place of the value, where it changes at all


def sensitivities(g: Graph, of: Recurrence, active: Collection[Node], tangents: Tangents) -> dict[Node, Changes]:
    """For everything active that a loop takes, how much each of its values changes with it; all in one loop."""
    opened = _opened(g, of, active)
    firsts = {each for each in of.inits if each in active}
    directions: list[tuple[Node, dict[Node, Node], dict[int, Node]]] = []
    for symbol, outer in opened.outer.items():
        if is_array(symbol.type):
            raise NoClosedDerivativeError(
                "a loop that does not have a closed form reads an array that is differentiated in"
            )
        directions.append((outer, {symbol: g.constant(1, symbol.type)}, {}))
    for first in firsts:
        places = {place: g.constant(1, first.type) for place, each in enumerate(of.inits) if each is first}
        directions.append((first, {}, places))
    if len(directions) > MOST_DIRECTIONS:
        raise NoClosedDerivativeError(f"a loop that does not have a closed form depends on {len(directions)} values")
    found = _changes(g, of, opened, [(moved, starts) for _, moved, starts in directions], tangents)
    summed: dict[Node, Changes] = {}
    for (input_, _, _), changes in zip(directions, found, strict=True):
        known = summed.setdefault(input_, {})
        for place, change in changes.items():
            known[place] = change if place not in known else add(g, known[place], change)
    return summed


def tangents_of_loop(g: Graph, of: Recurrence, moved: Mapping[Node, Node], tangents: Tangents) -> Changes:
    """The tangents of the values of a loop along one direction."""
    opened = _opened(g, of, moved)
    towards = {symbol: g.fresh(symbol.type) for symbol in opened.outer}
    starts = {place: moved[each] for place, each in enumerate(of.inits) if each in moved}
    known = {change: moved[opened.outer[symbol]] for symbol, change in towards.items()}
    opened = Opening(opened.parameters, opened.results, opened.outer | known, {})
    return _changes(g, of, opened, [(towards, starts)], tangents)[0]


def _opened(g: Graph, of: Recurrence, active: Collection[Node]) -> Opening:
    """The body of a recurrence; nothing that it takes is made of something active without being active itself."""
    for each in taken(of.body):
        if each not in active and any(part in active for part in flow_order([each])):
            raise NoClosedDerivativeError("a loop takes something that is made of what it is differentiated in")
    return opening(g, of.body, active, elements=False)


def _changes(
    g: Graph,
    of: Recurrence,
    opened: Opening,
    directions: Sequence[tuple[Mapping[Node, Node], Mapping[int, Node]]],
    tangents: Tangents,
) -> list[Changes]:
    """One loop of the values and of all tangents that are not zero."""
    step, *values = opened.parameters
    inits, following, parameters = list(of.inits), list(opened.results), [step, *values]
    where: list[dict[int, int]] = []
    for moved, starts in directions:
        places = _moving(values, opened.results, moved, starts)
        changes = {place: g.fresh(values[place].type) for place in places}
        towards = {**moved, **{values[place]: change for place, change in changes.items()}}
        where.append({place: len(inits) + at for at, place in enumerate(places)})
        inits += [starts.get(place) or g.constant(0, values[place].type) for place in places]
        following += tangents(g, [opened.results[place] for place in places], towards)
        parameters += changes.values()
    results = iterate(g, of.steps, inits, bind(g, parameters, opened.closed(g, following)))
    return [{place: results[at] for place, at in each.items()} for each in where]


def _moving(
    values: Sequence[Node], following: Sequence[Node], moved: Mapping[Node, Node], starts: Mapping[int, Node]
) -> list[int]:
    """The places of values that change at all in a direction."""
    found, needs = set(starts), [symbols([each]) for each in following]
    sources = set(moved) | {values[place] for place in found}
    while True:
        more = {place for place, need in enumerate(needs) if values[place].is_float and need & sources}
        if more <= found:
            return sorted(found)
        found |= more
        sources |= {values[place] for place in found}
