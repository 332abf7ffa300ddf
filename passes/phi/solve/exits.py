"""Loops that run while a condition holds: their values as those of a counted loop of as many steps as were done.

A `break` arrives as a flag that is carried and ends the loop. No step but the last sets it, so all steps before go the
other way; if the step that sets it leaves the values alone, they are those of one step less.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tapeless.passes.phi.graph.branches import compare, connect, gamma, truth
from tapeless.passes.phi.graph.contents import inside, is_free_of, symbols
from tapeless.passes.phi.graph.functions import function
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.casts import cast
from tapeless.passes.phi.graph.loops.recurrences import INDEX, run_while
from tapeless.passes.phi.graph.nodes import FLOATS, Node
from tapeless.passes.phi.graph.numbers import ONE, number
from tapeless.passes.phi.graph.sums import add, linear, subtract
from tapeless.passes.phi.graph.walk import bind, substitute
from tapeless.passes.phi.solve.counted import Counted
from tapeless.passes.phi.solve.doubt import UnknownError, are_sure, error_of, magnitude, off_by
from tapeless.passes.phi.solve.groups import dependences
from tapeless.passes.phi.solve.loops_of_one import Recurrence, solution
from tapeless.passes.phi.solve.outside import sums_outside


@dataclass(frozen=True)
class _Run:
    """A condition and next values; `is_sure` tells whether the condition, and the next values, decide as they should.

    `more` are further values that are carried from 0 on, with their next values.
    """

    condition: Node
    following: Sequence[Node]
    is_sure: tuple[Node, Node] | None = None
    more: Sequence[tuple[Node, Node]] = ()


@dataclass(frozen=True)
class Conditional:
    """A loop with its first values, and its condition and next values as expressions of the values.

    If it `is_trusting`, decisions by sums that are taken outside of the loop are not doubted.
    """

    graph: Graph
    inits: Sequence[Node]
    values: Sequence[Node]
    condition: Node
    following: Sequence[Node]
    is_trusting: bool = False

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
        """How many steps are done and whether the flag is set then, from a loop of just what the condition needs.

        Where sums can be taken outside of the loop, that loop does no more than so many steps as it is sure of: if
        rounding could turn a decision, the loop as it was decides.
        """
        known = self._known_steps() if flag is None else None
        if known is not None:
            return known, None
        plain = _Run(self.condition, self.following)
        quick = self._quick() if self._has_limit() else None
        if quick is None:
            return self._run(plain, flag)[:2]
        steps, broken, is_sure = self._run(quick, flag)
        if is_sure is None:
            return steps, broken
        exactly = self._run(plain, flag)
        _settle(self.graph, steps, exactly[0])
        found = [
            None if one is None or other is None else gamma(self.graph, is_sure, one, other, lazy=True)
            for one, other in zip((steps, broken), exactly[:2], strict=True)
        ]
        assert found[0] is not None
        return found[0], found[1]

    def _has_limit(self) -> bool:
        """Whether the number of steps is bounded: near a root a sum of residuals is more exact than one of sums."""
        return any(
            not arg.is_float and arg.type != "i1"
            for each in conjuncts(self.condition)
            if each.kind == "compare"
            for arg in each.args
        )

    def _quick(self) -> _Run | None:
        """The loop with its sums outside, and what says that it decides as before; None if there are none to take out.

        It is not known of every expression how rounding goes through it: such loops stay, too.
        """
        g = self.graph
        nodes = [self.condition, *self.following]
        runs = substitute(g, nodes[:1], dict(zip(self.values, self.inits, strict=True)))[0]
        known, errors = sums_outside(g, nodes, self.values, runs)
        if not known:
            return None
        if self.is_trusting:
            condition, *following = substitute(g, nodes, known)
            return _Run(condition, following)
        errors |= {each: off_by(g, magnitude(g, each)) for each in self.values if each.is_float}
        try:
            kept = self._kept_errors(known, errors)
            errors |= {value: add(g, errors[value], error) for value, (error, _) in kept.items()}
            tests = [are_sure(g, each, errors, self.values) for each in (nodes[:1], self._that_decide())]
        except UnknownError:
            return None
        nexts = [following for _, following in kept.values()]
        condition, before, within, *rest = substitute(g, [nodes[0], *tests, *nexts, *nodes[1:]], known)
        symbols_of_errors = [error for error, _ in kept.values()]
        more = list(zip(symbols_of_errors, rest[: len(nexts)], strict=True))
        return _Run(condition, rest[len(nexts) :], (before, within), more)

    def _kept_errors(self, known: Mapping[Node, Node], errors: Mapping[Node, Node]) -> dict[Node, tuple[Node, Node]]:
        """For a carried sum that is made anew in every step, its error as a carried value: a symbol and its next."""
        g = self.graph
        kept = {}
        for place in self._deciding(self.condition, self.following):
            value, following = self.values[place], self.following[place]
            is_made_anew = value not in symbols([following])
            if value.is_float and is_made_anew and any(node in known for node in inside([following])):
                kept[value] = g.fresh(value.type), error_of(g, following, errors, self.values)
        return kept

    def _that_decide(self) -> list[Node]:
        """The next values of what the condition depends on."""
        return [self.following[place] for place in self._deciding(self.condition, self.following)]

    def _deciding(self, condition: Node, following: Sequence[Node]) -> list[int]:
        places = [place for place, value in enumerate(self.values) if value in symbols([condition])]
        needs = dependences(self.values, following)
        return sorted(set(places).union(*(needs[place] for place in places)))

    def _run(self, run: _Run, flag: int | None) -> tuple[Node, Node | None, Node | None]:
        """The number of steps, the flag at the end, and whether the loop was sure of itself."""
        g = self.graph
        kept = self._deciding(run.condition, run.following)
        values, inits = [self.values[place] for place in kept], [self.inits[place] for place in kept]
        condition, following = run.condition, self._while_going(run.following, kept, flag)
        if run.is_sure is None:
            finals, steps = run_while(g, inits, bind(g, values, [condition]), bind(g, values, following))
            return steps, None if flag is None else finals[kept.index(flag)], None
        sure = g.fresh("i1")
        before, within = run.is_sure
        names, nexts = [each for each, _ in run.more], [each for _, each in run.more]
        carried = [*values, *names, sure]
        goes_on = bind(g, carried, [connect(g, "and", condition, sure)])
        body = bind(g, carried, [*following, *nexts, connect(g, "and", before, within)])
        zeros = [g.constant(0, each.type) for each in names]
        finals, steps = run_while(g, [*inits, *zeros, truth(g, True)], goes_on, body)
        at_the_end = substitute(g, [before], dict(zip([*values, *names], finals[:-1], strict=True)))[0]
        broken = None if flag is None else finals[kept.index(flag)]
        if broken is not None:
            at_the_end = connect(g, "or", broken, at_the_end)
        return steps, broken, connect(g, "and", finals[-1], at_the_end)

    def _while_going(self, following: Sequence[Node], kept: Sequence[int], flag: int | None) -> list[Node]:
        """The next values as they are where the flag is not set: those of the step that sets it are never read."""
        if flag is None:
            return [following[place] for place in kept]
        set_ = following[flag]
        going = substitute(self.graph, following, {set_: truth(self.graph, False)})
        return [set_ if place == flag else going[place] for place in kept]

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


SETTLED = "loops that say when others end"


def is_settled(g: Graph, loop: Node) -> bool:
    """Whether a loop was made to say when another one ends: it is to stay as it is."""
    return loop in g.memory.get(SETTLED, {})


def _settle(g: Graph, *steps: Node) -> None:
    for each in steps:
        if each.kind == "part":
            g.memory.setdefault(SETTLED, {})[each.args[0]] = True


def conjuncts(condition: Node) -> list[Node]:
    """What all has to hold for a condition to hold."""
    if condition.kind == "logic" and condition.name == "and":
        return [each for arg in condition.args for each in conjuncts(arg)]
    return [condition]
