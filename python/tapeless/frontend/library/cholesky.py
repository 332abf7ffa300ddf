"""The Cholesky factor of a symmetric matrix, and systems of equations with a lower triangular matrix."""

from __future__ import annotations

from tapeless import lang as tl
from tapeless.frontend.library.triangular import substitute_down, substitute_up
from tapeless.frontend.library.written import DerivativeRule, Written

BLOCK = 32


@Written
def cholesky(a):
    """L with L L^T = a, from the lower triangle; a diagonal that is not positive tells that there is none.

    Columns of a block are rows of a panel, so that what one step changes lies side by side.
    """
    n = a.shape[0]
    lower = a
    for block in range((n + BLOCK - 1) // BLOCK):
        first = BLOCK * block
        last = min(first + BLOCK, n)
        panel = tl.transpose(lower[first:, first:last])
        for k in range(last - first):
            row = panel[:k, k]
            root = tl.sqrt(panel[k, k] - row @ row)
            panel[k, k] = root
            panel[k, k + 1 :] = (panel[k, k + 1 :] - row @ panel[:k, k + 1 :]) / root
        lower[first:, first:last] = tl.transpose(panel)
        lower[last:, last:] -= lower[last:, first:last] @ lower[last:, first:last].T
    return tl.tril(lower)


@Written
def solve_lower(lower, b):
    """X of `lower @ X = b`, with the lower triangle of `lower`."""
    return substitute_down(lower, tl.diagonal(lower), b)


@Written
def solve_lower_transposed(lower, b):
    """X of `lower.T @ X = b`, with the lower triangle of `lower`."""
    return substitute_up(lower.T, tl.diagonal(lower), b)


@Written
def half_of_symmetric(x):
    """The lower triangle, with half of the diagonal, so that adding its transpose gives x."""
    return tl.tril(x) - 0.5 * tl.diag(tl.diagonal(x))


def _cholesky_forward(a):
    lower = cholesky(a)
    return lower, lower


def _cholesky_backward(lower, l_bar):
    half = solve_lower_transposed(lower, half_of_symmetric(lower.T @ tl.tril(l_bar)))
    full = solve_lower_transposed(lower, half.T)
    return (tl.tril(full + full.T) - tl.diag(tl.diagonal(full)),)


def _cholesky_push(primals, tangents):
    lower = cholesky(primals[0])
    symmetric = tl.tril(tangents[0]) + tl.tril(tangents[0], -1).T
    half = solve_lower(lower, symmetric)
    return lower, lower @ half_of_symmetric(solve_lower(lower, half.T))


def _lower_forward(lower, b):
    x = solve_lower(lower, b)
    return x, (lower, x)


def _lower_backward(residuals, x_bar):
    lower, x = residuals
    b_bar = solve_lower_transposed(lower, x_bar)
    return -tl.tril(b_bar @ x.T), b_bar


def _lower_push(primals, tangents):
    x = solve_lower(primals[0], primals[1])
    return x, solve_lower(primals[0], tangents[1] - tl.tril(tangents[0]) @ x)


def _transposed_forward(lower, b):
    x = solve_lower_transposed(lower, b)
    return x, (lower, x)


def _transposed_backward(residuals, x_bar):
    lower, x = residuals
    b_bar = solve_lower(lower, x_bar)
    return -tl.tril(x @ b_bar.T), b_bar


def _transposed_push(primals, tangents):
    x = solve_lower_transposed(primals[0], primals[1])
    return x, solve_lower_transposed(primals[0], tangents[1] - tl.tril(tangents[0]).T @ x)


cholesky.rule = DerivativeRule(_cholesky_forward, _cholesky_backward, _cholesky_push)
solve_lower.rule = DerivativeRule(_lower_forward, _lower_backward, _lower_push)
solve_lower_transposed.rule = DerivativeRule(_transposed_forward, _transposed_backward, _transposed_push)
