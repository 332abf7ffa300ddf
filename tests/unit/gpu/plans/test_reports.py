"""What kernels on the emulated GPU report: drift, noted checks, and threads that get no memory."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from programs.leaving import leaves, leaves_each

pytestmark = pytest.mark.one_in(3)

LINE = re.compile(r"  drift   .*off by at most (\S+) of its size; .*: (\d+) times")


@pytest.fixture(autouse=True)
def gpu() -> Iterator[Any]:
    with emulated_cuda(keeps_kernels=True) as found:
        yield found


@tl.function
def henon(x, y, n):
    for _ in range(n):
        x, y = 1.0 - 1.4 * x * x + y, 0.3 * x
    return x * x + y


@tl.function
def henons(xs, ns):
    return tl.sum(tl.map(lambda x, n: henon(x, 0.1, n), xs, ns))


@tl.function
def string(u, before, speed, steps):
    for _ in range(steps):
        before[1:-1] = 2.0 * u[1:-1] - before[1:-1] + speed * (u[2:] + u[:-2] - 2.0 * u[1:-1])
        u, before = before, u
    return tl.sum(u * u)


def drift(kernel: Any) -> tuple[float, int]:
    lines = [line for line in kernel.explain().splitlines() if line.startswith("  drift")]
    (found,) = [LINE.fullmatch(line) for line in lines]
    assert found is not None, lines
    return float(found[1]), int(found[2])


def both(function: Any, given: tuple[Any, ...]) -> tuple[Any, Any]:
    """Kernels for both targets, called."""
    kernels = tl.compile(function, given), tl.compile(function, given, target="cuda")
    results = [kernel(*given) for kernel in kernels]
    np.testing.assert_allclose(*results, rtol=1e-9)
    return kernels


def test_threads_report_the_largest_error_and_how_often_it_was_too_large() -> None:
    given = np.linspace(0.1, 0.4, 300), np.array([1, 40, 3] * 100)
    one, other = both(tl.grad(henons, method="reversible"), given)
    assert drift(other)[1] == drift(one)[1] > 0
    np.testing.assert_allclose(drift(other)[0], drift(one)[0], rtol=0.1)


@pytest.mark.thorough
def test_loops_of_the_host_report() -> None:
    rng = np.random.default_rng(1)
    given = rng.standard_normal(50), rng.standard_normal(50), 0.1, 20
    function = tl.function(
        lambda u, before, speed, steps: tl.grad(string, argnums=2, method="reversible")(u, before, speed, steps)
    )
    _, other = both(function, given)
    assert drift(other)[1] == 0
    assert 0.0 < drift(other)[0] < 1e-12


def test_reports_are_of_the_last_call_of_a_thread() -> None:
    given = np.linspace(0.1, 0.4, 5), np.full(5, 3)
    kernel = tl.compile(tl.grad(henons, method="reversible"), given, target="cuda")
    assert "no call on this thread yet" in kernel.explain()
    for _ in range(3):  # the third one is replayed
        kernel(*given)
        assert drift(kernel)[1] == 0
    kernel(given[0], np.full(5, 60))
    assert drift(kernel)[1] > 0
    seen: list[str] = []
    thread = threading.Thread(target=lambda: seen.append(kernel.explain()))
    thread.start()
    thread.join()
    assert "no call on this thread yet" in seen[0]


@pytest.mark.parametrize("by", [1.0, 10.0 + 1e-6, np.nan])
def test_a_failed_check_is_noted_as_it_would_be_raised(by: float) -> None:
    noting = tl.jit(leaves, checks="status", target="cuda")
    assert noting(0.0, by)[0] == 1.0
    assert noting.status.count == 1
    with pytest.raises(tl.InvertibilityError) as expected:
        leaves(0.0, by)
    assert str(noting.status.error) == str(expected.value)
    assert noting(0.0, 10.0)[0] == 1.0
    assert not noting.status


def test_every_failure_counts() -> None:
    noting = tl.jit(leaves_each, checks="status", target="cuda")
    x = np.zeros(600)
    x[[2, 300, 599]] = 3.0, 5.0, np.nan
    y, _ = noting(np.ones(600), x)
    np.testing.assert_array_equal(y, 1.0 + x)
    assert noting.status.count == 3
    assert "not 0.0" in str(noting.status.error)


def test_other_checks_end_the_call() -> None:
    @tl.reversible
    def picks(y: tl.f64, x: tl.In[tl.f64[:]], i: tl.In[tl.i64]):
        y += x[i]

    noting = tl.jit(picks, checks="status", target="cuda")
    with pytest.raises(tl.IndexOutOfRange):
        noting(0.0, np.ones(3), 5)


def rows(sizes):
    """Every iteration fills and changes an array whose size only it knows."""

    def one(n):
        x = tl.zeros(n)
        for i in range(n):
            x[i] = 1.0 * ((7 * i) % n)
        for i in range(n):
            x[i] += x[n - 1 - i]
        return tl.sum(x)

    return tl.map(one, sizes)


def test_threads_allocate_from_the_heap() -> None:
    sizes = np.array([0, 1, 5, 300])
    kernel = tl.compile(rows, (sizes,), target="cuda")
    np.testing.assert_array_equal(kernel(sizes), tl.compile(rows, (sizes,))(sizes))


def test_a_thread_without_memory_ends_the_call() -> None:
    sizes = np.array([3, 1 << 30, 5])
    kernel = tl.compile(rows, (sizes,), target="cuda")
    with pytest.raises(
        MemoryError, match=f"asked for {8 << 30} bytes, and the heap of the GPU has no more; give arrays"
    ):
        kernel(sizes)
    few = np.array([2, 3])
    np.testing.assert_array_equal(kernel(few), tl.compile(rows, (few,))(few))
