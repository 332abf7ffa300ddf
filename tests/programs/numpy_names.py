"""A function of a vector of six positive numbers for each operator that is composed of others, by its name in numpy.

They mean the same to numpy. Tests differentiate each of them by every method; programs are made of them (`names.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np

from tapeless import lang

K = np.array([1, 4, 1, 0])


def matrix(x):
    return np.outer(x, x) * 0.1 + 3.0 * np.eye(6)


NAMES: dict[str, Callable[..., Any]] = {
    "add": lambda x: np.add(x, x[0]),
    "append": lambda x: np.append(x, x[:2] ** 2),
    "arange": lambda x: np.arange(6) * x,
    "array": lambda x: np.array([[x[0], x[1] ** 2], [1.0, x[2]]]),
    "average": lambda x: np.average(x, weights=x * x),
    "bincount": lambda x: np.bincount(K) * x[:5],
    "clip": lambda x: np.clip(x, 0.5, 1.5),
    "cross": lambda x: np.cross(x[:3], x[3:]),
    "degrees": lambda x: np.degrees(x),
    "diag": lambda x: np.diag(x),
    "diagonal": lambda x: np.diagonal(np.outer(x, x)),
    "diff": lambda x: np.diff(x),
    "divide": lambda x: np.divide(x, x[0]),
    "divmod": lambda x: np.divmod(x, 0.37)[1],
    "einsum": lambda x: np.einsum("ij,j->i", np.outer(x, x), x),
    "expand_dims": lambda x: np.expand_dims(x, 1) * x,
    "eye": lambda x: np.eye(6) * x,
    "fabs": lambda x: np.fabs(x - 1.0),
    "flatten": lambda x: np.outer(x, x[:2]).flatten(),
    "flip": lambda x: np.flip(x),
    "fliplr": lambda x: np.fliplr(x.reshape(2, 3)),
    "flipud": lambda x: np.flipud(x.reshape(2, 3)),
    "floor_divide": lambda x: np.floor_divide(x, 0.37) * x,
    "fmax": lambda x: np.fmax(x, 1.0),
    "fmin": lambda x: np.fmin(1.0, x),
    "heaviside": lambda x: np.heaviside(x - 1.0, 0.5) * x,
    "hstack": lambda x: np.hstack((x, x[:1])),
    "identity": lambda x: np.identity(6) * x,
    "inner": lambda x: np.inner(x, x[::-1]),
    "interp": lambda x: np.interp(1.25, np.arange(6.0), x) * x,
    "isinf": lambda x: np.where(np.isinf(x), 0.0, x),
    "logaddexp": lambda x: np.logaddexp(x, x[0]),
    "logical_and": lambda x: np.where(np.logical_and(x > 0.5, x < 1.5), x, 0.0),
    "logical_not": lambda x: np.where(np.logical_not(x > 0.5), x, 0.0),
    "logical_or": lambda x: np.where(np.logical_or(x < 0.5, x > 1.5), x, 0.0),
    "logical_xor": lambda x: np.where(np.logical_xor(x > 0.5, x > 1.5), x, 0.0),
    "median": lambda x: np.median(x),
    "meshgrid": lambda x: np.meshgrid(x[:2], x[2:])[0] * np.meshgrid(x[:2], x[2:])[1],
    "mod": lambda x: np.mod(x, 0.37),
    "moveaxis": lambda x: np.moveaxis(x.reshape(2, 3), 0, 1),
    "multiply": lambda x: np.multiply(x, x[0]),
    "nanmax": lambda x: np.nanmax(np.where(x > 2.0, np.nan, x)),
    "nanmean": lambda x: np.nanmean(np.where(x > 1.0, np.nan, x**2)),
    "nanmin": lambda x: np.nanmin(np.where(x < 0.5, np.nan, x)),
    "nanprod": lambda x: np.nanprod(np.where(x > 2.0, np.nan, x)),
    "nanstd": lambda x: np.nanstd(np.where(x > 2.0, np.nan, x)),
    "nansum": lambda x: np.nansum(np.where(x > 1.0, np.nan, x**2)),
    "nanvar": lambda x: np.nanvar(np.where(x > 2.0, np.nan, x), ddof=1),
    "negative": lambda x: np.negative(x),
    "pad": lambda x: np.pad(x, (1, 2)),
    "radians": lambda x: np.radians(x),
    "ravel": lambda x: np.ravel(np.outer(x, x[:2])),
    "reciprocal": lambda x: np.reciprocal(x),
    "relu": lambda x: np.maximum(x - 1.0, 0.0),
    "repeat": lambda x: np.repeat(x, 2),
    "roll": lambda x: np.roll(x, 2) * x,
    "searchsorted": lambda x: np.searchsorted(np.arange(6.0), 2.5) * x,
    "square": lambda x: np.square(x),
    "squeeze": lambda x: np.squeeze(x[:1], axis=0) * x,
    "std": lambda x: np.std(x),
    "subtract": lambda x: np.subtract(x, x[0]),
    "swapaxes": lambda x: np.swapaxes(x.reshape(2, 3), 0, 1),
    "take": lambda x: np.take(x, K),
    "tile": lambda x: np.tile(x, 2),
    "trace": lambda x: np.trace(np.outer(x, x)),
    "tril": lambda x: np.tril(np.outer(x, x)),
    "triu": lambda x: np.triu(np.outer(x, x), 1),
    "var": lambda x: np.var(x, ddof=1),
    "vdot": lambda x: np.vdot(x, x[::-1]),
    "allclose": lambda x: np.where(np.allclose(x, x + 1.0), x, x * x),
    "array_split": lambda x: np.array_split(x, 4)[0] * x[0],
    "convolve": lambda x: np.convolve(x, x[:2]),
    "count_nonzero": lambda x: np.count_nonzero(x > 1.0) * x,
    "cov": lambda x: np.cov(x.reshape(2, 3)),
    "flatnonzero": lambda x: x[np.flatnonzero(K)] * x[0],
    "gradient": lambda x: np.gradient(x),
    "isclose": lambda x: np.where(np.isclose(x, 0.7), x, x * x),
    "kron": lambda x: np.kron(x[:2], x[2:]),
    "linalg.cholesky": lambda x: np.linalg.cholesky(matrix(x)),
    "linalg.det": lambda x: np.linalg.det(matrix(x)),
    "linalg.inv": lambda x: np.linalg.inv(matrix(x)),
    "linalg.norm": lambda x: np.linalg.norm(x),
    "linalg.slogdet": lambda x: np.linalg.slogdet(matrix(x))[1],
    "linalg.solve": lambda x: np.linalg.solve(matrix(x), x),
    "nan_to_num": lambda x: np.nan_to_num(x),
    "nonzero": lambda x: x[np.nonzero(K)[0]] * x[0],
    "percentile": lambda x: np.percentile(x, 40.0),
    "polyval": lambda x: np.polyval(x[:3], x),
    "ptp": lambda x: np.ptp(x),
    "quantile": lambda x: np.quantile(x, 0.3),
    "round": lambda x: np.round(x) * x,
    "select": lambda x: np.select([x > 1.5, x > 0.8], [x**2, x**3], 0.5),
    "sinc": lambda x: np.sinc(x),
    "split": lambda x: np.split(x, 3)[1] * x[0],
    "tensordot": lambda x: np.tensordot(np.outer(x, x), x, axes=1),
    "trapezoid": lambda x: np.trapezoid(x, dx=0.5),
    "vstack": lambda x: np.vstack((x, x * x)),
}


def by_method(name: str) -> Callable[..., Any]:
    """What a method of one of numpy's functions of two numbers makes of the vector."""
    function = attrgetter(name)(np)
    if name == "divmod.outer":
        return lambda x: function(x, x[:2])[1]
    if name.endswith(".outer"):
        return lambda x: function(x, x[:2]) * 1.0
    return lambda x: function(x) * 1.0


NAMES |= {
    f"{name}.{method}": by_method(f"{name}.{method}")
    for name, operator in lang.OPERATORS.items()
    for method in operator.methods
}
