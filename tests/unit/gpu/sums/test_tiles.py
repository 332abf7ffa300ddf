"""Products of matrices, and what reads its operands like one, in tiles on the emulated GPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless.passes.lower.tiles import parts, tiles
from tapeless.passes.soac.spread import flat_nests

pytestmark = pytest.mark.one_in(4)

Arrays = tuple[np.ndarray, ...]
TOLERANCES = {np.dtype(np.float64): 1e-11, np.dtype(np.float32): 2e-3}
# Rows, columns and steps: around a tile of 64 x 64 x 16, none at all, and too few for one.
SIZES = [
    (64, 64, 16),
    (65, 63, 17),
    (16, 129, 8),
    (130, 16, 31),
    (1, 64, 20),
    (0, 64, 20),
    (64, 0, 20),
    (17, 18, 0),
    (20, 20, 7),
]

ONE_TILE = ((1, 1, 1), (256, 1, 1))


@tl.function
def plain(a, b):
    return a @ b


@tl.function
def left_transposed(a, b):
    return a.T @ b


@tl.function
def right_transposed(a, b):
    return a @ b.T


@tl.function
def both_transposed(a, b):
    return a.T @ b.T


@tl.function
def distances(p, q):
    return tl.map(lambda x: tl.map(lambda y: tl.sum((x - y) ** 2), q), p)


@tl.function
def nearest(p, q):
    """Not a sum: the smallest of something that is not zero for zeros."""
    return tl.map(lambda x: tl.map(lambda y: tl.reduce(tl.minimum, tl.inf, tl.exp(x - y) + tl.abs(y)), q), p)


@tl.function
def layer(x, w):
    """Something before and something after the product."""
    return tl.tanh(tl.exp(x) @ (w * w)) + tl.sin(x @ w)


@tl.function
def batched(a, b):
    return tl.map(lambda x, y: x @ y, a, b)


@tl.function
def shared_factor(a, b):
    """Rows of two loops."""
    return tl.map(lambda x: x @ b, a)


def transposed(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array.T)


def layer_reference(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    return np.tanh(np.exp(x) @ (w * w)) + np.sin(x @ w)


def distance_reference(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    return ((p[:, None, :] - q[None, :, :]) ** 2).sum(-1)


def nearest_reference(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    return np.min(np.exp(p[:, None, :] - q[None, :, :]) + np.abs(q), axis=-1, initial=np.inf)


# How the factors lie in memory, made of one of rows x steps and one of steps x columns.
FORMS: dict[str, tuple[Any, Callable[[np.ndarray, np.ndarray], Arrays], Callable[..., np.ndarray]]] = {
    "plain": (plain, lambda a, b: (a, b), lambda a, b: a @ b),
    "left transposed": (left_transposed, lambda a, b: (transposed(a), b), lambda a, b: a.T @ b),
    "right transposed": (right_transposed, lambda a, b: (a, transposed(b)), lambda a, b: a @ b.T),
    "both transposed": (both_transposed, lambda a, b: (transposed(a), transposed(b)), lambda a, b: a.T @ b.T),
    "distances": (distances, lambda a, b: (a, transposed(b)), distance_reference),
    "nearest": (nearest, lambda a, b: (a, transposed(b)), nearest_reference),
    "layer": (layer, lambda a, b: (a, b), layer_reference),
}


def factors(size: tuple[int, int, int], dtype: type, seed: int = 0) -> Arrays:
    rows, columns, steps = size
    rng = np.random.default_rng(seed)
    return tuple((0.5 * rng.standard_normal(shape)).astype(dtype) for shape in ((rows, steps), (steps, columns)))


def agree(found: Any, expected: Any) -> None:
    ours, theirs = (each if isinstance(each, tuple) else (each,) for each in (found, expected))
    for one, other in zip(ours, theirs, strict=True):
        assert one.shape == other.shape
        scale = max(1.0, float(np.max(np.abs(other), initial=0)))
        np.testing.assert_allclose(one, other, rtol=0, atol=TOLERANCES[one.dtype] * scale)


# What is always tested: every layout, and one that is no product, in doubles; products on GPUs without small matrices.
VALUES = [
    pytest.param(name, dtype, target, marks=[] if is_short else pytest.mark.thorough)
    for name in FORMS
    for dtype, target in ((np.float64, "cuda"), (np.float32, "cuda"), (np.float64, "cuda:sm_80"))
    for is_short in [(target == "cuda" and dtype is np.float64) or name == "plain"]
]


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("name", "dtype", "target"), VALUES)
def test_values(name: str, dtype: type, target: str) -> None:
    function, arrange, reference = FORMS[name]
    with emulated_cuda() as gpu:
        kernel = tl.jit(function, target=target)
        for size in SIZES:
            arguments = arrange(*factors(size, dtype))
            gpu.calls.clear()
            agree(kernel(*arguments), reference(*arguments).astype(dtype))
            # With a thread for each element, 4096 of them would be 16 blocks.
            assert size != SIZES[0] or ONE_TILE in [call[2:] for call in gpu.calls if call[0] == "launch"]
        gpu.check_guards()


def weighted(name: str) -> Any:
    function = FORMS[name][0]

    @tl.function
    def gradient(a, b, seed):
        return tl.vjp(function, a, b)[1](seed)

    return gradient


GRADIENTS = [
    pytest.param(name, is_deterministic, marks=[] if is_deterministic == (name != "layer") else pytest.mark.thorough)
    for name in FORMS
    for is_deterministic in (True, False)
]


@pytest.mark.one_in(24)
@pytest.mark.parametrize(("name", "is_deterministic"), GRADIENTS)
def test_gradients(name: str, is_deterministic: bool) -> None:
    """The adjoints of both factors, against those of the CPU."""
    _, arrange, reference = FORMS[name]
    arguments = arrange(*factors((66, 33, 21), np.float64))
    seed = np.random.default_rng(3).standard_normal(reference(*arguments).shape)
    expected = tl.jit(weighted(name))(*arguments, seed)
    with emulated_cuda(seed=7) as gpu:
        found = tl.jit(weighted(name), target="cuda", deterministic=is_deterministic)(*arguments, seed)
        gpu.check_guards()
    agree(found, expected)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", [batched, shared_factor])
def test_batches(function: Any) -> None:
    rng = np.random.default_rng(1)
    a = rng.standard_normal((3, 20, 19))
    b = rng.standard_normal((3, 19, 70) if function is batched else (19, 70))
    with emulated_cuda() as gpu:
        agree(tl.jit(function, target="cuda")(a, b), a @ b)
        (launch,) = [call for call in gpu.calls if call[0] == "launch"]
    # Two tiles of columns; rows of a batch start a tile, those of two loops share them.
    assert launch[2] == ((6, 1, 1) if function is batched else (2, 1, 1))


def batch(count: int, size: tuple[int, int, int]) -> Arrays:
    rows, columns, steps = size
    rng = np.random.default_rng(8)
    return rng.standard_normal((count, rows, steps)), rng.standard_normal((count, steps, columns))


def test_narrow_batches() -> None:
    """Small products of doubles have a tile of 32 x 32 each."""
    with emulated_cuda(seed=3) as gpu:
        kernel = tl.jit(batched, target="cuda")
        for size in ((32, 32, 32), (17, 31, 65), (16, 20, 8), (32, 16, 33)):
            a, b = batch(3, size)
            gpu.calls.clear()
            agree(kernel(a, b), a @ b)
            assert [call[2:] for call in gpu.calls if call[0] == "launch"] == [((3, 1, 1), (256, 1, 1))]
        gpu.check_guards()


def test_long_sums_of_tiles_that_are_not_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are divided, too, so that blocks end together."""
    for name, value in {"MOST_TILES": 0, "FEWEST_UNEVEN_STEPS": 64, "FEWEST_STEPS_OF_PART": 32}.items():
        monkeypatch.setattr(parts, name, value)
    monkeypatch.setattr(tiles, "FEWEST_LARGE", 1)
    monkeypatch.setattr(flat_nests, "FEW", 0)
    with emulated_cuda(seed=4) as gpu:
        kernel = tl.jit(batched, target="cuda")
        for size, blocks in (((40, 70, 100), 3 * 2 * 3), ((100, 97, 70), 3 * 2), ((40, 70, 63), 3 * 2)):
            a, b = batch(3, size)
            gpu.calls.clear()
            agree(kernel(a, b), a @ b)
            assert next(call[2][0] for call in gpu.calls if call[0] == "launch") == blocks
        gpu.check_guards()


