"""Whether functions run by Python on this thread, and by which runner."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any, NamedTuple

_is_on: ContextVar[bool | None] = ContextVar("disable_jit", default=None)

MODULE = "tapeless.api.by_python.block"


class Runner(NamedTuple):
    """Runs functions by Python: calls from outside, calls inside of others, operators that take functions."""

    run: Callable[..., Any]
    run_inside: Callable[..., Any]
    run_operator: Callable[..., Any]


class Blocks:
    """How many blocks are open on all threads, and the runner of functions in them."""

    open = 0
    lock = Lock()
    runner: Runner | None = None

    @classmethod
    def renew(cls) -> None:
        """Another thread of the parent may have held the lock; it is not in the child."""
        cls.lock = Lock()


os.register_at_fork(after_in_child=Blocks.renew)


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
    return Blocks.open > 0 and _is_on.get() is True


def is_compiled() -> bool:
    """Whether functions that are called here run compiled, whatever they do."""
    return _is_on.get() is False


def runner() -> Runner:
    """The runner of functions by Python; most programs never need it, and do not load it."""
    if Blocks.runner is None:
        Blocks.runner = importlib.import_module(MODULE).RUNNER
    return Blocks.runner
