"""What to write instead of functions that Python and numpy have and the language has not."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from tapeless.lang import Operator

# By name: expressions of x and y, and for which of them they are the same.
NUMPY = {
    "delete": "tl.concat((x[:k], x[k + 1 :]))",
    "float_power": "tl.astype(x, tl.f64) ** y",
    "insert": "tl.concat((x[:k], tl.array([value]), x[k:]))",
    "isneginf": "x == -tl.inf",
    "isposinf": "x == tl.inf",
    "logaddexp2": "tl.logaddexp(x * tl.log(2.0), y * tl.log(2.0)) / tl.log(2.0)",
    "piecewise": "tl.where(condition, x, y)",
}
# What needs eigenvalues or singular values has no derivative rule here.
_OUTSIDE = "np.linalg.{} outside of the function, and pass its results as arguments"
_LEAST_SQUARES = "np.linalg.solve(x.T @ x, x.T @ y) for a matrix x with independent columns that is well-conditioned"
LINALG = {
    "cond": _OUTSIDE.format("cond"),
    "diagonal": "tl.diagonal(x)",
    "eig": _OUTSIDE.format("eig"),
    "eigh": _OUTSIDE.format("eigh"),
    "eigvals": _OUTSIDE.format("eigvals"),
    "eigvalsh": _OUTSIDE.format("eigvalsh"),
    "lstsq": _LEAST_SQUARES,
    "matrix_norm": "np.linalg.norm(x, ord='fro', axis=(-2, -1))",
    "matrix_rank": _OUTSIDE.format("matrix_rank"),
    "pinv": "np.linalg.solve(x.T @ x, x.T) for a matrix x with independent columns that is well-conditioned",
    "qr": "np.linalg.cholesky(x.T @ x).T for the factor R, up to signs, of a well-conditioned matrix",
    "svd": _OUTSIDE.format("svd"),
    "svdvals": _OUTSIDE.format("svdvals"),
    "tensorinv": "np.linalg.inv of the matrix that tl.reshape makes of x",
    "tensorsolve": "np.linalg.solve of the matrix that tl.reshape makes of x",
    "trace": "tl.trace(x)",
    "vector_norm": "np.linalg.norm(x) for a vector x",
}
MATH = {
    "dist": "tl.norm(x - y)",
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
# Attributes and methods of arrays.
ATTRIBUTES = {
    "argpartition": "tl.argsort(x)",
    "base": "x: arrays are values, and none is a view of another",
    "choose": "tl.select(conditions, choices), or tl.stack(choices)[x, tl.iota(n)]",
    "conj": "x",
    "conjugate": "x",
    "data": "x",
    "fill": "x[:] = value",
    "flat": "x.ravel()",
    "flags": "x: arrays are values, in row-major order",
    "imag": "0.0 * x",
    "item": "x[k], or x itself if it is a number",
    "itemsize": "8, or 4 in single precision",
    "nbytes": "x.size * 8, or x.size * 4 in single precision",
    "partition": "x = tl.sort(x)",
    "put": "x[indices] = values",
    "real": "x",
    "sort": "x = tl.sort(x)",
    "strides": "x.shape: arrays are values, in row-major order",
    "tobytes": "x",
    "tolist": "x: lists of numbers and arrays mean the same to operators",
    "view": "x.astype(dtype), or x",
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
