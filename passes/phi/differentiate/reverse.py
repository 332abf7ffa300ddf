"""Adjoints: seeds of some nodes propagated to the values that these depend on, for all of them together.

A merge of branches sends its adjoint into the arm that was taken: the part of the graph that only this arm uses is gone
through by itself, and what it gives to the rest is merged by the same condition. So an adjoint is never zero times
something that is not finite in the arm that was not taken.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.differentiate.activity import Flows, differentiable, flows_between
from tapeless.passes.phi.differentiate.forward import tangents
from tapeless.passes.phi.differentiate.loops.array_bars import array_bar, gathered, merged
from tapeless.passes.phi.differentiate.loops.backward import Given, Modes, given_by_element, given_by_loop
from tapeless.passes.phi.differentiate.partials import PARTIALS, partials
from tapeless.passes.phi.graph.branches import gamma, is_lazy
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.array_terms import element_type, is_array
from tapeless.passes.phi.graph.loops.recurrences import PARTS
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.products import multiply
from tapeless.passes.phi.graph.sums import total

Bars = dict[Node, list[Node]]


def adjoints(g: Graph, seeds: Mapping[Node, Node], wanted: Sequence[Node]) -> list[Node]:
    """The adjoint of every wanted symbol; zero for those that nothing with a seed depends on."""
    flows = flows_between(g, list(seeds), wanted)
    sweep = _Sweep(g, flows, frozenset(seeds))
    bars = sweep.back({node: [seed] for node, seed in seeds.items()}, flows.nodes)
    return [_bar(g, each, bars.get(each, [])) for each in wanted]


def _bar(g: Graph, node: Node, given: Sequence[Node]) -> Node:
    if not given and is_array(node.type):
        return array_bar(g, node, lambda index: g.constant(0, element_type(node.type)))
    return gathered(g, given, node)


@dataclass(frozen=True)
class _Sweep:
    graph: Graph
    flows: Flows
    seeded: frozenset[Node]

    def back(self, bars: Mapping[Node, Sequence[Node]], region: Sequence[Node]) -> dict[Node, list[Node]]:
        """The reverse sweep over the nodes of a region; gives the adjoints that arrive at nodes outside of it."""
        arriving: defaultdict[Node, list[Node]] = defaultdict(list)
        for node, given in bars.items():
            arriving[node].extend(given)
        inside = set(region)
        done: set[Node] = set()
        for node in reversed(region):
            if node in done or node not in arriving or node.kind == "symbol":
                continue
            given = arriving.pop(node)
            if node.kind == "gamma":
                bar = gathered(self.graph, given, node)
                done |= self._into_arms(node, bar, inside, arriving)
                continue
            for target, contribution in self._given(node, given):
                if target in self.flows.users:
                    arriving[target].append(contribution)
        return dict(arriving)

    def _given(self, node: Node, bars: Sequence[Node]) -> Given:
        """The contributions of a node that is no merge to its arguments."""
        g = self.graph
        if node.type == PARTS:
            return given_by_loop(g, node, _by_place(g, bars), self.flows.users, MODES)
        if node.kind in PARTIALS:
            return self._by_partials(node, bars)
        bar = gathered(g, bars, node)
        if node.kind == "part":
            return [(node.args[0], g.node("bar", bar.type, (bar,), node.data))]
        if node.kind == "loop":
            return given_by_loop(g, node, {0: bar}, self.flows.users, MODES)
        if node.kind == "element":
            return given_by_element(g, node, bar)
        return []

    def _by_partials(self, node: Node, bars: Sequence[Node]) -> Given:
        g = self.graph
        parts = contributions(g, bars, node.type)
        found = [(arg, partial) for arg, partial in partials(g, node) if arg in self.flows.users]
        return [(arg, times(g, part, partial)) for arg, partial in found for part in parts]

    def _into_arms(self, node: Node, bar: Node, inside: set[Node], arriving: dict[Node, list[Node]]) -> set[Node]:
        """Adds the contributions of the arms to the nodes around them; gives the nodes that belong
        to the arms alone.
        """
        _, *arms = node.args
        own: set[Node] = set()
        given: list[Bars] = []
        for arm in arms:
            nodes = self._only_in(arm, node, inside) if arm in self.flows.users else []
            own |= set(nodes)
            bars = self.back({arm: [bar]}, nodes) if arm in self.flows.users else {}
            given.append(bars)
        for target in {**given[0], **given[1]}:
            then, otherwise = (side.get(target) for side in given)
            arriving[target].extend(self._merged(node, then, otherwise, target))
        return own

    def _merged(
        self, node: Node, then: Sequence[Node] | None, otherwise: Sequence[Node] | None, target: Node
    ) -> list[Node]:
        """The contributions of two arms to a node outside of them, by the arm that was taken."""
        g, condition, lazy = self.graph, node.args[0], is_lazy(node)
        if target.type != PARTS:
            first, second = (gathered(g, arm, target) if arm else None for arm in (then, otherwise))
            return [merged(g, condition, first, second, target, lazy)]
        sides = [_by_place(g, arm or []) for arm in (then, otherwise)]
        found = []
        for place in {**sides[0], **sides[1]}:
            first, second = (side.get(place) for side in sides)
            like = first or second
            assert like is not None
            found.append(g.node("bar", like.type, (merged(g, condition, first, second, like, lazy),), (place,)))
        return found

    def _only_in(self, arm: Node, merge: Node, inside: set[Node]) -> list[Node]:
        """The nodes of an arm that nothing else uses, in order."""
        own: set[Node] = set()
        if self.flows.users[arm] != {merge} or merge.args[1:].count(arm) != 1:
            return []
        # Users come after what they use: when a node is looked at, all of them have been.
        found = {arm.place: arm}
        left = [-arm.place]
        while left:
            node = found[-heappop(left)]
            alone = node is arm or self.flows.users[node] <= own
            if alone and node in inside and node.kind != "symbol" and node not in self.seeded:
                own.add(node)
                for arg in differentiable(node):
                    if arg in self.flows.users and arg.place not in found:
                        found[arg.place] = arg
                        heappush(left, -arg.place)
        return sorted(own, key=lambda each: each.place)


def _by_place(g: Graph, bars: Sequence[Node]) -> dict[int, Node]:
    """The adjoints of a loop's results, by place; they arrive in nodes that say which result they are of."""
    found: defaultdict[int, list[Node]] = defaultdict(list)
    for each in bars:
        found[each.data[0]].append(each.args[0])  # type: ignore[index]
    return {place: total(g, parts, parts[0].type) for place, parts in found.items()}


