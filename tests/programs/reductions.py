"""Reductions, prefix operations and sorting."""

from __future__ import annotations

import itertools
import math

import numpy as np

import tapeless as tl
from programs.program import program


def sums(a):
    return tl.sum(a), tl.sum(a, axis=0), a.sum(axis=1), sum(a[0]), tl.sum(a, axis=-1)


def prods_and_means(a):
    return tl.prod(a), a.prod(axis=0), tl.mean(a), tl.mean(a, axis=1)


def extremes(a):
    return tl.min(a), tl.max(a), tl.min(a, axis=0), a.max(axis=1), min(a[0]), max(a[:, 1])


def where_extreme(x):
    return tl.argmin(x), tl.argmax(x)


def rows_where_extreme(a):
    return tl.argmin(a, axis=1), tl.argmax(a, axis=0)


def prefix_sums(x, a):
    return tl.cumsum(x), tl.cumprod(x), tl.cumsum(a, axis=1), tl.cumsum(a)


def running(x):
    return np.array(list(itertools.accumulate(x)))


def log_sums(x, a):
    return tl.logsumexp(x), tl.logsumexp(a, axis=1), tl.softmax(x)


def row_softmax(a):
    return tl.map(tl.softmax, a)


def norms(x, a):
    return tl.norm(x), tl.norm(a)


def truth(x):
    return tl.any(x > 1.0), tl.all(x > -10.0), tl.any(x > 10.0)


def sorting(x):
    return tl.sort(x), tl.argsort(x), x[tl.argsort(-x)]


def sorting_ties(k):
    return tl.argsort(k), tl.sort(k)


def integer_reductions(k):
    return tl.sum(k), tl.max(k), tl.prod(k), tl.mean(k)


def variance(x):
    m = tl.mean(x)
    return tl.sum((x - m) ** 2) / len(x)


PROGRAMS = (
    program(
        sums,
        lambda a: (
            math.fsum(a.ravel()),
            np.add.reduce(a, 0),
            np.array([math.fsum(r) for r in a]),
            math.fsum(a[0]),
            np.array([math.fsum(r) for r in a]),
        ),
        lambda rng: (rng.normal(size=(4, 5)),),
    ),
    program(
        prods_and_means,
        lambda a: (np.multiply.reduce(a.ravel()), a[0] * a[1] * a[2], math.fsum(a.ravel()) / 12, a @ np.full(4, 0.25)),
        lambda rng: (rng.uniform(0.5, 2, size=(3, 4)),),
    ),
    program(
        extremes,
        lambda a: (
            sorted(a.ravel())[0],
            sorted(a.ravel())[-1],
            np.sort(a, axis=0)[0],
            np.sort(a, axis=1)[:, -1],
            sorted(a[0])[0],
            sorted(a[:, 1])[-1],
        ),
        lambda rng: (rng.normal(size=(4, 5)),),
    ),
    program(
        where_extreme,
        lambda x: (list(x).index(min(x)), list(x).index(max(x))),
        lambda rng: (np.array([2.0, -1.0, 5.0, -1.0, 5.0]),),
    ),
    program(
        rows_where_extreme,
        lambda a: (np.argsort(a, axis=1, kind="stable")[:, 0], np.argsort(a, axis=0)[-1]),
        lambda rng: (rng.normal(size=(4, 5)),),
    ),
    program(
        prefix_sums,
        lambda x, a: (
            running(x),
            np.exp(running(np.log(x))),
            np.array([running(r) for r in a]),
            np.array([running(c) for c in a.T]).T,
        ),
        lambda rng: (rng.uniform(0.5, 2, size=9), rng.normal(size=(3, 4))),
        tolerance=1e-11,
    ),
    program(
        log_sums,
        lambda x, a: (
            np.logaddexp.reduce(x),
            np.logaddexp.reduce(a, axis=1),
            np.exp(x - np.logaddexp.reduce(x)),
        ),
        lambda rng: (rng.normal(size=7) * 100, rng.normal(size=(3, 4))),
    ),
    program(
        row_softmax,
        lambda a: np.exp(a) / np.exp(a).sum(axis=1, keepdims=True),
        lambda rng: (rng.normal(size=(4, 3)),),
    ),
    program(
        norms,
        lambda x, a: (math.hypot(*x), math.hypot(*a.ravel())),
        lambda rng: (rng.normal(size=6), rng.normal(size=(2, 3))),
    ),
    program(
        truth,
        lambda x: (bool(np.max(x) > 1), bool(np.min(x) > -10), bool(np.max(x) > 10)),
        lambda rng: (np.array([0.5, 2.0, -3.0]),),
    ),
    program(
        sorting,
        lambda x: (
            np.array(sorted(x)),
            np.array(sorted(range(len(x)), key=lambda i: x[i])),
            np.array(sorted(x, reverse=True)),
        ),
        lambda rng: (rng.normal(size=9),),
    ),
    program(
        sorting_ties,
        lambda k: (np.array(sorted(range(len(k)), key=lambda i: k[i])), np.array(sorted(k))),
        lambda rng: (np.array([3, 1, 2, 1, 3, 1, 2]),),
        "ints",
    ),
    program(
        integer_reductions,
        lambda k: (int(np.add.reduce(k)), 7, 84, 14 / 4),
        lambda rng: (np.array([3, 7, 2, 2]),),
        "ints",
    ),
    program(variance, np.var, lambda rng: (rng.normal(size=11),)),
)
