"""Derivatives at the edges of floats on the emulated GPU: what is finite on the CPU is finite there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.unit.phi.loops.test_edges_of_loops import points_with_an_edge, recurrences, recurrences_in_steps

import tapeless as tl
from edges_on_gpu import Call, Kernel, cases, kernels_of, make, run
from emulated_gpu.kernels import emulated_cuda

# Squares with a cotangent near the largest float, twice as much of which is infinite, and a sum whose terms are.
SQUARES_AND_SUMS = (
    "(x - y) * (x - y) * z in f64",
    "(x - y) * (x - y) * z in f32",
    "logarithm in elements, twice in f32",
    "logarithm in a map, twice in f32",
    "sum over a range in a map, twice in f64",
)


@pytest.mark.one_in(481)
@pytest.mark.parametrize("case", [case for case in cases() if case not in SQUARES_AND_SUMS])
def test_what_is_finite_on_the_cpu_stays_finite(case):
    check(case)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("case", SQUARES_AND_SUMS)
def test_squares_and_sums_stay_finite(case):
    assert case in cases()
    check(case)


def check(case):
    kernels = kernels_of(case)
    with emulated_cuda() as gpu:
        for kernel in kernels:
            assert kernel.faults(tl.compile(kernel.function, kernel.arguments, target="cuda")) == []
        gpu.check_guards()


LARGEST = float(np.finfo(np.float64).max)


@pytest.mark.parametrize(
    ("found", "expected", "is_right"),
    [
        (np.inf, 0.9 * LARGEST, True),
        (-np.inf, -0.9 * LARGEST, True),
        (-np.inf, 0.9 * LARGEST, False),
        (np.nan, 0.9 * LARGEST, False),
        (np.inf, 0.1 * LARGEST, False),
        (1.0, np.inf, True),
    ],
)
def test_only_sums_near_the_largest_float_may_be_infinite(found, expected, is_right):
    kernel = Kernel(None, [Call((), np.array([1.0, expected]), None)])
    assert (kernel.faults(lambda: np.array([1.0, found])) == []) is is_right


def on_both(function, arguments, **options):
    """What the CPU and the emulated GPU give, and the kernel of the GPU."""
    expected = function(*arguments)
    with emulated_cuda() as gpu:
        kernel = tl.compile(function, arguments, target="cuda", **options)
        found = kernel(*arguments)
        gpu.check_guards()
    return expected, found, kernel


@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", [recurrences, recurrences_in_steps])
def test_one_thread_of_many_takes_its_steps(function):
    """It keeps its states in memory of fixed size, and no other thread needs any for that."""
    arguments = (points_with_an_edge(40), 3)
    expected, found, kernel = on_both(tl.grad(function, method="coarsened"), arguments)
    assert np.isfinite(expected[20]).any()
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    assert 'exact = "steps"' in kernel.ir("lower-loops") and "memref<24xf64>" in kernel.ir("lower-loops")
    assert "heap" not in kernel.ir()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("steps", [0, 1, 2, 15, 16, 17, 200])
def test_few_states_serve_many_steps(steps):
    """One element goes step by step, from states that are found again."""
    points = np.random.default_rng(3).uniform(0.3, 0.9, (5, 4))
    points[2] = (-1e100, -1e300, -1e100, 1.0)
    expected, found, _ = on_both(tl.grad(drawn_together, method="coarsened"), (points, steps))
    assert np.isfinite(expected).all()
    np.testing.assert_allclose(found, expected, rtol=1e-13)


@tl.function
def drawn_together(v: tl.f64[:, 4], n: tl.i64):
    def run(x, y, z, scale):
        for _ in range(n):
            x = x + y / (x * x + z * z)
        return scale * x

    return tl.sum(tl.map(run, v[:, 0], v[:, 1], v[:, 2], v[:, 3]))


def test_bundles(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    case = "affine in a body in f64"
    with emulated_cuda():
        make(tmp_path, [case], target="cuda")
        assert run(tmp_path) == {}
        for bundle in tmp_path.glob("*.tlk"):
            bundle.write_bytes(b"no bundle")
        assert list(run(tmp_path)) == [case]
    assert "1 cases" in capsys.readouterr().out
