"""The second-order operators: map, reduce, scan, hist, scatter, alone and nested."""

from __future__ import annotations

import itertools

import numpy as np

import tapeless as tl
from programs.program import program


def map_several_results(x, y):
    s, p = tl.map(lambda a, b: (a + b, a * b), x, y)
    return s, p


def map_over_rows(a):
    return tl.map(lambda row: tl.sum(row * row), a)


def nested_maps(a, b):
    return tl.map(lambda u: tl.map(lambda v: tl.sum(tl.abs(u - v)), b), a)


def reduce_with_lambda(x):
    return tl.reduce(lambda a, b: a + b - a * b, 0.0, x)


def reduce_pairs(x, k):
    """The largest element and its first index."""

    def better(v, i, w, j):
        take_right = w > v
        return (w if take_right else v), (j if take_right else i)

    return tl.reduce(better, (-tl.inf, -1), x, k)


def reduce_rows(a):
    return tl.reduce(lambda u, v: tl.maximum(u, v), tl.full(a.shape[1], -tl.inf), a)


def reduce_by_name(x):
    return tl.reduce(tl.maximum, -tl.inf, x), tl.reduce(tl.minimum, tl.inf, x)


def scans(x):
    add = lambda a, b: a + b  # noqa: E731
    return (
        tl.scan(add, 0.0, x),
        tl.scan(add, 0.0, x, exclusive=True),
        tl.scan(add, 0.0, x, reverse=True),
        tl.scan(tl.maximum, -tl.inf, x),
    )


def scan_linear_recurrence(a, b):
    """x[i] = a[i] * x[i-1] + b[i] as a scan of function composition."""
    _, x = tl.scan(lambda a1, b1, a2, b2: (a1 * a2, a2 * b1 + b2), (1.0, 0.0), a, b)
    return x


def recurrence(a, b):
    out, x = [], 0.0
    for p, q in zip(a, b, strict=True):
        x = p * x + q
        out.append(x)
    return np.array(out)


def scan_is_ordered(x):
    """The first element so far, by an operator that does not commute: operands keep their order."""
    left, _ = tl.scan(lambda a, i, b, j: (a if i > 0 else b, i + j), (0.0, 0), x, tl.iota(len(x)) * 0 + 1)
    return left


def histogram(keys, values):
    return tl.hist(lambda a, b: a + b, 0.0, tl.zeros(4), keys, values)


def bins(keys, values):
    out = np.zeros(4)
    for k, v in zip(keys, values, strict=True):
        if 0 <= k < 4:
            out[k] += v
    return out


def histogram_of_maxima(dest, keys, values):
    return tl.hist(tl.maximum, -tl.inf, dest, keys, values)


def histogram_of_rows(keys, rows):
    return tl.hist(lambda a, b: a + b, tl.zeros(2), tl.zeros((3, 2)), keys, rows)


def scattered(dest, keys, values):
    return tl.scatter(dest, keys, values)


def scatter_reference(dest, keys, values):
    out = dest.copy()
    inside = (keys >= 0) & (keys < len(dest))
    np.put(out, keys[inside], values[inside])
    return out


def scan_in_map(a):
    return tl.map(lambda row: tl.scan(lambda p, q: p + q, 0.0, row), a)


def map_with_outer_values(x, w, c):
    scale = tl.sum(w)
    return tl.map(lambda v: v * scale + c, x)


def deep_nest(t):
    return tl.map(lambda m: tl.reduce(tl.maximum, 0.0, tl.map(lambda r: tl.sum(tl.exp(r)), m)), t)


PROGRAMS = (
    program(
        map_several_results,
        lambda x, y: (np.add(x, y), np.multiply(x, y)),
        lambda rng: (rng.normal(size=5), rng.normal(size=5)),
    ),
    program(map_over_rows, lambda a: np.einsum("ij,ij->i", a, a), lambda rng: (rng.normal(size=(4, 3)),)),
    program(
        nested_maps,
        lambda a, b: np.abs(a[:, None, :] - b[None, :, :]).sum(axis=2),
        lambda rng: (rng.normal(size=(4, 3)), rng.normal(size=(2, 3))),
    ),
    program(reduce_with_lambda, lambda x: 1 - np.prod(1 - x), lambda rng: (rng.uniform(size=6),)),
    program(
        reduce_pairs,
        lambda x, k: (x.max(), int(k[x.argmax()])),
        lambda rng: (rng.normal(size=7), np.arange(10, 17)),
    ),
    program(reduce_rows, lambda a: np.sort(a, axis=0)[-1], lambda rng: (rng.normal(size=(5, 3)),), "f64"),
    program(reduce_by_name, lambda x: (np.max(x), np.min(x)), lambda rng: (rng.normal(size=9),)),
    program(
        scans,
        lambda x: (
            np.cumsum(x),
            np.concatenate(([0.0], np.cumsum(x)[:-1])),
            np.cumsum(x[::-1])[::-1],
            np.array(list(itertools.accumulate(x, max))),
        ),
        lambda rng: (rng.normal(size=9),),
        tolerance=1e-11,
    ),
    program(
        scan_linear_recurrence,
        recurrence,
        lambda rng: (rng.uniform(-1, 1, size=8), rng.normal(size=8)),
        tolerance=1e-11,
    ),
    program(scan_is_ordered, lambda x: np.full(len(x), x[0]), lambda rng: (rng.normal(size=8),)),
    program(
        histogram,
        bins,
        lambda rng: (np.array([0, 3, 3, -1, 1, 4, 3]), rng.normal(size=7)),
        "f64",
    ),
    program(
        histogram_of_maxima,
        lambda dest, keys, values: np.array([max([d, *values[keys == k]]) for k, d in enumerate(dest)]),
        lambda rng: (np.array([-9.0, 9.0, 0.0]), np.array([0, 1, 1, 0, 2, 0]), rng.normal(size=6)),
    ),
    program(
        histogram_of_rows,
        lambda keys, rows: np.array([rows[keys == k].sum(axis=0) for k in range(3)]),
        lambda rng: (np.array([2, 0, 2, 2, 0]), rng.normal(size=(5, 2))),
        "f64",
    ),
    program(
        scattered,
        scatter_reference,
        lambda rng: (rng.normal(size=6), np.array([5, -2, 0, 6, 3]), rng.normal(size=5)),
    ),
    program(scan_in_map, lambda a: np.cumsum(a, axis=1), lambda rng: (rng.normal(size=(3, 5)),)),
    program(
        map_with_outer_values,
        lambda x, w, c: x * np.sum(w) + c,
        lambda rng: (rng.normal(size=4), rng.normal(size=6), 0.5),
    ),
    program(
        deep_nest,
        lambda t: np.exp(t).sum(axis=2).max(axis=1),
        lambda rng: (rng.normal(size=(2, 3, 4)),),
    ),
)
