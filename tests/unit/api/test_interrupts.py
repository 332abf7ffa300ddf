"""Ctrl-C and other signals during a kernel: how soon it ends, what is left behind, and whose handlers run."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.runtime.counters import memory_counters
from waiting import HANG_SECONDS, wait_for_work

# Seconds of a processor from a signal to its effect.
LIMIT = 0.5
X = np.linspace(0.0, 1.0, 20_000)
FOR_EVER = 10**9


@tl.function
def bulk(x: tl.f64[:], n: tl.i64) -> tl.f64:
    y = x
    for _ in range(n):
        y = tl.sin(y) + tl.sum(y) * 1e-9
    return tl.sum(y)


@tl.reversible
def fibonacci(out: tl.i64, n: tl.i64):
    with tl.ancilla(0) as first, tl.ancilla(0) as second:
        first += n - 1
        second += n - 2
        if n <= 1:
            out += 1
        else:
            fibonacci(out, first)
            fibonacci(out, second)
        second -= n - 2
        first -= n - 1


@tl.function
def one_bulk_loop(n: tl.i64) -> tl.f64:
    return tl.sum(tl.map(lambda i: tl.sin(float(i)), tl.iota(n)))


@tl.function
def scalar_loop(x: tl.f64, n: tl.i64) -> tl.f64:
    for _ in range(n):
        x = x * 0.5 + 1.0
    return x


@tl.function
def while_loop(n: tl.i64) -> tl.i64:
    k = n
    while k != 0:
        k = k * 3 % 1_000_003 + 1
    return k


@tl.function
def growing(n: tl.i64) -> tl.f64:
    """Allocates and frees in every iteration."""
    x = tl.zeros(1)
    total = 0.0
    for i in range(n):
        x = tl.ones(i % 100 + 1)
        total += tl.sum(x)
    return total


@tl.function
def sorting(x: tl.f64[:], n: tl.i64) -> tl.i64:
    total = 0
    for i in range(n):
        total += tl.argsort(x)[i % 5]
    return total


@tl.function
def library_functions(x: tl.f64, n: tl.i64) -> tl.f64:
    for _ in range(n):
        x = tl.lgamma(x + 1.0)
    return x


def with_threads(threads: int) -> list[tuple[str, Callable[..., Any], tuple[Any, ...], tuple[Any, ...]]]:
    """Name, kernel, arguments of a call that takes for ever, arguments of a short one."""
    value, gradient = tl.jit(bulk, threads=threads), tl.jit(tl.grad(bulk), threads=threads)
    return [
        (f"value-{threads}", value, (X, FOR_EVER), (X, 3)),
        (f"gradient-{threads}", gradient, (X, 5_000), (X, 3)),
        (f"one loop-{threads}", tl.jit(one_bulk_loop, threads=threads), (2_000_000_000,), (1000,)),
    ]


CALLS = [
    *with_threads(1),
    *with_threads(2),
    ("scalars", scalar_loop, (1.0, FOR_EVER * 10), (1.0, 3)),
    ("while", while_loop, (5,), (0,)),
    ("allocating", growing, (FOR_EVER,), (3,)),
    ("sorting", sorting, (np.linspace(1.0, 0.0, 300_000), FOR_EVER), (X, 3)),
    ("recursion", fibonacci, (0, 90), (0, 5)),
    ("library", library_functions, (3.0, FOR_EVER), (3.0, 3)),
]


@contextmanager
def signal_when(*happened: threading.Event, after: float = 0.0) -> Iterator[list[float]]:
    """Sends SIGINT to this process from another thread, once the block has begun, all events have happened and `after`
    seconds of a processor were used; the list gets the processor time of this process at which."""
    sent: list[float] = []
    begun, cancelled = threading.Event(), threading.Event()

    def send() -> None:
        for event in (begun, *happened):
            event.wait()
        if wait_for_work(after, cancelled):
            sent.append(time.process_time())
            os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    try:
        begun.set()
        yield sent
    finally:
        cancelled.set()
        thread.join()


def interrupted(call: Callable[[], Any], after: float) -> float:
    """The processor time from the signal to the exception."""
    with pytest.raises(KeyboardInterrupt), signal_when(after=after) as sent:
        call()
    return time.process_time() - sent[0]


@pytest.mark.one_in(9)
@pytest.mark.parametrize("case", CALLS, ids=[name for name, *_ in CALLS])
def test_a_long_call_ends_soon_and_leaves_nothing(case: Any) -> None:
    _, kernel, long, short = case
    expected = kernel(*short)
    before = memory_counters().live_bytes
    delays = [interrupted(lambda: kernel(*long), after) for after in (0.005, 0.1)]
    assert min(delays) < LIMIT, delays
    assert memory_counters().live_bytes == before
    np.testing.assert_array_equal(kernel(*short), expected)


@contextmanager
def handling(number: int, handler: Callable[[int, Any], Any]) -> Iterator[None]:
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def test_a_handler_of_the_program_runs_meanwhile_and_the_call_goes_on() -> None:
    seen: list[float] = []
    with handling(signal.SIGINT, lambda *_: seen.append(time.process_time())):
        result, sent = signalled_early(lambda n: scalar_loop(1.0, n), 300_000_000)
    assert result == 2.0
    assert seen[-1] - sent < LIMIT


def signalled_early(call: Callable[[int], Any], steps: int) -> tuple[Any, float]:
    """What a call of so many steps gives, or of more, that goes on for longer than the limit after a signal, and the
    processor time of the signal, which may come late on a busy machine."""
    while True:
        with signal_when(after=0.05) as sent:
            result = call(steps)
            end = time.process_time()
        if sent and end - sent[0] > 1.5 * LIMIT:
            return result, sent[0]
        steps *= 2


class TooLong(Exception):
    """What the handler of a time limit raises."""


def test_what_a_handler_raises_ends_the_call_as_it_is() -> None:
    def give_up(*_: Any) -> None:
        raise TooLong("after 50 ms")

    with handling(signal.SIGALRM, give_up), pytest.raises(TooLong, match="after 50 ms"):
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        while_loop(5)


def test_a_handler_may_call_kernels_itself() -> None:
    found: list[tuple[float, float]] = []
    with handling(signal.SIGINT, lambda *_: found.append((bulk(X, 2), time.process_time()))):
        result, sent = signalled_early(lambda n: (n, bulk(X, n)), 5_000)
    steps, value = result
    assert found[-1][0] == bulk(X, 2)
    assert found[-1][1] - sent < LIMIT
    assert value == bulk(X, steps)


def test_a_handler_set_by_the_handler_stays() -> None:
    handled = threading.Event()

    def only_once(*_: Any) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        handled.set()

    with handling(signal.SIGINT, only_once):
        with pytest.raises(KeyboardInterrupt), signal_when(after=0.05), signal_when(handled, after=0.1):
            while_loop(5)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert interrupted(lambda: while_loop(5), 0.05) < LIMIT


def test_an_ignored_signal_ends_nothing() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with signal_when(after=0.08) as sent:
            while not sent:
                assert scalar_loop(1.0, 100_000_000) == 2.0
    finally:
        signal.signal(signal.SIGINT, before)


def test_calls_of_other_threads_go_on() -> None:
    results: list[float] = []
    thread = threading.Thread(target=lambda: results.append(scalar_loop(1.0, 300_000_000)))
    thread.start()
    assert interrupted(lambda: while_loop(5), 0.08) < LIMIT
    thread.join()
    assert results == [2.0]


def test_a_fork_during_a_long_call_leaves_both_interruptible() -> None:
    codes: list[int] = []
    begun = threading.Event()

    def fork_and_interrupt_the_child() -> None:
        begun.wait()
        wait_for_work(0.08, threading.Event())
        child = os.fork()
        if child == 0:
            signal.alarm(HANG_SECONDS)
            os._exit(0 if interrupted(lambda: while_loop(5), 0.1) < LIMIT else 1)
        codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=fork_and_interrupt_the_child)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        begun.set()
        bulk(X, FOR_EVER)
    thread.join()
    assert codes == [0]
