"""What the user sees: one line per fault, progress, and a summary."""

from __future__ import annotations

import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fuzz.fault import Fault
from fuzz.search import Outcome

SECONDS_BETWEEN_LINES = 30.0


@dataclass
class Report:
    """Counts of a run; progress is one changing line on a terminal, a line now and then elsewhere."""

    seed: int
    begun: float = field(default_factory=time.monotonic)
    programs: int = 0
    unfit: int = 0
    faults: int = 0
    seconds: float = 0.0
    interrupted: bool = False
    last_line: float = 0.0
    checks: Counter[str] = field(default_factory=Counter)

    def start(self) -> None:
        print(f"fuzz: seed {self.seed}", flush=True)

    def checked(self, outcome: Outcome) -> None:
        self.programs += outcome.program is not None
        self.unfit += outcome.program is None
        self.faults += outcome.fault is not None
        self.seconds += outcome.seconds
        self.checks.update(getattr(outcome.program, "checks", ()))

    def fault(self, program: Any, fault: Fault, path: Path) -> None:
        self._clear()
        reason = fault.detail if ";" in fault.detail.partition("\n")[0] else str(fault)
        print(f"FAULT seed {program.seed} {path} {fault.check}: {reason.partition(chr(10))[0][:200]}", flush=True)

    def progress(self) -> None:
        now = time.monotonic()
        if sys.stdout.isatty():
            print(f"\r{self._state()}", end="", flush=True)
        elif now - self.last_line > SECONDS_BETWEEN_LINES:
            print(self._state(), flush=True)
            self.last_line = now

    def _clear(self) -> None:
        if sys.stdout.isatty():
            print("\r\x1b[K", end="")

    def _state(self) -> str:
        return f"{self.programs} programs, {self.faults} faults, {time.monotonic() - self.begun:.0f} s"

    def end(self) -> None:
        self._clear()
        each = self.seconds / max(self.programs, 1)
        cost = f"{each:.2f} s of processor time per program, {self.unfit} seeds unfit"
        print(f"fuzz: {self._state()}, seed {self.seed}, {cost}")
        print(f"fuzz: {', '.join(f'{name} {count}' for name, count in self.checks.items())}")
