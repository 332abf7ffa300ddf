"""Operators that are composed of others, under the names that numpy has for them."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

import tapeless as tl
from programs.numpy_names import NAMES
from programs.program import program

NUMPY = SimpleNamespace(**{**vars(np), "relu": lambda x: np.maximum(x, 0), "flatten": np.ravel})


def spreads(m, x, w):
    return (
        tl.var(m, axis=0),
        tl.std(m, axis=1, ddof=1, keepdims=True),
        tl.std(x),
    )


def means_and_medians(m, x, w):
    return (
        tl.average(m, axis=0, weights=w),
        tl.average(m, weights=m * m),
        tl.median(x),
        tl.median(m, axis=0),
        tl.median(m, axis=1, keepdims=True),
        tl.mean(m * m, axis=(0, 1)),
    )


def moved_elements(m, x, w):
    return (
        tl.roll(m, 5),
        tl.roll(m, -1, axis=1),
        tl.flip(m) * m,
        tl.diff(m, axis=0),
        tl.diff(x, n=2),
        tl.swapaxes(m, 0, 1) @ w,
        tl.moveaxis(m, 0, 1) @ w,
        tl.ravel(m)[5] * x - tl.flatten(m)[:4],
        tl.squeeze(tl.expand_dims(x, 0), axis=0),
        tl.flipud(m) - tl.fliplr(m),
    )


def stacked_and_padded(m, x, w):
    return (
        tl.hstack([m, m * m]),
        tl.vstack((x, m)),
        tl.append(x, m),
        tl.array([[x[0], -x[1]], [w[2], 1.0]]),
        tl.tile(x, 3) * tl.repeat(x, 3),
        tl.tile(m, (2, 1)),
        tl.repeat(m, 2, axis=1),
        tl.pad(m, ((1, 0), (2, 1)), constant_values=0.5),
        tl.meshgrid(x, w)[0] * tl.meshgrid(x, w)[1],
    )


def forms_of_matrices(m, x, w):
    return (
        tl.diag(x, 1) @ tl.diag(x, -1),
        tl.diag(m, 1),
        tl.trace(m) * x,
        tl.tril(m) - tl.triu(m, 1),
        tl.cross(w, m[:, 0]),
        tl.inner(m, x),
        tl.vdot(m, m),
        tl.einsum("ij,kj->ik", m, m),
        tl.einsum("ij,j,i->", m, x, w),
        tl.einsum("ij->j", m),
        tl.eye(4) @ x + tl.identity(4) @ x,
        tl.diagonal(m, -1),
        tl.arange(4) * x,
    )


def searches(m, x, w):
    points = tl.sort(x)
    return (
        tl.take(m, tl.array([2, 0, 2]), axis=1),
        tl.interp(w, points, x * x),
        tl.interp(m, points, x),
        tl.bincount(tl.array([1, 0, 1]), weights=w),
        tl.searchsorted(points, w) * w,
    )


def functions_by_numpy_names(m, x, w):
    return (
        tl.square(x),
        tl.reciprocal(x),
        tl.relu(m),
        tl.logaddexp(m, x),
        tl.heaviside(x, 0.5) * x,
        tl.mod(x, 0.9),
        tl.degrees(x) + tl.radians(x),
        tl.fmin(m, x) + tl.fmax(m, 0.1),
        tl.fabs(x),
        tl.where(tl.isinf(x), 0.0, x),
        tl.clip(m, -0.5, None) + tl.clip(x, 0.0, 1.0),
        tl.where(tl.logical_or(x > 1.0, tl.logical_not(tl.logical_xor(x, tl.logical_and(x, w[0])))), x * x, x),
        tl.subtract(tl.add(x, 1.0), tl.divide(tl.multiply(x, x), tl.negative(x) + 9.0)),
    )


def borders_and_repetitions(m, x, w):
    counts = tl.array([2, 0, 3])
    return (
        tl.pad(m, 1, mode="edge"),
        tl.pad(m, ((1, 0), (2, 1)), "reflect"),
        tl.pad(m, ((2, 1), (0, 5)), "symmetric"),
        tl.pad(x, (3, 2), "wrap"),
        tl.pad(x, 1, constant_values=(w[0], w[1])),
        tl.repeat(m, counts, axis=0),
        tl.repeat(w, counts) * 2.0,
        tl.take(x, tl.array([-7, 9, 1]), mode="clip") + tl.take(x, tl.array([-7, 9, 1]), mode="wrap"),
        tl.diff(m, axis=0, prepend=m[:1] * m[:1], append=0.0),
        tl.outer(m, w),
        tl.ravel(m, order="F"),
        tl.round(x, 1),
        tl.linspace(x[0], x[1], 4, endpoint=False),
    )


def parts_and_samples(m, x, w):
    first, second = tl.split(m, 2, axis=1)
    return (
        first * second,
        tl.array_split(x, 3)[0],
        tl.trapezoid(m, x),
        tl.gradient(x, 0.5),
        tl.polyval(w, x),
        tl.convolve(x, w, mode="same"),
        tl.kron(w, x),
        tl.tensordot(m, m, axes=((0, 1), (0, 1))) * x,
        tl.floor_divide(x, 0.3) * x,
        tl.divmod(x, 0.7),
    )


def shares_and_choices(m, x, w):
    return (
        tl.quantile(m, 0.3, axis=0),
        tl.percentile(x, 70.0),
        tl.ptp(m, axis=1),
        tl.cov(m),
        tl.count_nonzero(m > 0.0) * x,
        tl.select([x > 0.5, x > 0.0], [x * x, -x], 2.0 * x),
        tl.nan_to_num(x),
        tl.sinc(x),
        tl.where(tl.isclose(x, x[0]), 1.0, x),
        tl.where(tl.allclose(x, w[0]), 1.0, x),
        x[tl.flatnonzero(x > 0.0)].sum() * w,
        m[tl.nonzero(m > 0.0)[0], tl.nonzero(m > 0.0)[1]].sum() * w,
    )


def by_numpy(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function with numpy's functions."""
    return FunctionType(function.__code__, {"tl": NUMPY, "__builtins__": builtins})


def numbers(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    return rng.normal(size=(3, 4)), rng.normal(size=4), rng.uniform(0.2, 1.5, size=3)


def together(names: Sequence[str]) -> Callable[..., Any]:
    """One program of the functions of several names, called after the first of them."""
    functions = tuple(NAMES[name] for name in names)

    def group(x):
        return (*[function(x) for function in functions],)

    group.__name__ = f"names_from_{names[0]}"
    return group


def six_numbers(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    return (rng.uniform(0.3, 2.2, size=6),)


WRITTEN_OUT = (
    spreads,
    means_and_medians,
    moved_elements,
    stacked_and_padded,
    forms_of_matrices,
    functions_by_numpy_names,
    borders_and_repetitions,
)
IN_DOUBLE_PRECISION = (searches, parts_and_samples, shares_and_choices)
# The other names, so many in one program.
USED = {name for function in (*WRITTEN_OUT, *IN_DOUBLE_PRECISION) for name in function.__code__.co_names}
REST = sorted(NAMES.keys() - USED)
TOGETHER = 12
PROGRAMS = [
    *(program(each, by_numpy(each), numbers) for each in WRITTEN_OUT),
    *(program(each, by_numpy(each), numbers, "f64") for each in IN_DOUBLE_PRECISION),
    *(
        program(each, each, six_numbers, "f64")
        for each in (together(REST[start : start + TOGETHER]) for start in range(0, len(REST), TOGETHER))
    ),
]
