"""The launches of a call for arguments of some sizes: every kernel, how often, with how many threads.

The plan is carried out without a GPU, up to a number that only the GPU can tell, or up to `MOST_LAUNCHES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from tapeless.dataclasses_on_use import dataclass
from tapeless.runtime.cuda.expressions import FUNCTIONS, python_text
from tapeless.runtime.cuda.rehearsal import End, Rehearsal

MOST_LAUNCHES: Final = 200_000


@dataclass
class Launched:
    """A kernel in a call: where it comes from, how often it is launched, and its largest launch."""

    name: str
    line: str
    launches: int = 0
    blocks: int = 0
    threads_each: int = 0
    work: int = 0
    """Operations of a thread, roughly, in the launch in which it does most."""
    total_work: int = 0
    """Operations of a thread of each launch, all together."""
    allocates: bool = False

    @property
    def threads(self) -> int:
        return self.blocks * self.threads_each


class Survey(Rehearsal):
    """The device of a plan that counts its steps."""

    def __init__(self, plan: Mapping[str, Any]) -> None:
        super().__init__(())
        self.kernels = [
            Launched(name, entry.get("line", "an unknown line"), allocates=entry.get("allocates", False))
            for name, entry in plan["kernels"].items()
        ]
        self._works = [_work_of(entry) for entry in plan["kernels"].values()]
        self.copies = 0
        self.total = 0
        self.end = ""
        """Why not everything was counted, if so."""

    def launch(self, number: int, grid: Sequence[int], block: Sequence[int], *rest: Any) -> None:
        if 0 in grid or 0 in block:
            return
        if self.total == MOST_LAUNCHES:
            self.stop(f"those after the first {MOST_LAUNCHES:,} are not counted")
        self.total += 1
        kernel = self.kernels[number]
        kernel.launches += 1
        if grid[0] * block[0] >= kernel.threads:
            kernel.blocks, kernel.threads_each = grid[0], block[0]
        work = self._works[number](rest[-1], grid[0], block[0])
        kernel.work = max(kernel.work, work)
        kernel.total_work += work

    def copy(self, to: int, source: int, size: int) -> None:
        self.copies += size > 0

    def fill(self, to: int, byte: int, size: int) -> None:
        self.copies += size > 0

    def read(self, address: int, type_: str) -> Any:
        self.stop("what follows depends on a number that the host reads from the GPU, and is not counted")

    def fail(self, site: int, values: Sequence[int]) -> None:
        self.stop("then a check of the sizes fails")

    def stop(self, why: str) -> None:
        self.end = why
        raise End

    @property
    def takes_from_heap(self) -> bool:
        """Whether threads take memory from the heap of the device."""
        return any(kernel.allocates for kernel in self.by_work())

    def by_work(self) -> list[Launched]:
        """The kernels that are launched, those with most to do first."""
        found = [kernel for kernel in self.kernels if kernel.launches]
        return sorted(found, key=lambda kernel: kernel.total_work, reverse=True)


def _work_of(entry: Mapping[str, Any]) -> Callable[[Sequence[Any], int, int], int]:
    """How much a thread does, given the arguments of a launch and its sizes."""
    names = {f"p{number}": f"p[{number}]" for number in range(len(entry["parameters"]))}
    text = python_text(entry.get("work", 0), names | {"blocks": "blocks", "threads": "threads"})
    scope: dict[str, Any] = {"__builtins__": {"float": float}, **FUNCTIONS}
    return eval(f"lambda p, blocks, threads: {text}", scope)


def survey(run: Callable[..., Any], plan: Mapping[str, Any], flat: Sequence[Any]) -> Survey:
    """The survey of a plan for these flat arguments, of which addresses do not matter."""
    device = Survey(plan)
    with suppress(End):
        run(device, *flat)
    return device
