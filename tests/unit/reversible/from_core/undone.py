"""Loops that can be undone, one for each kind of update, and arguments for them."""

from __future__ import annotations

import numpy as np

import tapeless as tl

rng = np.random.default_rng(7)
VECTOR = rng.normal(size=9)
MATRIX = rng.normal(size=(6, 7))
KEYS = np.array([0, 3, 3, 8, 1, 0, 5, 5, 5])


@tl.function
def pendulum(q: tl.f64, p: tl.f64, n: tl.i64):
    for _ in range(n):
        p = p - 0.05 * tl.sin(q)
        q = q + 0.05 * p
    return q * p


@tl.function
def henon(x: tl.f64, y: tl.f64, n: tl.i64):
    for _ in range(n):
        x, y = 1.0 - 1.4 * x * x + y, 0.3 * x
    return x * x + y


@tl.function
def rotated(a: tl.f64, b: tl.f64, n: tl.i64):
    s = 0.0
    for i in range(n):
        t = 0.1 * i
        a, b = tl.cos(t) * a - tl.sin(t) * b, tl.sin(t) * a + tl.cos(t) * b
        s += a * a * b
    return s


@tl.function
def grown(x: tl.f64, k: tl.f64, n: tl.i64):
    s = 0.0
    for _ in range(n):
        s += tl.exp(-x)
        x = x + 0.01 * (k * x)
    return s * x


@tl.function
def scaled(x: tl.f64, k: tl.f64, n: tl.i64):
    s = 0.0
    for _ in range(n):
        s += x * x
        x = -x / (k * k + 1.0) * 1.9
    return s


@tl.function
def chosen(x: tl.f64, y: tl.f64, n: tl.i64):
    for i in range(n):
        if i % 3 == 0:
            x = x + tl.sin(y)
        elif i % 3 == 1:
            x, y = y, x
        else:
            y -= x * x * 0.1
    return x * y


@tl.function
def counted(x: tl.f64[:], c: tl.f64, n: tl.i64):
    k = 5
    y = x[0]
    for i in range(n):
        y += tl.sin(x[k % len(x)] * c)
        k += i
    return y


@tl.function
def strings(u0: tl.f64[:], c: tl.f64, n: tl.i64):
    u, v = u0, u0
    for _ in range(n):
        w = tl.copy(u)
        w[1:-1] = 2.0 * u[1:-1] - v[1:-1] + c * tl.sin(u[2:] - 2.0 * u[1:-1] + u[:-2])
        v = u
        u = w
    return tl.sum(u * u)


@tl.function
def membrane(u0: tl.f64[:, :], c: tl.f64, n: tl.i64):
    u, v = u0, tl.zeros_like(u0)
    for _ in range(n):
        lap = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        v[1:-1, 1:-1] += 0.1 * (lap - c * u[1:-1, 1:-1] ** 3)
        u += 0.1 * v
    return tl.sum(u * u)


@tl.function
def points(x0: tl.f64[:], c: tl.f64, n: tl.i64):
    x, v = x0, tl.zeros_like(x0)
    for _ in range(n):
        for i in range(len(x)):
            for j in range(len(x)):
                if i != j:
                    d = x[i] - x[j]
                    v[i] -= c * d / (d * d + 0.1) * 0.01
        x += 0.1 * v
    return tl.sum(x * x)


@tl.function
def paired_points(x0: tl.f64[:], c: tl.f64, n: tl.i64):
    x, v = x0, tl.zeros_like(x0)
    for _ in range(n):
        v += 0.01 * tl.sum(c * (x[:, None] - x) / ((x[:, None] - x) ** 2 + 0.1), axis=0)
        x += 0.1 * v
    return tl.sum(x * x)


@tl.function
def rows(m0: tl.f64[:, :], c: tl.f64, n: tl.i64):
    m = m0
    for _ in range(n):
        m[0] += c * tl.sin(m[1])
        m[:, 0] -= 0.1 * tl.cos(m[:, 1])
    return tl.sum(m * m)


@tl.function
def swapped(x0: tl.f64[:], c: tl.f64, n: tl.i64):
    x, s = x0, 0.0
    for i in range(1, n):
        x[0], x[i] = x[i], x[0]
        s += x[0] * x[0] * c
        x = tl.reverse(x)
    return s


@tl.function
def binned(x0: tl.f64[:], keys: tl.i64[:], n: tl.i64):
    x, y = x0, tl.zeros_like(x0)
    for _ in range(n):
        y = tl.hist(lambda a, b: a + b, 0.0, y, keys, 0.1 * tl.sin(x))
        x += y * 0.1
    return tl.sum(x * y)


@tl.function
def each(x: tl.f64[:], c: tl.f64, n: tl.i64):
    def one(a):
        p = 0.0
        for _ in range(n):
            p -= 0.1 * tl.sin(a) * c
            a += 0.1 * p
        return a * p

    return tl.sum(tl.map(one, x))


@tl.function
def looked_up(x: tl.f64[:], keys: tl.i64[:], n: tl.i64):
    def one(a, k):
        for i in range(n):
            a += 0.1 * tl.sin(x[(k + i) % len(x)])
        return a * a

    return tl.sum(tl.map(one, x, keys))


@tl.function
def nested(x: tl.f64, y: tl.f64, n: tl.i64):
    for i in range(n):
        for _ in range(i):
            x += 0.01 * tl.sin(y)
        y -= 0.01 * x
    return x * y


@tl.function
def until(x: tl.f64, y: tl.f64, n: tl.i64):
    k = 0
    while k < n:
        x -= 0.1 * tl.sin(y)
        y += 0.1 * x
        k += 2
    return x * y


@tl.function
def branched(x: tl.f64, y: tl.f64, n: tl.i64):
    if x > 0.0:
        for _ in range(n):
            x -= 0.1 * tl.sin(y)
            y += 0.1 * x
    return x * y


@tl.function
def single(q: tl.f32[:], p: tl.f32[:], n: tl.i64):
    for _ in range(n):
        p = p - tl.sin(q) * 0.05
        q = q + p * 0.05
    return tl.sum(q * p)


UNDONE = [
    (pendulum, (1.0, 0.2, 200)),
    (henon, (0.1, 0.2, 8)),
    (rotated, (1.0, 0.5, 100)),
    (grown, (0.3, -1.2, 50)),
    (scaled, (1.3, 0.9, 30)),
    (chosen, (0.3, 0.5, 40)),
    (counted, (VECTOR, 0.3, 40)),
    (strings, (VECTOR, 0.2, 60)),
    (membrane, (MATRIX, 0.2, 60)),
    (points, (VECTOR, 0.5, 30)),
    (paired_points, (VECTOR, 0.5, 30)),
    (rows, (MATRIX, 0.1, 20)),
    (swapped, (VECTOR, 0.5, 9)),
    (binned, (VECTOR, KEYS, 30)),
    (each, (VECTOR, 0.5, 30)),
    (looked_up, (VECTOR, KEYS, 30)),
    (nested, (0.3, 0.4, 20)),
    (until, (0.3, 0.4, 40)),
    (branched, (0.3, 0.4, 40)),
    (single, (VECTOR.astype(np.float32), VECTOR[::-1].astype(np.float32), 50)),
]
