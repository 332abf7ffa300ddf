"""Chemistry: kinetics, force fields, electron repulsion, diffusion, and titration curves."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program


# Robertson-like kinetics of a chain of reactions, by Runge-Kutta: the misfit to measured concentrations, by rates.
def kinetics(size, dtype, rng):
    species, steps = size
    rates = rng.uniform(0.2, 1.5, species - 1).astype(dtype)
    start = np.zeros(species, dtype)
    start[0] = 1.0
    return rates, start, rng.uniform(0, 0.2, (steps, species)).astype(dtype), 0.02


def kinetics_loops(rates, start, measured, dt):
    steps, species = measured.shape

    def change(c):
        dc = tl.zeros_like(c)
        for r in range(species - 1):
            flow = rates[r] * c[r] * (1.0 + c[r + 1])
            dc[r] -= flow
            dc[r + 1] += flow
        return dc

    c = start
    misfit = 0.0
    for t in range(steps):
        k1 = change(c)
        k2 = change(c + 0.5 * dt * k1)
        k3 = change(c + 0.5 * dt * k2)
        k4 = change(c + dt * k3)
        c = c + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        misfit += tl.sum((c - measured[t]) ** 2)
    return misfit


def kinetics_arrays(rates, start, measured, dt):
    def change(c):
        flow = rates * c[:-1] * (1.0 + c[1:])
        return np.pad(flow, (1, 0)) - np.pad(flow, (0, 1))

    c = start
    misfit = 0.0
    for target in measured:
        k1 = change(c)
        k2 = change(c + 0.5 * dt * k1)
        k3 = change(c + 0.5 * dt * k2)
        k4 = change(c + dt * k3)
        c = c + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        misfit += np.sum((c - target) ** 2)
    return misfit


def kinetics_jax(jnp):
    from jax import lax

    def misfit(rates, start, measured, dt):
        def change(c):
            flow = rates * c[:-1] * (1 + c[1:])
            return jnp.pad(flow, (1, 0)) - jnp.pad(flow, (0, 1))

        def step(c, target):
            k1 = change(c)
            k2 = change(c + 0.5 * dt * k1)
            k3 = change(c + 0.5 * dt * k2)
            k4 = change(c + dt * k3)
            c = c + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            return c, jnp.sum((c - target) ** 2)

        return jnp.sum(lax.scan(step, start, measured)[1])

    return misfit


# Bonds and angles of a chain of atoms, harmonic, and charges that repel each other: forces are the gradient.
def molecule(n, dtype, rng):
    x = np.stack([np.arange(n), np.arange(n) % 2, np.zeros(n)], axis=1) + 0.1 * rng.normal(size=(n, 3))
    bonds = np.stack([np.arange(n - 1), np.arange(1, n)], axis=1)
    angles = np.stack([np.arange(n - 2), np.arange(1, n - 1), np.arange(2, n)], axis=1)
    return x.astype(dtype), bonds, rng.uniform(1.2, 1.5, n - 1).astype(dtype), angles, np.full(n - 2, 1.6, dtype)


def force_field_loops(x, bonds, lengths, angles, rests):
    energy = 0.0
    for b in range(len(bonds)):
        i, j = bonds[b, 0], bonds[b, 1]
        distance = tl.norm(x[i] - x[j])
        energy += 50.0 * (distance - lengths[b]) ** 2
    for a in range(len(angles)):
        i, j, k = angles[a, 0], angles[a, 1], angles[a, 2]
        u, v = x[i] - x[j], x[k] - x[j]
        cosine = tl.dot(u, v) / (tl.norm(u) * tl.norm(v))
        energy += 10.0 * (tl.acos(cosine) - rests[a]) ** 2
    return energy


def force_field_maps(x, bonds, lengths, angles, rests):
    def stretch(bond, length):
        return 50.0 * (tl.norm(x[bond[0]] - x[bond[1]]) - length) ** 2

    def bend(triple, rest):
        u, v = x[triple[0]] - x[triple[1]], x[triple[2]] - x[triple[1]]
        return 10.0 * (tl.acos(tl.dot(u, v) / (tl.norm(u) * tl.norm(v))) - rest) ** 2

    return tl.sum(tl.map(stretch, bonds, lengths)) + tl.sum(tl.map(bend, angles, rests))


def force_field_arrays(x, bonds, lengths, angles, rests):
    distance = np.sqrt(np.sum((x[bonds[:, 0]] - x[bonds[:, 1]]) ** 2, axis=1))
    u, v = x[angles[:, 0]] - x[angles[:, 1]], x[angles[:, 2]] - x[angles[:, 1]]
    cosine = np.sum(u * v, axis=1) / np.sqrt(np.sum(u**2, axis=1) * np.sum(v**2, axis=1))
    return 50.0 * np.sum((distance - lengths) ** 2) + 10.0 * np.sum((np.arccos(cosine) - rests) ** 2)


def force_field_jax(jnp):
    def energy(x, bonds, lengths, angles, rests):
        distance = jnp.sqrt(jnp.sum((x[bonds[:, 0]] - x[bonds[:, 1]]) ** 2, axis=1))
        u, v = x[angles[:, 0]] - x[angles[:, 1]], x[angles[:, 2]] - x[angles[:, 1]]
        cosine = jnp.sum(u * v, axis=1) / jnp.sqrt(jnp.sum(u**2, axis=1) * jnp.sum(v**2, axis=1))
        return 50 * jnp.sum((distance - lengths) ** 2) + 10 * jnp.sum((jnp.arccos(cosine) - rests) ** 2)

    return energy


# The energy of electrons from orbitals and integrals, as Hartree and Fock have it.
def orbitals(size, dtype, rng):
    basis, occupied = size
    core = rng.normal(size=(basis, basis)).astype(dtype)
    repulsion = (0.1 * rng.normal(size=(basis,) * 4)).astype(dtype)
    return rng.normal(size=(basis, occupied)).astype(dtype), core + core.T, repulsion


def hartree_fock_loops(c, core, repulsion):
    n = len(core)
    density = c @ c.T
    energy = 0.0
    for p in range(n):
        for q in range(n):
            energy += 2.0 * density[p, q] * core[p, q]
            for r in range(n):
                for s in range(n):
                    both = 2.0 * repulsion[p, q, r, s] - repulsion[p, r, q, s]
                    energy += density[p, q] * density[r, s] * both
    return energy


def hartree_fock_einsum(c, core, repulsion):
    density = np.einsum("pi,qi->pq", c, c)
    coulomb = np.einsum("pqrs,rs->pq", repulsion, density)
    exchange = np.einsum("prqs,rs->pq", repulsion, density)
    return np.sum(density * (2.0 * core + 2.0 * coulomb - exchange))


def hartree_fock_jax(jnp):
    def energy(c, core, repulsion):
        density = c @ c.T
        coulomb = jnp.einsum("pqrs,rs->pq", repulsion, density)
        exchange = jnp.einsum("prqs,rs->pq", repulsion, density)
        return jnp.sum(density * (2 * core + 2 * coulomb - exchange))

    return energy


def hartree_fock_torch(torch):
    def energy(c, core, repulsion):
        density = c @ c.T
        coulomb = torch.einsum("pqrs,rs->pq", repulsion, density)
        exchange = torch.einsum("prqs,rs->pq", repulsion, density)
        return torch.sum(density * (2 * core + 2 * coulomb - exchange))

    return energy


# Diffusion with a reaction (Fisher's equation) in a tube: the misfit at the end, by diffusivities and growth.
def tube(size, dtype, rng):
    n, steps = size
    start = np.exp(-(np.linspace(-3, 3, n) ** 2)).astype(dtype)
    return rng.uniform(0.1, 0.3, n - 1).astype(dtype), 0.8, start, rng.random(n).astype(dtype), steps


def diffusion_loops(diffusivity, growth, start, target, steps):
    n = len(start)
    u = start
    for _ in range(steps):
        new = tl.copy(u)
        for i in range(n):
            if i > 0:
                new[i] += diffusivity[i - 1] * (u[i - 1] - u[i])
            if i < n - 1:
                new[i] += diffusivity[i] * (u[i + 1] - u[i])
            new[i] += 0.01 * growth * u[i] * (1.0 - u[i])
        u = new
    return tl.mean((u - target) ** 2)


def diffusion_arrays(diffusivity, growth, start, target, steps):
    u = start
    for _ in range(steps):
        flux = np.concatenate((np.zeros(1, dtype=u.dtype), diffusivity * np.diff(u), np.zeros(1, dtype=u.dtype)))
        u = u + np.diff(flux) + 0.01 * growth * u * (1.0 - u)
    return np.mean((u - target) ** 2)


def diffusion_jax(jnp):
    from jax import lax

    def misfit(diffusivity, growth, start, target, steps):
        def step(u, _):
            flux = jnp.pad(diffusivity * jnp.diff(u), 1)
            return u + jnp.diff(flux) + 0.01 * growth * u * (1 - u), None

        u, _ = lax.scan(step, start, length=steps)
        return jnp.mean((u - target) ** 2)

    return misfit


def diffusion_torch(torch):
    def misfit(diffusivity, growth, start, target, steps):
        u = start
        for _ in range(steps):
            flux = torch.nn.functional.pad(diffusivity * torch.diff(u), (1, 1))
            u = u + torch.diff(flux) + 0.01 * growth * u * (1 - u)
        return torch.mean((u - target) ** 2)

    return misfit


PROGRAMS = (
    Program(
        name="reaction kinetics",
        field="chemistry",
        sizes={"small": (4, 20), "middle": (20, 500), "large": (100, 5000)},
        data=kinetics,
        spellings={"loops": kinetics_loops, "arrays": kinetics_arrays},
        jax=kinetics_jax,
        tiny=(3, 4),
    ),
    Program(
        name="force field",
        field="chemistry",
        sizes={"small": 30, "middle": 5000, "large": 200_000},
        data=molecule,
        spellings={"loops": force_field_loops, "maps": force_field_maps, "arrays": force_field_arrays},
        jax=force_field_jax,
        torch=force_field_jax,
        tiny=6,
    ),
    Program(
        name="Hartree-Fock energy",
        field="chemistry",
        sizes={"small": (6, 2), "middle": (24, 6), "large": (64, 12)},
        data=orbitals,
        spellings={"loops": hartree_fock_loops, "einsum": hartree_fock_einsum},
        jax=hartree_fock_jax,
        torch=hartree_fock_torch,
        tiny=(3, 2),
    ),
    Program(
        name="diffusion with reaction",
        field="chemistry",
        sizes={"small": (20, 20), "middle": (300, 200), "large": (4000, 1000)},
        data=tube,
        spellings={"loops": diffusion_loops, "arrays": diffusion_arrays},
        jax=diffusion_jax,
        torch=diffusion_torch,
        wrt=(0, 1),
        tiny=(5, 3),
    ),
)
