"""Adjoints of products of matrices: sums per element instead of accumulators, right for all sizes and uses."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(3)

SHAPES = [(0, 3, 4), (3, 0, 4), (3, 4, 0), (1, 1, 1), (2, 3, 5), (5, 16, 17), (8, 33, 16), (9, 7, 40), (21, 40, 35)]


@tl.function
def product(a: tl.f64[:, :], b: tl.f64[:, :], w: tl.f64[:, :]):
    return tl.sum(w * (a @ b))


@tl.function
def product32(a: tl.f32[:, :], b: tl.f32[:, :], w: tl.f32[:, :]):
    return tl.sum(w * (a @ b))


@tl.function
def transposed(a: tl.f64[:, :], b: tl.f64[:, :], w: tl.f64[:, :]):
    return tl.sum(w.T * (b.T @ a.T))


@tl.function
def squared(a: tl.f64[:, :], b: tl.f64[:, :], w: tl.f64[:, :]):
    c = a @ b
    return tl.sum(c * c * w)


@tl.function
def gram(a: tl.f64[:, :], w: tl.f64[:, :]):
    return tl.sum(w * (a.T @ a))


@tl.function
def power(a: tl.f64[:, :], w: tl.f64[:, :]):
    return tl.sum(w * (a @ a))


@tl.function
def batched(a: tl.f64[:, :, :], b: tl.f64[:, :], w: tl.f64[:, :, :]):
    return tl.sum(w * (a @ b))


@tl.function
def affine(a: tl.f64[:, :], x: tl.f64[:], w: tl.f64[:]):
    return tl.sum(w * (a @ x))


@tl.function
def trilinear(a: tl.f64[:, :], b: tl.f64[:, :], c: tl.f64[:, :]):
    return tl.sum(tl.map(lambda u, v: tl.sum(tl.map(lambda r: tl.sum(r * u) * tl.sum(v * v), c)), a, b))


@tl.function
def indexed(a: tl.f64[:, :], b: tl.f64[:, :], w: tl.f64[:, :]):
    def term(i, j):
        return w[i, j] * tl.sum(tl.map(lambda k: a[k, i] * b[j, k], tl.iota(a.shape[0])))

    return tl.sum(
        tl.map(lambda i: tl.sum(tl.map(lambda j: term(i, j), tl.iota(b.shape[0]))), tl.iota(a.shape[1])),
    )


@tl.function
def looked_up_too(a: tl.f64[:, :], b: tl.f64[:, :], w: tl.f64[:, :], keys: tl.i64[:]):
    def with_row(row, v, k):
        return tl.sum(tl.map(lambda column, x: tl.sum(row * column) * x, b.T, v)) + tl.sin(b[k, 0])

    return tl.sum(tl.map(with_row, a, w, keys))


@tl.function
def sums_of_rows(a: tl.f64[:], b: tl.f64[:, :], w: tl.f64[:]):
    return tl.sum(tl.map(lambda x, v: v * tl.sum(tl.map(lambda row: tl.sum(row + x), b)), a, w))


@tl.function
def forms_of_squares(a: tl.f64[:, 17], b: tl.f64[17, 17]):
    def with_row(row):
        t = tl.map(lambda x: x * x + 1.0, row)
        return tl.sum(tl.map(lambda u, r: tl.sum(tl.map(lambda v, x: x * u * v, t, r)), t, b))

    return tl.sum(tl.map(with_row, a))


@tl.function
def running_product_of_rows(a: tl.f64[:, :], b: tl.f64[:, :]):
    def with_row(row):
        def term(x, column):
            value = x
            for k in range(len(row)):
                value = value * row[k] + column[k]
            return value

        return tl.sum(tl.map(term, row, b))

    return tl.sum(tl.map(with_row, a))


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng([seed, *shape]).normal(size=shape)


def close(actual: np.ndarray, expected: np.ndarray, rtol: float = 1e-12) -> None:
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=rtol * max(1.0, np.abs(expected).max(initial=0.0)))


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("n", "m", "k"), SHAPES)
def test_product(n: int, m: int, k: int) -> None:
    a, b, w = numbers(n, k), numbers(k, m), numbers(n, m)
    for program in (product, transposed):
        da, db = tl.grad(program, argnums=(0, 1))(a, b, w)
        close(da, w @ b.T)
        close(db, a.T @ w)
    da, db = tl.grad(squared, argnums=(0, 1))(a, b, w)
    close(da, (2 * w * (a @ b)) @ b.T)
    close(db, a.T @ (2 * w * (a @ b)))


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("n", "m", "k"), SHAPES)
def test_single_precision(n: int, m: int, k: int) -> None:
    a, b, w = (numbers(*shape).astype(np.float32) for shape in ((n, k), (k, m), (n, m)))
    da, db = tl.grad(product32, argnums=(0, 1))(a, b, w)
    assert da.dtype == db.dtype == np.float32
    close(da, w @ b.T, rtol=1e-5)
    close(db, a.T @ w, rtol=1e-5)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("n", [0, 1, 7, 16, 37])
def test_one_matrix_twice(n: int) -> None:
    a, w = numbers(n, n), numbers(n, n, seed=1)
    close(tl.grad(power)(a, w), w @ a.T + a.T @ w)
    close(tl.grad(gram)(a, w), a @ (w + w.T))
    if n:
        wide = numbers(n + 3, n)
        close(tl.grad(gram)(wide, w), wide @ (w + w.T))


def test_batches_and_vectors() -> None:
    a, b, w = numbers(3, 9, 5), numbers(5, 18), numbers(3, 9, 18)
    da, db = tl.grad(batched, argnums=(0, 1))(a, b, w)
    close(da, w @ b.T)
    close(db, np.einsum("bik,bij->kj", a, w))
    matrix, x, v = numbers(19, 33), numbers(33), numbers(19)
    dm, dx = tl.grad(affine, argnums=(0, 1))(matrix, x, v)
    close(dm, np.outer(v, x))
    close(dx, matrix.T @ v)


def test_sums_of_products_of_sums() -> None:
    a, b, c = numbers(11, 6), numbers(11, 4), numbers(9, 6)
    da, db, dc = tl.grad(trilinear, argnums=(0, 1, 2))(a, b, c)
    squares = (b * b).sum(axis=1)
    close(da, np.outer(squares, c.sum(axis=0)))
    close(db, 2 * b * (a @ c.sum(axis=0))[:, None])
    close(dc, np.tile((a * squares[:, None]).sum(axis=0), (9, 1)))


@pytest.mark.one_in(8)
@pytest.mark.parametrize(("n", "m", "k"), SHAPES)
def test_elements_at_indices(n: int, m: int, k: int) -> None:
    a, b, w = numbers(k, n), numbers(m, k), numbers(n, m)
    da, db = tl.grad(indexed, argnums=(0, 1))(a, b, w)
    close(da, (w @ b).T)
    close(db, (a @ w).T)


@pytest.mark.parametrize("keys", [[0, 2, 2, 4, 1, 0, 3], [1, 1, 1, 1, 1, 1, 1]])
def test_sums_beside_updates_at_data(keys: list[int]) -> None:
    """Some updates of an accumulator become sums, others add at places that are data."""
    a, b, w = numbers(7, 5), numbers(5, 18), numbers(7, 18)
    expected = a.T @ w
    np.add.at(expected, (keys, 0), np.cos(b[keys, 0]))
    close(tl.grad(looked_up_too, argnums=1)(a, b, w, np.array(keys)), expected)


def test_sums_of_fills() -> None:
    a, b, w = numbers(6), numbers(4, 3), numbers(6, seed=1)
    da, db, dw = tl.grad(sums_of_rows, argnums=(0, 1, 2))(a, b, w)
    close(da, w * b.size)
    close(db, np.full(b.shape, w.sum()))
    close(dw, b.sum() + a * b.size)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("n", [0, 1, 6, 20])
def test_two_elements_of_one_inner_map(n: int) -> None:
    a, b = numbers(n, 17), numbers(17, 17)
    t = a * a + 1.0
    assert "soac.update" not in tl.compile(tl.grad(forms_of_squares, argnums=1)).ir("fuse")
    da, db = tl.grad(forms_of_squares, argnums=(0, 1))(a, b)
    close(db, t.T @ t)
    close(da, 2 * a * (t @ (b + b.T)))


def test_terms_of_sequential_loops() -> None:
    """What a loop computes step by step is no term of a sum per element."""
    a, b = numbers(4, 5), numbers(5, 5)
    tl.check_grads(running_product_of_rows, (a, b), order=1)
    expected = np.array([[np.prod(row[k + 1 :]) for k in range(5)] for row in a]).sum(axis=0)
    close(tl.grad(running_product_of_rows, argnums=1)(a, b), np.tile(expected, (5, 1)))


def test_second_derivatives() -> None:
    a, b, w = numbers(9, 5), numbers(5, 17), numbers(9, 17)
    along = numbers(9, 5, seed=2)
    _, tangent = tl.jvp(lambda a: tl.grad(squared, argnums=1)(a, b, w), (a,), (along,))
    close(tangent, along.T @ (2 * w * (a @ b)) + a.T @ (2 * w * (along @ b)))
    second = tl.grad(lambda a: tl.sum(tl.grad(squared, argnums=1)(a, b, w)))(a)
    ones = np.ones((5, 17))
    close(second, (2 * w * (a @ b)) @ ones.T + (2 * w * (a @ ones)) @ b.T)


def test_adjoints_are_products() -> None:
    text = tl.compile(tl.value_and_grad(product, argnums=(0, 1))).ir("fuse")
    assert "soac.with_acc" not in text and "soac.update" not in text
    assert text.count("arith.mulf") == 4  # the product, its two adjoints, and the weighted sum
