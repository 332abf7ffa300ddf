"""Counted loops solved: one group of carried values after the other, in the order in which they need each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.graph.branches import compare, gamma
from tapeless.passes.phi.graph.contents import inside, reads, symbols
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.recurrences import iterate
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.walk import bind, substitute
from tapeless.passes.phi.solve.closed_forms.loops_of_one import Recurrence, Solution, solution
from tapeless.passes.phi.solve.closed_forms.systems import solved_quotient, solved_system, stepped_system


@dataclass
class Counted:
    """A counted loop: its number of steps, first values, and next values as expressions of the step and the values."""

    graph: Graph
    steps: Node
    inits: Sequence[Node]
    step: Node
    values: Sequence[Node]
    following: list[Node]
    is_stepwise: bool = False
    exits: dict[int, Node] = field(default_factory=dict)
    open: set[int] = field(default_factory=set)
    _known_needs: list[set[int]] | None = None

    def solve(self, wanted: Iterable[int]) -> dict[int, Node]:
        """The wanted final values; those without a closed form stay one loop of just the values it needs."""
        needs = self._needs()
        needed = set(wanted).union(*(needs[place] for place in wanted))
        for group in groups(needs):
            if not needed.isdisjoint(group):
                self._solve_group(group)
        if self.open:
            together = sorted(self.open)
            self.exits |= dict(zip(together, self._as_loop(together), strict=True))
        return {place: self._guarded(place, value) for place, value in self.exits.items()}

    def _needs(self) -> list[set[int]]:
        """Which values each value is made of."""
        if self._known_needs is None:
            self._known_needs = dependences(self.values, self.following)
        return self._known_needs

    def _guarded(self, place: int, value: Node) -> Node:
        """The value at the end; where it reads elements that the loop reads in its steps, only if there is a step."""
        g = self.graph
        before = set(inside([*self.inits, self.steps]))
        for node in inside([value]):
            inner = node.kind == "loop" and self.steps not in node.args and reads(node)
            if node not in before and (node.kind == "element" or inner):
                some = compare(g, "lt", g.constant(0, self.steps.type), self.steps)
                return gamma(g, some, value, self.inits[place], lazy=True)
        return value

    def _solve_group(self, group: list[int]) -> None:
        needs = self._needs()
        together = sorted(set(group).union(*(needs[place] for place in group)))
        its = [self._recurrence(place) for place in together]
        if len(together) == 1:
            found = solution(self.graph, its[0], is_stepwise=self.is_stepwise) or self._quotient(its[0])
            if found is not None:
                self._keep(group[0], found)
                return
        solve = stepped_system if self.is_stepwise else solved_system
        system = solve(self.graph, self.steps, its) if len(together) > 1 else None
        if system is None:
            self.open |= set(together)
        else:
            self.exits |= {place: value for place, value in zip(together, system, strict=True) if place in group}

    def _quotient(self, it: Recurrence) -> Solution | None:
        found = solved_quotient(self.graph, self.steps, it)
        return None if found is None else Solution(lambda steps: found)

    def _recurrence(self, place: int) -> Recurrence:
        return Recurrence(self.step, self.values[place], self.inits[place], self.following[place])

    def _keep(self, place: int, found: Solution) -> None:
        self.exits[place] = found.after(self.steps)
        if found.is_cheap:
            known = {self.values[place]: found.after(self.step)}
            self.following = substitute(self.graph, self.following, known)
            self._known_needs = None

    def _as_loop(self, together: Sequence[int]) -> list[Node]:
        its = [self._recurrence(place) for place in together]
        body = bind(self.graph, [self.step, *(it.value for it in its)], [it.following for it in its])
        return iterate(self.graph, self.steps, [it.first for it in its], body)


def dependences(carried: Sequence[Node], following: Sequence[Node]) -> list[set[int]]:
    """For each carried value those that its next value is made of, directly or not, itself included where it is."""
    places = {each: place for place, each in enumerate(carried)}
    direct = [{places[each] for each in symbols([node]) if each in places} for node in following]
    changed = True
    while changed:
        changed = False
        for place, needed in enumerate(direct):
            more = set(needed).union(*(direct[each] for each in needed))
            if more != needed:
                direct[place], changed = more, True
    return direct


def groups(needs: Sequence[set[int]]) -> list[list[int]]:
    """Values that need each other, those that others need first."""
    found: list[list[int]] = []
    left = set(range(len(needs)))
    while left:
        first = min(left, key=lambda place: (len(needs[place] - {place}), place))
        group = sorted({first} | {each for each in needs[first] if first in needs[each]})
        found.append(group)
        left -= set(group)
    return found
