"""The circles in which the buffers of carried arrays move, read off a plan (see Note [Buffers that take turns])."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.storage.aliasing import Carry, StoragePlan
from tapeless.passes.lower.storage.tree import Node

T = TypeVar("T")


@dataclass(frozen=True)
class Ring:
    """Carried arrays, each of which gets its next buffer from the one before it.

    The first gets it from the last or, if it is built anew, from a spare buffer, which then is that of the last.
    """

    members: tuple[int, ...]
    has_spare: bool

    @property
    def length(self) -> int:
        """How many buffers there are, and after how many iterations each is back where it was."""
        return len(self.members) + self.has_spare


def rings_of(plan: StoragePlan, node: Node) -> list[Ring]:
    """All circles of a loop."""
    numbers = [k for k in range(len(node.operands)) if plan.carries.get((node, k)) is Carry.TURNING]
    givers = {k: plan.turns[node, k] for k in numbers if (node, k) in plan.turns}
    takers = {giver: taker for taker, giver in givers.items()}
    rings = [Ring(chain(takers, k), has_spare=True) for k in numbers if k not in givers]
    left = set(numbers).difference(*(ring.members for ring in rings))
    while left:
        rings.append(Ring(chain(takers, min(left)), has_spare=False))
        left.difference_update(rings[-1].members)
    return rings


def chain(takers: dict[int, int], first: int) -> tuple[int, ...]:
    """An array, the one that its buffer goes to, and so on until there is none or the first comes again."""
    members = [first]
    while (taker := takers.get(members[-1], first)) != first:
        members.append(taker)
    return tuple(members)


def moved_on(buffers: Sequence[T]) -> list[T]:
    """The buffers of a ring, the spare one last, as the next iteration has them."""
    return [buffers[-1], *buffers[:-1]]
