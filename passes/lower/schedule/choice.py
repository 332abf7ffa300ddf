"""The schedulers by name, and which of them a lowering uses."""

from __future__ import annotations

from collections.abc import Callable

from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.soac.schedules import IN_ORDER, Schedule
from tapeless.passes.lower.schedule.cpu import CpuScheduler
from tapeless.passes.lower.schedule.decisions import Scheduler
from tapeless.passes.lower.schedule.gpu import GpuScheduler
from tapeless.passes.lower.schedule.options import Options
from tapeless.passes.lower.storage.tree import Node

# A target with schedules of its own adds a module beside `cpu.py` and a line here.
SCHEDULERS: dict[str, Callable[[Options], Scheduler]] = {
    "oracle": lambda options: OracleScheduler(),
    "cpu": lambda options: CpuScheduler(options.threads, options.deterministic, options.vector_bits),
    "cuda": lambda options: GpuScheduler(options.deterministic),
}


def scheduler_for(options: Options) -> Scheduler:
    """The scheduler that the options of a lowering ask for."""
    return SCHEDULERS[options.scheduler](options)


@dataclass(frozen=True)
class OracleScheduler:
    """One loop for every operator."""

    def operator(self, node: Node) -> Schedule:
        return IN_ORDER

    def inner(self, node: Node) -> Schedule:
        return IN_ORDER

    def is_open(self, form: Schedule) -> bool:
        return False
