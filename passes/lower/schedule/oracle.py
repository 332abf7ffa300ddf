"""The schedule of the oracle: everything in the order of the program."""

from __future__ import annotations

from dataclasses import dataclass

from tapeless.dialects.soac.schedules import IN_ORDER, Schedule
from tapeless.passes.lower.storage.tree import Node


@dataclass(frozen=True)
class OracleScheduler:
    """One loop for every operator."""

    def operator(self, node: Node) -> Schedule:
        return IN_ORDER

    def inner(self, node: Node) -> Schedule:
        return IN_ORDER

    def is_open(self, form: Schedule) -> bool:
        return False
