"""Which kernels a call is going to launch: its plan carried out without a GPU.

Of the variants of a kernel, for small and for large arrays, a call launches few. When the first of its kernels is not
loaded yet, all that it needs can be compiled side by side, and nothing else is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final

# Loops may launch the same kernels many times; what comes later than this is loaded when it is launched.
MOST_LAUNCHES: Final = 20_000


class End(BaseException):
    """No more can be known before it happens."""


class Rehearsal:
    """The device of a plan that does nothing but note launches, up to a read of an unknown number."""

    def __init__(self, values: Iterable[Any]) -> None:
        self._values, self._count = iter(values), 0
        self.launched: dict[int, None] = {}

    def allocate(self, size: int) -> int:
        return 0

    def free(self, address: int) -> None:
        """There is nothing to free."""

    def launch(self, number: int, grid: Sequence[int], block: Sequence[int], *rest: Any) -> None:
        self._count += 1
        if self._count > MOST_LAUNCHES:
            raise End
        if 0 not in grid and 0 not in block:
            self.launched[number] = None

    def copy(self, to: int, source: int, size: int) -> None:
        """There is nothing to copy."""

    def fill(self, to: int, byte: int, size: int) -> None:
        """There is nothing to fill."""

    def constant(self, number: int) -> int:
        return 0

    def read(self, address: int, type_: str) -> Any:
        for value in self._values:
            return value
        raise End

    def fail(self, site: int, values: Sequence[int]) -> None:
        raise End


def rehearsed(run: Callable[..., Any], arguments: Sequence[Any], values: Iterable[Any]) -> list[int]:
    """The numbers of the kernels that a plan with these arguments launches, after having read these values."""
    device = Rehearsal(values)
    with suppress(End):
        run(device, *arguments)
    return list(device.launched)
