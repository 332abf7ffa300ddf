"""Products of vectors and matrices, matrices of known form, and linear algebra."""

from __future__ import annotations

from tapeless.lang.operator import operator, table, two
from tapeless.types import f64

MATRICES = table(
    dot=two("Product of vectors and matrices, as numpy's dot."),
    matmul=two("Matrix product, as `x @ y`."),
    outer=two("All products of an element of x and one of y."),
    eye=operator(lambda n, m=None, k=0, dtype=f64: None, "A matrix with ones in one diagonal."),
    identity=operator(lambda n, dtype=f64: None, "The identity matrix."),
    diag=operator(lambda x, k=0: None, "The diagonal of a matrix, or the matrix with a diagonal."),
    diagonal=operator(lambda x, offset=0, axis1=0, axis2=1: None, "The diagonals of matrices."),
    trace=operator(lambda x, offset=0, axis1=0, axis2=1: None, "The sum of the diagonal of a matrix."),
    tri=operator(lambda n, m=None, k=0, dtype=f64: None, "A matrix with ones in a diagonal and below it."),
    tril=operator(lambda x, k=0: None, "The lower triangle, zeros above."),
    triu=operator(lambda x, k=0: None, "The upper triangle, zeros below."),
    cross=operator(
        lambda x, y, axisa=-1, axisb=-1, axisc=-1, axis=None: None,
        "The vector product along axes of size 3, by default the last.",
    ),
    inner=two("Sums of products along the last axes of vectors and matrices."),
    vecdot=operator(lambda x, y, axis=-1: None, "Sums of products along one axis."),
    vdot=two("The sum of the products of all elements."),
    tensordot=operator(lambda a, b, axes=2: None, "Sums of products over axes of two arrays."),
    kron=two("Every element of a times the whole of b."),
    einsum=operator(lambda subscripts, *operands: None, "Sums of products by named indices: 'ij,jk->ik'."),
)

LINALG = table(
    "linalg.",
    solve=operator(lambda a, b: None, "x of `a @ x = b`, for a vector or a matrix b."),
    inv=operator(lambda a: None, "The inverse of a matrix."),
    det=operator(lambda a: None, "The determinant of a matrix."),
    slogdet=operator(lambda a: None, "Sign and logarithm of the absolute value of the determinant."),
    cholesky=operator(lambda a, *, upper=False: None, "L with `L @ L.T = a`, from the lower triangle of a."),
    matrix_power=operator(lambda a, n: None, "The product of n equal matrices; of their inverses for negative n."),
    multi_dot=operator(lambda arrays: None, "The product of several matrices."),
    norm=operator(lambda x, ord=None, axis=None, keepdims=False: None, "The norm of a vector or of a matrix."),
)
"""The operators of `tl.linalg`."""
