"""What to write instead of functions that Python and numpy have and the language has not."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

# By name: expressions of x and y, and for which of them they are the same.
NUMPY = {
    "tensordot": "tl.einsum with the indices written out, as in tl.einsum('ij,jk->ik', x, y)",
}
# What needs eigenvalues or singular values has no derivative rule here.
_OUTSIDE = "np.linalg.{} outside of the function, and pass its results as arguments"
_LEAST_SQUARES = "np.linalg.solve(x.T @ x, x.T @ y) for a matrix x with independent columns that is well-conditioned"
LINALG = {
    "cond": _OUTSIDE.format("cond"),
    "cross": "tl.cross(x, y)",
    "diagonal": "tl.diagonal(x)",
    "eig": _OUTSIDE.format("eig"),
    "eigh": _OUTSIDE.format("eigh"),
    "eigvals": _OUTSIDE.format("eigvals"),
    "eigvalsh": _OUTSIDE.format("eigvalsh"),
    "lstsq": _LEAST_SQUARES,
    "matmul": "x @ y",
    "matrix_norm": "np.linalg.norm(x, ord='fro', axis=(-2, -1))",
    "matrix_power": "x @ x, or a loop of products",
    "matrix_rank": _OUTSIDE.format("matrix_rank"),
    "matrix_transpose": "tl.swapaxes(x, -1, -2)",
    "multi_dot": "x @ y @ z",
    "outer": "tl.outer(x, y)",
    "pinv": "np.linalg.solve(x.T @ x, x.T) for a matrix x with independent columns that is well-conditioned",
    "qr": "np.linalg.cholesky(x.T @ x).T for the factor R, up to signs, of a well-conditioned matrix",
    "svd": _OUTSIDE.format("svd"),
    "svdvals": _OUTSIDE.format("svdvals"),
    "tensordot": NUMPY["tensordot"],
    "tensorinv": "np.linalg.inv of the matrix that tl.reshape makes of x",
    "tensorsolve": "np.linalg.solve of the matrix that tl.reshape makes of x",
    "trace": "tl.trace(x)",
    "vecdot": "tl.sum(x * y, axis=-1)",
    "vector_norm": "np.linalg.norm(x) for a vector x",
}
MATH = {
    "dist": "tl.norm(x - y)",
    "fsum": "tl.sum(x)",
    "gamma": "tl.exp(tl.lgamma(x)) for positive x",
}
BUILTINS = {
    "enumerate": "for i, v in enumerate(x):",
    "map": "tl.map(f, x)",
    "print": "what is to be seen as a result",
    "reversed": "tl.reverse(x)",
    "sorted": "tl.sort(x)",
    "zip": "for v, w in zip(x, y):",
}
_MODULES = ((np, NUMPY), (np.linalg, LINALG), (math, MATH), (builtins, BUILTINS))


def instead_of(value: Any) -> str | None:
    """What does the same as a function of Python or numpy, or None."""
    return next(
        (text for module, table in _MODULES for name, text in table.items() if getattr(module, name) is value), None
    )
