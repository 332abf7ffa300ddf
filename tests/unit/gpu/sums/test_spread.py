"""Nests spread over grids of threads, and sums by owner, on the emulated GPU against the CPU."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless._mlir import arith, ir
from tapeless.passes.soac.spread.guard import Limits
from tapeless.passes.soac.spread.sums import owners
from tapeless.passes.soac.sums import runs

pytestmark = pytest.mark.one_in(4)

Arrays = tuple[np.ndarray, ...]


@tl.function
def mixture(points, means, factors, offsets):
    """Like the likelihood of a mixture: a nest of four loops in a sum of logarithms."""

    def density(point):
        def term(mean, factor, offset):
            return offset - 0.5 * tl.sum((factor @ (point - mean)) ** 2)

        return tl.logsumexp(tl.map(term, means, factors, offsets))

    return tl.sum(tl.map(density, points))


def packed(points, means, rows, offsets):
    """The same with matrices that are known to be square: products need not be kept for the adjoint."""
    d = points.shape[1]

    def unpacked(row):
        return tl.map(lambda i: tl.map(lambda j: row[i * d + j] if i >= j else 0.0, tl.iota(d)), tl.iota(d))

    return mixture(points, means, tl.map(unpacked, rows), offsets)


def nearest(points, centres):
    return tl.sum(tl.map(lambda p: tl.min(tl.map(lambda c: tl.sum((p - c) ** 2), centres)), points))


def gathered(points, centres, rows):
    """Rows that an index array picks, checked; some iterations add nothing."""

    def each(point, row):
        scores = tl.map(lambda c: tl.exp(-tl.sum((point - c) * centres[row])), centres)
        return tl.sum(scores) if point[0] > 0.0 else 0.0

    return tl.sum(tl.map(each, points, rows))


def smoothed(points, centres, steps):
    """The same in a loop of the host."""
    for _ in range(steps):
        weights = tl.map(lambda c: tl.sum(tl.map(lambda p: tl.exp(-tl.dot(p, c)), points)), centres)
        centres = 0.5 * centres * weights[:, None]
    return tl.sum(centres)


def wrapped(rows, places):
    """The adjoint of a row is summed by threads at places that they compute."""

    def total(row):
        return tl.sum(tl.map(lambda i: tl.sum(tl.map(lambda j: tl.exp(row[(i * i + j) % len(row)]), places)), places))

    return tl.sum(tl.map(total, rows))


def standardised(rows, gains):
    """Loops over rows, one after the other, in a map without nests."""

    def each(row):
        centred = row - tl.mean(row)
        return gains * centred / tl.sqrt(tl.mean(centred**2) + 0.1)

    return tl.sum(tl.map(each, rows) ** 3)


def likelihood(rows, gains):
    """The same by axes, with the largest element of a row and what follows from it."""
    scores = tl.softmax(rows * gains, axis=1)
    return tl.sum(tl.log(tl.sum(scores * tl.cumsum(scores, axis=1), axis=1) + 0.1))


def layers(rows, first, second):
    """Two products, one after the other, for each row."""
    return tl.sum(tl.map(lambda row: tl.sum(tl.tanh(tl.tanh(row @ first) @ second)), rows))


def attended(rows, keys):
    """The adjoint of a row of keys is added as a row, by maps that add to an array of the thread's own as well."""

    def each(row):
        return tl.sum((tl.softmax(tl.map(lambda key: tl.dot(row, key), keys)) @ keys) ** 2)

    return tl.sum(tl.map(each, rows))


def queried(rows, weights, keys):
    """The same with queries that a matrix makes of rows: one for all keys, which have another length than rows."""

    def each(row):
        query = row @ weights
        return tl.sum((tl.softmax(tl.map(lambda key: tl.dot(query, key), keys)) @ keys) ** 2)

    return tl.sum(tl.map(each, rows))


def scaled(rows, keys):
    """What a thread adds to an array of its own takes sums over rows."""

    def each(row):
        def score(key):
            return tl.exp(tl.dot(row, key) / (1.0 + tl.dot(key, key) * tl.dot(row, row)))

        return tl.log(tl.sum(tl.map(score, keys)))

    return tl.sum(tl.map(each, rows))


