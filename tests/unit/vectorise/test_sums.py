"""Sums over lanes give what numpy gives, for numbers of points around the widths of blocks and all element types."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.abi import Result
from tapeless.passes.lower.vectorise.vectorise import Vectorise

from . import count_kernels, sum_kernels
from .running import vectorised

POINTS = (0, 1, 2, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 79, 128, 131, 256, 300)
COLUMNS = (1, 2, 5, 8, 9, 16, 19)
TYPES = {"f64": (np.float64, 1e-12), "f32": (np.float32, 2e-4)}

Reference = Callable[[np.ndarray, np.ndarray], np.ndarray]


def first_row(row: np.ndarray, like: np.ndarray) -> np.ndarray:
    return np.vstack([row, np.zeros_like(like[1:])])


def shared_products(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    v = (x @ y.T)[:, :, None] * x[:, None, :]
    return (v + v * v).sum(0)


def one_element(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    w, result = x @ y.T, np.zeros_like(y)
    result[0, 0] = (w.sum(1) * x.sum(1)).sum() + x.shape[1] * w.sum()
    return result


def private_row(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    result = first_row((x @ y.T @ y).sum(0), y)
    result[0, 0] += (x - 1).sum()
    return result


KERNELS: dict[str, tuple[str, Reference]] = {
    "products": (sum_kernels.PRODUCTS, lambda x, y: (x @ y.T).T @ x),
    "shared products": (sum_kernels.SHARED_PRODUCTS, shared_products),
    "linear": (sum_kernels.LINEAR, lambda x, y: y * (len(x) - (x @ y.T).sum(0))[:, None]),
    "two products": (sum_kernels.TWO_PRODUCTS, lambda x, y: (x @ y.T).T @ x + (x @ y.T).sum(0)[:, None] * y),
    "one element": (sum_kernels.ONE_ELEMENT, one_element),
    "private row": (sum_kernels.PRIVATE_ROW, private_row),
    "carried": (sum_kernels.CARRIED, lambda x, y: first_row((x @ y.T @ y).sum(0), y)),
}


def run(name: str, bits: int, dtype: str) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    like_y = (["dim", 1, 0], ["dim", 1, 1])
    text = KERNELS[name][0].replace("f64", dtype)
    loops, calls = vectorised(text, [Result("array", dtype, "out", like_y)], bits, dtype)
    width = bits // int(dtype[1:])
    assert f"vector<{8 * width}x{dtype}>" in loops
    assert f"vector<{2 * width}x{dtype}>" in loops
    return lambda x, y: calls.general(x, y)[0]


@pytest.mark.one_in(24)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("bits", [128, 512])
@pytest.mark.parametrize("name", KERNELS)
def test_sums_over_lanes(name: str, bits: int, dtype: str) -> None:
    compiled, rng = run(name, bits, dtype), np.random.default_rng(2)
    element, tolerance = TYPES[dtype]
    for n in POINTS:
        for d in COLUMNS if n in (17, 131) else (3, 11):
            x, y = (rng.normal(size=(rows, d)).astype(element) for rows in (n, 3))
            expected = KERNELS[name][1](x.astype(np.float64), y.astype(np.float64))
            scale = tolerance * max(1.0, np.abs(expected).max())
            np.testing.assert_allclose(compiled(x, y), expected, rtol=tolerance, atol=scale, err_msg=f"{n} x {d}")


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("bits", [128, 512])
def test_repeated_lanes_do_not_leak(name: str, bits: int) -> None:
    """Points in the overlap of two blocks that overflow count once: infinity must not become NaN by 0 * inf."""
    compiled, rng = run(name, bits, "f64"), np.random.default_rng(3)
    for n in (17, 33, 67, 90):
        x, y = rng.uniform(0.5, 1.0, size=(n, 9)), rng.uniform(0.5, 1.0, size=(2, 9))
        x[n - 5] = np.inf
        with np.errstate(invalid="ignore"):
            expected = KERNELS[name][1](x, y)
        finite_or_infinite = ~np.isnan(expected)
        assert np.isinf(expected[finite_or_infinite]).any()
        np.testing.assert_array_equal(
            np.isinf(compiled(x, y))[finite_or_infinite], np.isinf(expected)[finite_or_infinite]
        )


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", KERNELS)
def test_not_a_number_reaches_the_sums(name: str) -> None:
    compiled, rng = run(name, 512, "f64"), np.random.default_rng(4)
    for at in (0, 63, 64, 95, 99):
        x, y = rng.normal(size=(100, 9)), rng.normal(size=(2, 9))
        x[at, 4] = np.nan
        np.testing.assert_array_equal(np.isnan(compiled(x, y)), np.isnan(KERNELS[name][1](x, y)))


@pytest.mark.parametrize("bits", [128, 512])
def test_sums_of_integers(bits: int) -> None:
    loops, calls = vectorised(count_kernels.COUNTS, [Result("array", "i64", "out", (["dim", 1, 0],))], bits)
    assert f"vector<{bits // 64}xi64> into i64" in loops
    rng = np.random.default_rng(5)
    for n in POINTS:
        x, y = rng.normal(size=(n, 4)), rng.normal(size=(3, 4))
        np.testing.assert_array_equal(calls.general(x, y)[0], n + n * (n - 1) // 2 + (x @ y.T > 0).sum(0))


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("carried", "width"), [(1, 64), (3, 64), (4, 32), (7, 32), (8, 16)])
def test_wide_blocks_fit_into_registers(carried: int, width: int) -> None:
    """The more the deepest loop carries, the fewer registers each value takes."""
    results = [Result("array", "f64", "out", (["dim", 1, 0], ["dim", 1, 1]))]
    loops, _ = vectorised(sum_kernels.with_carried(carried), results, 512)
    assert f"vector<{width}xf64>" in loops
    assert f"vector<{2 * width}xf64>" not in loops


def test_long_iterations_stay_narrow() -> None:
    """Loops full of elementary functions would only grow: they run in narrow blocks and take sums one by one."""
    product = "%v = arith.mulf %w, %xj : f64"
    functions = "".join(f"%f{k + 1} = math.exp %f{k} : f64\n" for k in range(4))
    long = sum_kernels.PRODUCTS.replace(
        product, f"%f0 = arith.mulf %w, %xj : f64\n{functions}%v = arith.negf %f4 : f64"
    )
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(long.replace("ABI", '""'))
        Vectorise(vector_bits=512).run(module)
        loops = str(module)
    assert "vector<16xf64>" in loops
    assert "vector<64xf64>" not in loops
    shuffles = [line for line in loops.splitlines() if "vector.shuffle" in line]
    assert all(line.endswith(": vector<4xf64>, vector<4xf64>") for line in shuffles), "sums are transposed"
