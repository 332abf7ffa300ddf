"""How code of each target is loaded and called: all that a saved kernel has to know of its target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tapeless.runtime.calling.calls import Call, Calls
from tapeless.runtime.calling.numbers import NO_ORIGINS, Origins
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.reports import Book, Page


class Callables(Protocol):
    """Code in memory with the callables that take Python arguments to it and results back."""

    def general(self, *arguments: object) -> object:
        """Takes any acceptable arguments and refuses others with a message."""

    def on_stream(self, stream: object, arguments: Sequence[object]) -> object:
        """A call that comes after the work queued on a stream of a GPU."""

    def fast(self, fallback: Call, origins: Origins = NO_ORIGINS) -> Call:
        """Takes arguments of exactly the expected types, and gives the rest to `fallback`."""


class Reports(Protocol):
    """Keeps reports of calls that did not end them, for the last one of each thread."""

    def last(self) -> Page | None: ...


# Loads code; given names of parameters and the origin of the function for messages, and a book for reports.
Loader = Callable[[CompiledCode, Sequence[str], str, Any], Callables]


def _load_cuda(code: CompiledCode, names: Sequence[str], origin: str, book: Any = None) -> Callables:
    """Most programs use no GPU, so its code is imported with the first kernel for one."""
    from tapeless.runtime.cuda.calls import CudaCalls

    return CudaCalls(code, names, origin, book=book)


def _book_of_cuda(sites: int) -> Reports:
    from tapeless.runtime.cuda.reports import DeviceBook

    return DeviceBook(sites)


LOADERS: dict[str, Loader] = {"cpu": Calls, "cuda": _load_cuda}
BOOKS: dict[str, Callable[[int], Reports]] = {"cpu": Book, "cuda": _book_of_cuda}
