"""Plain loops under `coarsened`: those without a closed form are operators, with the derivatives of the loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

RANDOM = np.random.default_rng(5)
STEP = 1e-6


def energy_of_pairs(x: tl.f64[:, 2]) -> tl.f64:
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(i):
            d = x[i] - x[j]
            total += 1.0 / (0.1 + np.sum(d * d))
    return total


def path(x: tl.f64[:, :]) -> tl.f64:
    total = 0.0
    for i in range(x.shape[0] - 1):
        d = x[i + 1] - x[i]
        total += np.sqrt(np.sum(d * d) + 0.01)
    return total


def steps_of_a_field(x: tl.f64[:]) -> tl.f64:
    for _ in range(3):
        new = x.copy()
        for i in range(1, len(x) - 1):
            new[i] = x[i] + 0.1 * (x[i - 1] - 2.0 * x[i] + x[i + 1]) * np.cos(x[i])
        x = new
    return np.sum(x * x)


def springs(x: tl.f64[:]) -> tl.f64:
    """Reads neighbours: this loop stays on processors."""
    total = 0.0
    for i in range(len(x) - 1):
        total += (np.sqrt((x[i + 1] - x[i]) ** 2 + 0.5) - 1.0) ** 2
    return total


PROGRAMS = {energy_of_pairs: (12, 2), path: (11, 3), steps_of_a_field: (13,), springs: (14,)}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_gradients_are_those_of_differences(program: Callable[..., Any]) -> None:
    x, direction = RANDOM.normal(size=PROGRAMS[program]), RANDOM.normal(size=PROGRAMS[program])
    value, gradient = tl.value_and_grad(tl.function(program), method="coarsened")(x)
    np.testing.assert_allclose(value, program(x), rtol=1e-12)
    slope = (program(x + STEP * direction) - program(x - STEP * direction)) / (2 * STEP)
    np.testing.assert_allclose(np.sum(gradient * direction), slope, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("program", [energy_of_pairs, path, springs])
def test_loops_without_a_closed_form_are_operators(program: Callable[..., Any]) -> None:
    """Only the loop that reads neighbours by elements stays one."""
    x = np.ones(PROGRAMS[program])
    ir = tl.compile(tl.grad(tl.function(program), method="coarsened"), (x,)).ir("soac-parallelise")
    assert ("scf.for" in ir, "soac.map" in ir) == ((True, False) if program is springs else (False, True))