def test_large_tiles() -> None:
    """Single precision takes tiles of 128 x 128 where there are enough of them."""
    rng = np.random.default_rng(2)
    a, b = rng.standard_normal((129, 130, 20), np.float32), rng.standard_normal((129, 20, 130), np.float32)
    with emulated_cuda() as gpu:
        found = tl.jit(batched, target="cuda")(a, b)
        (launch,) = [call for call in gpu.calls if call[0] == "launch"]
        gpu.check_guards()
    assert launch[2] == (4 * 129, 1, 1)
    agree(found, a @ b)


def test_the_same_bits_as_without_tiles() -> None:
    """Every sum is made in order, whatever the tiles: rows and columns that are left over, and few of them."""
    a, b = factors((70, 70, 37), np.float64)
    with emulated_cuda():
        kernel = tl.jit(plain, target="cuda")
        whole = kernel(a, b)
        np.testing.assert_array_equal(kernel(a[:9], b), whole[:9])
        np.testing.assert_array_equal(kernel(a[5:40], np.ascontiguousarray(b[:, 3:60])), whole[5:40, 3:60])


# Rows, columns, steps, and how many parts of them there are.
LONG = [
    (20, 33, 1024, 16),
    (3, 2, 3001, 38),
    (70, 65, 1500, 19),
    (0, 5, 2000, 0),
    (20, 20, 255, 0),
    (20, 17, 256, 4),
    (17, 20, 1023, 13),
]


