"""Which pairs of factors several products have in common: the most frequent pair first, until none occurs twice.

Of equally frequent ones, pairs of constants and inputs come first: they are there before anything is computed, and may
be the same in every step of a loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.graph.nodes import Node


@dataclass(frozen=True, eq=False)
class Atom:
    """Something to multiply by, or to divide by: a node, or the product of two atoms. Each is made once.

    It is given if nothing has to be computed first but products.
    """

    of: Node | tuple[Atom, Atom]
    below: bool
    order: int
    is_given: bool


Parts = Counter[Atom]
Pair = tuple[int, int]


class Pairs:
    """Products as atoms with how often each occurs; pairs in them become atoms of their own."""

    def __init__(self) -> None:
        self.products: dict[Node, Parts] = {}
        self._atoms: list[Atom] = []
        self._known: dict[tuple[Node, bool], Atom] = {}
        self._counts: Counter[Pair] = Counter()
        self._where: dict[Pair, dict[Node, None]] = {}
        self._given: set[Pair] = set()

    def atom(self, node: Node, below: bool) -> Atom:
        """The atom of a node above or below the line."""
        found = self._known.get((node, below))
        if found is None:
            found = self._known[node, below] = self._new(node, below)
        return found

    def extract(self) -> None:
        """Replaces the pair that occurs most often, as long as one occurs at least twice."""
        for node, parts in self.products.items():
            self._count(node, _pairs(parts, parts), 1)
        while self._counts:
            pair, count = min(self._counts.items(), key=self._most_first)
            if count < 2:
                return
            first, second = (self._atoms[each] for each in pair)
            joined = self._joined(first, second)
            for node in list(self._where[pair]):
                self._replace(node, first, second, joined)

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

    def _most_first(self, each: tuple[Pair, int]) -> tuple[int, bool, Pair]:
        pair, count = each
        return -count, pair not in self._given, pair

    def _new(self, of: Node | tuple[Atom, Atom], below: bool) -> Atom:
        made_of_given = of.kind in ("constant", "symbol") if isinstance(of, Node) else all(each.is_given for each in of)
        atom = Atom(of, below, len(self._atoms), made_of_given and not below)
        self._atoms.append(atom)
        return atom

    def _joined(self, first: Atom, second: Atom) -> Atom:
        """Two atoms as one; two that both divide are multiplied, and divide together."""
        if first.below and second.below:
            return self._new((self._above(first), self._above(second)), True)
        return self._new((first, second), False)

    def _above(self, atom: Atom) -> Atom:
        """The same above the line."""
        if isinstance(atom.of, Node):
            return self.atom(atom.of, False)
        return self._new(atom.of, False)

    def _replace(self, node: Node, first: Atom, second: Atom, joined: Atom) -> None:
        """Puts the joined atom into a product; only pairs with one of the three change."""
        parts = self.products[node]
        changed = {first, second}
        self._count(node, _pairs(parts, changed), -1)
        times = parts[first] // 2 if first is second else min(parts[first], parts[second])
        for each in (first, second):
            parts[each] -= times
            if parts[each] <= 0:
                del parts[each]
        parts[joined] = times
        self._count(node, _pairs(parts, [each for each in (*changed, joined) if each in parts]), 1)

    def _count(self, node: Node, pairs: Iterable[tuple[Pair, int]], sign: int) -> None:
        for pair, times in pairs:
            self._counts[pair] += sign * times
            where = self._where.setdefault(pair, {})
            if self._atoms[pair[0]].is_given and self._atoms[pair[1]].is_given:
                self._given.add(pair)
            if sign > 0:
                where[node] = None
            else:
                where.pop(node, None)
            if self._counts[pair] == 0:
                del self._counts[pair], self._where[pair]


def _pairs(parts: Parts, among: Iterable[Atom]) -> Iterator[tuple[Pair, int]]:
    """The pairs in a product with at least one of some atoms, and how often each can be taken out of it."""
    seen: set[Atom] = set()
    for first in among:
        if first in seen:
            continue
        seen.add(first)
        if parts[first] >= 2:
            yield (first.order, first.order), parts[first] // 2
        for second, times in parts.items():
            if second not in seen:
                pair = (first.order, second.order) if first.order < second.order else (second.order, first.order)
                yield pair, min(parts[first], times)
