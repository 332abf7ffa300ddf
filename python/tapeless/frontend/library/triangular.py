"""Systems of equations with triangular matrices, on vectors and on matrices of right-hand sides.

Of a matrix only one triangle is read. Its diagonal is a vector of its own: a matrix can hold two triangles,
one of them with ones in the diagonal.
"""

from __future__ import annotations

from tapeless.frontend.library.written import Written

BLOCK = 32


@Written
def substitute_down(matrix, diagonal, b):
    """The solution of a system with a lower triangular matrix, by blocks of rows; not to be differentiated."""
    n = matrix.shape[0]
    x = b
    for block in range((n + BLOCK - 1) // BLOCK):
        first = BLOCK * block
        last = min(first + BLOCK, n)
        x[first:last] -= matrix[first:last, :first] @ x[:first]
        for i in range(first, last):
            x[i] = (x[i] - matrix[i, first:i] @ x[first:i]) / diagonal[i]
    return x


@Written
def substitute_up(matrix, diagonal, b):
    """The solution of a system with an upper triangular matrix, by blocks of rows; not to be differentiated."""
    n = matrix.shape[0]
    x = b
    for block in range((n + BLOCK - 1) // BLOCK):
        last = n - BLOCK * block
        first = max(last - BLOCK, 0)
        x[first:last] -= matrix[first:last, last:] @ x[last:]
        for row in range(last - first):
            i = last - 1 - row
            x[i] = (x[i] - matrix[i, i + 1 : last] @ x[i + 1 : last]) / diagonal[i]
    return x
