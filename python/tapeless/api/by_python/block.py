"""`with tl.disable_jit():` - calls of functions go to Python while such a block is open; otherwise they pay nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tapeless.api.by_python.running import run, run_inside, run_operator
from tapeless.api.by_python.switch import Blocks, Runner, is_disabled, switched
from tapeless.api.decorated import TapelessFunction
from tapeless.runtime.calling.parameters import bind_call
from tapeless.tracebacks import FOR_USERS, hide_own_frames

RUNNER = Runner(run, run_inside, run_operator)
_compiled = TapelessFunction.__call__


@contextmanager
def disable_jit() -> Iterator[None]:
    """Functions that are called inside of the block, on this thread, run by Python instead of compiled code.

    >>> def noisy(x):
    ...     print("x is", x)
    ...     return x * x
    >>> with tl.disable_jit():
    ...     tl.function(noisy)(3.0)
    x is 3.0
    9.0
    """
    with Blocks.lock:
        Blocks.open += 1
        Blocks.runner = RUNNER
        TapelessFunction.__call__ = _either  # type: ignore[method-assign]
    try:
        with switched(is_on=True):
            yield
    finally:
        with Blocks.lock:
            Blocks.open -= 1
            if not Blocks.open:
                TapelessFunction.__call__ = _compiled  # type: ignore[method-assign]


def _either(self: TapelessFunction, *arguments: Any, **named: Any) -> Any:
    """A call while a block is open on some thread."""
    if not is_disabled():
        return _compiled(self, *arguments, **named)
    try:
        return run(self, bind_call(self.source.name, self.source.parameters, arguments, named))
    except FOR_USERS as error:
        hide_own_frames(error)
        raise
