"""Statistics and geometry as procedures that run backwards, beside ordinary functions that compute the same."""

from __future__ import annotations

import redundant_programs as ordinary

import tapeless as tl


@tl.reversible
def log_density(
    total: tl.f64,
    point: tl.In[tl.f64[:]],
    offsets: tl.In[tl.f64[:]],
    means: tl.In[tl.f64[:, :]],
    factors: tl.In[tl.f64[:, :, :]],
):
    """Adds the logarithm of the density of a mixture of Gaussians at a point."""
    with tl.ancilla(tl.zeros(means.shape)) as away, tl.ancilla(tl.zeros(len(offsets))) as terms:
        with tl.routine() as r:
            away += tl.map(lambda mean, factor: factor @ (point - mean), means, factors)
            terms += offsets - 0.5 * tl.sum(away * away, axis=1)
        total += tl.logsumexp(terms)
        ~r  # noqa: B018


@tl.function
def gmm(alphas: tl.f64[:], means: tl.f64[:, :], icf: tl.f64[:, :], x: tl.f64[:, :], gamma: tl.f64, m: tl.i64) -> tl.f64:
    """The log-likelihood of points under a mixture of Gaussians, as ADBench defines it; points by the procedure."""
    n, d = x.shape[0], x.shape[1]
    factors = tl.map(lambda row: ordinary.triangular_factor(row, d), icf)
    offsets = alphas + tl.sum(icf[:, :d], axis=1)
    likelihood = tl.sum(tl.map(lambda point: log_density(0.0, point, offsets, means, factors)[0], x))
    likelihood -= n * tl.logsumexp(alphas) + 0.5 * n * d * ordinary.LOG_TWO_PI
    return likelihood + ordinary.wishart_prior(icf, d, gamma, m)


@tl.function
def cross(a: tl.f64[3], b: tl.f64[3]) -> tl.f64[3]:
    return tl.stack((a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]))


@tl.function
def turned(rotation: tl.f64[3], v: tl.f64[3]) -> tl.f64[3]:
    """A vector rotated about an axis whose length is the angle."""
    square = tl.sum(rotation * rotation)
    if square == 0.0:
        return v + cross(rotation, v)
    angle = tl.sqrt(square)
    axis = rotation / angle
    return v * tl.cos(angle) + cross(axis, v) * tl.sin(angle) + axis * (tl.sum(axis * v) * (1.0 - tl.cos(angle)))


@tl.function
def plain_reprojection(camera: tl.f64[11], point: tl.f64[3], weight: tl.f64, feature: tl.f64[2]) -> tl.f64[2]:
    """How far a point is seen from where it was found in a picture, as ADBench defines it."""
    seen = turned(camera[:3], point - camera[3:6])
    flat = seen[:2] / seen[2]
    square = tl.sum(flat * flat)
    bent = flat * (1.0 + camera[9] * square + camera[10] * square * square)
    return weight * (camera[6] * bent + camera[7:9] - feature)


@tl.reversible
def reprojection(
    error: tl.f64[2],
    camera: tl.In[tl.f64[11]],
    point: tl.In[tl.f64[3]],
    weight: tl.In[tl.f64],
    feature: tl.In[tl.f64[2]],
):
    """The same, added to the error."""
    with tl.ancilla(tl.zeros(3)) as seen, tl.ancilla(tl.zeros(2)) as flat, tl.ancilla(0.0) as square:
        with tl.routine() as r:
            seen += turned(camera[:3], point - camera[3:6])
            flat += seen[:2] / seen[2]
            square += tl.sum(flat * flat)
        error += weight * camera[6] * (1.0 + camera[9] * square + camera[10] * square * square) * flat
        error += weight * (camera[7:9] - feature)
        ~r  # noqa: B018


@tl.function
def reprojection_errors(camera: tl.f64[11], point: tl.f64[3], weight: tl.f64, feature: tl.f64[2]) -> tl.f64[2]:
    """The procedure as a function of what it reads."""
    return reprojection(tl.zeros(2), camera, point, weight, feature)[0]


@tl.function
def plain_ba(
    cameras: tl.f64[:, 11],
    points: tl.f64[:, 3],
    weights: tl.f64[:],
    features: tl.f64[:, 2],
    camera_of: tl.i64[:],
    point_of: tl.i64[:],
):
    """The blocks of the Jacobian: of every observation by its camera, its point and its weight."""
    jacobian = tl.jacrev(plain_reprojection, argnums=(0, 1, 2))
    return tl.map(
        lambda c, p, weight, feature: jacobian(cameras[c], points[p], weight, feature),
        camera_of,
        point_of,
        weights,
        features,
    )


@tl.function
def ba(
    cameras: tl.f64[:, 11],
    points: tl.f64[:, 3],
    weights: tl.f64[:],
    features: tl.f64[:, 2],
    camera_of: tl.i64[:],
    point_of: tl.i64[:],
):
    """The same blocks by the procedure."""
    jacobian = tl.jacrev(reprojection_errors, argnums=(0, 1, 2))
    return tl.map(
        lambda c, p, weight, feature: jacobian(cameras[c], points[p], weight, feature),
        camera_of,
        point_of,
        weights,
        features,
    )
