"""Small programs of scientific fields: a lens, a string, a spring, a market, each as its field writes it."""

from __future__ import annotations

from math import lgamma

import numpy as np

import tapeless as tl
from programs.program import program


def rendered_ray(opacity, colour):
    """Light along a ray: what a sample adds is dimmed by all samples in front of it."""
    unseen = tl.scan(lambda a, b: a * b, 1.0, 1.0 - opacity, exclusive=True)
    return tl.sum(unseen * opacity * colour)


def rendered_by_products(opacity, colour):
    unseen = np.concatenate([[1.0], np.cumprod(1.0 - opacity)[:-1]])
    return np.sum(unseen * opacity * colour)


def missed_gains(prices):
    """The gain up to the highest price that is still to come, at every moment."""
    return tl.scan(lambda a, b: tl.maximum(a, b), -tl.inf, prices, reverse=True) - prices


def power_norm(x, p):
    """A norm whose exponent is a parameter to be fitted."""
    return tl.reduce(lambda a, b: (a**p + b**p) ** (1.0 / p), 0.0, x)


@tl.function
def bond_energy(x, left, right):
    return tl.sum((x[left] - x[right]) ** 4)


def squared_forces(x, left, right):
    """How far bonds between atoms are from equilibrium."""
    force = tl.grad(bond_energy)(x, left, right)
    return tl.sum(force * force)


def squared_forces_by_hand(x, left, right):
    pull = 4.0 * (x[left] - x[right]) ** 3
    force = np.zeros_like(x)
    np.add.at(force, left, pull)
    np.add.at(force, right, -pull)
    return np.sum(force**2)


def energy_of_regime(x, y, is_wet):
    """One of two fields, chosen as a whole, beside the first."""
    field = x if is_wet > 0 else y
    return tl.sum(field * field * x)


