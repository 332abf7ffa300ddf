"""Statistics and learning in the redundant benchmark: mixtures, clusters, a recurrent network, a matrix product."""

import math

import tapeless as tl

LOG_TWO_PI = math.log(2 * math.pi)
LOG_PI = math.log(math.pi)


@tl.function
def triangular_factor(icf: tl.f64[:], d: tl.i64) -> tl.f64[:, :]:
    """The lower triangle whose diagonal is given by logarithms, and below it by columns."""

    def entry(i, j):
        below = d + j * d - j * (j + 1) // 2 + i - j - 1
        return tl.exp(icf[i]) if i == j else (icf[below] if i > j else 0.0)

    return tl.map(lambda i: tl.map(lambda j: entry(i, j), tl.iota(d)), tl.iota(d))


@tl.function
def wishart_prior(icf: tl.f64[:, :], d: tl.i64, gamma: tl.f64, m: tl.i64) -> tl.f64:
    """The logarithm of the prior on all factors."""
    freedom = d + m + 1
    log_gammas = tl.sum(tl.lgamma(0.5 * (freedom - tl.iota(d))))
    constant = freedom * d * (tl.log(gamma) - 0.5 * tl.log(2.0)) - 0.25 * d * (d - 1) * LOG_PI - log_gammas
    squares = tl.sum(tl.exp(2.0 * icf[:, :d])) + tl.sum(icf[:, d:] ** 2)
    return 0.5 * gamma**2 * squares - m * tl.sum(icf[:, :d]) - len(icf) * constant


@tl.function
def gmm(alphas: tl.f64[:], means: tl.f64[:, :], icf: tl.f64[:, :], x: tl.f64[:, :], gamma: tl.f64, m: tl.i64) -> tl.f64:
    """The log-likelihood of points under a mixture of Gaussians, as ADBench defines it."""
    n, d = x.shape[0], x.shape[1]
    factors = tl.map(lambda row: triangular_factor(row, d), icf)
    offsets = alphas + tl.sum(icf[:, :d], axis=1)

    def log_density(point):
        def term(offset, mean, factor):
            return offset - 0.5 * tl.sum((factor @ (point - mean)) ** 2)

        return tl.logsumexp(tl.map(term, offsets, means, factors))

    likelihood = tl.sum(tl.map(log_density, x)) - n * tl.logsumexp(alphas)
    return likelihood - 0.5 * n * d * LOG_TWO_PI + wishart_prior(icf, d, gamma, m)


@tl.function
def kmeans(points: tl.f64[:, :], centres: tl.f64[:, :]) -> tl.f64:
    """The sum of squared distances to the nearest centre."""

    def nearest(point):
        return tl.min(tl.map(lambda centre: tl.sum((point - centre) ** 2), centres))

    return tl.sum(tl.map(nearest, points))


@tl.function
def kmeans_sparse(values: tl.f64[:], columns: tl.i64[:], starts: tl.i64[:], centres: tl.f64[:, :]) -> tl.f64:
    """The same cost for points in compressed rows."""
    norms = tl.sum(centres**2, axis=1)

    def nearest(lo, hi):
        def distance(centre, norm):
            total = norm
            for e in range(lo, hi):
                total += values[e] * (values[e] - 2.0 * centre[columns[e]])
            return total

        return tl.min(tl.map(distance, centres, norms))

    return tl.sum(tl.map(nearest, starts[:-1], starts[1:]))


@tl.function
def lstm(main: tl.f64[:, :, :, 14], extra: tl.f64[3, 14], state: tl.f64[:, :, 14], text: tl.f64[:, 14]) -> tl.f64:
    """The loss of a network with elementwise gates that predicts the next character, as ADBench defines it."""
    hidden, cell = state[:, 0], state[:, 1]
    loss = 0.0
    for t in range(len(text) - 1):
        v = text[t] * extra[0]
        for j in range(len(main)):
            w, b = main[j, 0], main[j, 1]
            forget = tl.sigmoid(v * w[0] + b[0])
            ingate = tl.sigmoid(hidden[j] * w[1] + b[1])
            outgate = tl.sigmoid(v * w[2] + b[2])
            change = tl.tanh(hidden[j] * w[3] + b[3])
            cell[j] = cell[j] * forget + ingate * change
            v = outgate * tl.tanh(cell[j])
            hidden[j] = v
        y = v * extra[1] + extra[2]
        loss += tl.sum(text[t + 1] * (y - tl.log(2.0 + tl.sum(tl.exp(y)))))
    return -loss / ((len(text) - 1) * 14)


@tl.function
def matmul(a: tl.f64[:, :], b: tl.f64[:, :], weights: tl.f64[:, :]) -> tl.f64:
    """A weighted sum of the elements of a matrix product."""
    return tl.sum(weights * (a @ b))


@tl.function
def gmm_hvp(
    alphas: tl.f64[:],
    means: tl.f64[:, :],
    icf: tl.f64[:, :],
    x: tl.f64[:, :],
    gamma: tl.f64,
    m: tl.i64,
    alphas_along: tl.f64[:],
    means_along: tl.f64[:, :],
    icf_along: tl.f64[:, :],
):
    """The gradient of the mixture's likelihood and the Hessian's product with a direction."""

    def gradient(alphas, means, icf):
        return tl.grad(gmm, argnums=(0, 1, 2))(alphas, means, icf, x, gamma, m)

    return tl.jvp(gradient, (alphas, means, icf), (alphas_along, means_along, icf_along))


@tl.function
def kmeans_newton(points: tl.f64[:, :], centres: tl.f64[:, :]):
    """The gradient and the diagonal of the Hessian, which has no other elements."""

    def gradient(centres):
        return tl.grad(kmeans, argnums=1)(points, centres)

    return tl.jvp(gradient, (centres,), (tl.ones_like(centres),))


@tl.function
def kmeans_sparse_newton(values: tl.f64[:], columns: tl.i64[:], starts: tl.i64[:], centres: tl.f64[:, :]):
    """The same for points in compressed rows."""

    def gradient(centres):
        return tl.grad(kmeans_sparse, argnums=3)(values, columns, starts, centres)

    return tl.jvp(gradient, (centres,), (tl.ones_like(centres),))
