"""Operators composed of others, against the functions of numpy with their names: options, shapes, kinds of numbers."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from frontend.running import check
from tapeless.frontend.composed.table import DEFINITIONS

windows = np.lib.stride_tricks.sliding_window_view
X, W, V3 = np.array([0.3, -1.2, 2.5, 0.7, 1.1]), np.array([0.1, 0.4, 0.2, 0.9, 0.3]), np.array([1.5, -0.5, 2.0])
M = np.arange(12.0).reshape(3, 4) ** 1.3 - 7.0
CUBE = np.sin(np.arange(24.0)).reshape(2, 3, 4)
WHOLE, ODD = np.array([3, -1, 4, 1, -5, 9]), np.array([2, 0, 2, 5])
SPECIAL = np.array([-np.inf, -2.0, -0.0, 0.0, 0.5, np.inf, np.nan])
SINGLE = X.astype(np.float32)
HOLES = np.where(np.arange(12).reshape(3, 4) % 4 < 2, np.nan, M)
EMPTY, ONE = np.zeros(0), np.array([2.5])
EDGES: list[tuple[Any, ...]] = [(X,), (EMPTY,), (ONE,), (M,), (np.zeros((0, 3)),), (CUBE,)]
VECTORS: list[tuple[Any, ...]] = [(X,), (EMPTY,), (ONE,), (X[:2],), (WHOLE,), (SINGLE,), (SPECIAL,)]
MATRICES: list[tuple[Any, ...]] = [(M,), (M[:1],), (np.zeros((0, 3)),), (np.zeros((3, 0)),), (M[:, :1],)]
SOME: list[tuple[Any, ...]] = [(M,), (M[:2, :3].astype(np.int64),)]

# Functions that mean the same to numpy and to the language, with the arguments that they are called with.
CASES: dict[str, tuple[Callable[..., Any], list[tuple[Any, ...]]]] = {
    "var": (
        lambda x: (np.var(x), x.var(), np.var(x, axis=0), np.std(x, axis=-1), x.std()),
        [(X,), (M,), (CUBE,), (WHOLE,)],
    ),
    "var of nothing": (
        lambda x: (np.var(x), np.std(x, ddof=1), np.var(x, axis=0)),
        [(EMPTY,), (ONE,), (np.zeros((0, 3)),)],
    ),
    "var of singles": (lambda x: (np.var(x), np.std(x)), [(np.array([1.0, 2.5, 3.0], np.float32),)]),
    "var with options": (
        lambda m: (
            np.var(m, axis=0, ddof=1),
            np.var(m, axis=1, keepdims=True),
            np.std(m, axis=(0, 1), ddof=0.5),
            m.std(axis=0, ddof=2),
            np.var(m, ddof=1, keepdims=True),
        ),
        SOME,
    ),
    "average": (
        lambda m, w, v: (
            np.average(m),
            np.average(m, axis=1),
            np.average(m, weights=m * m),
            np.average(m, 0, w),
            np.average(m, axis=1, weights=v, keepdims=True),
            np.average(m, axis=-1, weights=m * m + 1.0),
        ),
        [(M, V3, np.array([1, 2, 0, 4])), (M[:1], ONE, X[:4])],
    ),
    "median": (
        lambda x: (np.median(x), np.median(x, axis=0), np.median(x, axis=-1, keepdims=True)),
        [(M,), (CUBE,), (X,)],
    ),
    "median of vectors": (lambda x: np.median(x), VECTORS),
    "median along axes": (lambda x: (np.median(x, axis=(0, 2)), np.median(x, axis=(1, 2), keepdims=True)), [(CUBE,)]),
    "roll": (
        lambda x, k: (np.roll(x, k), np.roll(x, -1), np.roll(x, 17), np.roll(x, 2, axis=0), np.roll(x, k, axis=-1)),
        [(*each, k) for each in EDGES for k in (0, 7, -9)],
    ),
    "roll of several axes": (
        lambda m: (np.roll(m, (1, -2), axis=(0, 1)), np.roll(m, 1, axis=(1, 0)), np.roll(m, (1, 1))),
        MATRICES,
    ),
    "flip": (lambda x: (np.flip(x), np.flip(x, 0), np.flip(x, axis=(0,)), np.flip(x, axis=-1), np.flipud(x)), EDGES),
    "flip of matrices": (lambda m: (np.flip(m, axis=(0, 1)), np.fliplr(m)), MATRICES),
    "diff": (lambda x: (np.diff(x), np.diff(x, axis=0), np.diff(x, n=2), np.diff(x, 3, 0), np.diff(x, n=0)), EDGES),
    "diff of kinds": (lambda k, b: (np.diff(k), np.diff(b), np.diff(b, n=2)), [(WHOLE, WHOLE > 0)]),
    "hstack": (lambda x: (np.hstack((x, x, x)), np.hstack([x, x])), EDGES),
    "vstack": (lambda x: (np.vstack((x, x)), np.vstack([x, x * 2])), EDGES),
    "stacks of scalars": (lambda x, s: (np.hstack((s, x, 1.0)), np.vstack((s, 2.0)), np.append(x, s)), [(X, 0.5)]),
    "append": (lambda x, m: (np.append(x, m), np.append(m, m, axis=1), np.append(m, m, axis=0)), [(X, M)]),
    "array": (
        lambda x, s: (np.array([[s, -s], [1, s]]), np.array([x, x]), np.array(x), np.array([s, 1]), np.asarray([[s]])),
        [(X, 0.5)],
    ),
    "tile": (
        lambda x, n: (
            np.tile(x, 3),
            np.tile(x, n),
            np.tile(x, (2, 3)),
            np.tile(x, (n, 1)),
            np.tile(x, 0),
            np.tile(x, [2]),
        ),
        [(*each, n) for each in EDGES for n in (1, 2)],
    ),
    "tile of a number": (lambda s: (np.tile(s, 3), np.tile(s, (2, 2))), [(0.5,)]),
    "repeat": (
        lambda x, n: (np.repeat(x, n), np.repeat(x, 3, axis=0), x.repeat(2, axis=-1)),
        [(*each, n) for each in EDGES for n in (0, 2)],
    ),
    "repeat of a number": (lambda s: np.repeat(s, 3), [(0.5,)]),
    "pad": (
        lambda x: (
            np.pad(x, 1),
            np.pad(x, (2, 0)),
            np.pad(x, ((1, 2),), constant_values=7),
            np.pad(x, 0),
            np.pad(x, (1,)),
        ),
        EDGES,
    ),
    "pad of matrices": (lambda m, n: np.pad(m, ((1, 0), (n, 2)), "constant", constant_values=0.5), [(M, 3)]),
    "heaviside": (lambda x: (np.heaviside(x, 0.5), np.heaviside(x, x)), VECTORS),
    "elementwise": (
        lambda x: (
            np.square(x),
            np.negative(x),
            np.add(x, 1),
            np.subtract(x, 2),
            np.multiply(x, x),
            np.divide(x, 4),
            np.true_divide(x, 3),
            np.mod(x, 2),
            np.remainder(x, -3),
            np.degrees(x),
            np.radians(x),
            np.rad2deg(x),
            np.deg2rad(x),
            np.fabs(x),
        ),
        VECTORS,
    ),
    "reciprocal": (lambda x: np.reciprocal(x), [(X,), (0.5,)]),
    "special numbers": (
        lambda x, y: (
            np.isinf(x),
            np.logaddexp(x[:, None], x),
            np.fmin(x, y),
            np.fmax(x, y),
            np.logical_and(x, y),
            np.logical_or(x, y),
            np.logical_xor(x, y),
            np.logical_not(x),
        ),
        [(SPECIAL, SPECIAL[::-1].copy()), (X, np.array([0, 1, 0, 2, 0]))],
    ),
    "bools": (
        lambda x, y: (np.logical_and(x, y), np.logical_or(x, y), np.logical_xor(x, y), np.logical_not(x)),
        [(X > 0, X < 1)],
    ),
    "numbers": (
        lambda x, n: (np.square(x), np.logaddexp(x, n), np.mod(n, 3), np.isinf(x), np.logical_not(n), np.clip(n, 1, 3)),
        [(0.5, 7)],
    ),
    "accuracy of logaddexp": (
        lambda x, y: np.logaddexp(x, y),
        [(np.array([1.0, 0.0, 800.0]), np.array([-1e20, -40.0, 800.0]))],
    ),
    "clip": (
        lambda x: (
            np.clip(x, 0, 1),
            np.clip(x, None, 1),
            np.clip(x, 0, None),
            x.clip(-1, 1),
            np.clip(x, a_min=0, a_max=2),
        ),
        VECTORS,
    ),
    "arange": (
        lambda n, a: (
            np.arange(n),
            np.arange(2, n),
            np.arange(n, 2, -2),
            np.arange(0, n, 3),
            np.arange(a, 4.0, 0.7),
            np.arange(3.0),
            np.arange(4, dtype=np.float64),
            np.arange(0.0),
        ),
        [(0, 0.1), (1, 4.0), (8, -0.6)],
    ),
    "eye": (
        lambda n: (
            np.eye(n),
            np.eye(n, 4),
            np.eye(3, n, k=1),
            np.eye(n, k=-1),
            np.eye(3, dtype=np.int64),
            np.identity(n),
        ),
        [(0,), (1,), (3,)],
    ),
    "diag": (lambda m: (np.diag(m), np.diag(m, 1), np.diag(m, k=-2), np.diagonal(m, 2), m.diagonal()), MATRICES),
    "diag of vectors": (lambda x: (np.diag(x), np.diag(x, 2), np.diag(x, -1)), VECTORS[:6]),
    "trace": (lambda m: (np.trace(m), np.trace(m, 1), m.trace(offset=-1)), [*MATRICES, *SOME]),
    "tril": (
        lambda x: (np.tril(x), np.tril(x, 1), np.tril(x, k=-1), np.triu(x), np.triu(x, 1), np.triu(x, -1)),
        [*EDGES, (WHOLE,)],
    ),
    "cross": (lambda a, b: (np.cross(a, b), np.cross(b, a)), [(V3, V3**2), (M[:, :3], V3), (M[:, :3], M[:, 1:])]),
    "inner": (lambda a, b: (np.inner(a, b), np.vdot(b, b)), [(X, W), (M, M[:2]), (M, X[:4])]),
    "meshgrid": (
        lambda x, y: (np.meshgrid(x, y), np.meshgrid(x, y, indexing="ij"), np.meshgrid(x)),
        [(X, V3), (EMPTY, V3), (WHOLE, ONE)],
    ),
    "meshgrid of three": (lambda x, y, z: np.meshgrid(x, y, z), [(X, V3, W[:2])]),
    "quantile": (
        lambda m: (
            np.quantile(m, 0.3),
            np.quantile(m, 0.25, axis=0),
            np.percentile(m, 90.0, axis=-1),
            np.quantile(m, np.array([0.0, 0.5, 1.0]), axis=0),
            np.quantile(m, 0.5, keepdims=True),
        ),
        [(M,), (M[:1],), (np.where(M > 30.0, np.nan, M),), (M[:2, :3].astype(np.int64),)],
    ),
    "percentile": (lambda x: (np.percentile(x, 50), np.percentile(x, 12.5)), [(X,), (ONE,), (WHOLE,)]),
    "ptp": (lambda x: (np.ptp(x), np.ptp(x, axis=0), np.ptp(x, axis=-1, keepdims=True)), [(X,), (M,), (CUBE,)]),
    "sums without NaN": (
        lambda x: (np.nansum(x), np.nanprod(x, axis=0), np.nanmean(x, axis=-1, keepdims=True), np.nansum(x, axis=0)),
        [(X,), (HOLES,), (EMPTY,), (WHOLE,), (HOLES.astype(np.float32),), (np.full(3, np.nan),), (M,)],
    ),
    "extremes without NaN": (
        lambda x: (np.nanmax(x), np.nanmin(x, axis=0), np.nanmax(x, axis=-1, keepdims=True)),
        [(X,), (HOLES,), (WHOLE,), (HOLES[:, :1],), (SPECIAL,)],
    ),
    "spreads without NaN": (
        lambda x: (np.nanvar(x), np.nanstd(x, axis=0), np.nanvar(x, axis=-1, keepdims=True, ddof=1)),
        [(X,), (HOLES,), (WHOLE,), (HOLES.astype(np.float32),), (ONE,)],
    ),
    "comparisons": (
        lambda x, y: (
            np.equal(x, y),
            np.not_equal(x, y),
            np.less(x, y),
            np.less_equal(x, y),
            np.greater(x, 0),
            np.greater_equal(x, y),
        ),
        [(SPECIAL, SPECIAL[::-1].copy()), (WHOLE, np.array([3, 0, 4, 2, 2, 9])), (0.5, 0.5)],
    ),
    "bits": (
        lambda k, b: (
            np.bitwise_and(k, 5),
            np.bitwise_or(k, k[::-1]),
            np.bitwise_xor(b, ~b),
            np.invert(b),
            np.invert(k),
            np.left_shift(k, 2),
            np.right_shift(k, 1),
        ),
        [(WHOLE, WHOLE > 0), (np.zeros(0, np.int64), np.zeros(0, bool))],
    ),
    "signs": (
        lambda x: (np.signbit(x), np.copysign(x, -1.0), np.copysign(2.0, x)),
        [(SPECIAL[:6],), (WHOLE,), (SPECIAL[:6].astype(np.float32),), (-0.0,)],
    ),
    "fmod": (
        lambda x, y: (np.fmod(x, y), np.fmod(x, -y)),
        [(X, W), (WHOLE, ODD[[0, 0, 2, 3, 2, 0]]), (SPECIAL[1:5], np.array([1.5, 2.0, 3.0, np.inf])), (-7.5, 2.0)],
    ),
    "array_equal": (
        lambda x, y: (np.array_equal(x, y), np.array_equal(x, x), np.array_equal(x, [1.0])),
        [(X, X[:4]), (X, X.copy()), (EMPTY, EMPTY), (SPECIAL, SPECIAL), (M, M[:, :3]), (M, X)],
    ),
    "column_stack": (lambda x: (np.column_stack((x, x)), np.column_stack([x, x * 2])), EDGES),
    "dstack": (lambda x: (np.dstack((x, x)), np.dstack([x, x * 2])), EDGES),
    "block": (
        lambda x, m: (
            np.block([x, x]),
            np.block([[m, m], [m[:1], 2 * m[:1]]]),
            np.block([[x, 1.0], [2.0, x]]),
            np.block(m),
        ),
        [(X, M)],
    ),
    "hsplit": (lambda m: (*np.hsplit(m, 2), *np.hsplit(m[0], 2), *np.hsplit(m, [1, 3]), *np.vsplit(m, 3)), [(M,)]),
    "atleast": (
        lambda x, s: (
            np.atleast_1d(x),
            np.atleast_1d(s),
            np.atleast_2d(x),
            np.atleast_2d(s),
            *np.atleast_1d(x, s),
            np.atleast_2d([1, 2]),
        ),
        [(X, 0.5), (M, 2), (EMPTY, 0.5), (CUBE, 1.0)],
    ),
    "broadcast_to": (
        lambda x, s: (
            np.broadcast_to(x, (2, 3)),
            np.broadcast_to(s, 4),
            np.broadcast_to(x[:1], (2, 3)),
            *np.broadcast_arrays(x, s, x[:, None]),
        ),
        [(V3, 0.5), (V3.astype(np.float32), 2)],
    ),
    "logspace": (
        lambda a, b: (
            np.logspace(a, b, 4),
            np.logspace(a, b, 5, endpoint=False, base=2.0),
            np.geomspace(a + 1.0, b, 4),
            np.geomspace(-b, -a - 1.0, 3),
            np.logspace(a, b).sum(),
        ),
        [(0.5, 2.0), (0, 3)],
    ),
    "tri": (
        lambda n: (np.tri(n), np.tri(n, 4), np.tri(3, n, k=1), np.tri(n, k=-1, dtype=np.int64)),
        [(0,), (1,), (3,)],
    ),
    "rot90": (
        lambda m: (np.rot90(m), np.rot90(m, 2), np.rot90(m, k=-1), np.rot90(m, 4), np.rot90(m, axes=(1, 0))),
        [*MATRICES, (CUBE,)],
    ),
    "rot90 of other axes": (lambda x: (np.rot90(x, 1, (1, 2)), np.rot90(x, 3, axes=(0, -1))), [(CUBE,)]),
    "matrix_transpose": (lambda x: (np.matrix_transpose(x), x.mT, np.linalg.matrix_transpose(x)), [(M,), (CUBE,)]),
    "windows": (
        lambda x, n: (windows(x, 2), windows(x, n), windows(x, (3,))),
        [(X, 1), (X, 5), (WHOLE, 4), (SINGLE, 2)],
    ),
    "windows of matrices": (
        lambda m, n: (
            windows(m, (2, 2)),
            windows(m, n, axis=1),
            windows(m, 2, axis=-2),
            windows(m, (2, 2), axis=(1, 1)),
            windows(m, (n, 1)),
        ),
        [(M, 3), (M[:2], 1)],
    ),
    "take_along_axis": (
        lambda m, k: (
            np.take_along_axis(m, k, axis=1),
            np.take_along_axis(m, k, axis=-1),
            np.take_along_axis(m, np.argsort(m, axis=0), axis=0),
            np.take_along_axis(m, np.argmax(m, axis=1)[:, None], axis=1),
            np.take_along_axis(m, np.array([[0, -1]]), axis=1),
            np.take_along_axis(m, k[0], axis=None),
        ),
        [(M, np.array([[0, 1], [-1, 2], [3, 3]])), (M.astype(np.float32), np.array([[1], [0], [2]]))],
    ),
    "take_along_axis of cubes": (
        lambda c, k: (np.take_along_axis(c, k, axis=1), np.take_along_axis(c, np.argsort(c), axis=-1)),
        [(CUBE, np.array([[[0, 1, 2, 0]], [[2, 2, 1, 0]]]))],
    ),
    "apply_along_axis": (
        lambda m: (
            np.apply_along_axis(np.sum, 0, m),
            np.apply_along_axis(lambda v: v - np.mean(v), -1, m),
            np.apply_along_axis(lambda v, s: np.sort(v)[:2] * s, 0, m, 2.0),
            np.apply_along_axis(lambda v: np.outer(v, v[:2]), -1, m),
        ),
        [(M,), (CUBE,), (X,), (SINGLE[:, None] * X.astype(np.float32),)],
    ),
    "sizes": (
        lambda x: (np.shape(x), np.ndim(x), np.size(x), np.size(x, 0), np.size(x, axis=-1), np.shape(x[0])),
        EDGES[:1] + EDGES[3:4] + EDGES[5:],
    ),
    "indices": (
        lambda n: (
            np.triu_indices(n),
            np.tril_indices(n, -1),
            np.triu_indices(n, 1, 4),
            np.tril_indices(3, m=n),
            np.diag_indices(n),
            np.diag_indices(n, 3),
            np.indices((n, 2)),
            np.triu_indices(4, 1),
            np.tril_indices(3, 1, 2),
        ),
        [(0,), (1,), (4,)],
    ),
    "grids of indices": (
        lambda m, k: (
            m[np.ix_(k, [2, 0])],
            m[np.ix_(m[:, 0] > -6.0, k)],
            m[np.triu_indices(3, 1)],
            m[np.unravel_index(k * 5, (3, 4))],
            np.unravel_index(7, (3, 4)),
        ),
        [(M, np.array([1, 0, 2])), (M, np.zeros(0, np.int64))],
    ),
    "argwhere": (lambda x: (np.argwhere(x > 0.5), np.where(x > 0.5)), EDGES),
    "unique": (
        lambda x: (
            np.unique(x),
            *np.unique(x, return_index=True, return_inverse=True, return_counts=True),
            *np.unique(x, return_counts=True),
        ),
        [
            (X,),
            (np.append(X, X[:3]),),
            (EMPTY,),
            (ONE,),
            (WHOLE % 3,),
            (WHOLE > 0,),
            (np.round(M / 4),),
            (SPECIAL[[6, 1, 6]],),
        ],
    ),
    "unique NaN": (lambda x: np.unique(x, equal_nan=False), [(SPECIAL[[6, 1, 6, 1]],)]),
    "isin": (
        lambda x, y: (np.isin(x, y), np.isin(x, y, invert=True), np.isin(x, [2.5, 4]), np.isin(3, y)),
        [(X, X[2:]), (WHOLE, ODD), (WHOLE, X), (EMPTY, X), (X, EMPTY), (M, M[0]), (SPECIAL, SPECIAL)],
    ),
    "digitize": (
        lambda x, e: (np.digitize(x, e), np.digitize(x, e, right=True), np.digitize(x, e[::-1]), np.digitize(0.7, e)),
        [(X, np.array([-1.2, 0.3, 1.0])), (M, np.array([0.0, 5.0])), (WHOLE, np.array([1, 3, 4])), (X, ONE)],
    ),
    "histogram": (
        lambda x: (
            *np.histogram(x),
            *np.histogram(x, bins=4, range=(-1.0, 2.0)),
            *np.histogram(x, bins=[0.0, 0.3, 1.1, 2.5]),
            *np.histogram(x, 3, density=True),
            *np.histogram(x, 3, weights=x * 2.0),
        ),
        [(X,), (M,), (ONE,), (WHOLE,), (SINGLE,)],
    ),
    "histogram of nothing": (lambda x: (*np.histogram(x), *np.histogram(x, bins=2, range=(1.0, 3.0))), [(EMPTY,)]),
    "corrcoef": (lambda m: (np.corrcoef(m), np.corrcoef(m, rowvar=False), np.corrcoef(m[0])), [(np.sin(M),)]),
    "correlate": (
        lambda a, v: (np.correlate(a, v), np.correlate(a, v, mode="same"), np.correlate(a, v, "full")),
        [(X, V3), (V3, X), (X, X), (X, W[:4]), (W[:4], X), (W[:2], X), (ONE, X), (WHOLE, WHOLE[:2])],
    ),
    "vecdot": (lambda a, b: (np.vecdot(a, b), np.vecdot(a, b, axis=0), np.linalg.vecdot(a, b)), [(M, M), (X, W)]),
    "np.linalg under other names": (
        lambda a, b: (
            np.linalg.cross(a[0, :3], b[0, :3]),
            np.linalg.matmul(a, b.T),
            np.linalg.outer(a[0], b[0]),
            np.linalg.tensordot(a, b),
            np.linalg.multi_dot([a, b.T, a]),
            np.linalg.multi_dot((a[0], b.T, a)),
            np.linalg.multi_dot([a, b.T, b[:, 0]]),
        ),
        [(M, np.cos(M))],
    ),
    "matrix_power": (
        lambda a, b: (*(np.linalg.matrix_power(a, n) for n in (0, 1, 2, 5, -2)), np.linalg.matrix_power(b, 2)),
        [(np.eye(3) * 2.0 + np.outer(V3, V3) * 0.1, CUBE[:, :2, :2])],
    ),
    "other names": (
        lambda x: (
            np.positive(x),
            np.real(x),
            np.conj(x),
            np.ascontiguousarray(x),
            np.cumulative_sum(x),
            np.cumulative_prod(x),
            np.fix(x),
        ),
        [(X,), (SINGLE,)],
    ),
    "types as functions": (
        lambda x, k: (np.float32(x), np.int64(x[0] * 9.0), np.float64(k), np.bool_(k), np.float32(0.5) * x[0]),
        [(X, WHOLE)],
    ),
    "numbers are arrays without axes": (
        lambda x: (
            x[0].shape,
            x[0].ndim,
            x[0].size,
            x[0].T,
            x[0].astype(np.int64),
            x[0].sum(),
            x[0].clip(0.0, 0.1),
            np.zeros(2, x[0].dtype),
        ),
        [(X,), (SINGLE,)],
    ),
    "count_nonzero": (lambda x: (np.count_nonzero(x), np.count_nonzero(x > 0.5, axis=0)), [(X,), (M,), (WHOLE,)]),
    "cov": (
        lambda m: (np.cov(m), np.cov(m, rowvar=False), np.cov(m, ddof=0), np.cov(m[0])),
        [(M,), (SINGLE[:, None] * X,)],
    ),
    "tensordot": (
        lambda a, b: (
            np.tensordot(a, b, axes=1),
            np.tensordot(a, b, axes=((2,), (0,))),
            np.tensordot(b, a, axes=(1, 1)),
        ),
        [(CUBE, M.T)],
    ),
    "tensordot of two axes": (
        lambda a, b: (np.tensordot(a, b), np.tensordot(a, b, axes=([0, 1], [0, 1])), np.tensordot(a, b, axes=0)),
        [(M, M)],
    ),
    "kron": (lambda a, b: (np.kron(a, b), np.kron(b, a)), [(M, M[:2]), (X, V3), (M, V3), (EMPTY, V3)]),
    "split": (
        lambda m: (*np.split(m, 3), *np.split(m, 2, axis=1), *np.split(m, (1, 2)), *np.split(m, [-1, 7], axis=-1)),
        [(M,)],
    ),
    "array_split": (lambda x: (*np.array_split(x, 3), *np.array_split(x, 1)), [(X,), (EMPTY,), (ONE,), (M,), (WHOLE,)]),
    "trapezoid": (
        lambda m, v: (np.trapezoid(m), np.trapezoid(m, dx=0.5, axis=0), np.trapezoid(m, v), np.trapezoid(m, m * m)),
        [(M, X[:4])],
    ),
    "gradient": (lambda x: (np.gradient(x), np.gradient(x, 0.5)), [(X,), (X[:2],), (WHOLE,)]),
    "gradient of matrices": (
        lambda m: (*np.gradient(m), *np.gradient(m, 2.0, 0.5), np.gradient(m, 0.1, axis=1)),
        [(M,), (M[:2, :2],)],
    ),
    "polyval": (lambda p, x: np.polyval(p, x), [(X, 0.5), (X, V3), (ONE, M), (WHOLE, WHOLE), (EMPTY, 2.0)]),
    "convolve": (
        lambda a, v: (np.convolve(a, v), np.convolve(a, v, mode="same"), np.convolve(a, v, mode="valid")),
        [(X, V3), (V3, X), (X, X), (ONE, X), (WHOLE, WHOLE[:2])],
    ),
    "nan_to_num": (
        lambda x: (np.nan_to_num(x), np.nan_to_num(x, nan=1.0, posinf=2.0, neginf=-3.0)),
        [(SPECIAL,), (SPECIAL.astype(np.float32),), (WHOLE,), (0.5,)],
    ),
    "select": (
        lambda x: (np.select([x < 0, x < 1], [-x, 2 * x], x * x), np.select([x > 9.0], [x])),
        [(X,), (M,), (EMPTY,)],
    ),
    "sinc": (lambda x: np.sinc(x), [(X,), (np.array([0.0, 1e-9, 1e-3, 0.15, 0.16, -3.0]),), (0.0,)]),
    "isclose": (
        lambda x, y: (np.isclose(x, y), np.isclose(x, y, rtol=1e-3), np.isclose(x, y, equal_nan=True)),
        [(X, X + 1e-6), (SPECIAL, SPECIAL), (SPECIAL, SPECIAL[::-1])],
    ),
    "allclose": (lambda x, y: (np.allclose(x, y), np.allclose(x, x)), [(X, X + 1e-9), (X, 2 * X), (SPECIAL, SPECIAL)]),
    "take": (
        lambda x, k: (np.take(x, k), np.take(x, k, axis=0), x.take(k, axis=-1), np.take(x, 1), np.take(x, -1, axis=-1)),
        [(each, k) for each in (X, M, CUBE) for k in (np.array([1, 0, -1]), np.array([[0, 1]]), np.zeros(0, np.int64))],
    ),
    "searchsorted": (
        lambda a, v: (np.searchsorted(a, v), np.searchsorted(a, v, side="right"), a.searchsorted(v)),
        [
            (a, v)
            for a in (np.sort(X), np.array([0.3, 0.3, 0.7, np.nan]), EMPTY, ONE)
            for v in (X, EMPTY, np.array([[0.3, np.nan], [np.inf, -np.inf]]), 0.3, np.nan)
        ],
    ),
    "interp": (
        lambda x, xp, fp: (np.interp(x, xp, fp), np.interp(x, xp, fp, left=-1.0), np.interp(x, xp, fp, right=9.0)),
        [
            (x, xp, np.cos(xp) + 2.0)
            for x in (X, 0.7, np.array([-5.0, -1.2, 2.5, 7.0, np.nan]), EMPTY, M)
            for xp in (np.sort(X), ONE)
        ],
    ),
    "bincount": (
        lambda k, w: (np.bincount(k), np.bincount(k, weights=w), np.bincount(k, minlength=9)),
        [(ODD, X[:4]), (ODD[:1], ODD[:1])],
    ),
    "bincount of nothing": (
        lambda k: (np.bincount(k), np.bincount(k, minlength=9)),
        [(np.zeros(0, np.int64),)],
    ),
    "ravel": (lambda x: (np.ravel(x), x.flatten(), x.ravel()), EDGES),
    "ravel of a number": (lambda s: np.ravel(s), [(0.5,)]),
    "expand_dims": (lambda x: (np.expand_dims(x, 0), np.expand_dims(x, -1), np.expand_dims(x, (0, 2))), EDGES),
    "squeeze": (
        lambda m: (np.squeeze(m, axis=1), np.expand_dims(m, 0).squeeze(0), np.squeeze(m[None], axis=(0, 2))),
        [(M[:, :1],), (np.zeros((0, 1)),)],
    ),
    "swapaxes": (
        lambda x: (np.swapaxes(x, 0, -1), x.swapaxes(1, 1), np.moveaxis(x, 0, -1), np.moveaxis(x, (0, 1), (1, 0))),
        [(M,), (CUBE,)],
    ),
    "axes in tuples": (
        lambda x: (
            np.sum(x, axis=(0, 2)),
            np.mean(x, axis=(1, 2), keepdims=True),
            np.max(x, axis=(2, 0)),
            x.min(axis=(0, 1), keepdims=True),
            np.prod(x, axis=(0, 1, 2)),
            np.any(x > 0.9, axis=(0, 1)),
            np.all(x > -2, axis=(-1, 0)),
            np.sum(x, axis=()),
            np.sum(x, axis=(1,)),
        ),
        [(CUBE,)],
    ),
    "einsum": (
        lambda a, b, x, c: (
            np.einsum("ij,jk->ik", a, b),
            np.einsum("ij->ji", a),
            np.einsum("ij->", a),
            np.einsum("ij->j", a),
            np.einsum("ij,j->i", a, x),
            np.einsum("i,i->", x, x),
            np.einsum("i,i->i", x, x),
            np.einsum("i,j->ji", x, x),
            np.einsum("ij,ij->", a, a),
            np.einsum("bij,jk->bik", c, b),
            np.einsum("bij,bkj->kb", c, c),
            np.einsum("bij,bij->bj", c, c),
            np.einsum("ij,jk,k->i", a, b, x[:2]),
            np.einsum("ij,jk,ik->", a, b, a @ b),
            np.einsum("ij,k->j", a, x),
            np.einsum("i -> i", x),
        ),
        [
            (M, M[:2].T.copy(), X[:4], CUBE),
            (M[:0], M[:2].T.copy(), X[:4], CUBE),
            (M[:1], M[:1].T.copy() @ np.ones((1, 2)), X[:4], CUBE[:0]),
        ],
    ),
}


@pytest.mark.one_in(16)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_as_numpy(name: str) -> None:
    function, calls = CASES[name]
    for arguments in calls:
        check(
            function,
            *arguments,
            rtol=1e-6 if any(np.asarray(each).dtype == np.float32 for each in arguments) else 1e-12,
        )


def test_constant_places_are_their_own() -> None:
    """Places that are computed when compiling do not take those of others, whose arrays are gone by then."""
    check(
        lambda x: (
            *(np.triu_indices(n)[0] for n in (2, 3, 4, 5, 6, 7, 8)),
            *(np.tril_indices(n)[0] for n in (2, 3, 4, 5, 6, 7, 8)),
            *(np.triu_indices(n, 1)[1] for n in (2, 3, 4, 5, 6, 7, 8)),
        ),
        X,
    )


def test_stacks_without_elements() -> None:
    """The sizes within a map of no rows, which only compiled code knows."""

    def function(c, k):
        return (
            np.take_along_axis(c, k, axis=1),
            np.take_along_axis(c, np.argsort(c), axis=-1),
            windows(c, 2, axis=2),
            np.apply_along_axis(lambda v: v * 2.0, 1, c),
            np.rot90(c, 1, (1, 2)),
            np.maximum.accumulate(c, axis=2),
            np.logaddexp.accumulate(c, axis=1),
        )

    for arguments in ((CUBE[:0], np.zeros((0, 1, 4), np.int64)), (CUBE[:, :0], np.zeros((2, 0, 4), np.int64))):
        for found, wanted in zip(tl.function(function)(*arguments), expected_shapes(*arguments), strict=True):
            assert found.shape == wanted


def expected_shapes(c: np.ndarray, k: np.ndarray) -> list[tuple[int, ...]]:
    shape = c.shape
    return [k.shape, shape, (*shape[:2], 3, 2), shape, (shape[0], 4, shape[1]), shape, shape]


def test_every_definition_is_an_operator_with_a_sentence() -> None:
    for name in DEFINITIONS:
        *spaces, own = name.split(".")
        module = attrgetter(*spaces)(tl) if spaces else tl
        assert attrgetter(name)(tl).summary.endswith(".") and own in module.__all__


# What numpy has and these operators have not, or what is wrong with a call, and what to write.
REFUSED: list[tuple[Callable[..., Any], tuple[Any, ...], str]] = [
    (lambda x: np.var(x, axis=1), (X,), "axis 1 is out of range for an array of rank 1"),
    (lambda x: np.sum(x, axis=(0, 0)), (M,), "an axis is named twice"),
    (lambda x: np.argmax(x, axis=(0, 1)), (M,), "takes one axis, not a tuple"),
    (lambda m, w: np.average(m, weights=w), (M, V3), "give weights of the shape of the array, or a vector of them"),
    (lambda x: np.roll(x, (1, 2, 3), axis=(0, 1)), (M,), "give one shift, or one for each axis"),
    (lambda x: np.roll(x, 0.5), (X,), "the shift is a scalar of type"),
    (lambda x: np.diff(x, n=-1), (X,), "use an order from 0 to 64"),
    (lambda x: np.vstack(x), (M,), r"write tl\.vstack\(\(a, b\)\)"),
    (lambda x: np.tile(x, -1), (X,), "a size is -1"),
    (lambda x: np.pad(x, 1, mode="mean"), (X,), "use 'constant', 'edge'"),
    (lambda x: np.pad(x, ((1, 2), (3, 4))), (X,), "one such pair for each axis"),
    (lambda k: np.pad(k, 1, constant_values=0.5), (WHOLE,), "convert the array with tl.astype"),
    (lambda x: np.squeeze(x), (M,), r"tl\.squeeze\(x, axis=0\)"),
    (lambda x: np.moveaxis(x, (0, 1), 0), (M,), "name as many places as axes"),
    (lambda x: np.diag(x), (CUBE,), "use a vector or a matrix"),
    (lambda x: np.trace(x), (X,), "use a matrix"),
    (lambda x: np.arange(0, 3, 0), (X,), "use a step that is not 0"),
    (lambda k: np.reciprocal(k), (WHOLE,), r"write 1\.0 / x"),
    (lambda x: np.searchsorted(x, 1.0, side="up"), (X,), r"tl\.searchsorted\(v, x, side='left'\)"),
    (lambda x: np.interp(x, x, x), (M,), "use arrays of rank 1"),
    (lambda x: np.bincount(x), (X,), r"tl\.astype\(x, tl\.i64\)"),
    (lambda x: np.meshgrid(x, x, indexing="yx"), (X,), "indexing='xy' or indexing='ij'"),
    (lambda x: np.take_along_axis(x, np.array([1]), axis=0), (M,), r"write tl\.take\(x, indices, axis\)"),
    (lambda x: windows(x, (1, 2)), (X,), "give one size for each axis"),
    (lambda x: np.rot90(x, 1, (0, 1, 2)), (CUBE,), r"name two axes, as in axes=\(0, 1\)"),
    (lambda x: np.rot90(x), (X,), "axis 1 is out of range"),
    (lambda x: np.matrix_transpose(x), (X,), "tl.matrix_transpose of a vector"),
    (lambda x: np.unique(x, axis=0), (M,), "leave 'axis' out"),
    (lambda x: np.histogram(x, bins="auto"), (X,), "give their number, or their edges"),
    (lambda x: np.histogram(x, range=1.0), (X,), r"write range=\(low, high\)"),
    (lambda x: np.digitize(x, x), (M,), "use an array of rank 1"),
    (lambda x: np.ix_(x), (M,), "use arrays of rank 1"),
    (lambda x: np.where(x > 0, x), (X,), "give two, or the condition alone"),
    (lambda x: np.block([[x], x]), (X,), r"write tl\.block\(\[\[a, b\], \[c, d\]\]\)"),
    (lambda x: np.vsplit(x, 2), (X,), r"write tl\.split\(x, parts\)"),
    (lambda x: np.broadcast_to(x, 3), (M,), "give a size for each axis of the array"),
    (lambda x: np.correlate(x, x, mode="most"), (X,), "write mode='full' or mode='same' or mode='valid'"),
    (lambda x: np.linalg.multi_dot([x]), (M,), r"write np\.linalg\.multi_dot\(\[a, b, c\]\)"),
    (lambda x: np.linalg.matrix_power(x, 2), (X,), "use a square matrix"),
    (lambda x: np.float32(x, 2), (X,), r"write np\.float32\(x\)"),
    (lambda x: tl.f32(x, 2), (X,), r"write tl\.f32\(x\)"),
    (lambda x: x.item(), (X,), r"write x\[k\], or x itself"),
    (lambda x: x.sort(), (X,), r"write x = tl\.sort\(x\)"),
    (lambda x: x[0].tolist(), (X,), "numbers have no attribute 'tolist'"),
    (lambda x: np.bitwise_and(x, 1), (X,), "use it on bools and integers"),
    (lambda x: np.cross(x[:2], x[:2]), (X,), "sizes 2 and 3 of axis 0 do not match"),
]


@pytest.mark.parametrize(("function", "arguments", "message"), REFUSED, ids=[each[2] for each in REFUSED])
def test_refused(function: Callable[..., Any], arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(tl.TapelessError, match=message) as error:
        tl.function(function)(*arguments)
    assert "test_numpy_names.py:" in str(error.value)


MISSPELT: list[tuple[Callable[..., Any], str]] = [
    (lambda x: tl.clipp(x, 0, 1), "did you mean 'tl.clip'"),
    (lambda x: tl.grda(x), "did you mean 'tl.grad'"),
    (lambda x: np.sine(x), "did you mean 'np.sin'"),
    (lambda x: x * np.pie, "did you mean 'np.pi'"),
    (lambda x: np.linalg.nomr(x), "did you mean 'np.linalg.norm'"),
    (lambda x: x.summ(), "did you mean 'sum'"),
    (lambda x: x.shap[0], "did you mean 'shape'"),
    (lambda x: x.median(), r"write tl\.median\(x\)"),
    (lambda x: x.zzz, "use shape, ndim, size, T, dtype, sum"),
    (lambda x: tl.zzz(x), "use a name that exists when the function is decorated"),
]


@pytest.mark.parametrize(("function", "message"), MISSPELT, ids=[each[1] for each in MISSPELT])
def test_misspelt_names(function: Callable[..., Any], message: str) -> None:
    with pytest.raises(tl.FrontendError, match=message):
        tl.function(function)(X)


KNOWN_SHAPES: list[tuple[Callable[..., Any], str]] = [
    (lambda x: tl.ones((2, 3)) @ tl.ones((2, len(x))), r"shapes are \(2, 3\) and \(2, \?\)\n.*\n.*\nuse equal sizes$"),
    (
        lambda x: tl.ones((2, 3)) @ tl.ones(2),
        r"sizes 3 and 2 of axis 1 do not match: the shapes are \(2, 3\) and \(2,\)",
    ),
    (lambda x: tl.ones((2, 3)) + tl.ones((3, 2)), r"shapes are \(2, 3\) and \(3, 2\)\n.*\n.*\nuse equal sizes, or 1"),
    (lambda x: tl.ones((2, 3)) + tl.ones(4), r"shapes are \(2, 3\) and \(4,\)"),
    (lambda x: tl.fma(tl.ones((2, 1)), tl.ones(3), tl.ones((2, 4))), r"shapes are \(2, 3\) and \(2, 4\)"),
]


@pytest.mark.parametrize(("function", "message"), KNOWN_SHAPES, ids=range(len(KNOWN_SHAPES)))
def test_shapes_that_do_not_match(function: Callable[..., Any], message: str) -> None:
    with pytest.raises(tl.ShapeMismatch, match=message):
        tl.function(function)(X)


AT_RUN_TIME: list[tuple[Callable[..., Any], tuple[Any, ...], type[Exception], str]] = [
    (lambda m, w: np.average(m, axis=0, weights=w), (M, X), tl.ShapeMismatch, "sizes 3 and 5 of axis 0"),
    (lambda x, w: np.average(x, weights=w), (X, W - W), tl.ArgumentError, "the weights sum to zero"),
    (lambda k: np.bincount(k), (WHOLE,), tl.ArgumentError, "negative integers"),
    (lambda x, k: np.take(x, k), (X, WHOLE), tl.IndexOutOfRange, "out of range"),
    (lambda x: np.squeeze(x, axis=0), (M,), tl.ShapeMismatch, "sizes 3 and 1"),
    (lambda x, n: np.tile(x, n), (X, -1), tl.ShapeMismatch, "size -"),
    (lambda x: np.interp(0.5, x, x), (EMPTY,), tl.ShapeMismatch, "size -1"),
    (lambda a, b: a @ b, (M, M), tl.ShapeMismatch, r"the shapes are \(3, 4\) and \(3, 4\)"),
    (lambda a, b: a @ b, (M, V3), tl.ShapeMismatch, r"the shapes are \(3, 4\) and \(3,\)"),
    (lambda a, b: a + b, (M, M[:2]), tl.ShapeMismatch, r"sizes 3 and 2 of axis 0 .* shapes are \(3, 4\) and \(2, 4\)"),
    (lambda a, b: a * b, (CUBE, M.T), tl.ShapeMismatch, r"the shapes are \(2, 3, 4\) and \(4, 3\)"),
    (lambda x, n: windows(x, n), (X, 6), tl.ShapeMismatch, "a window is larger than its axis"),
    (lambda m, k: np.take_along_axis(m, k, 1), (M, np.array([[4], [0], [0]])), tl.IndexOutOfRange, "out of range"),
    (lambda k: np.unravel_index(k, (2, 2)), (WHOLE,), tl.ArgumentError, "a place lies outside of the shape"),
    (lambda x: np.digitize(x, x), (X,), tl.ArgumentError, "neither rise nor fall"),
    (lambda x: np.histogram(x, x), (X,), tl.ArgumentError, "do not rise"),
    (lambda x, n: np.histogram(x, n), (X, 0), tl.ArgumentError, "give at least one"),
    (lambda x: np.histogram(x, range=(1.0, 0.0)), (X,), tl.ArgumentError, "give the lower one first"),
    (lambda x: np.histogram(x), (SPECIAL,), tl.ArgumentError, "not finite; give its range"),
    (lambda a: np.geomspace(a, 2.0, 3), (-1.0,), tl.ArgumentError, "give two of one sign"),
    (lambda x, n: np.broadcast_to(x, (2, n)), (X, 4), tl.ShapeMismatch, "sizes"),
    (lambda a: np.linalg.matrix_power(a, 2), (M,), tl.ShapeMismatch, "sizes 3 and 4"),
    (lambda x: np.correlate(x, x), (EMPTY,), tl.ArgumentError, "give at least one to each"),
    (lambda a, b: np.einsum("ij,jk->ik", a, b), (M, M), tl.ShapeMismatch, "sizes 4 and 3"),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("function", "arguments", "kind", "message"), AT_RUN_TIME, ids=range(len(AT_RUN_TIME)))
def test_checked_when_running(
    function: Callable[..., Any], arguments: tuple[Any, ...], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        tl.function(function)(*arguments)
