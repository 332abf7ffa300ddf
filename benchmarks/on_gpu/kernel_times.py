"""How long the GPU is busy with each kernel of a plan, by its own clock."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tapeless.runtime.cuda import device

# How much of a call's time goes to one kernel: its name, how often it is launched, and milliseconds in all.
Share = tuple[str, int, float]


def kernel_milliseconds(kernel: Any, arguments: tuple[Any, ...], rounds: int) -> list[Share]:
    """Medians over calls that wait for each of their launches, the longest first.

    Every launch takes a few microseconds more than it does in a recording.
    """
    seen: list[Mapping[str, list[float]]] = []
    for _ in range(rounds):
        with _timed_launches() as times:
            kernel.calls._loaded.graphs = None
            kernel(*arguments)
        seen.append(times)
    shares = [
        (name, len(taken), statistics.median(sum(each.get(name, ())) for each in seen))
        for name, taken in seen[-1].items()
    ]
    return sorted(shares, key=lambda share: -share[2])


@contextmanager
def _timed_launches() -> Iterator[Mapping[str, list[float]]]:
    """Has plans note how long each of their launches, copies and fills takes."""
    times: dict[str, list[float]] = defaultdict(list)
    before = device.Device.launch, device.Device.copy, device.Device.fill

    def launch(
        self: device.Device, number: int, grid: Sequence[int], block: Sequence[int], shared: int, arguments: Any
    ) -> None:
        name = self._loaded.functions._names[number]
        self._loaded.functions.get(number, self.foresee)
        times[name].append(self._gpu.elapsed(lambda: before[0](self, number, grid, block, shared, arguments)))

    def copy(self: device.Device, to: int, source: int, size: int) -> None:
        times["copy"].append(self._gpu.elapsed(lambda: before[1](self, to, source, size)))

    def fill(self: device.Device, to: int, byte: int, size: int) -> None:
        times["fill"].append(self._gpu.elapsed(lambda: before[2](self, to, byte, size)))

    device.Device.launch, device.Device.copy, device.Device.fill = launch, copy, fill
    try:
        yield times
    finally:
        device.Device.launch, device.Device.copy, device.Device.fill = before
