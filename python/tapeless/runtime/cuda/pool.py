"""Memory of a GPU that is used again: asking the driver for it costs more than most kernels."""

from __future__ import annotations

from collections import defaultdict
from heapq import heappop, heappush
from typing import Final, Protocol
from weakref import WeakSet

SMALLEST: Final = 512
# Sizes between two powers of two are rounded up to one of so many steps, so that at most an eighth is wasted.
STEPS: Final = 8


class Memory(Protocol):
    """Where memory comes from."""

    def allocate(self, size: int) -> int: ...
    def free(self, address: int) -> None: ...


class Reserve(Protocol):
    """Who keeps memory that a call can do without."""

    def give_up(self) -> None: ...


def rounded(size: int) -> int:
    """The size that is asked of the driver for so many bytes."""
    if size <= SMALLEST:
        return SMALLEST
    step = max((1 << (size - 1).bit_length() - 1) // STEPS, SMALLEST)
    return -(-size // step) * step


class Pool:
    """Hands out memory and keeps what comes back; all users work on one stream, so it can be used again at once.

    Of what is kept, the oldest goes first: calls that ask for the same sizes get the same addresses, whatever the order
    in which results of calls before them came back, so that they are recorded and replayed.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._kept: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self._ages: dict[int, int] = {}
        self._count = 0
        self._sizes: dict[int, int] = {}
        self.reserves: WeakSet[Reserve] = WeakSet()
        self.live = self.peak = 0

    def allocate(self, size: int) -> int:
        """The address of at least so many bytes; when the GPU has no more, what is kept goes back, then reserves do."""
        size = rounded(size)
        kept = self._kept[size]
        age, address = heappop(kept) if kept else (self._count, self._fresh(size))
        self._count += 1
        self._ages[address] = age
        self._sizes[address] = size
        self.live += size
        self.peak = max(self.peak, self.live)
        return address

    def _fresh(self, size: int) -> int:
        try:
            return self._memory.allocate(size)
        except MemoryError:
            self.trim()
        try:
            return self._memory.allocate(size)
        except MemoryError:
            for reserve in list(self.reserves):
                reserve.give_up()
            self.trim()
            return self._memory.allocate(size)

    def free(self, address: int) -> None:
        """Takes back what `allocate` gave."""
        size = self._sizes.pop(address)
        heappush(self._kept[size], (self._ages.pop(address), address))
        self.live -= size

    def trim(self) -> None:
        """Gives all that nobody uses back to the GPU."""
        for addresses in self._kept.values():
            while addresses:
                self._memory.free(addresses.pop()[1])
