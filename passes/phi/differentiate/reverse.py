"""Adjoints: what seeds of some nodes make of the values that these depend on, for all of them together.

A merge of branches sends its adjoint into the arm that was taken: the part of the graph that only this arm uses is gone
through by itself, and what it gives to the rest is merged by the same condition. So an adjoint is never zero times
something that is not finite in the arm that was not taken.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tapeless.passes.phi.differentiate.activity import Flows, flows_between
from tapeless.passes.phi.differentiate.partials import partials
from tapeless.passes.phi.graph.branches import gamma
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.products import multiply
from tapeless.passes.phi.graph.sums import total

Bars = dict[Node, list[Node]]


def adjoints(g: Graph, seeds: Mapping[Node, Node], wanted: Sequence[Node]) -> list[Node]:
    """The adjoint of every wanted symbol; zero for those that nothing with a seed depends on."""
    flows = flows_between(g, list(seeds), wanted)
    sweep = _Sweep(g, flows, frozenset(seeds))
    bars = sweep.back({node: [seed] for node, seed in seeds.items()}, flows.nodes)
    return [total(g, bars.get(each, ()), each.type) for each in wanted]


@dataclass(frozen=True)
class _Sweep:
    graph: Graph
    flows: Flows
    seeded: frozenset[Node]

    def back(self, bars: Mapping[Node, Sequence[Node]], region: Sequence[Node]) -> dict[Node, list[Node]]:
        """Goes through the nodes of a region from the last to the first; what arrives at nodes outside of it."""
        arriving: defaultdict[Node, list[Node]] = defaultdict(list)
        for node, given in bars.items():
            arriving[node].extend(given)
        inside = set(region)
        done: set[Node] = set()
        for node in reversed(region):
            if node in done or node not in arriving or node.kind == "symbol":
                continue
            bar = total(self.graph, arriving.pop(node), node.type)
            if node.kind == "gamma":
                done |= self._into_arms(node, bar, inside, arriving)
            else:
                for arg, partial in partials(self.graph, node):
                    if arg in self.flows.users:
                        arriving[arg].append(multiply(self.graph, bar, partial))
        return dict(arriving)

    def _into_arms(self, node: Node, bar: Node, inside: set[Node], arriving: dict[Node, list[Node]]) -> set[Node]:
        """Adds what the arms give to the nodes around them; gives the nodes that belong to the arms alone."""
        condition, *arms = node.args
        own: set[Node] = set()
        given: list[dict[Node, Node]] = []
        for arm in arms:
            nodes = self._only_in(arm, node, inside) if arm in self.flows.users else []
            own |= set(nodes)
            bars = self.back({arm: [bar]}, nodes) if arm in self.flows.users else {}
            given.append({target: total(self.graph, parts, target.type) for target, parts in bars.items()})
        for target in {**given[0], **given[1]}:
            then, otherwise = (side.get(target, self.graph.constant(0, target.type)) for side in given)
            arriving[target].append(gamma(self.graph, condition, then, otherwise))
        return own

    def _only_in(self, arm: Node, merge: Node, inside: set[Node]) -> list[Node]:
        """The nodes of an arm that nothing else uses, in order."""
        own: set[Node] = set()
        for node in reversed(self.flows.below(arm)):
            users = self.flows.users[node]
            alone = users <= own if node is not arm else users == {merge} and merge.args[1:].count(arm) == 1
            if node in inside and node.kind != "symbol" and node not in self.seeded and alone and users:
                own.add(node)
            elif node is arm:
                return []
        return sorted(own, key=lambda each: each.place)
