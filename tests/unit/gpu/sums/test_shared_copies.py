"""Sums into copies in shared memory: few elements and many iterations, alone or beside sums at places that are data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

# So many groups are too many for copies.
GROUPS = 5000


def effects(beta, effects, x, group, y):
    """Residuals of observations with an effect for each group and a coefficient for each column."""
    z = y - x @ beta - effects[group]
    return -0.5 * np.sum(z**2)


def effects_in_loops(beta, effects, x, group, y):
    """The same with a coefficient for the sign of each residual, in a branch."""
    total = 0.0
    for i in range(len(y)):
        mean = effects[group[i]]
        for j in range(x.shape[1]):
            mean += x[i, j] * beta[j]
        if y[i] > mean:
            total += (y[i] - mean) ** 2
        else:
            total += 0.5 * beta[0] * abs(y[i] - mean)
    return total


def logistic(beta, x, y):
    z = x @ beta
    return np.mean(np.log1p(np.exp(-np.abs(z))) + np.maximum(z, 0.0) - y * z)


def hinge(beta, x, y):
    """Margins in a branch, so that sums stay in the loop that finds them."""
    total = 0.0
    for i in range(len(y)):
        margin = 0.0
        for j in range(x.shape[1]):
            margin += x[i, j] * beta[j]
        if margin * y[i] < 1.0:
            total += (1.0 - margin * y[i]) ** 2
        else:
            total += 0.1 * np.sin(margin)
    return total


def several(beta, scale, x, y):
    """Arrays of different sizes and ranks, of which one is added to by whole rows."""
    total = 0.0
    for i in range(len(y)):
        row = x[i] * scale[0] + scale[1]
        total += np.tanh(y[i] * np.dot(row, beta)) + np.sum(row * scale[2])
    return total


def own_beside_shared(beta, effects, x, group, y):
    """Iterations add at data to an array of their own, which they then add to a shared one, and to another one."""
    total = 0.0
    for i in range(len(y)):
        row = np.tanh(beta * y[i])
        for j in range(3):
            total += np.sin(row[(group[i] + j * j) % len(beta)]) * effects[group[i]]
    return total


ALL = [effects, effects_in_loops, logistic, hinge, several, own_beside_shared]


def observations(rows: int, columns: int, dtype: Any = np.float64) -> dict[str, Any]:
    rng = np.random.default_rng(rows)
    return {
        "beta": rng.standard_normal(columns).astype(dtype),
        "effects": rng.standard_normal(GROUPS).astype(dtype),
        "scale": rng.standard_normal((3, columns)).astype(dtype),
        "x": rng.standard_normal((rows, columns)).astype(dtype),
        "group": rng.integers(-GROUPS, GROUPS, rows),
        "y": rng.standard_normal(rows).astype(dtype),
    }


def gradient_of(function: Callable[..., Any]) -> tuple[Any, list[str]]:
    names = list(function.__code__.co_varnames[: function.__code__.co_argcount])
    return tl.value_and_grad(function, argnums=tuple(range(2 if len(names) > 3 else 1))), names


def kernels_of(function: Callable[..., Any], given: dict[str, Any]) -> tuple[Any, Any, list[Any]]:
    derivative, names = gradient_of(function)
    arguments = [given[name] for name in names]
    return tl.compile(derivative, arguments, target="cuda"), tl.compile(derivative, arguments), arguments


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("function", ALL, ids=lambda each: each.__name__)
def test_gradients_agree_with_the_cpu(function: Callable[..., Any], dtype: Any) -> None:
    tolerance = 1e-9 if dtype == np.float64 else 2e-3
    with emulated_cuda(keeps_kernels=True):
        kernel, other, _ = kernels_of(function, observations(20_000, 5, dtype))
        for rows, columns in ((20_000, 5), (16_384, 1), (20_011, 90), (129, 3), (0, 4)):
            given = observations(rows, columns, dtype)
            arguments = [given[name] for name in gradient_of(function)[1]]
            (value, bars), (expected, wanted) = kernel(*arguments), other(*arguments)
            scale = max(rows, 1) ** 0.5
            for found, each in zip((value, *bars), (expected, *wanted), strict=True):
                np.testing.assert_allclose(found, each, rtol=tolerance, atol=tolerance * scale)


def test_bits_are_the_same_in_every_order_of_threads() -> None:
    given, found = observations(20_000, 5), []
    for seed in range(3):
        with emulated_cuda(seed=seed, keeps_kernels=True):
            kernel, _, arguments = kernels_of(effects_in_loops, given)
            value, (beta, groups) = kernel(*arguments)
            found.append((value, beta.tobytes(), groups.tobytes()))
    assert found[0] == found[1] == found[2]


def test_no_number_stays_where_it_is() -> None:
    """A NaN reaches the coefficients of its column and the effect of its group alone."""
    given = observations(20_000, 5)
    given["x"][77, 2] = np.nan
    with emulated_cuda(keeps_kernels=True):
        kernel, _, arguments = kernels_of(effects_in_loops, given)
        _, (beta, groups) = kernel(*arguments)
    assert np.isnan(beta).all()
    assert np.flatnonzero(np.isnan(groups)).tolist() == [given["group"][77] % GROUPS]


@pytest.mark.parametrize("function", [effects, logistic, effects_in_loops, hinge], ids=lambda each: each.__name__)
def test_no_launch_has_few_threads_of_much_work(function: Callable[..., Any]) -> None:
    """Nor does one add all rows to the same few elements: a branch leaves sums to copies, a product has parts."""
    with emulated_cuda(keeps_kernels=True):
        kernel, _, arguments = kernels_of(function, observations(400_000, 12))
        lines = [line for line in kernel.explain(*arguments).splitlines() if line.startswith("  grid")]
    assert all(int(line.split()[-3].replace(",", "")) < 400 for line in lines if line.endswith("operations each"))
    assert (function in (effects_in_loops, hinge)) == any("blocks of 128 threads" in line for line in lines)
