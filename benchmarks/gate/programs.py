"""The programs of the gate: one or two for each way in which operators, loops and data are put together."""

from __future__ import annotations

import tapeless as tl


def scaled(a, x, y):
    return a * x + y


def softened(x):
    return tl.sum(tl.log1p(tl.exp(-tl.abs(x))) + tl.maximum(x, 0.0))


def waves(x):
    return tl.map(lambda v: tl.sin(v) * tl.exp(-v * v), x)


def spread(x):
    middle = tl.mean(x)
    return tl.sum((x - middle) ** 2) / len(x)


def log_of_sums(m):
    return tl.sum(tl.logsumexp(m, axis=1) ** 2)


def largest(x):
    return tl.reduce(tl.maximum, -tl.inf, x * x) + tl.min(x)


def running_sums(x):
    return tl.sum(tl.cumsum(x) ** 2)


def filtered(a, b):
    _, values = tl.scan(lambda a1, b1, a2, b2: (a1 * a2, a2 * b1 + b2), (1.0, 0.0), a, b)
    return tl.sum(values * values)


def counted(keys, weights):
    bins = tl.hist(lambda p, q: p + q, 0.0, tl.zeros(64), keys, weights)
    return tl.sum(bins * bins)


def smallest_of_each(keys, weights):
    return tl.hist(tl.minimum, tl.inf, tl.full(64, tl.inf), keys, weights)


def heat(u, steps):
    for _ in range(steps):
        u[1:-1] = u[1:-1] + 0.2 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return tl.sum(u * u)


def blurred(m):
    inner = m[1:-1, 1:-1] + 0.25 * (m[2:, 1:-1] + m[:-2, 1:-1] + m[1:-1, 2:] + m[1:-1, :-2])
    return tl.sum(inner * inner)


def orbit(q, p, steps):
    for _ in range(steps):
        p = p - 0.005 * q
        q = q + 0.01 * p
        p = p - 0.005 * q
    return tl.sum(q * q)


def logistic(x, r, steps):
    for _ in range(steps):
        x = r * x * (1.0 - x)
    return x


def root(a, n):
    x = a
    for _ in range(n):
        x = 0.5 * (x + a / x)
    return x


def halved(x, limit):
    total = 0.0
    while tl.bounded(x > limit, 4000):
        total += x * x
        x = 0.995 * x
    return total


def product(a, b):
    c = a @ b
    return tl.sum(c * c)


def network(w1, w2, x):
    return tl.sum(tl.tanh(w2 @ tl.tanh(w1 @ x)))


def nested_loops(a, x):
    total = 0.0
    for i in range(a.shape[0]):
        row = 0.0
        for j in range(a.shape[1]):
            row += a[i, j] * x[j]
        total += row * row
    return total


def ranked(x, weights):
    return tl.sum(tl.sort(x) * weights)


def pieces(x):
    total = 0.0
    for i in range(len(x)):
        v = x[i]
        if v < -0.5:
            total += v * v
        elif v < 0.5:
            total += tl.sin(v)
        else:
            total += tl.sqrt(v)
    return total


def chosen(x):
    return tl.sum(tl.where(x > 0.0, x * x, tl.exp(x)))


def looked_up(table, keys):
    found = table[keys]
    return tl.sum(found * found * found)


def sparse_product(starts, columns, values, x):
    total = 0.0
    for i in range(len(starts) - 1):
        row = 0.0
        for k in range(starts[i], starts[i + 1]):
            row += values[k] * x[columns[k]]
        total += row * row
    return total


def nearest(points, centres):
    return tl.sum(tl.map(lambda p: tl.min(tl.map(lambda c: tl.sum((p - c) ** 2), centres)), points))


def mixture(points, weights, means):
    return tl.sum(tl.map(lambda p: tl.logsumexp(weights - 0.5 * tl.sum((p - means) ** 2, axis=1)), points))


def valley(x):
    return tl.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def three(x):
    return x * x * tl.sum(x)


def one_number(x):
    return tl.sin(x) * x


def bill(rates, plan):
    """Many plain statements, as a long program has them."""
    a, b, c = rates[0], rates[1], rates[2]
    d = a * b + c
    e = tl.exp(-d * d)
    f = d * e + a
    g = tl.log1p(f * f)
    h = tl.sqrt(g + 1.0)
    cost = h * plan
    saved = tl.minimum(cost, 2.0)
    rest = cost - saved
    plan = tl.cumsum(rest)
    weights = tl.softmax(plan)
    return tl.sum(weights * cost) + tl.max(plan) * e + tl.dot(rest, saved)


@tl.reversible
def shear(x: tl.f64[:], y: tl.f64[:], steps: tl.In[tl.i64]):
    for _ in range(steps):
        for i in range(len(x)):
            y[i] += 0.1 * x[i]
        for i in range(len(x)):
            x[i] -= 0.1 * y[i] * y[i]
