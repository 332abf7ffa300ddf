"""The schedule of the oracle: everything in the order of the program."""

from __future__ import annotations

from dataclasses import dataclass

from tapeless.passes.lower.schedule.forms import IN_ORDER, Schedule
from tapeless.passes.lower.schedule.scheduler import copied_at_once
from tapeless.passes.lower.storage.tree import Node


@dataclass(frozen=True)
class OracleScheduler:
    """One loop for every operator."""

    @property
    def keeps_order(self) -> bool:
        return True

    @property
    def reads_again(self) -> bool:
        return False

    def operator(self, node: Node) -> Schedule:
        return IN_ORDER

    def copy(self, *, is_whole: bool, depth: int) -> Schedule:
        return copied_at_once(is_whole=is_whole, depth=depth)
