"""Rewrite rules, and the context that they may look at besides the node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.cost import cost_of
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.walk import inside

Rewrite = Callable[[Graph, Node], Node | None]


@dataclass(frozen=True, eq=False)
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
    """The expressions around a node: existing subexpressions, and how often each is used."""

    def __init__(self, roots: Sequence[Node]):
        nodes = inside(roots)
        self._live = set(nodes)
        self._uses = Counter(arg for node in nodes for arg in set(node.args))
        self._uses.update(roots)
        self._became: dict[Node, Node] = {}

    def replace(self, before: Node, after: Node) -> None:
        """Records the replacement of a node: its sole operands go, new ones come."""
        if before is after:
            return
        self._uses[after] += self._uses.pop(before, 0)
        self._take([after])
        self._became[before] = after
        if before in self._live:
            self._drop([before])

    def accepts(self, rule: Rule, before: Node, after: Node) -> bool:
        """Whether a rule may put `after` in the place of `before`, by the cost of the expressions then."""
        if not rule.cheaper and rule.most is None:
            return True
        more = self._more(before, after)
        return more < 0 if rule.most is None else more <= rule.most

    def is_less(self, before: Node, after: Node) -> bool:
        """Whether a node costs less than the one it replaces everywhere."""
        return self._more(before, after) < 0

    def _more(self, before: Node, after: Node) -> float:
        """The cost of the new nodes of `after`, less that of nodes that only `before` uses."""
        found: set[Node] = set()
        used: Counter[Node] = Counter((after,))
        left = [after]
        while left:
            node = left.pop()
            if node not in self._live and node not in found:
                found.add(node)
                used.update(set(node.args))
                left.extend(node.args)
        more = sum(map(cost_of, found))
        if used[before]:
            return more
        gone = [before]
        while gone:
            node = gone.pop()
            more -= cost_of(node)
            for arg in set(node.args):
                used[arg] -= 1
                if self._uses[arg] + used[arg] == 0 and arg in self._live:
                    gone.append(arg)
        return more

    def _take(self, left: list[Node]) -> None:
        """Adds nodes that are used now, and their arguments."""
        while left:
            node = left.pop()
            if node not in self._live:
                self._live.add(node)
                self._became.pop(node, None)
                for arg in set(node.args):
                    self._uses[arg] += 1
                    left.append(arg)

    def _drop(self, left: list[Node]) -> None:
        """Removes nodes that nothing uses any more, and their sole arguments."""
        while left:
            node = left.pop()
            self._live.discard(node)
            for arg in {self._now(each) for each in node.args}:
                self._uses[arg] -= 1
                if self._uses[arg] <= 0 and arg in self._live:
                    left.append(arg)

    def _now(self, node: Node) -> Node:
        """The current replacement of a node."""
        while node in self._became:
            node = self._became[node]
        return node