def pulled(points, masses):
    """Both at once: rows of all pairs, and sums of each point's own over what takes a sum over its row."""

    def each(a, m):
        return tl.sum(tl.map(lambda b, n: m * n / tl.sqrt(tl.sum((a - b) ** 2) + 0.1), points, masses))

    return tl.sum(tl.map(each, points, masses))


def always(self: Limits, width: ir.Value, kept: object) -> ir.Value:
    return arith.ConstantOp(ir.IntegerType.get_signless(1), 1).result


def numbers(shape: tuple[int, ...], dtype: type) -> np.ndarray:
    return (0.5 * np.random.default_rng(sum(shape)).normal(size=shape)).astype(dtype)


def mixture_of(n: int, k: int, d: int, dtype: type) -> Arrays:
    return numbers((n, d), dtype), numbers((k, d), dtype), numbers((k, d, d), dtype), numbers((k,), dtype)


def projected_of(n: int, k: int, d: int, dtype: type) -> Arrays:
    return numbers((n, d), dtype), numbers((k, d), dtype), numbers((k, d + 2, d), dtype), numbers((k,), dtype)


def queried_of(n: int, k: int, d: int, dtype: type) -> Arrays:
    return numbers((n, d), dtype), numbers((d, d + 2), dtype), numbers((k, d + 2), dtype)


def packed_of(n: int, k: int, d: int, dtype: type) -> Arrays:
    return numbers((n, d), dtype), numbers((k, d), dtype), numbers((k, d * d), dtype), numbers((k,), dtype)


def clusters_of(n: int, k: int, d: int, dtype: type) -> Arrays:
    return numbers((n, d), dtype), numbers((k, d), dtype)


def rows_of(n: int, k: int, d: int, dtype: type) -> Arrays:
    return *clusters_of(n, k, d, dtype), np.arange(n) % k


def places_of(n: int, k: int, d: int, dtype: type) -> tuple[Any, ...]:
    return numbers((n, d), dtype), np.arange(3 * k)


def gains_of(n: int, k: int, d: int, dtype: type) -> Arrays:
    return numbers((n, k * d), dtype), numbers((k * d,), dtype)


def layers_of(n: int, k: int, d: int, dtype: type) -> Arrays:
    return numbers((n, d), dtype), numbers((d, k), dtype), numbers((k, d), dtype)


def masses_of(n: int, k: int, d: int, dtype: type) -> Arrays:
    return numbers((n, d), dtype), numbers((n,), dtype)


def steps_of(n: int, k: int, d: int, dtype: type) -> tuple[Any, ...]:
    return *clusters_of(n, k, d, dtype), 2


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[int, ...], Callable[..., tuple[Any, ...]]]] = {
    "mixture": (mixture, (0, 1, 2, 3), mixture_of),
    "parameters": (mixture, (1, 2, 3), mixture_of),
    "projected": (mixture, (0, 1, 2, 3), projected_of),
    "projected, by means": (mixture, (1,), projected_of),
    "packed": (packed, (1, 2, 3), packed_of),
    "packed, by points": (packed, (0, 2), packed_of),
    "nearest": (nearest, (0, 1), clusters_of),
    "gathered": (gathered, (0, 1), rows_of),
    "smoothed": (smoothed, (0, 1), steps_of),
    "wrapped": (wrapped, (0,), places_of),
    "standardised": (standardised, (0, 1), gains_of),
    "layers": (layers, (0, 1, 2), layers_of),
    "queried": (queried, (0, 1, 2), queried_of),
    "attended": (attended, (0, 1), clusters_of),
    "pulled": (pulled, (0, 1), masses_of),
    "scaled": (scaled, (0, 1), clusters_of),
    "likelihood": (likelihood, (0, 1), gains_of),
}
SIZES = ((0, 3, 2), (1, 1, 1), (5, 3, 2), (70, 4, 3), (257, 2, 1))


def assert_near(found: Any, wanted: Any, dtype: type) -> None:
    if isinstance(wanted, tuple):
        for one, other in zip(found, wanted, strict=True):
            assert_near(one, other, dtype)
        return
    tolerance = 1e-11 if dtype is np.float64 else 2e-4
    scale = np.max(np.abs(wanted), initial=1e-3)
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance * scale)


