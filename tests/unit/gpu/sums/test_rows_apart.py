"""Rows added at places that are data, and rows that iterations reduce and make, on the emulated GPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless.passes.soac.spread.guard import Limits
from unit.gpu.sums.test_spread import always, assert_near, numbers

pytestmark = pytest.mark.one_in(2)

Arguments = tuple[Any, ...]


def messages(own, other, nodes, sources, targets, wanted):
    """Rows of edges, added to rows of nodes, which a sum over nodes reads as well as the next step."""
    state = nodes
    for _ in range(2):
        received = np.zeros_like(state)
        received[targets] += np.tanh(state[sources] @ other)
        state = np.tanh(state @ own + received)
    return np.mean((state - wanted) ** 2)


def counted(own, other, nodes, sources, targets, wanted):
    """The same with a histogram of rows, whose adjoint reads rows only where keys are inside."""
    sent = tl.map(lambda source: np.tanh(nodes[source] @ other), sources)
    received = tl.hist(lambda a, b: a + b, np.zeros_like(nodes[0]), np.zeros_like(nodes), targets, sent)
    state = tl.map(lambda row, got: np.tanh(row @ own + got), nodes, received)
    return np.mean((state - wanted) ** 2)


def messages_of(n: int, k: int, d: int) -> Arguments:
    rng = np.random.default_rng(n)
    keys = rng.integers(0, max(n, 1), n * k), rng.integers(0, max(n, 1), n * k)
    return numbers((d, d), float), 0.5 * numbers((d, d), float), numbers((n, d), float), *keys, np.ones((n, d))


def outside_of(n: int, k: int, d: int) -> Arguments:
    """Some keys are no rows."""
    *before, targets, wanted = messages_of(n, k, d)
    targets[::3] += n
    return *before, targets, wanted


def factors(u, v, users, things, ratings):
    errors = np.sum(u[users] * v[things], axis=1) - ratings
    return np.sum(errors**2)


def factors_of(n: int, k: int, d: int) -> Arguments:
    rng = np.random.default_rng(n)
    keys = rng.integers(0, k, 4 * n), rng.integers(0, k, 4 * n)
    return numbers((k, d), float), numbers((k, d), float), *keys, rng.normal(size=4 * n)


def words(inner, outer, centres, contexts, negatives):
    """Rows that are parts of arrays, and rows of equal numbers, beside sums."""
    vectors = inner[centres]
    near = np.sum(vectors * outer[contexts], axis=1)
    far = np.sum(vectors[:, None, :] * outer[negatives], axis=2)
    return np.sum(tl.softplus(-near) + np.sum(tl.softplus(far), axis=1))


def words_of(n: int, k: int, d: int) -> Arguments:
    rng = np.random.default_rng(n)
    keys = rng.integers(0, k, n), rng.integers(0, k, n), rng.integers(0, k, (n, 3))
    return numbers((k, d), float), numbers((k, d), float), *keys


def quantiles(w, x, y, levels):
    loss = 0.0
    for i in range(len(y)):
        for q in range(len(levels)):
            error = y[i] - tl.dot(x[i], w[:, q])
            if error >= 0:
                loss += levels[q] * error
            else:
                loss += (levels[q] - 1.0) * error
    return loss


def quantiles_of(n: int, k: int, d: int) -> Arguments:
    return numbers((d, k), float), numbers((n, d), float), np.linspace(-1.0, 1.0, n), np.linspace(0.1, 0.9, k)


def shapes(mean, points):
    """Rows reduced element by element, in a map."""
    centred = mean - np.mean(mean, axis=0)

    def distance(shape):
        other = shape - np.mean(shape, axis=0)
        return np.sum(other**2) - 2.0 * np.sqrt(np.sum(centred * other) ** 2 + 0.1)

    return np.sum(tl.map(distance, points))


def shapes_of(n: int, k: int, d: int) -> Arguments:
    return numbers((d + 2, 2), float), numbers((n, d + 2, 2), float)


def scaled(x, y):
    """Rows that are reduced and made again in a loop of the host, and numbers at fixed places of rows."""
    cost = tl.map(lambda a: tl.map(lambda b: (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2, y), x)
    kernel = np.exp(-cost)
    v = np.ones_like(y[:, 0])
    u = np.ones_like(x[:, 0])
    for _ in range(2):
        u = 1.0 / (len(x) * (kernel @ v))
        v = 1.0 / (len(y) * (kernel.T @ u))
    return np.sum(u[:, None] * kernel * v * cost)


def scaled_of(n: int, k: int, d: int) -> Arguments:
    return numbers((n + 1, 2), float), numbers((k, 2), float)


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[int, ...], Callable[..., Arguments]]] = {
    "messages": (messages, (0, 1, 2), messages_of),
    "counted": (counted, (0, 1, 2), messages_of),
    "counted, some outside": (counted, (0, 1, 2), outside_of),
    "factors": (factors, (0, 1), factors_of),
    "words": (words, (0, 1), words_of),
    "quantiles": (quantiles, (0,), quantiles_of),
    "shapes": (shapes, (0, 1), shapes_of),
    "scaled": (scaled, (0,), scaled_of),
}
SIZES = ((1, 1, 1), (5, 3, 2), (70, 4, 40))


@pytest.mark.parametrize("name", PROGRAMS)
def test_rows_have_grids_of_their_own(name: str) -> None:
    function, argnums, arguments_of = PROGRAMS[name]
    both = tl.value_and_grad(function, argnums=argnums)
    on_cpu = tl.jit(both)
    found = []
    for seed in (0, 1):
        with mock.patch.object(Limits, "hold", always), emulated_cuda(seed=seed) as gpu:
            on_gpu = tl.jit(both, target="cuda")
            found.append([on_gpu(*arguments_of(*sizes)) for sizes in SIZES])
            gpu.check_guards()
    for sizes, one, other in zip(SIZES, *found, strict=True):
        assert_near(one, on_cpu(*arguments_of(*sizes)), np.float64)
        for left, right in zip(one[1], other[1], strict=True) if isinstance(one[1], tuple) else [(one[1], other[1])]:
            np.testing.assert_array_equal(left, right)


def test_no_thread_keeps_a_row() -> None:
    """Sums inside of a sum over nodes that keeps rows, too, leave no thread more than a row of work."""
    arguments = messages_of(40, 3, 24)
    with mock.patch.object(Limits, "hold", always), emulated_cuda() as gpu:
        tl.jit(tl.grad(messages, argnums=(0, 1, 2)), target="cuda")(*arguments)
        gpu.check_guards()
        launches = [call[2][0] * call[3][0] for call in gpu.calls if call[0] == "launch"]
    assert len([threads for threads in launches if threads >= 40 * 24]) >= 8


def generated(m0, m1):
    m1[tl.argmax(tl.min(tl.ones((m0.shape[0], m0.shape[0], m1.shape[0])), axis=0), axis=1)], m1[0] = (0.5, 0.5)
    return tl.sum(m1 * tl.sum(m0))


def test_reductions_without_elements_of_their_own() -> None:
    """Maps around reductions of the elements of an array as they are."""
    arguments = numbers((3, 4), float), numbers((5,), float)
    gradient = tl.grad(generated, argnums=(0, 1))
    with emulated_cuda() as gpu:
        found = tl.jit(gradient, target="cuda")(*arguments)
        gpu.check_guards()
    assert_near(found, tl.jit(gradient)(*arguments), np.float64)
