"""Rows that are copied lane-major, read and written: all sizes of blocks, squares and what is left of them."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

TOLERANCES = {np.float64: 1e-12, np.float32: 2e-5}
SHORT = [(rows, columns) for rows in (0, 1, 15, 17, 64, 203) for columns in (1, 3, 4, 7, 16, 33)]
SHAPES = [*SHORT, *((rows, columns) for rows in (1, 17, 64) for columns in (0, 127, 128, 129, 300))]


@tl.function
def bumps(x: tl.f64[:, :]) -> tl.f64:
    return tl.sum(tl.map(lambda row: tl.exp(-tl.sum(row * row)), x))


@tl.function
def single_bumps(x: tl.f32[:, :]) -> tl.f32:
    return tl.sum(tl.map(lambda row: tl.exp(-tl.sum(row * row)), x))


@tl.function
def logistic_loss(w: tl.f64[:], x: tl.f64[:, :], y: tl.f64[:]) -> tl.f64:
    return tl.sum(tl.log1p(tl.exp(-y * (x @ w))))


@tl.function
def norms(x: tl.f64[:, :, :]):
    def norm(matrix):
        return tl.exp(-tl.sum(tl.map(lambda row: tl.sum(row * row), matrix)))

    return tl.map(norm, x)


BUMPS = {np.float64: bumps, np.float32: single_bumps}


@pytest.mark.one_in(14)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("shape", SHAPES)
def test_rows_that_are_written(shape: tuple[int, int], dtype: type) -> None:
    x = (np.random.default_rng(1).normal(size=shape) / shape[1]).astype(dtype)
    value, gradient = tl.value_and_grad(BUMPS[dtype])(x)
    heights = np.exp(-(x.astype(np.float64) ** 2).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(value, heights.sum(), rtol=TOLERANCES[dtype])
    np.testing.assert_allclose(gradient, -2 * x * heights, rtol=TOLERANCES[dtype])


@pytest.mark.one_in(7)
@pytest.mark.parametrize("shape", SHAPES)
def test_gradient_of_a_loss_of_rows(shape: tuple[int, int]) -> None:
    random = np.random.default_rng(2)
    w, x, y = random.normal(size=shape[1]), random.normal(size=shape), random.choice([-1.0, 1.0], size=shape[0])
    value, (by_w, by_x) = tl.value_and_grad(logistic_loss, argnums=(0, 1))(w, x, y)
    margins = -y * (x @ w)
    slopes = -y / (1 + np.exp(-margins))
    np.testing.assert_allclose(value, np.log1p(np.exp(margins)).sum(), rtol=1e-12)
    np.testing.assert_allclose(by_w, slopes @ x, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(by_x, np.outer(slopes, w), rtol=1e-10, atol=1e-12)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("shape", [(40, 3, 5), (33, 1, 8), (16, 2, 4), (70, 4, 3)])
def test_matrices(shape: tuple[int, int, int]) -> None:
    x = np.random.default_rng(3).normal(size=shape)
    np.testing.assert_allclose(norms(x), np.exp(-(x * x).sum(axis=(1, 2))), rtol=1e-12)


def test_squares_are_transposed() -> None:
    text = tl.compile(tl.grad(bumps), (np.zeros((64, 16)),)).ir("lower-vectorise")
    squares = [line for line in text.splitlines() if line.endswith(": memref<?x?xf64>, vector<4xf64>")]
    assert any("vector.load" in line for line in squares)
    assert any("vector.store" in line for line in squares)


def turned(order: tuple[int, ...]) -> str:
    """A module that brings the axes of an array into another order, in memory."""
    rank = len(order)
    sizes = "\n".join(f"  %n{k} = tensor.dim %x, %c{k} : tensor<{'?x' * rank}f64>" for k in range(rank))
    constants = "\n".join(f"  %c{k} = arith.constant {k} : index" for k in range(rank))
    total = "\n".join(f"  %t{k + 1} = arith.muli %t{k}, %n{k} : index" for k in range(rank))
    given, made = f"tensor<{'?x' * rank}f64>", "tensor<?xf64>"
    return f"""func.func @main(%x: {given}) -> {made} {{
{constants}
{sizes}
  %t0 = arith.constant 1 : index
{total}
  %y = "soac.transpose"(%x) {{permutation = [{", ".join(map(str, order))}]}} : ({given}) -> {given}
  %s = tensor.from_elements %t{rank} : tensor<1xindex>
  %r = tensor.reshape %y(%s) : ({given}, tensor<1xindex>) -> {made}
  return %r : {made}
}}"""


@pytest.mark.parametrize(
    "order", [(0, 2, 1), (2, 0, 1), (1, 2, 0), (2, 1, 0), (0, 2, 3, 1), (0, 3, 1, 2), (1, 0, 3, 2)]
)
def test_arrays_with_more_axes_are_turned(order: tuple[int, ...]) -> None:
    f = tl.from_mlir(turned(order))
    for shape in [(3, 26, 8, 5), (2, 17, 33, 4), (1, 16, 16, 16), (0, 20, 3, 2), (4, 1, 40, 1), (2, 8, 0, 3)]:
        x = np.random.default_rng(4).normal(size=shape[: len(order)])
        np.testing.assert_array_equal(f(x), x.transpose(order).ravel())


def test_members_of_a_batch_are_copied_by_themselves() -> None:
    text = tl.compile(tl.from_mlir(turned((0, 2, 3, 1))), (np.zeros((16, 8, 26, 26)),)).ir("lower-vectorise")
    copies = [line for line in text.splitlines() if "memref.alloc" in line and "alignment = 64" in line]
    assert copies
    assert all(line.count("?x") == 1 for line in copies)


@tl.function
def picked_columns(x: tl.f64[:, :, :], k: tl.i64) -> tl.f64[:, :]:
    columns = tl.zeros((x.shape[2], x.shape[1]))
    for i in range(x.shape[1]):
        for d in range(x.shape[2]):
            if k < len(x):
                columns[d, i] = tl.exp(x[k, i, d])
    return columns


@pytest.mark.parametrize("k", [0, 2, 3, 1000000])
def test_members_that_are_not_there_are_not_copied(k: int) -> None:
    x = np.random.default_rng(5).normal(size=(3, 40, 9))
    wanted = np.exp(x[k].T) if k < 3 else np.zeros((9, 40))
    np.testing.assert_allclose(tl.jit(picked_columns, checks="off")(x, k), wanted, rtol=1e-14)
