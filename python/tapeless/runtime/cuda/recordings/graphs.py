"""Launches of a plan recorded once and started together: a call with the same arguments takes one call of the driver.

What a plan does follows from addresses, sizes and scalars, and from what it reads from the GPU on its way. A recording
keeps the memory that its launches use for themselves.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from tapeless.runtime.cuda.device import Device
from tapeless.runtime.cuda.identities import Identity
from tapeless.runtime.cuda.pool import Pool
from tapeless.runtime.cuda.recordings.order import Waits
from tapeless.runtime.cuda.recordings.stretches import Recording, Work

# A call is recorded when it comes for the second time; so many recordings are kept, with so much memory in all, or with
# this share of the GPU's memory where that is more.
CALLS_BEFORE: Final = 1
MOST_GRAPHS: Final = 8
MOST_BYTES: Final = 2 << 30
MEMORY_SHARE: Final = 8
MOST_COUNTED: Final = 1024
LOOPS: Final = ("for", "while")
REGIONS: Final = ("body", "then", "else", "before", "after")


class RecordingGpu(Protocol):
    """A GPU that can record queued work."""

    memory_bytes: int

    def record(self, work: Callable[[], Waits | None]) -> Any: ...
    def replay(self, graph: Any) -> None: ...
    def discard(self, graph: Any) -> None: ...


def can_record(steps: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a plan keeps its memory to itself, and reads nothing in loops that every call carries out."""
    return not any(
        (step["do"] == "return" and any("address" in value for value in step["values"]))
        or (step["do"] in LOOPS and _reads([step]))
        for step in steps
    )


def _reads(steps: Sequence[Mapping[str, Any]]) -> bool:
    return any(
        step["do"] == "read" or any(_reads(step[region]) for region in REGIONS if region in step) for step in steps
    )


class Graphs:
    """The recordings of one kernel by the arguments of its calls."""

    def __init__(self, gpu: RecordingGpu) -> None:
        self._gpu = gpu
        self._seen: Counter[Identity] = Counter()
        self._recorded: OrderedDict[Identity, Recording] = OrderedDict()
        self._too_large: set[Identity] = set()
        self._running: Identity | None = None
        self.has_replayed = False

    def run(self, arguments: Identity, work: Work, device: Device, pool: Pool) -> list[Any]:
        """The result of `work` for these arguments; its launches are queued one by one, recorded, or replayed."""
        self._running = arguments
        try:
            return self._run(arguments, work, device, pool)
        finally:
            self._running = None

    def _run(self, arguments: Identity, work: Work, device: Device, pool: Pool) -> list[Any]:
        found = self._recorded.get(arguments)
        self.has_replayed = found is not None
        if found is not None:
            self._recorded.move_to_end(arguments)
            return found.run(work, device)
        if self._seen[arguments] < CALLS_BEFORE or arguments in self._too_large:
            if len(self._seen) > MOST_COUNTED:
                self._seen.clear()
                self._too_large.clear()
            self._seen[arguments] += 1
            return work(device)
        self._recorded[arguments] = made = Recording(self._gpu, pool)
        try:
            results = made.run(work, device)
        except BaseException:
            self._recorded.pop(arguments).discard()
            raise
        if made.memory.bytes > self._most_bytes:
            self._too_large.add(arguments)
        self._make_room()
        return results

    def latest(self) -> Any:
        """The last recorded or replayed graph, or None."""
        return next(reversed(self._recorded.values())).graph if self._recorded else None

    def give_up(self) -> None:
        """Forgets all recordings but the one that a call goes by."""
        for arguments in [each for each in self._recorded if each != self._running]:
            self._recorded.pop(arguments).discard()

    def _make_room(self) -> None:
        """Gives up the oldest recordings where there are too many, or too large ones."""
        while len(self._recorded) > MOST_GRAPHS or self._bytes() > self._most_bytes:
            self._recorded.popitem(last=False)[1].discard()

    @property
    def _most_bytes(self) -> int:
        """How much memory recordings may keep."""
        return max(MOST_BYTES, self._gpu.memory_bytes // MEMORY_SHARE)

    def _bytes(self) -> int:
        return sum(each.memory.bytes for each in self._recorded.values())