@pytest.mark.one_in(10)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_long_sums_in_parts(dtype: type) -> None:
    """Few elements of many steps: sums of parts, added up in order, then what the nest does with them."""

    @tl.function
    def scaled(x, y, z):
        return 2.0 * (x.T @ y) + z

    rng = np.random.default_rng(6)
    with emulated_cuda() as gpu:
        kernel = tl.jit(scaled, target="cuda")
        for rows, columns, steps, count in LONG:
            arguments = [rng.standard_normal(shape).astype(dtype) for shape in ((steps, rows), (steps, columns))]
            arguments.append(rng.standard_normal((rows, columns)).astype(dtype))
            x, y, z = arguments
            gpu.calls.clear()
            found = kernel(*arguments)
            agree(found, (2.0 * (x.astype(float).T @ y) + z).astype(dtype))
            np.testing.assert_array_equal(kernel(*arguments), found)
            launches = [call[2][0] for call in gpu.calls if call[0] == "launch"]
            tiles = -(-rows // 64) * -(-columns // 64)
            assert not count or launches[0] == count * tiles
        gpu.check_guards()


# Rows, columns, steps, and the blocks of the first launch: of large tiles, unless most of each would be empty.
LONG_AND_LARGE = [(130, 100, 1500, 2 * 19), (70, 65, 1500, 19), (20, 33, 1024, 16), (129, 64, 1024, 3 * 16)]


def test_long_sums_in_parts_of_large_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tapeless.passes.lower.tiles.tiles.FEWEST_LARGE", 4)
    rng = np.random.default_rng(8)
    with emulated_cuda(seed=3) as gpu:
        kernel = tl.jit(left_transposed, target="cuda")
        for rows, columns, steps, blocks in LONG_AND_LARGE:
            x, y = (rng.standard_normal((steps, width), np.float32) for width in (rows, columns))
            gpu.calls.clear()
            found = kernel(x, y)
            agree(found, (x.astype(float).T @ y).astype(np.float32))
            np.testing.assert_array_equal(kernel(x, y), found)
            assert next(call[2][0] for call in gpu.calls if call[0] == "launch") == blocks
        gpu.check_guards()


def test_a_factor_that_is_written() -> None:
    """Rows of a product that replace those of a factor are not made in tiles: others still read them."""

    @tl.function
    def squared(a):
        a[:, :] = a @ a
        return a

    a = 0.3 * np.random.default_rng(4).standard_normal((40, 40))
    with emulated_cuda():
        agree(tl.jit(squared, target="cuda")(a.copy()), a @ a)