def check(name: str, dtype: type, *, deterministic: bool = True, seed: int = 0) -> None:
    """The value and the gradient at several sizes, sums by owner in short parts."""
    function, argnums, arguments_of = PROGRAMS[name]
    both = tl.value_and_grad(function, argnums=argnums)
    on_cpu = tl.jit(both)
    short = mock.patch.object(runs, "FEWEST_TERMS", 3)
    with short, mock.patch.object(Limits, "hold", always), emulated_cuda(seed=seed) as gpu:
        on_gpu = tl.jit(both, target="cuda", deterministic=deterministic)
        for sizes in SIZES:
            arguments = arguments_of(*sizes, dtype)
            assert_near(on_gpu(*arguments), on_cpu(*arguments), dtype)
        gpu.check_guards()


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", PROGRAMS)
def test_program_is_spread(name: str) -> None:
    check(name, np.float64)


NEAREST_OR_MIXTURE = pytest.mark.parametrize("name", ["nearest", pytest.param("mixture", marks=pytest.mark.thorough)])


@NEAREST_OR_MIXTURE
def test_single_precision(name: str) -> None:
    check(name, np.float32)


def test_sums_whose_order_is_free() -> None:
    check("nearest", np.float64, deterministic=False)


@NEAREST_OR_MIXTURE
def test_many_owners_sum_without_parts(name: str) -> None:
    with mock.patch.object(owners, "FEW_OWNERS", 0):
        check(name, np.float64, seed=1)


def test_sizes_decide() -> None:
    """Few points run as they are, more of them are spread, but not too many."""
    hold = Limits.hold

    def with_less(self: Limits, width: ir.Value, kept: Sequence[ir.Value]) -> ir.Value:
        return hold(Limits(200, 4000, None), width, kept)

    gradient = tl.grad(mixture, argnums=(0, 1, 2, 3))
    with mock.patch.object(Limits, "hold", with_less), emulated_cuda():
        on_gpu = tl.jit(gradient, target="cuda")
        for sizes in ((2, 2, 2), (8, 4, 3), (80, 4, 3)):
            arguments = mixture_of(*sizes, np.float64)
            assert_near(on_gpu(*arguments), tl.jit(gradient)(*arguments), np.float64)


def test_long_iterations_of_few_threads_are_spread() -> None:
    """However little the stages keep: a thread that takes longer than launches do leaves inner elements to others."""
    with emulated_cuda(seed=4) as gpu:
        kernel, on_cpu = tl.jit(layers, target="cuda"), tl.jit(layers)
        widest = []
        for sizes in ((40, 3, 2), (40, 30, 20)):
            arguments = layers_of(*sizes, np.float64)
            gpu.calls.clear()
            assert_near(kernel(*arguments), on_cpu(*arguments), np.float64)
            widest.append(max(call[2][0] * call[3][0] for call in gpu.calls if call[0] == "launch"))
        gpu.check_guards()
    assert widest[0] < 40 * 30 <= widest[1]


def slope_of_queried(arguments: Arrays, direction: Arrays) -> float:
    """The derivative along a direction by NumPy, with a complex step."""
    rows, weights, keys = (one + 1e-30j * other for one, other in zip(arguments, direction, strict=True))
    scores = np.exp(rows @ weights @ keys.T)
    return float(np.sum((scores @ keys / scores.sum(1, keepdims=True)) ** 2).imag / 1e-30)


def slope_of_projected(arguments: Arrays, direction: Arrays) -> float:
    points, means, factors, offsets = (one + 1e-30j * other for one, other in zip(arguments, direction, strict=True))
    scaled = np.einsum("kij,nkj->nki", factors, points[:, None] - means)
    return float(np.sum(np.log(np.sum(np.exp(offsets - 0.5 * np.sum(scaled**2, 2)), 1))).imag / 1e-30)


