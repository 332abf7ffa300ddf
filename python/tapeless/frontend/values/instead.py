"""What to write instead of functions that Python and numpy have and the language has not."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from tapeless.lang import Operator

# By name: expressions of x and y, and for which of them they are the same.
NUMPY = {
    "array_equal": "tl.all(x == y)",
    "ascontiguousarray": "x",
    "atleast_2d": "x[None, :] for a vector x",
    "broadcast_to": "tl.zeros(shape) + x",
    "column_stack": "tl.stack((x, y), axis=1) for vectors x and y",
    "copysign": "tl.where(y < 0, -tl.abs(x), tl.abs(x))",
    "cumulative_sum": "tl.cumsum(x)",
    "delete": "tl.concat((x[:k], x[k + 1 :]))",
    "digitize": "tl.searchsorted(y, x, side='right') for increasing y",
    "dstack": "tl.stack((x, y), axis=2) for matrices x and y",
    "fix": "tl.trunc(x)",
    "float_power": "tl.astype(x, tl.f64) ** y",
    "fmod": "tl.sign(x) * tl.mod(tl.abs(x), tl.abs(y))",
    "geomspace": "tl.exp(tl.linspace(tl.log(x), tl.log(y)))",
    "indices": "tl.meshgrid(tl.iota(n), tl.iota(m), indexing='ij')",
    "insert": "tl.concat((x[:k], tl.array([value]), x[k:]))",
    "isneginf": "x == -tl.inf",
    "isposinf": "x == tl.inf",
    "logaddexp2": "tl.logaddexp(x * tl.log(2.0), y * tl.log(2.0)) / tl.log(2.0)",
    "logspace": "10.0 ** tl.linspace(x, y)",
    "matrix_transpose": "tl.swapaxes(x, -1, -2)",
    "ndim": "x.ndim",
    "piecewise": "tl.where(condition, x, y)",
    "positive": "x",
    "real": "x",
    "rot90": "tl.flip(x.T, 0) for a matrix x",
    "shape": "x.shape",
    "size": "x.size",
    "take_along_axis": "x[tl.iota(x.shape[0])[:, None], y] for a matrix x and axis=1",
    "tri": "tl.tril(tl.ones((n, n)))",
    "tril_indices": "tl.tril(x) for the triangle itself",
    "triu_indices": "tl.triu(x) for the triangle itself",
    "unique": "tl.sort(x), and compare neighbours",
    "vecdot": "tl.sum(x * y, axis=-1)",
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
    "tensordot": "tl.tensordot(x, y)",
    "tensorinv": "np.linalg.inv of the matrix that tl.reshape makes of x",
    "tensorsolve": "np.linalg.solve of the matrix that tl.reshape makes of x",
    "trace": "tl.trace(x)",
    "vecdot": "tl.sum(x * y, axis=-1)",
    "vector_norm": "np.linalg.norm(x) for a vector x",
}
MATH = {
    "copysign": "tl.where(y < 0, -tl.abs(x), tl.abs(x))",
    "dist": "tl.norm(x - y)",
    "fmod": "tl.sign(x) * tl.mod(tl.abs(x), tl.abs(y))",
    "fsum": "tl.sum(x)",
    "gamma": "tl.exp(tl.lgamma(x)) for positive x",
    "remainder": "x - y * tl.round(x / y)",
}
BUILTINS = {
    "enumerate": "for i, v in enumerate(x):",
    "map": "tl.map(f, x)",
    "print": "what is to be seen as a result",
    "reversed": "tl.reverse(x)",
    "sorted": "tl.sort(x)",
    "zip": "for v, w in zip(x, y):",
}
# Methods of functions of two numbers that have no meaning of their own here.
METHODS = {
    "add.at": "np.add.at(x, indices, values) as a statement of its own, where x is a name",
    "divide.accumulate": "x[0] * x[0] / tl.cumprod(x)",
    "divide.reduce": "x[0] / tl.prod(x[1:])",
    "maximum.at": "x = tl.hist(tl.maximum, -tl.inf, x, indices, values)",
    "minimum.at": "x = tl.hist(tl.minimum, tl.inf, x, indices, values)",
    "multiply.at": "np.multiply.at(x, indices, values) as a statement of its own, where x is a name",
    "subtract.accumulate": "2 * x[0] - tl.cumsum(x)",
    "subtract.at": "np.subtract.at(x, indices, values) as a statement of its own, where x is a name",
    "subtract.reduce": "x[0] - tl.sum(x[1:])",
}
OTHER_METHODS = {
    "accumulate": "a loop over the elements that keeps each result",
    "at": "x[indices] = tl.{name}(x[indices], values) for indices that differ",
    "reduce": "a loop over the elements, as in 'for v in x[1:]: result = tl.{name}(result, v)'",
    "reduceat": "tl.{name}.reduce of each slice, or np.add.at with the number of the slice of each element",
}
_MODULES = ((np, NUMPY), (np.linalg, LINALG), (math, MATH), (builtins, BUILTINS))


def instead_of(value: Any) -> str | None:
    """What does the same as a function of Python or numpy, or None."""
    return next(
        (text for module, table in _MODULES for name, text in table.items() if getattr(module, name) is value), None
    )


def instead_of_method(operator: Operator, method: str) -> str:
    """What does the same as a method of a function of numpy."""
    name = operator.__name__
    if not operator.methods:
        return f"tl.{name}(...), which has no methods: functions of two numbers have"
    instead = METHODS.get(f"{name}.{method}") or OTHER_METHODS.get(method, "").format(name=name)
    return instead or f"tl.{name}(...), whose methods are {', '.join(operator.methods)}"
