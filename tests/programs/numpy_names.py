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
PLACES = np.array([[2, 0], [1, 1]])


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
    "apply_along_axis": lambda x: np.apply_along_axis(lambda v: v * np.sum(v), 0, x.reshape(2, 3)),
    "argwhere": lambda x: x[np.argwhere(x > 1.0)[:, 0]] * x[0],
    "array_equal": lambda x: np.where(np.array_equal(x, x[:4]), x, x * x),
    "atleast_1d": lambda x: np.atleast_1d(x[0]) * x,
    "atleast_2d": lambda x: np.atleast_2d(x) * x[:2, None],
    "bitwise_and": lambda x: np.where(np.bitwise_and(x > 0.5, x < 1.5), x, 0.0),
    "bitwise_or": lambda x: np.where(np.bitwise_or(x < 0.5, x > 1.5), x, 0.0),
    "bitwise_xor": lambda x: x[np.bitwise_xor(K, 1)] * x[0],
    "block": lambda x: np.block([[x[:2], x[2:4] ** 2], [x[4:], x[0], x[1]]]),
    "broadcast_arrays": lambda x: np.broadcast_arrays(x[:2, None], x)[0] * x,
    "broadcast_to": lambda x: np.broadcast_to(x[:3], (2, 3)) * x.reshape(2, 3),
    "column_stack": lambda x: np.column_stack((x, x**2)),
    "copysign": lambda x: np.copysign(x, 1.0 - x),
    "corrcoef": lambda x: np.corrcoef(np.sin(x * 3.0).reshape(3, 2).T)[0, 1] * x,
    "correlate": lambda x: np.correlate(x, x[:3], mode="same"),
    "diag_indices": lambda x: x[np.diag_indices(3)[0]] * x[0],
    "digitize": lambda x: x[np.digitize(x, [0.5, 1.0, 1.5])] * x,
    "dstack": lambda x: np.dstack((x.reshape(2, 3), x.reshape(2, 3) ** 2)),
    "equal": lambda x: np.where(np.equal(K[:1], 1), x, 0.0),
    "fmod": lambda x: np.fmod(1.0 - x, 0.37),
    "geomspace": lambda x: np.geomspace(x[0], x[1], 4),
    "greater": lambda x: np.where(np.greater(x, 1.0), x, 0.0),
    "greater_equal": lambda x: np.where(np.greater_equal(x, 1.0), x, 0.0),
    "histogram": lambda x: np.histogram(x, bins=3, range=(0.0, 3.0), weights=x**2)[0],
    "hsplit": lambda x: np.hsplit(x, 2)[0] * np.hsplit(x, 2)[1],
    "indices": lambda x: np.indices((2, 3)) * x.reshape(2, 3),
    "invert": lambda x: np.where(np.invert(x > 1.0), x, 0.0),
    "isin": lambda x: np.where(np.isin(K[:1], [1, 3]), x, 0.0),
    "ix_": lambda x: x.reshape(2, 3)[np.ix_([1, 0], [2, 2])] * x[0],
    "left_shift": lambda x: np.left_shift(K, 1)[:3] * x[:3],
    "less": lambda x: np.where(np.less(x, 1.0), x, 0.0),
    "less_equal": lambda x: np.where(np.less_equal(x, 1.0), x, 0.0),
    "linalg.matrix_power": lambda x: np.linalg.matrix_power(matrix(x), -3),
    "linalg.multi_dot": lambda x: np.linalg.multi_dot([matrix(x), matrix(x), x]),
    "logspace": lambda x: np.logspace(x[0], x[1], 4, base=2.0),
    "matrix_transpose": lambda x: np.matrix_transpose(x.reshape(2, 3)) * x[:2],
    "ndim": lambda x: np.ndim(x) * x,
    "not_equal": lambda x: np.where(np.not_equal(x, 1.0), x, 0.0),
    "right_shift": lambda x: np.right_shift(K, 1)[:3] * x[:3],
    "rot90": lambda x: np.rot90(x.reshape(2, 3)),
    "shape": lambda x: np.shape(x)[0] * x,
    "signbit": lambda x: np.where(np.signbit(x - 1.0), x, 0.0),
    "size": lambda x: np.size(x) * x,
    "sliding_window_view": lambda x: np.lib.stride_tricks.sliding_window_view(x, 3) * x[:3],
    "take_along_axis": lambda x: np.take_along_axis(x.reshape(2, 3), PLACES, axis=1),
    "tri": lambda x: np.tri(6) * x,
    "tril_indices": lambda x: np.outer(x, x)[np.tril_indices(6, -1)],
    "triu_indices": lambda x: np.outer(x, x)[np.triu_indices(6)],
    "unique": lambda x: np.unique(np.append(x, x[:2])),
    "unravel_index": lambda x: x.reshape(2, 3)[np.unravel_index(K, (2, 3))],
    "vecdot": lambda x: np.vecdot(x.reshape(2, 3), x[:3]),
    "vsplit": lambda x: np.vsplit(x.reshape(2, 3), 2)[0] * x[0],
    "vstack": lambda x: np.vstack((x, x * x)),
}


OF_INTEGERS = ("bitwise", "left_shift", "right_shift")


def by_method(name: str) -> Callable[..., Any]:
    """What a method of one of numpy's functions of two numbers makes of the vector."""
    function = attrgetter(name)(np)
    if name == "divmod.outer":
        return lambda x: function(x, x[:2] * 0.43)[1]
    if name.startswith(OF_INTEGERS):
        return lambda x: function(K, K[:2]) * x[0]
    if name.endswith(".outer"):
        return lambda x: function(x, x[:2] * 0.43) * 1.0
    return lambda x: function(x) * 1.0


NAMES |= {
    f"{name}.{method}": by_method(f"{name}.{method}")
    for name, operator in lang.OPERATORS.items()
    for method in operator.methods
}
