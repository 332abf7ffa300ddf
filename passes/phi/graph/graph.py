"""The graph: where nodes are made, and which rewrites its flags allow."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from typing import Any

from tapeless.passes.phi.graph.nodes import FLOATS, Node
from tapeless.passes.phi.graph.numbers import Number, number, rounded, wrapped

STRICT: frozenset[str] = frozenset()
DERIVATIVE = frozenset({"reassoc", "contract", "arcp", "nsz", "stable"})


class Graph:
    """Makes each node once.

    `flags` say which rewrites are allowed (`#phi.fm`): builders bring nodes into the normal form that they permit.
    """

    def __init__(self, flags: Iterable[str] = STRICT):
        self.flags = frozenset(flags)
        self._nodes: dict[tuple[Hashable, ...], Node] = {}
        self._order: list[Node] = []
        self._fresh = 0
        # What was found out about nodes that will not change, by who found it.
        self.memory: dict[Hashable, dict[Node, Any]] = {}

    def allows(self, *flags: str) -> bool:
        """Whether all of these rewrites are allowed."""
        return self.flags.issuperset(flags)

    def node(self, kind: str, type_: str, args: Iterable[Node] = (), data: Iterable[Hashable] = ()) -> Node:
        """The node of this kind as given, without any normal form, by which builders end."""
        args, data = tuple(args), tuple(data)
        types = tuple(map(type, data))
        if Fraction in types:
            data = tuple(number(each) if isinstance(each, Fraction) else each for each in data)
            types = tuple(map(type, data))
        # 1 and 1.0 are equal, and not the same number.
        key = (kind, type_, args, data, types)
        found = self._nodes.get(key)
        if found is None:
            found = self._nodes[key] = Node(kind, type_, args, data, len(self._order))
            self._order.append(found)
        return found

    def owns(self, node: Node) -> bool:
        """Whether a node was made here."""
        return node.place < len(self._order) and self._order[node.place] is node

    def constant(self, value: Number | int, type_: str) -> Node:
        """A number of a type."""
        exact = number(value)
        if type_ not in FLOATS:
            exact = wrapped(exact, type_)
        elif "reassoc" not in self.flags:
            exact = rounded(exact, type_)
        return self.node("constant", type_, data=(exact,))

    def symbol(self, name: Hashable, type_: str, facts: frozenset[str] = frozenset()) -> Node:
        """A value that is given, with its known facts (`facts.py`)."""
        return self.node("symbol", type_, data=(name, facts) if facts else (name,))

    def fresh(self, type_: str) -> Node:
        """A symbol that is different from all others."""
        self._fresh += 1
        return self.symbol(("fresh", self._fresh), type_)

    def __len__(self) -> int:
        return len(self._order)
