"""A mixture of Gaussians, as a program of usual size."""

from __future__ import annotations

import numpy as np

import tapeless as tl


@tl.function
def distances(means: tl.f64[:, :], widths: tl.f64[:, :], point: tl.f64[:]) -> tl.f64[:]:
    return tl.sum(((point - means) * widths) ** 2, axis=1)


@tl.function
def mixture(alphas: tl.f64[:], means: tl.f64[:, :], widths: tl.f64[:, :], x: tl.f64[:, :]) -> tl.f64:
    total = 0.0
    for i in range(x.shape[0]):
        total += tl.logsumexp(alphas + tl.sum(tl.log(widths), axis=1) - 0.5 * distances(means, widths, x[i]))
    return total - x.shape[0] * tl.logsumexp(alphas)


ARGUMENTS = (np.zeros(3), np.zeros((3, 2)), np.ones((3, 2)), np.ones((5, 2)))
