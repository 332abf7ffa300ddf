"""Physics: waves on a membrane, and rays of light through lenses."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program


# The wave equation on a membrane with fixed edges: misfit at the end, by the speed of waves.
def membrane(size, dtype, rng):
    n, steps = size
    grid = np.linspace(-1, 1, n)
    start = np.exp(-20 * (grid[:, None] ** 2 + grid[None, :] ** 2)).astype(dtype)
    speed = (0.3 + 0.02 * rng.random((n, n))).astype(dtype)
    return speed, start, (0.1 * rng.normal(size=(n, n))).astype(dtype), steps


def wave_loops(speed, start, target, steps):
    n, m = start.shape
    before = start
    now = start
    for _ in range(steps):
        after = tl.zeros_like(now)
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                laplacian = now[i - 1, j] + now[i + 1, j] + now[i, j - 1] + now[i, j + 1] - 4.0 * now[i, j]
                after[i, j] = 2.0 * now[i, j] - before[i, j] + speed[i, j] * laplacian
        before = now
        now = after
    return tl.sum((now - target) ** 2)


def wave_slices(speed, start, target, steps):
    before = start
    now = start
    for _ in range(steps):
        centre = now[1:-1, 1:-1]
        laplacian = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:] - 4.0 * centre
        after = np.zeros_like(now)
        after[1:-1, 1:-1] = 2.0 * centre - before[1:-1, 1:-1] + speed[1:-1, 1:-1] * laplacian
        before, now = now, after
    return np.sum((now - target) ** 2)


def wave_jax(jnp):
    from jax import lax

    def misfit(speed, start, target, steps):
        def step(state, _):
            before, now = state
            around = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:]
            centre = now[1:-1, 1:-1]
            after = 2 * centre - before[1:-1, 1:-1] + speed[1:-1, 1:-1] * (around - 4 * centre)
            return (now, jnp.pad(after, 1)), None

        (_, now), _ = lax.scan(step, (start, start), length=steps)
        return jnp.sum((now - target) ** 2)

    return misfit


def wave_torch(torch):
    def misfit(speed, start, target, steps):
        before, now = start, start
        for _ in range(steps):
            around = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:]
            centre = now[1:-1, 1:-1]
            after = 2 * centre - before[1:-1, 1:-1] + speed[1:-1, 1:-1] * (around - 4 * centre)
            before, now = now, torch.nn.functional.pad(after, (1, 1, 1, 1))
        return torch.sum((now - target) ** 2)

    return misfit


# Rays through spherical surfaces by Snell's law: the spot on the screen, by curvatures and distances.
def lenses(size, dtype, rng):
    rays, surfaces = size
    curvatures = (0.05 * rng.choice([-1.0, 1.0], surfaces)).astype(dtype)
    indices = np.where(np.arange(surfaces + 1) % 2 == 1, 1.5, 1.0).astype(dtype)
    return curvatures, np.full(surfaces, 0.5, dtype), indices, np.linspace(-1, 1, rays).astype(dtype)


def through_surface(height, slope, curvature, distance, ratio):
    """Where a ray in a plane meets a surface at this distance, and how it goes on."""
    y = height + distance * slope
    sag = 0.5 * curvature * y * y
    y = y + sag * slope
    normal = tl.asin(curvature * y)
    angle = tl.atan(slope) + normal
    bent = tl.asin(ratio * tl.sin(angle))
    return y - sag * tl.tan(bent - normal), tl.tan(bent - normal)


def lens_loops(curvatures, distances, indices, heights):
    spot = 0.0
    for r in range(len(heights)):
        y = heights[r]
        slope = 0.0
        for k in range(len(curvatures)):
            ratio = indices[k] / indices[k + 1]
            y, slope = through_surface(y, slope, curvatures[k], distances[k], ratio)
        spot += (y + 10.0 * slope) ** 2
    return spot / len(heights)


def lens_maps(curvatures, distances, indices, heights):
    def spot(start):
        y, slope = start, 0.0 * start
        for k in range(len(curvatures)):
            y, slope = through_surface(y, slope, curvatures[k], distances[k], indices[k] / indices[k + 1])
        return (y + 10.0 * slope) ** 2

    return tl.mean(tl.map(spot, heights))


def lens_arrays(curvatures, distances, indices, heights):
    y = heights
    slope = np.zeros_like(heights)
    for k in range(len(curvatures)):
        y, slope = through_surface(y, slope, curvatures[k], distances[k], indices[k] / indices[k + 1])
    return np.mean((y + 10.0 * slope) ** 2)


def lens_jax(jnp):
    from jax import lax

    def spot(curvatures, distances, indices, heights):
        def surface(state, given):
            curvature, distance, ratio = given
            y = state[0] + distance * state[1]
            sag = 0.5 * curvature * y * y
            y = y + sag * state[1]
            normal = jnp.arcsin(curvature * y)
            bent = jnp.arcsin(ratio * jnp.sin(jnp.arctan(state[1]) + normal))
            slope = jnp.tan(bent - normal)
            return (y - sag * slope, slope), None

        ratios = indices[:-1] / indices[1:]
        (y, slope), _ = lax.scan(surface, (heights, jnp.zeros_like(heights)), (curvatures, distances, ratios))
        return jnp.mean((y + 10 * slope) ** 2)

    return spot


PROGRAMS = (
    Program(
        name="wave equation",
        field="physics",
        sizes={"small": (10, 10), "middle": (50, 60), "large": (200, 200)},
        data=membrane,
        spellings={"loops": wave_loops, "slices": wave_slices},
        jax=wave_jax,
        torch=wave_torch,
        tiny=(6, 4),
    ),
    Program(
        name="rays through lenses",
        field="physics",
        sizes={"small": (20, 6), "middle": (2000, 10), "large": (100_000, 12)},
        data=lenses,
        spellings={"loops": lens_loops, "maps": lens_maps, "arrays": lens_arrays},
        jax=lens_jax,
        wrt=(0, 1),
        tiny=(4, 3),
    ),
)
