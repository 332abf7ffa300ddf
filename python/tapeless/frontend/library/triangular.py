"""Systems of equations with triangular matrices, on vectors and on matrices of right-hand sides.

Of a matrix only one triangle is read. Its diagonal is a vector of its own: a matrix can hold two triangles,
one of them with ones in the diagonal.
"""

from __future__ import annotations

from tapeless.frontend.library.written import Written


@Written
def substitute_down(matrix, diagonal, b):
    """The solution of a system with a lower triangular matrix; not to be differentiated."""
    x = b
    for i in range(matrix.shape[0]):
        x[i] = (x[i] - matrix[i, :i] @ x[:i]) / diagonal[i]
    return x


@Written
def substitute_up(matrix, diagonal, b):
    """The solution of a system with an upper triangular matrix; not to be differentiated."""
    n = matrix.shape[0]
    x = b
    for row in range(n):
        i = n - 1 - row
        x[i] = (x[i] - matrix[i, i + 1 :] @ x[i + 1 :]) / diagonal[i]
    return x
