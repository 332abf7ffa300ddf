"""Sizes that are one and the same at some place."""

from __future__ import annotations

from dataclasses import dataclass, field

from tapeless.passes.ir.sizes.expressions import Size


@dataclass
class SizeClasses:
    """Classes of equal sizes; every size but one of a class leads to another of it."""

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
        return left == right or self._leader(left) == self._leader(right)

    def _leader(self, size: Size) -> Size:
        while size in self.leaders:
            size = self.leaders[size]
        return size
