"""Determinants and their logarithms, by the factors of a matrix."""

from __future__ import annotations

from tapeless import lang as tl
from tapeless.frontend.library.elimination import inverse
from tapeless.frontend.library.triangular import substitute_up
from tapeless.frontend.library.written import DerivativeRule, Written


@Written
def log_determinant(a, lu, order):
    """The logarithm of the absolute determinant; the derivative is that of `a`."""
    return tl.sum(tl.log(tl.abs(tl.diagonal(lu))))


@Written
def sign_of_determinant(lu, is_odd):
    """-1, 0 or 1."""
    sign = tl.prod(tl.sign(tl.diagonal(lu)))
    return tl.where(is_odd, -sign, sign)


@Written
def determinant(a, lu, order, is_odd):
    """The determinant; by its logarithm where the product of pivots leaves the range of floats on the way."""
    product = tl.prod(tl.diagonal(lu))
    product = tl.where(is_odd, -product, product)
    if tl.isfinite(product) and product != 0:
        return product
    else:
        return sign_of_determinant(lu, is_odd) * tl.exp(tl.sum(tl.log(tl.abs(tl.diagonal(lu)))))


@Written
def cofactors(a, lu, order, is_odd):
    """The derivative of the determinant by each element; its own derivative is NaN where there is no inverse."""
    if tl.all(tl.diagonal(lu) != 0):
        return determinant(a, lu, order, is_odd) * inverse(a, lu, order).T
    else:
        return cofactors_of_singular(a)


@Written
def cofactors_of_singular(a):
    """The cofactors of a matrix without an inverse: all 0, or those of a matrix of rank n - 1.

    Elimination with complete pivoting leaves the zero for the last pivot. With P a Q = L U, U x = 0 and
    y L = (0 ... 0 1), they are the products of elements of y and x, times all other pivots.
    """
    n = a.shape[0]
    last = n - 1
    u = a
    rows = tl.iota(n)
    columns = tl.iota(n)
    is_odd = False
    for k in range(n - 1):
        p = k
        q = k
        largest = tl.abs(u[k, k])
        for i in range(k, n):
            for j in range(k, n):
                if tl.abs(u[i, j]) > largest:
                    largest = tl.abs(u[i, j])
                    p = i
                    q = j
        for j in range(n):
            u[k, j], u[p, j] = u[p, j], u[k, j]
        for i in range(n):
            u[i, k], u[i, q] = u[i, q], u[i, k]
        rows[k], rows[p] = rows[p], rows[k]
        columns[k], columns[q] = columns[q], columns[k]
        is_odd = is_odd != ((p != k) != (q != k))
        pivot = tl.where(u[k, k] == 0, 1.0, u[k, k])
        for i in range(k + 1, n):
            factor = u[i, k] / pivot
            u[i, k] = factor
            u[i, k + 1 :] -= factor * u[k, k + 1 :]
    pivots = tl.diagonal(u)[:last]
    scale = tl.prod(pivots)
    x = tl.ones_like(u[0])
    y = tl.ones_like(u[0])
    x[:last] = substitute_up(u[:last, :last], tl.where(pivots == 0, 1.0, pivots), -u[:last, last])
    y[:last] = substitute_up(u[:last, :last].T, tl.ones_like(pivots), -u[last, :last])
    x = tl.scatter(tl.zeros_like(x), columns, x)
    y = tl.scatter(tl.zeros_like(y), rows, y)
    return tl.where(is_odd, -scale, scale) * tl.outer(y, x)


def _log_forward(a, lu, order):
    return log_determinant(a, lu, order), (a, lu, order)


def _log_backward(residuals, logarithm_bar):
    a, lu, order = residuals
    return logarithm_bar * inverse(a, lu, order).T, tl.zeros_like(lu), order


def _log_push(primals, tangents):
    a, lu, order = primals
    return log_determinant(a, lu, order), tl.sum(inverse(a, lu, order).T * tangents[0])


def _determinant_forward(a, lu, order, is_odd):
    return determinant(a, lu, order, is_odd), (a, lu, order, is_odd)


def _determinant_backward(residuals, determinant_bar):
    a, lu, order, is_odd = residuals
    return determinant_bar * cofactors(a, lu, order, is_odd), tl.zeros_like(lu), order, is_odd


def _determinant_push(primals, tangents):
    a, lu, order, is_odd = primals
    return determinant(a, lu, order, is_odd), tl.sum(cofactors(a, lu, order, is_odd) * tangents[0])


def _cofactors_forward(a, lu, order, is_odd):
    found = cofactors(a, lu, order, is_odd)
    return found, (lu, order, is_odd, found, inverse(a, lu, order))


def _cofactors_backward(residuals, cofactors_bar):
    lu, order, is_odd, found, inverted = residuals
    a_bar = tl.sum(cofactors_bar * inverted.T) * found - found @ cofactors_bar.T @ inverted.T
    return a_bar, tl.zeros_like(lu), order, is_odd


def _cofactors_push(primals, tangents):
    a, lu, order, is_odd = primals
    found = cofactors(a, lu, order, is_odd)
    inverted = inverse(a, lu, order)
    return found, tl.sum(found * tangents[0]) * inverted.T - inverted.T @ tangents[0].T @ found


log_determinant.rule = DerivativeRule(_log_forward, _log_backward, _log_push)
determinant.rule = DerivativeRule(_determinant_forward, _determinant_backward, _determinant_push)
cofactors.rule = DerivativeRule(_cofactors_forward, _cofactors_backward, _cofactors_push)
