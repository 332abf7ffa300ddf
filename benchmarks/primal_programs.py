"""The nine programs of the primal benchmark, written in the language."""

import tapeless as tl


@tl.function
def saxpy(a: tl.f64, x: tl.f64[:], y: tl.f64[:]) -> tl.f64[:]:
    return a * x + y


@tl.function
def dot(x: tl.f64[:], y: tl.f64[:]) -> tl.f64:
    return tl.dot(x, y)


@tl.function
def logsumexp(x: tl.f64[:, :]) -> tl.f64[:]:
    return tl.logsumexp(x, axis=1)


@tl.function
def stencil(u: tl.f64[:]) -> tl.f64[:]:
    for _ in range(100):
        u[1:-1] = 0.25 * u[:-2] + 0.5 * u[1:-1] + 0.25 * u[2:]
    return u


@tl.function
def matmul(a: tl.f64[:, :], b: tl.f64[:, :]) -> tl.f64[:, :]:
    return a @ b


@tl.function
def histogram(keys: tl.i64[:], weights: tl.f64[:]) -> tl.f64[:]:
    return tl.hist(lambda a, b: a + b, 0.0, tl.zeros(256), keys, weights)


@tl.function
def prefix_sum(x: tl.f64[:]) -> tl.f64[:]:
    return tl.cumsum(x)


@tl.function
def kmeans(points: tl.f64[:, :], centres: tl.f64[:, :]) -> tl.f64:
    def nearest(point):
        return tl.min(tl.map(lambda centre: tl.sum((point - centre) ** 2), centres))

    return tl.sum(tl.map(nearest, points))


@tl.function
def gmm(points: tl.f64[:, :], weights: tl.f64[:], means: tl.f64[:, :], scales: tl.f64[:, :]) -> tl.f64:
    def log_density(point):
        def term(weight, mean, scale):
            return weight - 0.5 * tl.sum(((point - mean) * scale) ** 2)

        return tl.logsumexp(tl.map(term, weights, means, scales))

    return tl.sum(tl.map(log_density, points))
