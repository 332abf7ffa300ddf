"""Signal handlers that raise at any moment of a call: every interrupt arrives, and no memory is left behind."""

from __future__ import annotations

import gc
import random
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.runtime.counters import memory_counters

TIMES = 60
LONGEST_WAIT = 0.003
LARGE = np.linspace(0.0, 1.0, 1 << 17)


class Alarm(Exception):
    """What the handler raises."""


class OddAlarm(ValueError):
    """A class that calls look out for themselves."""


@tl.function
def doubled(x: tl.f64[:]) -> tl.f64[:]:
    return x * 2.0


@tl.function
def of_unknown_size(n: tl.i64) -> tl.f64[:]:
    x = tl.zeros(1)
    for i in range(n):
        x = tl.concat((x, x + i))
    return x


@tl.function
def picked(x: tl.f64[:], k: tl.i64) -> tl.f64[:]:
    return x * x[k]


def failing() -> None:
    with pytest.raises(IndexError):
        picked(LARGE, -1 - len(LARGE))


CALLS: dict[str, Callable[[], Any]] = {
    "memory for a result": lambda: doubled(LARGE),
    "any argument": lambda: doubled(LARGE[::-1]),
    "a result that the kernel allocates": lambda: of_unknown_size(16),
    "threads": lambda: on_threads(LARGE),
    "a check that fails": failing,
}
on_threads = tl.jit(doubled, threads=2)


@pytest.fixture
def alarms() -> Iterator[list[Exception]]:
    """What the handler raised so far, of two classes in turn; callbacks of others, which would drop it, do not run."""
    raised: list[Exception] = []
    callbacks = gc.callbacks[:]
    gc.callbacks.clear()

    def raise_alarm(_number: int, _frame: Any) -> None:
        raised.append((OddAlarm if len(raised) % 2 else Alarm)())
        raise raised[-1]

    before = signal.signal(signal.SIGALRM, raise_alarm)
    yield raised
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
    gc.callbacks[:] = callbacks


def interrupted(call: Callable[[], Any], seconds: float, alarms: list[Exception]) -> Exception | None:
    """Calls again and again until the alarm goes off; the result of the call before is dropped meanwhile."""
    count = len(alarms)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        while len(alarms) == count:
            call()
    except (Alarm, OddAlarm) as alarm:
        alarm.__context__ = None  # with the frames of a failed check, which keep its arrays
        return alarm.with_traceback(None)
    return None


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", CALLS)
def test_every_interrupt_arrives_and_leaves_no_memory(
    kind: str, alarms: list[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    call, waits, dropped = CALLS[kind], random.Random(kind), []
    monkeypatch.setattr(sys, "unraisablehook", dropped.append)
    call()
    gc.collect()
    before = memory_counters().live_bytes
    caught = [interrupted(call, waits.uniform(1e-5, LONGEST_WAIT), alarms) for _ in range(TIMES)]
    assert not dropped
    assert list(map(id, caught)) == list(map(id, alarms))
    gc.collect()
    assert memory_counters().live_bytes == before
