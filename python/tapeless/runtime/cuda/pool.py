"""Memory of a GPU that is used again: asking the driver for it costs more than most kernels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from typing import Final, NamedTuple, Protocol
from weakref import WeakSet

SMALLEST: Final = 512
# Sizes between two powers of two are rounded up to one of so many steps, so that at most an eighth is wasted.
STEPS: Final = 8
# The home of memory that only the stream of kernels has worked on.
OWN: Final = 0
# What streams of callers keep at home goes back when it is more than this and another stream needs memory.
MOST_ELSEWHERE: Final = 256 << 20


class Memory(Protocol):
    """Where memory comes from."""

    def allocate(self, size: int) -> int: ...
    def free(self, address: int) -> None: ...


class Reserve(Protocol):
    """Who keeps memory that a call can do without."""

    def give_up(self) -> None: ...


class Visited(NamedTuple):
    """Memory that came back while a stream may be reading it: where it belongs, and whether that has ended."""

    address: int
    home: int
    has_ended: Callable[[], bool]


def rounded(size: int) -> int:
    """The size that is asked of the driver for so many bytes."""
    if size <= SMALLEST:
        return SMALLEST
    step = max((1 << (size - 1).bit_length() - 1) // STEPS, SMALLEST)
    return -(-size // step) * step


class Pool:
    """Hands out memory and caches freed memory.

    Kernels run on one stream, so what they used can be used again at once. Results go to callers, who may have work
    queued on them when they let go of them, on the stream that they called from: this is the home of such memory, and
    calls `at_home` on that stream, which come after all that is queued there, are the only ones to get it again.

    Of what is kept, the oldest goes first: calls that ask for the same sizes get the same addresses, whatever the order
    in which results of calls before them came back, so that they are recorded and replayed.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._kept: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        self._visited: list[Visited] = []
        self._ages: dict[int, int] = {}
        self._count = 0
        self._sizes: dict[int, int] = {}
        self.at_home = OWN
        self.reserves: WeakSet[Reserve] = WeakSet()
        self.users = 0  # kernels that are loaded
        self.live = self.cached = self.peak = 0

    def allocate(self, size: int) -> int:
        """The address of at least so many bytes; when the GPU has no more, the cache goes back, then reserves do."""
        size = rounded(size)
        if self._visited:
            self._welcome()
        kept = self._kept[OWN, size]
        if self.at_home != OWN and (there := self._kept.get((self.at_home, size))) and (not kept or there < kept):
            kept = there
        if kept:
            age, address = heappop(kept)
            self.cached -= size
        else:
            age, address = self._count, self._fresh(size)
        self._count += 1
        self._ages[address] = age
        self._sizes[address] = size
        self.live += size
        self.peak = max(self.peak, self.live)
        return address

    def _fresh(self, size: int) -> int:
        elsewhere = [key for key in self._kept if key[0] not in (OWN, self.at_home)]
        if sum(key[1] * len(self._kept[key]) for key in elsewhere) > MOST_ELSEWHERE:
            self._send_back(elsewhere)
        try:
            return self._memory.allocate(size)
        except MemoryError:
            self.trim()
        try:
            return self._memory.allocate(size)
        except MemoryError:
            self.give_up()
            return self._memory.allocate(size)

    def free(self, address: int, home: int = OWN, has_ended: Callable[[], bool] | None = None) -> None:
        """Takes back memory of `allocate`; nobody gets it before the work of a stream on it `has_ended`."""
        size = self._sizes[address]
        self.live -= size
        self.cached += size
        if has_ended is None:
            self._keep(address, home)
        else:
            self._visited.append(Visited(address, home, has_ended))

    def _keep(self, address: int, home: int) -> None:
        heappush(self._kept[home, self._sizes.pop(address)], (self._ages.pop(address), address))

    def _welcome(self) -> None:
        """Takes memory that streams have done with into the cache."""
        waiting, self._visited = self._visited, []
        for each in waiting:
            if each.has_ended():
                self._keep(each.address, each.home)
            else:
                self._visited.append(each)

    def give_up(self) -> None:
        """Gives all unused memory back to the GPU, and reserves that are not needed."""
        for reserve in list(self.reserves):
            reserve.give_up()
        self.trim()

    def trim(self) -> None:
        """Gives all that nobody uses back to the GPU, which waits for those who work on it."""
        for each in self._visited:
            self._keep(each.address, each.home)
        self._visited.clear()
        self._send_back(list(self._kept))

    def _send_back(self, keys: Iterable[tuple[int, int]]) -> None:
        for key in keys:
            for _, address in self._kept.pop(key):
                self.cached -= key[1]
                self._memory.free(address)
