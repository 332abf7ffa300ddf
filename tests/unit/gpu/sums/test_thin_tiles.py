"""Long products with few columns, and products that read one time step of a table and write another, in tiles on the
emulated GPU against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless.runtime.cuda.launch_lines import surveyed

STEPS = 4


def product(a, b):
    return np.sum((a @ b) ** 2)


def turned(a, b):
    return np.sum((b.T @ a.T) ** 2)


def spread(near, known):
    """The states of all steps are a table, whose rows the derivative reads."""
    labels = known
    for _ in range(STEPS):
        labels = 0.9 * (near @ labels) + 0.1 * known
    return np.sum(labels**2)


def in_place(near, known):
    """A table of states that the program keeps; the last one is overwritten by what it makes of itself."""
    table = tl.zeros((STEPS, known.shape[0], known.shape[1]))
    table[0] = known
    for t in range(STEPS - 1):
        table[t + 1] = near @ table[t]
        table[t + 1] = near @ table[t + 1]
    return np.sum(table**2)


def by_products(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return 2.0 * (a @ b) @ b.T, 2.0 * a.T @ (a @ b)


def by_steps(near: np.ndarray, known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    states = [known]
    for _ in range(STEPS):
        states.append(0.9 * near @ states[-1] + 0.1 * known)
    adjoint, of_near, of_known = 2.0 * states[-1], np.zeros_like(near), np.zeros_like(known)
    for state in states[-2::-1]:
        of_near += 0.9 * adjoint @ state.T
        of_known += 0.1 * adjoint
        adjoint = 0.9 * near.T @ adjoint
    return of_near, of_known + adjoint


def by_powers(near: np.ndarray, known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    states = [known]
    for _ in range(2 * (STEPS - 1)):
        states.append(near @ states[-1])
    adjoint, of_near = np.zeros_like(known), np.zeros_like(near)
    for step in range(2 * (STEPS - 1), 0, -1):
        adjoint = adjoint + (2.0 * states[step] if step % 2 == 0 else 0.0)
        of_near += adjoint @ states[step - 1].T
        adjoint = near.T @ adjoint
    return of_near, adjoint + 2.0 * known


CASES: list[tuple[Callable[..., Any], Callable[..., Any], bool]] = [
    (product, by_products, False),
    (turned, by_products, False),
    (spread, by_steps, True),
    (in_place, by_powers, True),
]


@pytest.mark.parametrize(("function", "by_numpy", "is_square"), CASES)
def test_thin_products_are_those_of_numpy(
    function: Callable[..., Any], by_numpy: Callable[..., Any], is_square: bool
) -> None:
    random = np.random.default_rng(4)
    with emulated_cuda(seed=5) as gpu:
        kernel = tl.jit(tl.grad(function, argnums=(0, 1)), target="cuda")
        for rows, steps, columns in ((90, 260, 3), (257, 257, 2), (30, 300, 9), (5, 7, 2), (0, 3, 1)):
            shape = (steps, steps) if is_square else (rows, steps)
            given = random.normal(size=shape) / np.sqrt(steps), random.normal(size=(steps, columns))
            for one, other in zip(kernel(*given), by_numpy(*given), strict=True):
                np.testing.assert_allclose(np.asarray(one), other, rtol=1e-9, atol=1e-9)
        gpu.check_guards()


def launched(function: Any, *given: np.ndarray) -> list[Any]:
    kernel = tl.compile(tl.function(function), given, target="cuda:sm_90", checks="off")
    named = kernel.interface.flat_names, kernel.interface.origin
    return list(surveyed(kernel._code, *named, kernel._flat(given)).by_work())


def test_long_thin_products_have_tiles() -> None:
    """A thread for each element would be 40 times as many blocks as there are tiles."""
    kernels = launched(lambda a, b: a @ b, np.ones((8192, 784)), np.ones((784, 10)))
    assert {kernel.blocks for kernel in kernels if kernel.work > 784} == {8192 // 64}


def test_steps_of_a_table_have_tiles() -> None:
    """Threads for elements would each go through a whole row."""
    kernels = launched(tl.grad(spread, argnums=1), np.ones((900, 900)), np.ones((900, 8)))
    assert max(kernel.work for kernel in kernels) < 1800
