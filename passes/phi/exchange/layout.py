"""Where each node is computed: at the top, or in the arm of a branch that alone needs it.

A merge that is a branch stands together with all others of the same condition that are reached at the same depth of
branches, so that the condition is tested once for them. What is deeper is never needed by what is less deep, so there
is always an order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from tapeless.passes.phi.graph.nodes import Node


@dataclass(eq=False)
class Scope:
    """What is computed in one place, in order: nodes and branches."""

    parent: Scope | None = None
    around: Branch | None = None
    depth: int = 0
    items: list[Node | Branch] = field(default_factory=list)


@dataclass(eq=False)
class Branch:
    """Merges of one condition, and what only their arms need."""

    condition: Node
    place: Scope
    merges: list[Node] = field(default_factory=list)
    arms: tuple[Scope, Scope] = field(init=False)

    def __post_init__(self) -> None:
        depth = self.place.depth + 1
        self.arms = (Scope(self.place, self, depth), Scope(self.place, self, depth))


def laid_out(roots: Sequence[Node], is_branch: Callable[[Node], bool], given: Collection[Node] = ()) -> Scope:
    """The nodes that roots are made of, down to those that are given, each in the place where it is computed."""
    nodes = _needed(roots, given)
    return _Layout(nodes, {node for node in nodes if is_branch(node)}).made(roots)


def _needed(roots: Sequence[Node], given: Collection[Node]) -> list[Node]:
    found: dict[int, Node] = {}
    left = [root for root in roots if root not in given]
    while left:
        node = left.pop()
        if node.place not in found and node.kind != "symbol":
            found[node.place] = node
            left.extend(arg for arg in node.args if arg not in given)
    return [found[place] for place in sorted(found)]


class _Layout:
    def __init__(self, nodes: list[Node], branching: set[Node]):
        self.nodes = nodes
        self.branching = branching
        self.top = Scope()
        self.homes: dict[Node, Scope] = {}
        self.groups: dict[tuple[Scope, Node, int], Branch] = {}
        self.owners: dict[Node, Branch] = {}

    def made(self, roots: Sequence[Node]) -> Scope:
        known = set(self.nodes)
        depths: dict[Node, int] = {}
        for node in self.nodes:
            depths[node] = max((depths.get(arg, 0) for arg in node.args), default=0) + (node in self.branching)
        for root in roots:
            self._use(root, self.top)
        for node in reversed(self.nodes):
            if node in self.branching:
                self._join(node, depths[node])
            for arg, place in self._uses(node):
                self._use(arg, place)
        needs = self._needs(known)
        for scope, items in self._items().items():
            scope.items = _in_order(items, needs)
        return self.top

    def _use(self, node: Node, place: Scope) -> None:
        self.homes[node] = _common(self.homes[node], place) if node in self.homes else place

    def _join(self, node: Node, depth: int) -> None:
        home = self.homes[node]
        branch = self.groups.setdefault((home, node.args[0], depth), Branch(node.args[0], home))
        branch.merges.insert(0, node)
        self.owners[node] = branch

    def _uses(self, node: Node) -> list[tuple[Node, Scope]]:
        """The arguments of a node, each with the place where it is used."""
        home = self.homes[node]
        if node not in self.branching:
            return [(arg, home) for arg in node.args]
        branch = self.owners[node]
        return list(zip(node.args, (home, *branch.arms), strict=True))

    def _item(self, node: Node) -> Node | Branch:
        return self.owners.get(node, node)

    def _needs(self, known: set[Node]) -> dict[Node | Branch, dict[Node | Branch, None]]:
        """What has to come before an item, among the items of its place."""
        needs: dict[Node | Branch, dict[Node | Branch, None]] = {}
        for node in self.nodes:
            for arg, place in self._uses(node):
                if arg in known:
                    user, home = self._item(node) if place is self.homes[node] else None, self.homes[arg]
                    while place is not home:
                        assert place.around is not None and place.parent is not None
                        user, place = place.around, place.parent
                    if user is None:
                        continue
                    needs.setdefault(user, {})[self._item(arg)] = None
        return needs

    def _items(self) -> dict[Scope, list[Node | Branch]]:
        items: dict[Scope, dict[Node | Branch, None]] = {}
        for node in self.nodes:
            items.setdefault(self.homes[node], {})[self._item(node)] = None
        return {scope: list(found) for scope, found in items.items()}


def _common(a: Scope, b: Scope) -> Scope:
    while a is not b:
        if a.depth >= b.depth:
            assert a.parent is not None
            a = a.parent
        else:
            assert b.parent is not None
            b = b.parent
    return a


def _in_order(
    items: Sequence[Node | Branch], needs: dict[Node | Branch, dict[Node | Branch, None]]
) -> list[Node | Branch]:
    order: dict[Node | Branch, None] = {}
    for item in items:
        left = [item]
        while left:
            missing = [each for each in needs.get(left[-1], ()) if each not in order]
            if missing:
                left.append(missing[0])
            else:
                order[left.pop()] = None
    return list(order)
