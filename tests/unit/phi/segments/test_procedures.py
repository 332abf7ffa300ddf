"""Procedures under the method `coarsened`: they run backwards, and their right-hand sides are segments."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl


@tl.reversible
def energy(e: tl.f64, x: tl.In[tl.f64[:]]):
    for i in range(1, len(x)):
        r = tl.sqrt((x[i] - x[i - 1]) ** 2 + 0.1)
        e += 4.0 * ((1.0 / r) ** 12 - (1.0 / r) ** 6)


@tl.reversible
def spring(x: tl.f64[:], v: tl.f64[:], k: tl.In[tl.f64], steps: tl.In[tl.i64]):
    for _ in range(steps):
        for i in range(len(x)):
            v[i] -= 0.01 * k * x[i] * (1.0 - 0.5 / tl.sqrt(x[i] * x[i] + 0.2)) / tl.sqrt(x[i] * x[i] + 0.2)
        for i in range(len(x)):
            x[i] += 0.01 * v[i] / tl.sqrt(1.0 + v[i] * v[i])


@tl.reversible
def chosen(y: tl.f64, z: tl.f64, x: tl.In[tl.f64]):
    if x > 0.0:
        y += (x / (x + z)) * (z / (x + z)) / (x + z)
    else:
        y += tl.exp(x) / (1.0 + tl.exp(x)) * z
    z += tl.log(tl.exp(-(x - y) * (x - y) / 2.0) / tl.sqrt(6.0 * y * y))


@tl.reversible
def with_routine(y: tl.f64, x: tl.In[tl.f64[:]]):
    with tl.ancilla(0.0) as norm:
        with tl.routine() as r:
            for i in range(len(x)):
                norm += x[i] * x[i] / (1.0 + x[i] * x[i]) / (1.0 + x[i] * x[i])
        y += tl.sqrt(norm) / (1.0 + tl.sqrt(norm))
        ~r  # noqa: B018


@tl.reversible
def on_grid(y: tl.fixed43, z: tl.ulog, x: tl.In[tl.f64]):
    y += (x / (x + 2.0)) * (1.0 / (x + 2.0)) / (x + 2.0)
    z *= 1.0 + x * x / (1.0 + x * x) / (1.0 + x * x)


def energy_of(x):
    return energy(0.0, x)[0]


def swung(x, v, k, steps):
    a, b, _, _ = spring(x, v, k, steps)
    return tl.sum(a * a) + tl.sum(b * b * b)


def chosen_of(y, z, x):
    a, b, _ = chosen(y, z, x)
    return a * b


def with_routine_of(x):
    return with_routine(0.3, x)[0]


def on_grid_of(x):
    y, z, _ = on_grid(0.5, 2.0, x)
    return y * z


POINTS = np.cumsum(np.linspace(0.8, 1.5, 9))
SWING = (np.linspace(0.4, 1.9, 5), np.linspace(-0.3, 0.6, 5), 2.0, 20)
CASES = {
    "energy": (energy_of, (POINTS,)),
    "states that loops change": (swung, SWING),
    "first branch": (chosen_of, (0.4, 0.6, 0.7)),
    "second branch": (chosen_of, (0.4, 0.6, -0.7)),
    "numbers on a grid, and their logarithms": (on_grid_of, (0.7,)),
    "computed and undone": (with_routine_of, (POINTS,)),
}
METHODS = ("coarsened", "redundant", "reversible")


def floats(arguments):
    return tuple(place for place, each in enumerate(arguments) if not isinstance(each, int))


@pytest.mark.one_in(5)
@pytest.mark.parametrize("case", CASES)
def test_gradients_are_those_of_the_other_methods(case):
    function, arguments = CASES[case]
    mine, *others = (
        tl.value_and_grad(tl.function(function), argnums=floats(arguments), method=method)(*arguments)
        for method in METHODS
    )
    for value, gradient in others:
        assert mine[0] == value
        for a, b in zip(mine[1], gradient, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-13)


@pytest.mark.thorough
@pytest.mark.parametrize("case", ["energy", "states that loops change", "numbers on a grid, and their logarithms"])
def test_second_derivatives_are_those_of_the_other_methods(case):
    function, arguments = CASES[case]
    made = [tl.hessian(tl.function(function), method=method)(*arguments) for method in METHODS]
    for other in made[1:]:
        np.testing.assert_allclose(made[0], other, rtol=1e-9, atol=1e-10)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("case", CASES)
def test_tangents_are_those_of_the_other_methods(case):
    function, arguments = CASES[case]
    tangents = [np.cos(np.asarray(each) + 1.0) if k in floats(arguments) else None for k, each in enumerate(arguments)]
    moving = tuple(each if each is None or np.ndim(each) else float(each) for each in tangents)
    made = [tl.jvp(tl.function(function), arguments, moving, method=method)[1] for method in METHODS]
    np.testing.assert_allclose(made[0], made[1], rtol=1e-11)
    np.testing.assert_allclose(made[0], made[2], rtol=1e-11)


def test_right_hand_sides_are_segments():
    kernel = tl.compile(tl.grad(tl.function(energy_of), method="coarsened"), POINTS)
    assert "segment" in kernel.explain()
    assert "segment" not in tl.compile(tl.grad(tl.function(energy_of), method="reversible"), POINTS).explain()


@pytest.mark.thorough
def test_reverse_over_reverse_runs_adjoints_backwards():
    def second(method):
        gradient = tl.grad(tl.function(swung), method=method)
        along = tl.function(lambda x, v, k, steps: tl.sum(gradient(x, v, k, steps) * x))
        return tl.grad(along, argnums=(0, 1, 2), method=method)(*SWING)

    made = [second(method) for method in METHODS]
    for other in made[1:]:
        for a, b in zip(made[0], other, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)


def test_a_program_of_several_methods_differentiates_them_as_written():
    function = tl.function(energy_of)

    @tl.function
    def both(x):
        return tl.grad(function, method="coarsened")(x) - tl.grad(function, method="redundant")(x)

    kernel = tl.compile(both, POINTS)
    assert "segment" not in kernel.explain()
    assert not np.any(kernel(POINTS))