def string_energy(before, u, speed, steps):
    """A string that is held at its ends, by two levels of time."""
    for _ in range(steps):
        after = 2.0 * u - before
        after[1:-1] += speed[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        before, u = u, after
    return tl.sum(u * u)


def string_energy_by_copies(before, u, speed, steps):
    for _ in range(steps):
        after = 2.0 * u - before
        after[1:-1] += speed[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        before, u = u, after
    return np.sum(u * u)


def nearest_arrivals(times, stations, arrivals):
    """The first arrival at every station, in single precision as instruments give it."""
    return tl.hist(lambda a, b: tl.minimum(a, b), tl.inf, times, stations, arrivals)


def first_of_each(times, stations, arrivals):
    found = times.copy()
    np.minimum.at(found, stations, arrivals)
    return found


@tl.function
def population(x, rate):
    for _ in tl.range(12, budget=4):
        x = rate * x * (1.0 - x)
    return x


def squared_response(x, rate):
    """How strongly a population answers to its start: a derivative by steps that few kept states give back."""
    return tl.grad(population, method="reversible")(x, rate) ** 2


@tl.function
def harvest(x, rate):
    for _ in range(12):
        x = rate * x * (1.0 - x)
    return x


def squared_response_as_a_whole(x, rate):
    """The same of a loop that is differentiated as an expression."""
    return tl.grad(harvest, method="coarsened")(x, rate) ** 2


def response_by_steps(x, rate):
    slope = 1.0
    for _ in range(12):
        slope *= rate * (1.0 - 2.0 * x)
        x = rate * x * (1.0 - x)
    return slope**2


def path_length(points):
    """The length of what joins the origin to every point."""
    return tl.sum(tl.map(lambda p: tl.sqrt(p[0] * p[0] + p[1] * p[1] + 0.5), points))


def count_likelihood(counts, rates, shape):
    """The logarithm of a negative binomial likelihood."""
    return tl.sum(tl.map(lambda k, r: tl.lgamma(k + shape) - tl.lgamma(k + 1.0) + k * tl.log(r), counts, rates))


def count_likelihood_by_math(counts, rates, shape):
    return sum(lgamma(k + shape) - lgamma(k + 1.0) + k * np.log(r) for k, r in zip(counts, rates, strict=True))


def smoothed_twice(x):
    """Two sweeps of a filter whose rounds are written out by the compiler, in strips where there are many."""
    for k in tl.range(3, unroll=True):
        x = 0.5 * x + 0.1 * x[k] * x
    for _ in tl.range(6, stripmine=2):
        x = x - 0.01 * x * x
    return tl.sum(x)


def smoothed_by_numpy(x):
    for k in range(3):
        x = 0.5 * x + 0.1 * x[k] * x
    for _ in range(6):
        x = x - 0.01 * x * x
    return np.sum(x)


def table_of_paths(weights):
    """A table filled from its own entries; no entry is written twice, which is promised."""
    n = len(weights)
    table = tl.zeros(n)
    table[0] = weights[0]
    for i in tl.range(1, n, true_dep=("table",)):
        table[i] = table[i - 1] * weights[i] + tl.sin(table[i - 1])
    return table[n - 1]


def table_of_paths_by_numbers(weights):
    value = weights[0]
    for weight in weights[1:]:
        value = value * weight + np.sin(value)
    return value


@tl.reversible
def swing(angle: tl.f64[:], speed: tl.f64[:], step: tl.In[tl.f64], count: tl.In[tl.i64]):
    for _ in range(count):
        for i in range(len(angle)):
            speed[i] -= step * tl.sin(angle[i])
        for i in range(len(angle)):
            angle[i] += step * speed[i]


def swung_pendulums(angle, speed, step, count):
    """Where pendulums are after some steps of a reversible scheme."""
    moved = swing(angle, speed, step, count)
    return tl.sum(moved[0] * moved[0])


def swung_by_numpy(angle, speed, step, count):
    for _ in range(count):
        speed = speed - step * np.sin(angle)
        angle = angle + step * speed
    return np.sum(angle * angle)


PROGRAMS = (
    program(rendered_ray, rendered_by_products, lambda rng: (rng.random(9), rng.normal(size=9))),
    program(
        missed_gains,
        lambda prices: np.maximum.accumulate(prices[::-1])[::-1] - prices,
        lambda rng: (rng.random(9),),
    ),
    program(power_norm, lambda x, p: np.sum(x**p) ** (1.0 / p), lambda rng: (rng.random(7) + 0.5, 3.0)),
    program(
        squared_forces,
        squared_forces_by_hand,
        lambda rng: (rng.normal(size=6), np.array([0, 1, 2, 0]), np.array([3, 4, 5, 1])),
    ),
    program(
        energy_of_regime,
        lambda x, y, is_wet: np.sum((x if is_wet > 0 else y) ** 2 * x),
        lambda rng: (rng.normal(size=5), rng.normal(size=5), 1),
    ),
    program(
        string_energy,
        string_energy_by_copies,
        lambda rng: (rng.normal(size=12), rng.normal(size=12), 0.2 * rng.random(12), 5),
    ),
    program(
        nearest_arrivals,
        first_of_each,
        lambda rng: (
            np.full(4, 2.0, np.float32),
            rng.integers(0, 4, 20),
            rng.permutation(20).astype(np.float32) / 16,
        ),
    ),
    program(squared_response, response_by_steps, lambda rng: (0.3, 3.1)),
    program(squared_response_as_a_whole, response_by_steps, lambda rng: (0.3, 3.1)),
    program(
        path_length,
        lambda points: np.sum(np.sqrt(np.sum(points**2, axis=1) + 0.5)),
        lambda rng: (rng.normal(size=(20, 2)),),
    ),
    program(
        count_likelihood,
        count_likelihood_by_math,
        lambda rng: (rng.integers(0, 9, 6).astype(float), rng.random(6) + 0.5, 2.5),
    ),
    program(smoothed_twice, smoothed_by_numpy, lambda rng: (rng.random(5),)),
    program(table_of_paths, table_of_paths_by_numbers, lambda rng: (rng.random(6),)),
    program(
        swung_pendulums,
        swung_by_numpy,
        lambda rng: (rng.normal(size=4), rng.normal(size=4), 0.1, 6),
        "f64",
    ),
)
