"""The schedulers by name, and which of them a lowering uses."""

from __future__ import annotations

from collections.abc import Callable

from tapeless.passes.lower.schedule.cpu import CpuScheduler
from tapeless.passes.lower.schedule.gpu import GpuScheduler
from tapeless.passes.lower.schedule.options import Options
from tapeless.passes.lower.schedule.oracle import OracleScheduler
from tapeless.passes.lower.schedule.scheduler import Scheduler

# A target with schedules of its own adds a module beside `cpu.py` and a line here.
SCHEDULERS: dict[str, Callable[[Options], Scheduler]] = {
    "oracle": lambda options: OracleScheduler(),
    "cpu": lambda options: CpuScheduler(options.threads, options.deterministic, options.vector_bits),
    "cuda": lambda options: GpuScheduler(options.deterministic),
}


def scheduler_for(options: Options) -> Scheduler:
    """The scheduler that the options of a lowering ask for."""
    return SCHEDULERS[options.scheduler](options)
