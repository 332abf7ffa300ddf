"""Runs a compiled kernel on prepared slots and raises what it reports."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Mapping

from tapeless.abi import Site
from tapeless.runtime.failure import Failure, to_exception
from tapeless.runtime.library import load_library
from tapeless.runtime.reports import Book

Invoke = Callable[[int], None]


class _ThreadFailure(threading.local):
    """One failure record per thread: calls on different threads never share it."""

    def __init__(self) -> None:
        self.record = Failure()
        self.address = ctypes.addressof(self.record)


_failure = _ThreadFailure()


def bind(kernel: int, sites: Mapping[int, Site], book: Book | None = None) -> Invoke:
    """A function that runs the kernel at address `kernel` on the slots at the address it is given.

    The caller keeps the slots and everything they point to alive during the call. Other Python threads run meanwhile.
    """
    tl_invoke = load_library().tl_invoke_reporting
    failure = _failure
    pages = None if book is None else book.address

    def invoke(slots: int) -> None:
        if tl_invoke(kernel, slots, failure.address, pages):
            raise to_exception(failure.record, sites)

    return invoke


def run_kernel(kernel: int, slots: int, sites: Mapping[int, Site]) -> None:
    """Runs a kernel once; `bind` is the form for repeated calls."""
    bind(kernel, sites)(slots)
