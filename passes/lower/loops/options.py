"""The options of a lowering to loops."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """How to lower: number of threads (0: as many as the runtime likes), the plain oracle form, reproducible sums.

    `vector_bits` is the width of a register.
    """

    threads: int = 1
    sequential: bool = False
    deterministic: bool = True
    vector_bits: int = 512

    @property
    def has_threads(self) -> bool:
        return self.threads != 1

    @property
    def scheduler(self) -> str:
        """The name of the scheduler (`schedule/choice.py`)."""
        return "oracle" if self.sequential else "cpu"
