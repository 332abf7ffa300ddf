"""The options of a lowering to loops."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """How to lower: number of threads (0: as many as the runtime likes), the plain oracle form, reproducible sums.

    `vector_bits` is the width of a register, `target` the name of the machine's scheduler.
    """

    threads: int = 1
    sequential: bool = False
    deterministic: bool = True
    vector_bits: int = 512
    target: str = "cpu"

    @property
    def has_threads(self) -> bool:
        return self.threads != 1

    @property
    def scheduler(self) -> str:
        """The name of the scheduler (`schedule/choice.py`)."""
        return "oracle" if self.sequential else self.target

    @property
    def has_launches(self) -> bool:
        """Whether large loops become kernels of a device, which the host launches."""
        return self.scheduler == "cuda"
