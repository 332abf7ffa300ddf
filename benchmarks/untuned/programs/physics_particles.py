"""Physics: forces and energies of particles and lattices."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program


# The potential energy of masses that attract each other; its gradient is the force.
def masses(n, dtype, rng):
    return rng.normal(size=(n, 3)).astype(dtype), rng.uniform(0.5, 2.0, n).astype(dtype)


def gravity_loops(x, m):
    n = len(m)
    energy = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            dx = x[i, 0] - x[j, 0]
            dy = x[i, 1] - x[j, 1]
            dz = x[i, 2] - x[j, 2]
            energy -= m[i] * m[j] / tl.sqrt(dx * dx + dy * dy + dz * dz + 0.01)
    return energy


def gravity_maps(x, m):
    def pull(a, ma):
        return tl.sum(tl.map(lambda b, mb: -0.5 * ma * mb / tl.sqrt(tl.sum((a - b) ** 2) + 0.01), x, m))

    return tl.sum(tl.map(pull, x, m)) + tl.sum(0.5 * m**2 / 0.1)


def gravity_axes(x, m):
    difference = x[:, None, :] - x[None, :, :]
    distance = np.sqrt(np.sum(difference**2, axis=2) + 0.01)
    return -0.5 * np.sum(m[:, None] * m[None, :] / distance) + 5.0 * np.sum(m**2)


def gravity_jax(jnp):
    def energy(x, m):
        square = jnp.sum((x[:, None, :] - x[None, :, :]) ** 2, axis=2) + 0.01
        return -0.5 * m @ (1 / jnp.sqrt(square)) @ m + 5 * jnp.sum(m**2)

    return energy


def gravity_torch(torch):
    def energy(x, m):
        square = torch.sum((x[:, None, :] - x[None, :, :]) ** 2, dim=2) + 0.01
        return -0.5 * m @ torch.rsqrt(square) @ m + 5 * torch.sum(m**2)

    return energy


# Lennard-Jones atoms in a periodic box, with a cut-off.
def atoms(n, dtype, rng):
    side = int(np.ceil(n ** (1 / 3)))
    grid = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)[:n]
    return (1.2 * grid + 0.05 * rng.normal(size=(n, 3))).astype(dtype), 1.2 * side


def lennard_jones_loops(x, box):
    energy = 0.0
    for i in range(len(x)):
        for j in range(i):
            square = 0.0
            for k in range(3):
                d = x[i, k] - x[j, k]
                d -= box * round(d / box)
                square += d * d
            if square < 6.25:
                inverse = 1.0 / square**3
                energy += 4.0 * (inverse * inverse - inverse)
    return energy


def lennard_jones_axes(x, box):
    n = len(x)
    d = x[:, None, :] - x[None, :, :]
    d = d - box * np.round(d / box)
    square = np.sum(d**2, axis=2) + 100.0 * np.eye(n)
    inverse = 1.0 / square**3
    return 2.0 * np.sum(np.where(square < 6.25, inverse**2 - inverse, 0.0))


def lennard_jones_jax(jnp):
    def energy(x, box):
        d = x[:, None, :] - x[None, :, :]
        d = d - box * jnp.round(d / box)
        square = jnp.sum(d**2, axis=2) + 100 * jnp.eye(len(x), dtype=x.dtype)
        inverse = 1 / square**3
        return 2 * jnp.sum(jnp.where(square < 6.25, inverse**2 - inverse, 0.0))

    return energy


# The energy of continuous spins on a periodic lattice in a field.
def spins(n, dtype, rng):
    return np.tanh(rng.normal(size=(n, n))).astype(dtype), rng.normal(size=(n, n)).astype(dtype), 1.3


def ising_loops(s, field, coupling):
    n, m = s.shape
    energy = 0.0
    for i in range(n):
        for j in range(m):
            neighbours = s[(i + 1) % n, j] + s[i, (j + 1) % m]
            energy -= s[i, j] * (coupling * neighbours + field[i, j])
    return energy


def ising_rolls(s, field, coupling):
    neighbours = np.roll(s, -1, axis=0) + np.roll(s, -1, axis=1)
    return -np.sum(s * (coupling * neighbours + field))


def ising_jax(jnp):
    def energy(s, field, coupling):
        neighbours = jnp.roll(s, -1, axis=0) + jnp.roll(s, -1, axis=1)
        return -jnp.sum(s * (coupling * neighbours + field))

    return energy


def ising_torch(torch):
    def energy(s, field, coupling):
        neighbours = torch.roll(s, -1, 0) + torch.roll(s, -1, 1)
        return -torch.sum(s * (coupling * neighbours + field))

    return energy


def ising_numpy(s, field, coupling):
    neighbours = np.roll(s, -1, axis=0) + np.roll(s, -1, axis=1)
    others = np.roll(s, 1, axis=0) + np.roll(s, 1, axis=1)
    return -np.sum(s * (coupling * neighbours + field)), (-coupling * (neighbours + others) - field,)


# A chain of springs that swings in time: where the last mass is, by stiffnesses.
def springs(size, dtype, rng):
    n, steps = size
    return rng.uniform(0.5, 2.0, n + 1).astype(dtype), (0.1 * rng.normal(size=n)).astype(dtype), steps, 0.05


def chain_loops(stiffness, start, steps, dt):
    n = len(start)
    x = start
    v = tl.zeros_like(start)
    for _ in range(steps):
        force = tl.zeros_like(start)
        for i in range(n):
            left = x[i] if i == 0 else x[i] - x[i - 1]
            right = -x[i] if i == n - 1 else x[i + 1] - x[i]
            force[i] = stiffness[i + 1] * right - stiffness[i] * left
        for i in range(n):
            v[i] += dt * force[i]
            x[i] += dt * v[i]
    return tl.sum(x * x) + 0.5 * tl.sum(v * v)


def chain_arrays(stiffness, start, steps, dt):
    x = start
    v = np.zeros_like(start)
    for _ in range(steps):
        pull = stiffness * np.diff(np.pad(x, 1))
        v = v + dt * (pull[1:] - pull[:-1])
        x = x + dt * v
    return np.sum(x**2) + 0.5 * np.sum(v**2)


def chain_jax(jnp):
    from jax import lax

    def energy(stiffness, start, steps, dt):
        def step(state, _):
            x, v = state
            pull = stiffness * jnp.diff(jnp.pad(x, 1))
            v = v + dt * (pull[1:] - pull[:-1])
            return (x + dt * v, v), None

        (x, v), _ = lax.scan(step, (start, jnp.zeros_like(start)), length=steps)
        return jnp.sum(x**2) + 0.5 * jnp.sum(v**2)

    return energy


PROGRAMS = (
    Program(
        name="n-body energy",
        field="physics",
        sizes={"small": 20, "middle": 250, "large": 1500},
        data=masses,
        spellings={"loops": gravity_loops, "maps": gravity_maps, "axis": gravity_axes},
        jax=gravity_jax,
        torch=gravity_torch,
        tiny=4,
    ),
    Program(
        name="Lennard-Jones box",
        field="physics",
        sizes={"small": 20, "middle": 200, "large": 1200},
        data=atoms,
        spellings={"loops": lennard_jones_loops, "axis": lennard_jones_axes},
        jax=lennard_jones_jax,
        torch=lennard_jones_jax,
        tiny=9,
    ),
    Program(
        name="Ising energy",
        field="physics",
        sizes={"small": 16, "middle": 400, "large": 3000},
        data=spins,
        spellings={"loops": ising_loops, "rolls": ising_rolls},
        jax=ising_jax,
        torch=ising_torch,
        numpy=ising_numpy,
        tiny=4,
    ),
    Program(
        name="spring chain in time",
        field="physics",
        sizes={"small": (10, 20), "middle": (200, 300), "large": (2000, 2000)},
        data=springs,
        spellings={"loops": chain_loops, "arrays": chain_arrays},
        jax=chain_jax,
        wrt=(0, 1),
        tiny=(4, 5),
    ),
)
