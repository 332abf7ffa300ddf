"""Elimination with partial pivoting: P A = L U, and systems of equations that are solved with it."""

from __future__ import annotations

from tapeless import lang as tl
from tapeless.frontend.library.triangular import substitute_down, substitute_up
from tapeless.frontend.library.written import DerivativeRule, Written

BLOCK = 32


@Written
def factor(a):
    """L and U in one matrix, the order of rows, and whether the number of exchanges is odd; not to be differentiated.

    A column without a pivot is left as it is, so that the diagonal of U has a zero for each. Columns of a block are
    rows of a panel, so that what one step changes lies side by side; the rest follows the order of its rows afterwards.
    """
    n = a.shape[0]
    lu = a
    order = tl.iota(n)
    is_odd = False
    for block in range((n + BLOCK - 1) // BLOCK):
        first = BLOCK * block
        last = min(first + BLOCK, n)
        panel = tl.transpose(lu[first:, first:last])
        places = tl.iota(n - first)
        for k in range(last - first):
            panel[k, k:] -= panel[k, :k] @ panel[:k, k:]
            p = k + tl.argmax(tl.abs(panel[k, k:]))
            if p != k:
                upper = tl.map(lambda j: panel[j, k], tl.iota(last - first))
                lower = tl.map(lambda j: panel[j, p], tl.iota(last - first))
                panel[:, k] = lower
                panel[:, p] = upper
                place = places[k]
                places[k] = places[p]
                places[p] = place
                is_odd = not is_odd
            panel[k + 1 :, k] -= panel[k + 1 :, :k] @ panel[:k, k]
            pivot = tl.where(panel[k, k] == 0, 1.0, panel[k, k])
            panel[k, k + 1 :] /= pivot
        order[first:] = order[first:][places]
        if last - first < n:
            lu[first:, :first] = lu[first:, :first][places]
            lu[first:, last:] = lu[first:, last:][places]
        lu[first:, first:last] = tl.transpose(panel)
        for i in range(1, last - first):
            lu[first + i, last:] -= panel[:i, i] @ lu[first : first + i, last:]
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
