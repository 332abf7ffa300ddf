"""What a scheduler is: it decides the form of every operator, and emission asks nobody else."""

from __future__ import annotations

from typing import Protocol

from tapeless.passes.lower.schedule.forms import IN_ORDER, Schedule, Whole
from tapeless.passes.lower.storage.tree import Node


class Scheduler(Protocol):
    """Decides by the program alone, never by what was emitted so far."""

    @property
    def keeps_order(self) -> bool:
        """Whether sums are made in the order in which the program makes them."""

    @property
    def reads_again(self) -> bool:
        """Whether reading an array twice in vectors costs less than once, one element after the other."""

    def operator(self, node: Node) -> Schedule:
        """The form in which an operator runs."""

    def copy(self, *, is_whole: bool, depth: int) -> Schedule:
        """The form of a copy, of a whole buffer to a whole one or not, inside so many regions of emitted code."""


def copied_at_once(*, is_whole: bool, depth: int) -> Schedule:
    """Whole buffers outside of all loops and branches are copied by one operation."""
    return Whole() if is_whole and depth == 0 else IN_ORDER
