"""Whether functions run by Python on this thread, and by what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any, NamedTuple

_is_on: ContextVar[bool] = ContextVar("disable_jit", default=False)


class Runner(NamedTuple):
    """What runs functions by Python: calls from outside, calls inside of others, operators that take functions."""

    run: Callable[..., Any]
    run_inside: Callable[..., Any]
    run_operator: Callable[..., Any]


class Blocks:
    """How many blocks are open on all threads, and what runs functions in them."""

    open = 0
    lock = Lock()
    runner: Runner


@contextmanager
def switched(*, is_on: bool) -> Iterator[None]:
    """Functions that are called inside of the block, on this thread, run by Python, or compiled again."""
    token = _is_on.set(is_on)
    try:
        yield
    finally:
        _is_on.reset(token)


def is_disabled() -> bool:
    """Whether functions that are called here run by Python."""
    return Blocks.open > 0 and _is_on.get()
