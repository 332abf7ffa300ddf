"""Loops that run while a condition holds: their values as those of a counted loop of as many steps as were done.

A `break` arrives as a flag that is carried and ends the loop. No step but the last sets it, so all steps before go the
other way; if the step that sets it leaves the values alone, they are those of one step less.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tapeless.passes.phi.graph.branches import compare, gamma, truth
from tapeless.passes.phi.graph.contents import inside, is_free_of, reads, symbols
from tapeless.passes.phi.graph.functions import function
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.casts import cast
from tapeless.passes.phi.graph.loops.recurrences import INDEX, run_while
from tapeless.passes.phi.graph.nodes import FLOATS, Node
from tapeless.passes.phi.graph.numbers import ONE, number
from tapeless.passes.phi.graph.products import multiply
from tapeless.passes.phi.graph.sums import add, linear, subtract, total
from tapeless.passes.phi.graph.walk import bind, substitute
from tapeless.passes.phi.solve.counted import Counted
from tapeless.passes.phi.solve.degrees import affine_in
from tapeless.passes.phi.solve.groups import dependences
from tapeless.passes.phi.solve.loops_of_one import Recurrence, solution


@dataclass(frozen=True)
class Conditional:
    """A loop with its first values, and its condition and next values as expressions of the values."""

    graph: Graph
    inits: Sequence[Node]
    values: Sequence[Node]
    condition: Node
    following: Sequence[Node]

    def solve(self, wanted: Iterable[int]) -> dict[int, Node]:
        """The wanted values at the end, and under the place after the last one the number of steps."""
        g, wanted = self.graph, list(wanted)
        places = [place for place in wanted if place < len(self.values)]
        flag = self._flag()
        steps, broken = self._ending(flag)
        exits = {len(self.values): steps}
        if flag is None or broken is None:
            return exits | self._counted(steps, self.following, places)
        set_ = self.following[flag]
        going, ending = (substitute(g, self.following, {set_: truth(g, each)}) for each in (False, True))
        before = linear(g, [(ONE, steps)], number(-1), steps.type)
        exits[flag] = broken
        places = [place for place in places if place != flag]
        still = [place for place in places if self._is_left_alone(going, ending, place, flag)]
        exits |= self._counted(gamma(g, broken, before, steps), going, still) if still else {}
        rest = [place for place in places if place not in still]
        return exits | (self._with_last_step(broken, steps, before, going, ending, rest) if rest else {})

    def _is_left_alone(self, going: Sequence[Node], ending: Sequence[Node], place: int, flag: int) -> bool:
        """Whether the step that sets the flag changes neither a value nor what it is made of."""
        return all(ending[each] is self.values[each] for each in self._needed(going, [place]) if each != flag)

    def _with_last_step(
        self, broken: Node, steps: Node, before: Node, going: Sequence[Node], ending: Sequence[Node], places: list[int]
    ) -> dict[int, Node]:
        """The values before the last step, and what the last step makes of them by the way it went."""
        g = self.graph
        none = compare(g, "eq", steps, g.constant(0, steps.type))
        needed = sorted(self._needed([*going, *ending], places))
        last = self._counted(before, going, needed)
        known = {self.values[place]: last[place] for place in needed}
        found = {}
        for place in places:
            then, otherwise = substitute(g, [ending[place], going[place]], known)
            ended = gamma(g, broken, then, otherwise, lazy=True)
            found[place] = gamma(g, none, self.inits[place], ended, lazy=True)
        return found

    def _counted(self, steps: Node, following: Sequence[Node], places: Sequence[int]) -> dict[int, Node]:
        step = self.graph.fresh(INDEX)
        found = Counted(self.graph, steps, self.inits, step, self.values, list(following)).solve(places)
        return {place: found[place] for place in places}

    def _needed(self, following: Sequence[Node], places: Iterable[int]) -> set[int]:
        count = len(self.values)
        needs = dependences(self.values, following[:count])
        more = dependences(self.values, following[count:]) if len(following) > count else needs
        places = set(places)
        return places.union(*(needs[place] | more[place] for place in places))

    def _flag(self) -> int | None:
        """The carried flag that starts as false and ends the loop once it is set."""
        for place, value in enumerate(self.values):
            starts_false = self.inits[place].kind == "constant" and not self.inits[place].constant
            ends = any(
                each.kind == "logic" and each.name == "not" and each.args[0] is value
                for each in conjuncts(self.condition)
            )
            if value.type == "i1" and starts_false and ends:
                return place
        return None

    def _ending(self, flag: int | None) -> tuple[Node, Node | None]:
        """How many steps are done and whether the flag is set then, from a loop of just what the condition needs."""
        g = self.graph
        known = self._known_steps() if flag is None else None
        if known is not None:
            return known, None
        condition, *following = [self.condition, *self.following]
        if any(
            not arg.is_float and arg.type != "i1"
            for each in conjuncts(condition)
            if each.kind == "compare"
            for arg in each.args
        ):
            runs = substitute(g, [condition], dict(zip(self.values, self.inits, strict=True)))[0]
            condition, *following = sums_outside(g, [condition, *following], self.values, runs)
        places = [place for place, value in enumerate(self.values) if value in symbols([condition])]
        needs = dependences(self.values, following)
        kept = sorted(set(places).union(*(needs[place] for place in places)))
        values = [self.values[place] for place in kept]
        body = bind(g, values, [following[place] for place in kept])
        finals, steps = run_while(g, [self.inits[place] for place in kept], bind(g, values, [condition]), body)
        return steps, None if flag is None else finals[kept.index(flag)]

    def _known_steps(self) -> Node | None:
        """The number of steps of a loop that counts up by one to a limit."""
        g, test = self.graph, self.condition
        if test.kind != "compare" or test.name not in ("lt", "le") or test.args[0] not in self.values:
            return None
        counter, limit = test.args
        place = list(self.values).index(counter)
        if counter.type in (*FLOATS, "i1") or not is_free_of(limit, self.values):
            return None
        step = g.fresh(INDEX)
        found = solution(g, Recurrence(step, counter, self.inits[place], self.following[place]))
        one_more = linear(g, [(ONE, counter)], ONE, counter.type)
        if found is None or self.following[place] is not one_more:
            return None
        many = subtract(g, limit, self.inits[place])
        if test.name == "le":
            many = linear(g, [(ONE, many)], ONE, many.type)
        return cast(g, function(g, "max", many, g.constant(0, many.type)), INDEX)


def conjuncts(condition: Node) -> list[Node]:
    """What all has to hold for a condition to hold."""
    if condition.kind == "logic" and condition.name == "and":
        return [each for arg in condition.args for each in conjuncts(arg)]
    return [condition]


def sums_outside(g: Graph, nodes: Sequence[Node], values: Sequence[Node], runs: Node) -> list[Node]:
    """Expressions in which sums that are affine in carried values have their factors summed outside of the loop.

    For loops with a limit on their steps: near a root the sum of residuals is more exact than the difference of sums.
    `runs` says whether the loop does a step at all: if not, nothing is read.
    """
    if not g.allows("reassoc"):
        return list(nodes)
    sums = [node for node in inside(nodes) if node.kind == "loop" and node.name == "sum"]
    known = {node: _outside(g, node, values, runs) for node in sums if not is_free_of(node, values)}
    return substitute(g, nodes, {node: made for node, made in known.items() if made is not None})


def _outside(g: Graph, node: Node, values: Sequence[Node], runs: Node) -> Node | None:
    """A sum by sums that are free of some values, where it is affine in these."""
    form = affine_in(g, node, values)
    if form is None:
        return None
    zero = g.constant(0, node.type)
    form = form.map(lambda each: gamma(g, runs, each, zero, lazy=True) if reads(each) else each)
    moving = total(g, [multiply(g, factor, value) for value, factor in form.factors.items()], node.type)
    return moving if form.rest is None else add(g, moving, form.rest)
