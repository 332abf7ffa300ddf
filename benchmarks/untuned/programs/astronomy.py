"""Astronomy: orbits by Kepler's equation and light curves of stars with planets."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program


def orbit_data(size, dtype, rng):
    return (
        np.array([0.3, 1.0, 0.2, 0.7]).astype(dtype),
        np.sort(rng.uniform(0.0, 20.0, size)).astype(dtype),
        rng.normal(size=size).astype(dtype),
    )


def orbit_loops(elements, times, seen):
    e, k, phase, w = elements[0], elements[1], elements[2], elements[3]
    loss = 0.0
    for n in range(len(times)):
        mean = times[n] * 1.3 + phase
        anomaly = mean
        for _ in range(8):
            anomaly -= (anomaly - e * np.sin(anomaly) - mean) / (1.0 - e * np.cos(anomaly))
        true = 2.0 * np.arctan2(np.sqrt(1.0 + e) * np.sin(anomaly / 2.0), np.sqrt(1.0 - e) * np.cos(anomaly / 2.0))
        loss += (k * (np.cos(true + w) + e * np.cos(w)) - seen[n]) ** 2
    return loss / len(times)


def orbit_maps(elements, times, seen):
    e, k, phase, w = elements[0], elements[1], elements[2], elements[3]

    def error(t, velocity):
        mean = t * 1.3 + phase
        anomaly = mean
        change = 1.0
        while abs(change) > 1e-4:
            change = (anomaly - e * np.sin(anomaly) - mean) / (1.0 - e * np.cos(anomaly))
            anomaly -= change
        anomaly -= (anomaly - e * np.sin(anomaly) - mean) / (1.0 - e * np.cos(anomaly))
        true = 2.0 * np.arctan2(np.sqrt(1.0 + e) * np.sin(anomaly / 2.0), np.sqrt(1.0 - e) * np.cos(anomaly / 2.0))
        return (k * (np.cos(true + w) + e * np.cos(w)) - velocity) ** 2

    return np.mean(tl.map(error, times, seen))


def orbit_arrays(elements, times, seen):
    e, k, phase, w = elements
    mean = times * 1.3 + phase
    anomaly = mean
    for _ in range(8):
        anomaly = anomaly - (anomaly - e * np.sin(anomaly) - mean) / (1.0 - e * np.cos(anomaly))
    true = 2.0 * np.arctan2(np.sqrt(1.0 + e) * np.sin(anomaly / 2.0), np.sqrt(1.0 - e) * np.cos(anomaly / 2.0))
    return np.mean((k * (np.cos(true + w) + e * np.cos(w)) - seen) ** 2)


def orbit_jax(jnp):
    """The iterations are not differentiated: one more step at the solution has its derivative."""
    from jax import lax

    def loss(elements, times, seen):
        e, k, phase, w = elements
        mean = times * 1.3 + phase

        def step(e, mean, anomaly):
            return anomaly - (anomaly - e * jnp.sin(anomaly) - mean) / (1.0 - e * jnp.cos(anomaly))

        fixed = lax.stop_gradient((e, mean))
        found = lax.fori_loop(0, 7, lambda _, a: step(*fixed, a), lax.stop_gradient(mean))
        anomaly = step(e, mean, found)
        half = jnp.sin(anomaly / 2.0), jnp.cos(anomaly / 2.0)
        true = 2.0 * jnp.arctan2(jnp.sqrt(1.0 + e) * half[0], jnp.sqrt(1.0 - e) * half[1])
        return jnp.mean((k * (jnp.cos(true + w) + e * jnp.cos(w)) - seen) ** 2)

    return loss


def light_data(size, dtype, rng):
    return (
        np.array([0.1, 0.5, 3.0, 0.05, 0.4, 0.2]).astype(dtype),
        rng.uniform(0.0, 10.0, size).astype(dtype),
        (1.0 + 0.01 * rng.normal(size=size)).astype(dtype),
    )


def light_loops(star, times, flux):
    depth, middle, period, width, a, b = star[0], star[1], star[2], star[3], star[4], star[5]
    loss = 0.0
    for n in range(len(times)):
        phase = (times[n] - middle) / period
        phase -= np.round(phase)
        inside = 1.0 / (1.0 + np.exp((abs(phase) - width) * 200.0))
        mu = np.sqrt(max(1.0 - (phase / 0.6) ** 2, 0.0))
        limb = 1.0 - a * (1.0 - mu) - b * (1.0 - mu) ** 2
        loss += ((1.0 - depth * inside * limb - flux[n]) / 0.01) ** 2
    return 0.5 * loss


def light_maps(star, times, flux):
    def error(t, seen):
        cycles = (t - star[1]) / star[2]
        phase = cycles - tl.round(cycles)
        mu = tl.sqrt(max(1.0 - (phase / 0.6) ** 2, 0.0))
        limb = 1.0 - star[4] * (1.0 - mu) - star[5] * (1.0 - mu) ** 2
        dip = star[0] * tl.sigmoid((star[3] - abs(phase)) * 200.0) * limb
        return ((1.0 - dip - seen) / 0.01) ** 2

    return 0.5 * tl.sum(tl.map(error, times, flux))


def light_arrays(star, times, flux):
    cycles = (times - star[1]) / star[2]
    phase = cycles - np.round(cycles)
    mu = np.sqrt(np.maximum(1.0 - (phase / 0.6) ** 2, 0.0))
    limb = 1.0 - star[4] * (1.0 - mu) - star[5] * (1.0 - mu) ** 2
    model = 1.0 - star[0] * tl.sigmoid((star[3] - np.abs(phase)) * 200.0) * limb
    return 0.5 * np.sum(((model - flux) / 0.01) ** 2)


def light_jax(jnp):
    import jax

    def loss(star, times, flux):
        cycles = (times - star[1]) / star[2]
        phase = cycles - jnp.round(cycles)
        mu = jnp.sqrt(jnp.maximum(1.0 - (phase / 0.6) ** 2, 0.0))
        limb = 1.0 - star[4] * (1.0 - mu) - star[5] * (1.0 - mu) ** 2
        model = 1.0 - star[0] * jax.nn.sigmoid((star[3] - jnp.abs(phase)) * 200.0) * limb
        return 0.5 * jnp.sum(((model - flux) / 0.01) ** 2)

    return loss


def light_torch(torch):
    def loss(star, times, flux):
        cycles = (times - star[1]) / star[2]
        phase = cycles - torch.round(cycles)
        mu = torch.sqrt(torch.clamp(1.0 - (phase / 0.6) ** 2, min=0.0))
        limb = 1.0 - star[4] * (1.0 - mu) - star[5] * (1.0 - mu) ** 2
        model = 1.0 - star[0] * torch.sigmoid((star[3] - torch.abs(phase)) * 200.0) * limb
        return 0.5 * torch.sum(((model - flux) / 0.01) ** 2)

    return loss


PROGRAMS = (
    Program(
        name="kepler equation",
        field="astronomy",
        sizes={"small": 20, "middle": 2000, "large": 100000},
        data=orbit_data,
        spellings={"loops": orbit_loops, "maps": orbit_maps, "arrays": orbit_arrays},
        jax=orbit_jax,
    ),
    Program(
        name="light curve",
        field="astronomy",
        sizes={"small": 50, "middle": 10000, "large": 500000},
        data=light_data,
        spellings={"loops": light_loops, "maps": light_maps, "arrays": light_arrays},
        jax=light_jax,
        torch=light_torch,
        in_f32={"loops": "exp(90) is infinite, and the derivative of 1 / (1 + exp(x)) there 0 times infinity"},
    ),
)
