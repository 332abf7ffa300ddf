"""Recordings of plans that read from the GPU on their way: a graph for each stretch between two reads.

What follows a read depends on what is read, so stretches are a tree. To record one, the plan is carried out from its
start: up to the read before it nothing is queued, reads give what they gave, and memory is where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any, Final, TypeAlias

from tapeless.dataclasses_on_use import dataclass
from tapeless.runtime.cuda.device import Device
from tapeless.runtime.cuda.pool import Pool, rounded
from tapeless.runtime.cuda.recordings.order import Regions, Touched, Waits, waits

# What a recording may hold; calls that go beyond it are queued one by one from there on.
MOST_STRETCHES: Final = 16
MOST_QUEUED: Final = 200_000

Work: TypeAlias = Callable[[Any], list[Any]]


class OwnMemory:
    """The memory of one recording, in which freed memory can be used again, and by nobody else."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self.sizes: dict[int, int] = {}
        self.bytes = 0

    def fresh(self, size: int) -> int:
        address = self._pool.allocate(size)
        self.sizes[address] = size
        self.bytes += size
        return address

    def give_back(self) -> None:
        for address in self.sizes:
            self._pool.free(address)


@dataclass
class Stretch:
    """The work queued up to a read, or to the end: the addresses allocated so far, the read or
    results, and successors.
    """

    graph: Any
    allocated: list[int]
    read: tuple[int, str] | None = None
    results: list[Any] = field(default_factory=list)
    after: dict[Any, Stretch] = field(default_factory=dict)


class _Pause(BaseException):
    """A plan comes to a read that has not been made."""


class _Beyond(BaseException):
    """A plan does something that cannot be recorded."""


class Retraced:
    """The device of a plan that goes a known way first, silently: with these addresses, and these values read.

    Then it records up to the next read, or, if it `is_live`, works as any device.
    """

    def __init__(
        self, device: Device, memory: OwnMemory, allocated: Sequence[int], values: Sequence[Any], *, is_live: bool
    ) -> None:
        self._device, self._memory, self._is_live = device, memory, is_live
        self._known, self._values = list(allocated), list(values)
        self._kept: dict[int, list[int]] = {}
        self._queued = 0
        self.allocated: list[int] = []
        self.read_at: tuple[int, str] | None = None

    @property
    def _is_silent(self) -> bool:
        return bool(self._values)

    def _queue(self) -> bool:
        """Whether the next work is queued."""
        if self._is_silent:
            return False
        self._queued += 1
        if self._queued > MOST_QUEUED and not self._is_live:
            raise _Beyond
        return True

    def allocate(self, size: int) -> int:
        size = rounded(size)
        kept = self._kept.get(size, [])
        if len(self.allocated) < len(self._known):
            address = self._known[len(self.allocated)]
            if address in kept:
                kept.remove(address)
        else:
            # What was freed first: whoever used it last need not be waited for long.
            address = kept.pop(0) if kept else self._memory.fresh(size)
        self.allocated.append(address)
        return address

    def free(self, address: int) -> None:
        self._kept.setdefault(self._memory.sizes[address], []).append(address)

    def launch(self, *launch: Any) -> None:
        if self._queue():
            self._device.launch(*launch)

    def copy(self, to: int, source: int, size: int) -> None:
        if self._queue():
            self._device.copy(to, source, size)

    def fill(self, to: int, byte: int, size: int) -> None:
        if self._queue():
            self._device.fill(to, byte, size)

    def constant(self, number: int) -> int:
        return self._device.constant(number)

    def read(self, address: int, type_: str) -> Any:
        if self._is_silent:
            return self._values.pop(0)
        if self._is_live:
            return self._device.read(address, type_)
        self.read_at = address, type_
        raise _Pause

    def fail(self, site: int, values: Sequence[int]) -> None:
        if not self._is_live:
            raise _Beyond
        self._device.fail(site, values)


class Recording:
    """The stretches of one plan with given arguments, as far as calls came."""

    def __init__(self, gpu: Any, pool: Pool) -> None:
        self._gpu = gpu
        self._root: Stretch | None = None
        self._count = 0
        self.memory = OwnMemory(pool)

    @property
    def graph(self) -> Any:
        """The graph of a call without reads, for measurements."""
        root = self._root
        return root.graph if root is not None and root.read is None else None

    def run(self, work: Work, device: Device) -> list[Any]:
        """The result of `work`; stretches that are not there yet are recorded."""
        values: list[Any] = []
        before: Stretch | None = None
        stretch = self._root
        while True:
            if stretch is None:
                stretch = self._recorded(work, device, before, values)
                if stretch is None:
                    return self._live(work, device, before, values)
                if before is None:
                    self._root = stretch
                else:
                    before.after[values[-1]] = stretch
            self._gpu.replay(stretch.graph)
            if stretch.read is None:
                return stretch.results
            values.append(device.read(*stretch.read))
            before, stretch = stretch, stretch.after.get(values[-1])

    def _recorded(self, work: Work, device: Device, before: Stretch | None, values: Sequence[Any]) -> Stretch | None:
        """The stretch after another one, or None if it cannot be recorded."""
        if self._count == MOST_STRETCHES:
            return None
        known = before.allocated if before is not None else ()
        retraced = Retraced(device, self.memory, known, values, is_live=False)
        results: list[Any] = []
        is_possible = True

        def go() -> Waits | None:
            nonlocal is_possible
            queued: list[Touched] = []
            device.queued = queued
            try:
                results.extend(work(retraced))
            except _Pause:
                pass
            except _Beyond:
                is_possible = False
            finally:
                device.queued = None
            return waits(queued, Regions([*self.memory.sizes.items(), *device.given().items()]))

        graph = self._gpu.record(go)
        if not is_possible:
            self._gpu.discard(graph)
            return None
        self._count += 1
        return Stretch(graph, retraced.allocated, retraced.read_at, results)

    def _live(self, work: Work, device: Device, before: Stretch | None, values: Sequence[Any]) -> list[Any]:
        """Queues the rest one by one."""
        known = before.allocated if before is not None else ()
        return work(Retraced(device, self.memory, known, values, is_live=True))

    def discard(self) -> None:
        """Forgets all graphs and gives their memory back."""
        waiting = [self._root] if self._root is not None else []
        while waiting:
            stretch = waiting.pop()
            waiting += stretch.after.values()
            self._gpu.discard(stretch.graph)
        self.memory.give_back()
