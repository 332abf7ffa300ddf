"""Runs a compiled kernel on prepared slots and raises its failures."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Mapping

from tapeless.abi import Site
from tapeless.runtime.failure import Failure, to_exception
from tapeless.runtime.library import load_library
from tapeless.runtime.reports import Book

Invoke = Callable[..., None]


class _ThreadFailure(threading.local):
    """One failure record per thread: calls on different threads never share it."""

    def __init__(self) -> None:
        self.record = Failure()
        self.address = ctypes.addressof(self.record)


_failure = _ThreadFailure()


def bind(kernel: int, sites: Mapping[int, Site], book: Book | None = None) -> Invoke:
    """A function that runs the kernel at address `kernel` on the slots at the address it is given.

    The second address is that of what keeps the arrays that the kernel allocates for its caller (`owned.new_results`).
    The caller keeps the slots and everything they point to alive during the call. Other Python threads run meanwhile.
    """
    tl_invoke = load_library().tl_invoke_owning
    failure = _failure
    pages = None if book is None else book.address

    def invoke(slots: int, results: int | None = None) -> None:
        if tl_invoke(kernel, slots, failure.address, pages, results):
            raise to_exception(failure.record, sites)

    return invoke


def run_kernel(kernel: int, slots: int, sites: Mapping[int, Site]) -> None:
    """Runs a kernel once; `bind` is the form for repeated calls."""
    bind(kernel, sites)(slots)
