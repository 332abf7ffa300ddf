"""Where each node is computed: at the top, or in the arm of a branch that alone needs it.

A merge that is a branch stands together with all others of the same condition that are reached at the same depth of
branches, so that the condition is tested once for them. What is deeper is never needed by what is less deep, so there
is always an order. What may only run where the program runs it, as reading an element, is computed in each arm that
needs it, and above them only where every way leads to one that does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import field

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.graph.contents import is_guarded
from tapeless.passes.phi.graph.nodes import Node


@dataclass(eq=False)
class Scope:
    """The code of one place, in order: nodes and branches."""

    parent: Scope | None = None
    around: Branch | None = None
    depth: int = 0
    items: list[Node | Branch] = field(default_factory=list)


@dataclass(eq=False)
class Branch:
    """Merges of one condition, and the nodes that only their arms need."""

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
        self.tied = self._tied()
        self.homes: dict[Node, list[Scope]] = {}
        self.groups: dict[tuple[Scope, Node, int], Branch] = {}
        self.owners: dict[tuple[Scope, Node], Branch] = {}

    def made(self, roots: Sequence[Node]) -> Scope:
        known = set(self.nodes)
        depths: dict[Node, int] = {}
        for node in self.nodes:
            depths[node] = max((depths.get(arg, 0) for arg in node.args), default=0) + (node in self.branching)
        for root in roots:
            self._use(root, self.top)
        for node in reversed(self.nodes):
            for home in self.homes[node]:
                if node in self.branching:
                    self._join(node, home, depths[node])
                for arg, place in self._uses(node, home):
                    self._use(arg, place)
        needs = self._needs(known)
        for scope, items in self._items().items():
            scope.items = _in_order(items, {item: needs.get((scope, item), {}) for item in items})
        return self.top

    def _tied(self) -> set[Node]:
        """Nodes that must not be speculated: a branch may stand in the arm of another."""
        tied: set[Node] = set()
        for node in self.nodes:
            if is_guarded(node) or any(arg in tied for arg in node.args):
                tied.add(node)
        return tied

    def _use(self, node: Node, place: Scope) -> None:
        if node not in self.homes:
            self.homes[node] = [place]
        elif node in self.tied:
            self.homes[node] = _needed_in([*self.homes[node], place])
        else:
            self.homes[node] = [_common(self.homes[node][0], place)]

    def _join(self, node: Node, home: Scope, depth: int) -> None:
        branch = self.groups.setdefault((home, node.args[0], depth), Branch(node.args[0], home))
        branch.merges.insert(0, node)
        self.owners[home, node] = branch

    def _uses(self, node: Node, home: Scope) -> list[tuple[Node, Scope]]:
        """The arguments of a node that is computed in some place, each with the place where it is used."""
        if node not in self.branching:
            return [(arg, home) for arg in node.args]
        return list(zip(node.args, (home, *self.owners[home, node].arms), strict=True))

    def _item(self, node: Node, home: Scope) -> Node | Branch:
        return self.owners.get((home, node), node)

    def _needs(self, known: set[Node]) -> dict[tuple[Scope, Node | Branch], dict[Node | Branch, None]]:
        """The items that have to come before an item, among the items of its place."""
        needs: dict[tuple[Scope, Node | Branch], dict[Node | Branch, None]] = {}
        for node in self.nodes:
            for home in self.homes[node]:
                for arg, place in self._uses(node, home):
                    if arg not in known:
                        continue
                    user = self._item(node, home) if place is home else None
                    while place not in self.homes[arg]:
                        assert place.around is not None and place.parent is not None
                        user, place = place.around, place.parent
                    if user is not None:
                        needs.setdefault((place, user), {})[self._item(arg, place)] = None
        return needs

    def _items(self) -> dict[Scope, list[Node | Branch]]:
        items: dict[Scope, dict[Node | Branch, None]] = {}
        for node in self.nodes:
            for home in self.homes[node]:
                items.setdefault(home, {})[self._item(node, home)] = None
        return {scope: list(found) for scope, found in items.items()}


def _needed_in(places: Sequence[Scope]) -> list[Scope]:
    """The outermost places from which every way leads to one of those given: both arms are the place around them."""
    found = dict.fromkeys(places)
    for place in sorted(places, key=lambda each: -each.depth):
        while place.around is not None and all(arm in found for arm in place.around.arms):
            place = place.around.place
            found[place] = None
    return [place for place in found if not any(outer in found for outer in _around(place))]


def _around(place: Scope) -> Iterator[Scope]:
    while place.parent is not None:
        place = place.parent
        yield place


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
