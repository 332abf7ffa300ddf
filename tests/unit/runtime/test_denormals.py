"""`denormals="flush"`: numbers nearer to zero than normal ones are zeros in a call, and nowhere else."""

from __future__ import annotations

import signal
from typing import Any

import numpy as np
import pytest

import tapeless as tl

DTYPES = (np.float32, np.float64)
LONG = 200_000  # enough for parts on threads


@tl.function
def halves(x):
    return x * 0.5


@tl.function
def doubles(x):
    return x + x


@tl.function
def picked(x, i):
    return tl.map(lambda each: each * 0.5, x)[i]


@tl.function
def endless(x: tl.f64) -> tl.f64:
    while x > 0.0:
        x = x + 1.0
    return x


def smallest(dtype: Any) -> Any:
    """The smallest normal number."""
    return np.finfo(dtype).tiny


def is_plain() -> bool:
    """Whether denormal numbers are numbers in this thread."""
    return all(smallest(dtype) * dtype(0.5) > 0 and smallest(dtype) * dtype(0.25) * dtype(4.0) > 0 for dtype in DTYPES)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("dtype", DTYPES)
def test_results_and_operands_are_zeros(dtype: Any, threads: int) -> None:
    normal = np.full(LONG, smallest(dtype), dtype)
    below = normal * dtype(0.5)
    for denormals, result, operand in (("keep", below, normal), ("flush", 0.0 * below, 0.0 * below)):
        options = {"denormals": denormals, "threads": threads}
        np.testing.assert_array_equal(tl.jit(halves, **options)(normal), result)
        np.testing.assert_array_equal(tl.jit(doubles, **options)(below), operand)
        np.testing.assert_array_equal(tl.jit(doubles, **options)(normal), 2 * normal)
        assert is_plain()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_call_that_fails_leaves_the_mode(threads: int) -> None:
    x = np.full(LONG, smallest(np.float64))
    kernel = tl.jit(picked, denormals="flush", threads=threads)
    assert kernel(x, 3) == 0.0
    for _ in range(3):
        with pytest.raises(tl.IndexOutOfRange):
            kernel(x, LONG)
        assert is_plain()
        assert tl.jit(picked, threads=threads)(x, 3) > 0.0


def test_handlers_of_signals_run_in_the_mode_of_the_program() -> None:
    seen = []

    def handler(*_: Any) -> None:
        seen.append(is_plain())
        raise TimeoutError

    kernel = tl.compile(endless, (1.0,), denormals="flush")
    before = signal.signal(signal.SIGALRM, handler)
    # Again and again: an exception that is raised in a callback of another library is dropped.
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
    try:
        with pytest.raises(TimeoutError):
            kernel(1.0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    assert seen and all(seen)
    assert is_plain()


def test_saved_kernels_flush(tmp_path: Any) -> None:
    x = np.full(4, smallest(np.float32))
    path = tmp_path / "halves.tlk"
    kernel = tl.compile(halves, (x,), denormals="flush")
    kernel.save(path)
    np.testing.assert_array_equal(tl.load(path)(x), 0.0 * x)
    assert is_plain()
    with pytest.raises(tl.ArgumentError, match="target is 'cuda'"):
        kernel.save(path, targets=("cuda:sm_90",))