MODES = Modes(adjoints, tangents)


def contributions(g: Graph, bars: Sequence[Node], type_: str) -> list[Node]:
    """The adjoint of a node as a sum of parts: one, unless all are choices, which are joined by their conditions."""
    if not all(_is_choice(bar) for bar in bars):
        return [total(g, bars, type_)]
    sides: dict[tuple[Node, bool], tuple[list[Node], list[Node]]] = {}
    for bar in bars:
        condition, then, otherwise = bar.args
        found = sides.setdefault((condition, is_lazy(bar)), ([], []))
        for side, arm in zip(found, (then, otherwise), strict=True):
            if not _is_zero(arm):
                side.append(arm)
    return [
        gamma(g, condition, *(total(g, side, type_) for side in pair), lazy=lazy)
        for (condition, lazy), pair in sides.items()
    ]


def times(g: Graph, bar: Node, partial: Node) -> Node:
    """An adjoint times a partial derivative; zero arms stay zero whatever the derivative is."""
    if _is_zero(bar):
        return bar
    if not _is_choice(bar):
        return multiply(g, bar, partial)
    condition, *arms = bar.args
    return gamma(g, condition, *(times(g, arm, partial) for arm in arms), lazy=is_lazy(bar))


def _is_zero(node: Node) -> bool:
    return node.kind == "constant" and node.constant == 0


def _is_choice(node: Node) -> bool:
    """Whether a node is a merge one of whose arms is zero."""
    return node.kind == "gamma" and any(_is_zero(arm) for arm in node.args[1:])
