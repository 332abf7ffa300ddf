"""Rules applied to expressions until none applies, or enough were."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from tapeless.passes.phi.graph.build import rebuilt
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Body, Node
from tapeless.passes.phi.graph.walk import bind, inside, opened
from tapeless.passes.phi.simplify.rule import Rule, Surroundings

# Bounds of compile time, which rules that undo each other would reach: guesses that fit the programs.
MOST_ROUNDS = 12
MOST_PER_NODE = 8
MOST_FIRED = 2000


class Fixpoint:
    """Rounds through all nodes, arguments first, until a round changes nothing."""

    def __init__(self, g: Graph, rules: Sequence[Rule], fired: Counter[str]):
        self._graph = g
        self._by_kind: defaultdict[str, list[tuple[Rule, dict[Node, Node | None]]]] = defaultdict(list)
        for rule in rules:
            # What a rule makes of a node never changes, whether it was taken or not.
            self._by_kind[rule.kind].append((rule, g.memory.setdefault(rule, {})))
        self._fired = fired

    def improved(self, roots: Sequence[Node]) -> list[Node]:
        """The roots in simpler form."""
        roots = list(roots)
        for _ in range(MOST_ROUNDS):
            before, roots = roots, self._round(roots)
            if roots == before or self._fired.total() >= MOST_FIRED:
                break
        return roots

    def _round(self, roots: Sequence[Node]) -> list[Node]:
        around = Surroundings(roots)
        made: dict[Node, Node] = {}
        for node in inside(roots):
            args = [made[arg] for arg in node.args]
            again = node
            if node.kind == "loop":
                again = rebuilt(self._graph, node, args, tuple(self._body(body) for body in node.bodies))
            elif args != list(node.args):
                again = rebuilt(self._graph, node, args, ())
            around.replace(node, again)
            made[node] = self._improved(again, around)
        return [made[root] for root in roots]

    def _body(self, body: Body) -> Body:
        fresh, results = opened(self._graph, body)
        after = self._round(results)
        return body if after == results else bind(self._graph, fresh, after)

    def _improved(self, node: Node, around: Surroundings) -> Node:
        for _ in range(MOST_PER_NODE):
            after = self._once(node, around)
            if after is None or self._fired.total() >= MOST_FIRED:
                return node
            node = after
        return node

    def _once(self, node: Node, around: Surroundings) -> Node | None:
        for rule, known in self._by_kind[node.kind]:
            if node in known:
                after = known[node]
            else:
                after = rule.rewrite(self._graph, node)
                known[node] = after = None if after is node else after
            if after is not None and around.accepts(rule, node, after):
                self._fired[rule.name] += 1
                around.replace(node, after)
                return after
        return None
