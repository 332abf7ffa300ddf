"""Sizes that are one and the same at some place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.sizes.expressions import Arithmetic, Size, Terms
from tapeless.passes.ir.sizes.terms import ONE, Whole, terms_of


@dataclass
class SizeClasses:
    """Classes of equal sizes; every size but one of a class leads to another of it.

    What is computed alike from equal sizes is equal: behind a check that m is n, `m + k` is `n + k`.
    """

    leaders: dict[Size, Size] = field(default_factory=dict)

    def copy(self) -> SizeClasses:
        """The same classes, some of which can be joined."""
        return SizeClasses(dict(self.leaders))

    def join(self, left: Size, right: Size) -> None:
        """Takes note that two sizes are equal."""
        left, right = self._leader(left), self._leader(right)
        if left != right:
            self.leaders[left] = right

    def are_equal(self, left: Size, right: Size) -> bool:
        """Whether two sizes are known to be equal."""
        if left == right or self._leader(left) == self._leader(right):
            return True
        is_computed = isinstance(left, Arithmetic) or isinstance(right, Arithmetic)
        return is_computed and bool(self.leaders) and self._terms(left, ()) == self._terms(right, ())

    def equal_to(self, size: Size) -> Iterator[Size]:
        """The sizes of the class of one."""
        if size in self.leaders or size in self.leaders.values():
            leader = self._leader(size)
            yield leader
            yield from (other for other in self.leaders if self._leader(other) == leader)

    def _leader(self, size: Size) -> Size:
        """The size that leads a class; those on the way lead to it at once from now on, so that ways stay short."""
        way: list[Size] = []
        while (next_ := self.leaders.get(size)) is not None:
            way.append(size)
            size = next_
        for passed in way[:-1]:
            self.leaders[passed] = size
        return size

    def _terms(self, size: Size, around: tuple[Size, ...]) -> Terms:
        """The terms of a size in which every size is that which leads its class; `around` are the sizes it stands in.

        A size that a check makes equal to a sum with itself in it stays as it is there.
        """
        leader = self._leader(size)
        if leader in around:
            return frozenset({(leader, 1)})
        counts: dict[object, int] = {}
        for what, times in terms_of(leader):
            for term, count in self._terms_of_term(what, (*around, leader)):
                counts[term] = counts.get(term, 0) + times * count
        return frozenset((term, count) for term, count in counts.items() if count)

    def _terms_of_term(self, what: object, around: tuple[Size, ...]) -> Terms:
        if what == ONE:
            return frozenset({(ONE, 1)})
        if isinstance(what, Whole):
            operands = tuple(self._terms(operand, around) for operand in what.operands)
            return frozenset({(replace(what, operands=operands), 1)})
        return frozenset({(what, 1)}) if what == around[-1] else self._terms(what, around)
