"""What a scheduler is: it decides the form of every operator of a target, by the program alone."""

from __future__ import annotations

from typing import Protocol

from tapeless.dialects.soac.schedules import Schedule
from tapeless.passes.lower.storage.tree import Node


class Scheduler(Protocol):
    """Decides on operators, outer ones first; what stands inside another operator mostly runs in a thread of it."""

    def operator(self, node: Node) -> Schedule:
        """The form of an operator that stands inside no thread."""

    def inner(self, node: Node) -> Schedule:
        """The form of an operator inside a thread."""

    def is_open(self, form: Schedule) -> bool:
        """Whether operators inside of one in this form stand in no thread of it."""
