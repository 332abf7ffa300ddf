"""The machine record of GPUs: how much of each generation works at the same time."""

from __future__ import annotations

from typing import NamedTuple


class GpuModel(NamedTuple):
    """A GPU that stands for its generation: the multiprocessors it has, and the threads that each has room for."""

    name: str
    multiprocessors: int
    threads_each: int

    @property
    def room(self) -> int:
        """How many threads it has room for at the same time."""
        return self.multiprocessors * self.threads_each


MODELS = {
    "sm_80": GpuModel("A100", 108, 2048),
    "sm_86": GpuModel("A40", 84, 1536),
    "sm_89": GpuModel("L40", 142, 1536),
    "sm_90": GpuModel("H200", 132, 2048),
    "sm_100": GpuModel("B200", 148, 2048),
}


def model_of(architecture: str) -> GpuModel:
    """The record of a generation; of one that is not in the table, that of the latest before it."""

    def number(name: str) -> int:
        return int(name.removeprefix("sm_"))

    known = [name for name in MODELS if number(name) <= number(architecture)]
    return MODELS[max(known, key=number)] if known else MODELS["sm_80"]
