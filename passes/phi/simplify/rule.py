"""What a rule is, and what it may look at besides the node."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tapeless.passes.phi.cost import cost_of
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.walk import inside

Rewrite = Callable[[Graph, Node], Node | None]


@dataclass(frozen=True)
class Rule:
    """A rewrite of nodes of one kind, or None where it does not apply.

    `flags` must all be allowed by the graph; what else has to hold is checked by the rewrite itself, from facts of the
    values, and said in `given`. A rule that does not always make things simpler is `cheaper`: its result is taken only
    if it costs less, where what is needed for something else counts as free. One that buys accuracy says how much that
    may cost at `most`. One that hides a form other rules look for comes `late`.
    """

    name: str
    kind: str
    rewrite: Rewrite
    flags: frozenset[str] = frozenset()
    cheaper: bool = False
    most: float | None = None
    given: str = ""
    late: bool = False


class Surroundings:
    """The expressions around a node: what is there anyway, and what is used once."""

    def __init__(self, roots: Sequence[Node]):
        nodes = inside(roots)
        self._live = set(nodes)
        self._uses = Counter(arg for node in nodes for arg in set(node.args))
        self._uses.update(roots)

    def replace(self, before: Node, after: Node) -> None:
        """Takes note of what a node became: what only it used goes, what is new comes."""
        if before is after:
            return
        for node in self._own(before):
            self._live.discard(node)
            for arg in set(node.args):
                self._uses[arg] -= 1
        for node in self._missing(after, set()):
            self._live.add(node)
            for arg in set(node.args):
                self._uses[arg] += 1
        self._uses[after] += self._uses[before]

    def accepts(self, rule: Rule, before: Node, after: Node) -> bool:
        """Whether a rule may put `after` in the place of `before`, by what the expressions then cost."""
        if not rule.cheaper and rule.most is None:
            return True
        more = self._more(before, after)
        return more < 0 if rule.most is None else more <= rule.most

    def is_less(self, before: Node, after: Node) -> bool:
        """Whether a node costs less than what it replaces everywhere."""
        return self._more(before, after) < 0

    def _more(self, before: Node, after: Node) -> float:
        own = self._own(before)
        more = sum(map(cost_of, self._missing(after, own))) - sum(map(cost_of, own))
        return more if after not in own else math.inf

    def _own(self, node: Node) -> set[Node]:
        """The node and what only it uses."""
        own = {node}
        left = [node]
        while left:
            for arg in set(left.pop().args):
                if arg not in own and self._uses[arg] <= 1:
                    own.add(arg)
                    left.append(arg)
        return own

    def _missing(self, node: Node, gone: set[Node]) -> set[Node]:
        """What a node is made of that is not there, if some nodes go."""
        found: set[Node] = set()
        left = [node]
        while left:
            each = left.pop()
            if each not in found and (each not in self._live or each in gone):
                found.add(each)
                left.extend(each.args)
        return found
