"""Elimination with partial pivoting: P A = L U, and systems of equations that are solved with it."""

from __future__ import annotations

from tapeless import lang as tl
from tapeless.frontend.library.triangular import substitute_down, substitute_up
from tapeless.frontend.library.written import DerivativeRule, Written

BLOCK = 32


@Written
def factor(a):
    """L and U in one matrix, the order of rows, and whether the number of exchanges is odd; not to be differentiated.

    A column without a pivot is left as it is, so that the diagonal of U has a zero for each.
    """
    n = a.shape[0]
    lu = a
    order = tl.iota(n)
    is_odd = False
    for block in range((n + BLOCK - 1) // BLOCK):
        first = BLOCK * block
        last = min(first + BLOCK, n)
        for k in range(first, last):
            p = k + tl.argmax(tl.abs(lu[k:, k]))
            if p != k:
                upper = tl.map(lambda j: lu[k, j], tl.iota(n))
                lower = tl.map(lambda j: lu[p, j], tl.iota(n))
                lu[k] = lower
                lu[p] = upper
                place = order[k]
                order[k] = order[p]
                order[p] = place
                is_odd = not is_odd
            pivot = tl.where(lu[k, k] == 0, 1.0, lu[k, k])
            column = lu[k + 1 :, k] / pivot
            lu[k + 1 :, k] = column
            lu[k + 1 :, k + 1 : last] -= tl.outer(column, lu[k, k + 1 : last])
        for k in range(first, last):
            lu[k + 1 : last, last:] -= tl.outer(lu[k + 1 : last, k], lu[k, last:])
        lu[last:, last:] -= lu[last:, first:last] @ lu[first:last, last:]
    return lu, order, is_odd


@Written
def solve(a, lu, order, b):
    """x of `a @ x = b`, by the factors of `a`. The derivative is that of `a`; the factors have none."""
    diagonal = tl.diagonal(lu)
    return substitute_up(lu, diagonal, substitute_down(lu, tl.ones_like(diagonal), b[order]))


@Written
def solve_transposed(a, lu, order, b):
    """x of `a.T @ x = b`, by the factors of `a`, as `solve`."""
    n = lu.shape[0]
    diagonal = tl.diagonal(lu)
    turned = tl.transpose(lu)
    places = tl.scatter(tl.zeros_like(order), order, tl.iota(n))
    return substitute_up(turned, tl.ones_like(diagonal), substitute_down(turned, diagonal, b))[places]


@Written
def inverse(a, lu, order):
    """The inverse of `a`, by its factors, as `solve`."""
    identity = tl.astype(tl.eye(lu.shape[0]), lu.dtype)
    return solve(a, lu, order, identity)


@Written
def outer_product(x, y):
    """x y^T, of vectors or of matrices."""
    return tl.outer(x, y) if x.ndim == 1 else x @ y.T


def _solve_forward(a, lu, order, b):
    x = solve(a, lu, order, b)
    return x, (a, lu, order, x)


def _solve_backward(residuals, x_bar):
    a, lu, order, x = residuals
    b_bar = solve_transposed(a, lu, order, x_bar)
    return -outer_product(b_bar, x), tl.zeros_like(lu), order, b_bar


def _solve_push(primals, tangents):
    a, lu, order, b = primals
    x = solve(a, lu, order, b)
    return x, solve(a, lu, order, tangents[3] - tangents[0] @ x)


def _transposed_forward(a, lu, order, b):
    x = solve_transposed(a, lu, order, b)
    return x, (a, lu, order, x)


def _transposed_backward(residuals, x_bar):
    a, lu, order, x = residuals
    b_bar = solve(a, lu, order, x_bar)
    return -outer_product(x, b_bar), tl.zeros_like(lu), order, b_bar


def _transposed_push(primals, tangents):
    a, lu, order, b = primals
    x = solve_transposed(a, lu, order, b)
    return x, solve_transposed(a, lu, order, tangents[3] - tangents[0].T @ x)


def _inverse_forward(a, lu, order):
    inverted = inverse(a, lu, order)
    return inverted, (lu, order, inverted)


def _inverse_backward(residuals, inverted_bar):
    lu, order, inverted = residuals
    return -(inverted.T @ inverted_bar @ inverted.T), tl.zeros_like(lu), order


def _inverse_push(primals, tangents):
    a, lu, order = primals
    inverted = inverse(a, lu, order)
    return inverted, -(inverted @ tangents[0] @ inverted)


solve.rule = DerivativeRule(_solve_forward, _solve_backward, _solve_push)
solve_transposed.rule = DerivativeRule(_transposed_forward, _transposed_backward, _transposed_push)
inverse.rule = DerivativeRule(_inverse_forward, _inverse_backward, _inverse_push)
