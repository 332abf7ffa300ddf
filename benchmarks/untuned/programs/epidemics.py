"""Epidemiology: rates of infection and recovery from counts of cases."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program


def epidemic_data(size, dtype, rng):
    regions, days = size
    return (
        np.log(rng.uniform(0.2, 0.5, regions)).astype(dtype),
        np.log(rng.uniform(0.05, 0.15, regions)).astype(dtype),
        rng.uniform(0.0, 50.0, (regions, days)).astype(dtype),
    )


def epidemic_loops(contact, recovery, cases):
    loss = 0.0
    for r in range(len(contact)):
        beta, gamma = np.exp(contact[r]), np.exp(recovery[r])
        s, i = 990.0, 10.0
        for day in range(cases.shape[1]):
            new = beta * s * i / 1000.0
            s -= new
            i += new - gamma * i
            loss += (np.sqrt(new + 1.0) - np.sqrt(cases[r, day] + 1.0)) ** 2
    return loss


def epidemic_maps(contact, recovery, cases):
    def region(log_beta, log_gamma, seen):
        beta, gamma = tl.exp(log_beta), tl.exp(log_gamma)
        s, i, loss = 990.0, 10.0, 0.0
        for count in seen:
            new = beta * s * i / 1000.0
            s, i = s - new, i + new - gamma * i
            loss += (tl.sqrt(new + 1.0) - tl.sqrt(count + 1.0)) ** 2
        return loss

    return tl.sum(tl.map(region, contact, recovery, cases))


def epidemic_arrays(contact, recovery, cases):
    beta, gamma = np.exp(contact), np.exp(recovery)
    s, i = np.full_like(beta, 990.0), np.full_like(beta, 10.0)
    loss = 0.0
    for day in range(cases.shape[1]):
        new = beta * s * i / 1000.0
        s, i = s - new, i + new - gamma * i
        loss += np.sum((np.sqrt(new + 1.0) - np.sqrt(cases[:, day] + 1.0)) ** 2)
    return loss


def epidemic_jax(jnp):
    from jax import lax

    def loss(contact, recovery, cases):
        beta, gamma = jnp.exp(contact), jnp.exp(recovery)

        def day(state, seen):
            s, i = state
            new = beta * s * i / 1000.0
            return (s - new, i + new - gamma * i), (jnp.sqrt(new + 1.0) - jnp.sqrt(seen + 1.0)) ** 2

        start = jnp.full_like(beta, 990.0), jnp.full_like(beta, 10.0)
        return jnp.sum(lax.scan(day, start, cases.T)[1])

    return loss


PROGRAMS = (
    Program(
        name="epidemic fit",
        field="epidemiology",
        sizes={"small": (2, 20), "middle": (50, 200), "large": (1000, 500)},
        data=epidemic_data,
        spellings={"loops": epidemic_loops, "maps": epidemic_maps, "arrays": epidemic_arrays},
        jax=epidemic_jax,
        wrt=(0, 1),
    ),
)
