"""The loops that are measured: programs, their data, and which bars they must meet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from harness import Contestant

import tapeless as tl
from running_back import programs

State = tuple[Any, ...]


@dataclass(frozen=True)
class Case:
    """A program, the same with stored states in strips, its data, and how many steps are timed and counted.

    `counted` are numbers of steps for which bytes are counted. Loops with `has_bars` must be faster than everyone else.
    """

    program: Any
    in_strips: Any
    wrt: tuple[int, ...]
    data: Callable[[bool], State]
    steps: int
    counted: tuple[int, ...] = ()
    has_bars: bool = False

    def arguments(self, quick: bool, steps: int | None = None) -> State:
        """What the program is called with; few steps for a quick look."""
        count = self.steps if steps is None else steps
        return (*self.data(quick), max(1, count // 10) if quick else count)


def gradient(case: Case, program: Any, method: str, arguments: State) -> Contestant:
    """Value and gradient as a call without arguments."""
    derivative = tl.value_and_grad(program, argnums=case.wrt, method=method)
    return partial(tl.compile(derivative, arguments, checks="off"), *arguments)


def bodies(quick: bool) -> State:
    """Light planets on circles around a heavy star: bodies of equal weight would be chaotic, and drift."""
    n = 16 if quick else 32
    radius, angle = np.linspace(1.0, 4.0, n), np.linspace(0.0, 40.0, n)
    q = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros(n)], axis=1)
    speed = np.sqrt(radius**2 / (radius**2 + programs.SOFTENING) ** 1.5)
    p = np.stack([-speed * np.sin(angle), speed * np.cos(angle), 0.1 * speed], axis=1)
    mass = np.full(n, 1e-6)
    q[0], p[0], mass[0] = 0.0, 0.0, 1.0
    return q, p, mass, 1e-3


def string(quick: bool) -> State:
    n = 500 if quick else 2_000
    u = np.exp(-(np.linspace(-8.0, 8.0, n) ** 2))
    return u.copy(), u, np.full(n, 0.2)


def membrane(quick: bool, n: int = 256) -> State:
    n = 64 if quick else n
    u = bump(n, 2)
    return u.copy(), u, np.full((n, n), 0.2)


def body(quick: bool, n: int = 40) -> State:
    n = 12 if quick else n
    u = bump(n, 3)
    return u.copy(), u, np.full((n, n, n), 0.1)


def block(quick: bool) -> State:
    """A body whose outer layer absorbs."""
    n = 12 if quick else 40
    u = bump(n, 3)
    depth = np.clip(np.abs(np.linspace(-1.0, 1.0, n)) - 0.7, 0.0, None)
    damping = np.maximum(np.maximum(depth[:, None, None], depth[None, :, None]), depth[None, None, :])
    return u.copy(), u, np.full((n, n, n), 0.1), damping


def bump(n: int, rank: int) -> np.ndarray:
    axes = np.meshgrid(*[np.linspace(-4.0, 4.0, n)] * rank, indexing="ij")
    return np.exp(-sum(axis**2 for axis in axes))


def weather(quick: bool) -> State:
    return np.array([1.0, 1.0, 1.05]), np.array([10.0, 28.0, 8.0 / 3.0]), 1e-3


def pairs(quick: bool) -> State:
    n = 100 if quick else 1_000
    rng = np.random.default_rng(0)
    return rng.normal(size=n), rng.normal(size=n), 0.1 * rng.normal(size=n)


THOUSANDS = (1_000, 10_000, 100_000)

CASES = {
    "leapfrog": Case(programs.leapfrog, programs.leapfrog_in_strips, (0, 1, 2), bodies, 1_000, THOUSANDS, True),
    "wave_1d": Case(programs.wave_1d, programs.wave_1d_in_strips, (0, 1, 2), string, 1_000, THOUSANDS, True),
    "wave_2d": Case(programs.wave_2d, programs.wave_2d_in_strips, (0, 1, 2), membrane, 100, (100, 1_000), True),
    "wave_3d": Case(programs.wave_3d, programs.wave_3d_in_strips, (0, 1, 2), body, 100, (), True),
    # The states of these two are more than a gigabyte, which no allocator keeps for the next call.
    "wave_2d_large": Case(
        programs.wave_2d, programs.wave_2d_in_strips, (0, 1, 2), partial(membrane, n=512), 600, has_bars=True
    ),
    "wave_3d_large": Case(
        programs.wave_3d, programs.wave_3d_in_strips, (0, 1, 2), partial(body, n=96), 200, has_bars=True
    ),
    "rotations": Case(programs.rotations, programs.rotations_in_strips, (0, 1, 2), pairs, 1_000, THOUSANDS),
    # These two keep states within a budget.
    "absorbed_wave_3d": Case(
        programs.absorbed_wave_3d, programs.absorbed_wave_3d_in_strips, (0, 1, 2), block, 100, (100, 1_000)
    ),
    "lorenz": Case(programs.lorenz, programs.lorenz_in_strips, (0, 1), weather, 10_000),
}