@pytest.mark.one_in(1)
@pytest.mark.parametrize(
    ("function", "arguments_of", "sizes", "slope_of", "argnums"),
    [
        (queried, queried_of, (40, 20, 6), slope_of_queried, (0, 1, 2)),
        (mixture, projected_of, (50, 4, 20), slope_of_projected, (1, 3)),
    ],
)
def test_matrices_need_not_be_square(
    function: Callable[..., Any],
    arguments_of: Callable[..., Arrays],
    sizes: tuple[int, ...],
    slope_of: Callable[[Arrays, Arrays], float],
    argnums: tuple[int, ...],
) -> None:
    """Rows and columns of different lengths leave no nest in one thread for each row, in few launches."""
    arguments = arguments_of(*sizes, np.float64)
    with mock.patch.object(Limits, "hold", always), emulated_cuda(seed=6) as gpu:
        found = tl.jit(tl.grad(function, argnums=argnums), target="cuda")(*arguments)
        launches = [call for call in gpu.calls if call[0] == "launch"]
        gpu.check_guards()
    assert len(launches) >= 10
    direction = [np.zeros_like(each) for each in arguments]
    for number in argnums:
        direction[number] = np.random.default_rng(number).normal(size=arguments[number].shape)
    wanted = slope_of(arguments, tuple(direction))
    total = sum(np.sum(one * direction[number]) for one, number in zip(found, argnums, strict=True))
    assert abs(total - wanted) <= 1e-11 * max(abs(wanted), 1.0)


def test_first_of_equal_elements_is_the_nearest() -> None:
    gradient = tl.grad(nearest, argnums=(0, 1))
    with emulated_cuda():
        on_gpu, on_cpu = tl.jit(gradient, target="cuda"), tl.jit(gradient)
        for special in (np.nan, np.inf, 0.0):
            points, centres = np.array([[1.0], [-1.0], [2.0]]), np.array([[0.5], [special], [0.5], [-1.0]])
            for one, other in zip(on_gpu(points, centres), on_cpu(points, centres), strict=True):
                np.testing.assert_array_equal(one, other)


def test_checks_in_a_nest_still_fail() -> None:
    points, centres, rows = rows_of(6, 3, 2, np.float64)
    rows[4] = 3
    with mock.patch.object(Limits, "hold", always), emulated_cuda():
        gradient = tl.jit(tl.grad(gathered), target="cuda")
        with pytest.raises(tl.IndexOutOfRange, match="index 3 is out of range"):
            gradient(points, centres, rows)


def test_rows_of_an_array_with_two_axes_of_them() -> None:
    """One map of both: a thread for each short row, eight lanes of a warp for longer ones."""

    @tl.function
    def weighted(y: tl.f64[:, :, :], w: tl.f64[:]):
        return tl.map(lambda rows: tl.map(lambda row, weight: weight * tl.sum(row * row), rows, w), y)

    with emulated_cuda(seed=3) as gpu:
        kernel = tl.jit(weighted, target="cuda")
        for shape in ((3, 4, 5), (7, 3, 40), (2, 5, 1100), (0, 3, 20), (3, 0, 20), (4, 3, 0), (33, 9, 16)):
            y, w = numbers(shape, np.float64), numbers(shape[1:2], np.float64)
            gpu.calls.clear()
            assert_near(kernel(y, w), w * (y * y).sum(-1), np.float64)
            launches = [call[2:] for call in gpu.calls if call[0] == "launch"]
            assert shape != (7, 3, 40) or launches == [((1, 1, 1), (256, 1, 1))]
        gpu.check_guards()


def test_places_of_few_iterations_are_exact() -> None:
    """A thread for each innermost iteration adds to one array of all outer ones."""
    gradient = tl.grad(wrapped)
    exact = mock.patch("tapeless.passes.lower.grid.exact.sums.FEW_ELEMENTS", 0)
    with exact, mock.patch.object(Limits, "hold", always), emulated_cuda(seed=5) as gpu:
        kernel, on_cpu = tl.jit(gradient, target="cuda"), tl.jit(gradient)
        for sizes in SIZES:
            arguments = places_of(*sizes, np.float64)
            gpu.calls.clear()
            assert_near(kernel(*arguments), on_cpu(*arguments), np.float64)
            launches = [call[2:] for call in gpu.calls if call[0] == "launch"]
            assert sizes != (70, 4, 3) or launches.count(((158, 1, 1), (64, 1, 1))) >= 2
        gpu.check_guards()
