"""How programs are compiled, as the command line asks for it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import tapeless as tl
from tapeless.dataclasses_on_use import dataclass

TARGETS = {"cpu": "cpu", "gpu": "cuda"}


@dataclass(frozen=True)
class Settings:
    """Method, target and number of threads of one run."""

    method: str = "redundant"
    target: str = "cpu"
    threads: int = 1
    checks: str = "off"

    def compiled(self, program: Callable[..., Any]) -> Callable[..., Any]:
        """The program with these options; it is compiled when it is first called with arguments of some types."""
        return tl.jit(
            program, method=self.method, target=TARGETS[self.target], threads=self.threads, checks=self.checks
        )

    def as_json(self) -> dict[str, Any]:
        """The tool's description of itself at the start of a run."""
        return asdict(self) | {"version": tl.__version__}


def available_threads() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0))
