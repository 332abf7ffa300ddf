"""Times one first call in this process: decoration, compilation or a cache hit, and the call of a 50-line function."""

from __future__ import annotations

import json
import time

import numpy as np

import tapeless as tl
from tapeless import function  # loads the frontend


def log_posterior(
    x: tl.f64[:, :],
    y: tl.f64[:],
    weights: tl.f64[:],
    means: tl.f64[:, :],
    scales: tl.f64[:],
    steps: tl.i64,
) -> tuple:
    """A little of everything: loops, branches, slices, reductions, elementwise functions."""
    points = x.shape[0]
    dims = x.shape[1]
    components = means.shape[0]
    centred = tl.zeros((points, dims))
    for i in range(points):
        centred[i] = x[i] - tl.sum(x[i]) / dims
    scores = tl.zeros((points, components))
    for i in range(points):
        for k in range(components):
            distance = 0.0
            for j in range(dims):
                difference = (centred[i, j] - means[k, j]) / scales[j]
                distance += difference * difference
            scores[i, k] = weights[k] - 0.5 * distance
    likelihood = 0.0
    for i in range(points):
        largest = tl.max(scores[i])
        total = tl.sum(tl.exp(scores[i] - largest))
        likelihood += largest + tl.log(total)
    state = tl.copy(y)
    velocity = tl.zeros_like(y)
    for _ in range(steps):
        force = -state
        force[1:] += 0.5 * state[:-1]
        force[:-1] += 0.5 * state[1:]
        velocity += 0.01 * force
        state += 0.01 * velocity
    energy = 0.5 * tl.sum(velocity * velocity) + 0.5 * tl.sum(state * state)
    count = 0
    for i in range(points):
        if y[i] > 0.0 and scores[i, 0] > scores[i, components - 1]:
            count += 1
        elif y[i] < -1.0:
            count -= 1
        else:
            count += 0
    prior = 0.0
    for k in range(components):
        prior += tl.sum(tl.map(lambda m: -0.5 * m * m, means[k]))
    ratio = energy / (1.0 + tl.abs(prior))
    smooth = tl.scan(lambda a, b: a + b, 0.0, y)
    return likelihood + prior, ratio, state, smooth, count


def main() -> None:
    """Prints the seconds from decoration to the first result, and how many of them a processor worked."""
    generator = np.random.default_rng(0)
    arguments = (
        generator.random((20, 3)),
        generator.standard_normal(20),
        generator.random(4),
        generator.random((4, 3)),
        generator.random(3) + 1.0,
        5,
    )
    start, cpu_start = time.perf_counter(), time.process_time()
    function(log_posterior)(*arguments)
    seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu_start
    print(json.dumps({"first_call_s": seconds, "cpu_s": cpu_seconds}))


if __name__ == "__main__":
    main()
