"""Which medium did a wave cross? Gradients of waves that run backwards in time, with and without absorbing ends."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import tapeless as tl


@tl.function
def final_wave(before: tl.f64[:, :, :], u: tl.f64[:, :, :], speed: tl.f64[:, :, :], steps: tl.i64):
    """A wave in a box with closed walls after some steps."""
    for _ in range(steps):
        after = 2.0 * u - before
        around = u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1]
        around += u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2]
        after[1:-1, 1:-1, 1:-1] += speed[1:-1, 1:-1, 1:-1] * (around - 6.0 * u[1:-1, 1:-1, 1:-1])
        before, u = u, after
    return u


@tl.function
def misfit(speed: tl.f64[:, :, :], start: tl.f64[:, :, :], seen: tl.f64[:, :, :], steps: tl.i64) -> tl.f64:
    """How far the wave in this medium is from the one that was seen."""
    difference = final_wave(start, start, speed, steps) - seen
    return 0.5 * tl.sum(difference * difference)


@tl.function
def damped_misfit(speed: tl.f64[:], damping: tl.f64[:], start: tl.f64[:], seen: tl.f64[:], steps: tl.i64) -> tl.f64:
    """On a string whose ends absorb; what they swallow does not come back, so its gradient keeps some states."""
    before = start
    u = start
    for _ in tl.range(steps, budget=24):
        after = (2.0 - damping) * u - (1.0 - damping) * before
        after[1:-1] += speed[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        before, u = u, after
    difference = u - seen
    return 0.5 * tl.sum(difference * difference)


def bump(n: int, rank: int) -> np.ndarray:
    x = np.linspace(-3.0, 3.0, n)
    grids = np.meshgrid(*[x] * rank, indexing="ij")
    return np.exp(-sum(axis**2 for axis in grids))


def compare(title: str, loss: Callable[..., tl.f64], *arguments: object) -> None:
    gradients = {method: tl.grad(loss, method=method)(*arguments) for method in ("redundant", "reversible")}
    scale = np.abs(gradients["redundant"]).max()
    error = np.abs(gradients["reversible"] - gradients["redundant"]).max() / scale
    print(f"{title}: gradients of both methods agree to {error:.1e}")
    assert error < 1e-9


def main() -> None:
    n, steps = 20, 60
    start = bump(n, 3)
    medium = np.full((n, n, n), 0.1)
    medium[n // 2 :] = 0.15
    seen = final_wave(start, start, medium, steps)
    compare("a box", misfit, np.full((n, n, n), 0.12), start, seen, steps)

    n = 200
    damping = 0.3 * np.clip(np.abs(np.linspace(-1.5, 1.5, n)) - 1.0, 0.0, None)
    compare("a string with absorbing ends", damped_misfit, np.full(n, 0.2), damping, bump(n, 1), bump(n, 1), 400)


if __name__ == "__main__":
    main()
