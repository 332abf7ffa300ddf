"""Which pairs of factors several products have in common: the most frequent pair first, until none occurs twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tapeless.passes.phi.graph.nodes import Node


@dataclass(frozen=True)
class Atom:
    """Something to multiply by, or to divide by: a node, or the product of two atoms."""

    of: Node | tuple[Atom, Atom]
    below: bool
    order: int


Parts = Counter[Atom]
Pair = tuple[Atom, Atom]


class Pairs:
    """Products as atoms with how often each occurs; pairs in them become atoms of their own."""

    def __init__(self, products: dict[Node, Parts]):
        self.products = products
        self._order = 1 + max((atom.order for parts in products.values() for atom in parts), default=0)
        self._counts: Counter[Pair] = Counter()
        self._where: dict[Pair, set[Node]] = {}
        for node in products:
            self._count(node, 1)

    def extract(self) -> None:
        """Replaces the pair that occurs most often, as long as one occurs at least twice."""
        while self._counts:
            pair, count = min(self._counts.items(), key=lambda each: (-each[1], each[0][0].order, each[0][1].order))
            if count < 2:
                return
            atom = self._joined(pair)
            for node in list(self._where[pair]):
                self._count(node, -1)
                _replace(self.products[node], pair, atom)
                self._count(node, 1)

    def uses(self) -> Counter[Atom]:
        """In how many products and pairs each atom occurs."""
        found: Counter[Atom] = Counter()
        left: list[Atom] = []
        for parts in self.products.values():
            found.update(parts.keys())
            left.extend(parts)
        seen: set[Atom] = set()
        while left:
            atom = left.pop()
            if atom not in seen and isinstance(atom.of, tuple):
                found.update(set(atom.of))
                left.extend(atom.of)
            seen.add(atom)
        return found

    def _joined(self, pair: Pair) -> Atom:
        """Two atoms as one; two that both divide are multiplied, and divide together."""
        self._order += 1
        first, second = pair
        if first.below and second.below:
            return Atom((_above(first), _above(second)), True, self._order)
        return Atom(pair, False, self._order)

    def _count(self, node: Node, sign: int) -> None:
        for pair, times in _pairs(self.products[node]):
            self._counts[pair] += sign * times
            where = self._where.setdefault(pair, set())
            where.add(node) if sign > 0 else where.discard(node)
            if self._counts[pair] == 0:
                del self._counts[pair], self._where[pair]


def _above(atom: Atom) -> Atom:
    return Atom(atom.of, False, atom.order)


def _pairs(parts: Parts) -> Iterator[tuple[Pair, int]]:
    """The pairs in a product and how often each can be taken out of it."""
    atoms = sorted(parts, key=lambda each: (each.order, each.below))
    for place, first in enumerate(atoms):
        if parts[first] >= 2:
            yield (first, first), parts[first] // 2
        for second in atoms[place + 1 :]:
            yield (first, second), min(parts[first], parts[second])


def _replace(parts: Parts, pair: Pair, atom: Atom) -> None:
    first, second = pair
    times = parts[first] // 2 if first is second else min(parts[first], parts[second])
    parts[first] -= times
    parts[second] -= times
    for each in pair:
        if parts[each] <= 0:
            del parts[each]
    if times:
        parts[atom] += times
