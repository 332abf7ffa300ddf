"""Which medium did a wave cross? Gradients of waves in space, in a closed box and with an absorbing layer."""

from __future__ import annotations

import numpy as np

import tapeless as tl


@tl.function
def final_wave(
    speed: tl.f64[:, :, :], damping: tl.f64[:, :, :], start: tl.f64[:, :, :], steps: tl.i64
) -> tl.f64[:, :, :]:
    """A wave in a box after some steps; where there is damping it fades."""
    before = start
    u = start
    for _ in range(steps):
        after = u * (2.0 - damping) - before * (1.0 - damping)
        around = u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1]
        around += u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2]
        after[1:-1, 1:-1, 1:-1] += speed[1:-1, 1:-1, 1:-1] * (around - 6.0 * u[1:-1, 1:-1, 1:-1])
        before, u = u, after
    return u


@tl.function
def misfit(
    speed: tl.f64[:, :, :], damping: tl.f64[:, :, :], start: tl.f64[:, :, :], seen: tl.f64[:, :, :], steps: tl.i64
) -> tl.f64:
    """How far the wave in this medium is from the one that was seen."""
    difference = final_wave(speed, damping, start, steps) - seen
    return 0.5 * tl.sum(difference * difference)


def bump(n: int) -> np.ndarray:
    x = np.linspace(-3.0, 3.0, n)
    return np.exp(-(x[:, None, None] ** 2) - x[None, :, None] ** 2 - x[None, None, :] ** 2)


def layer(n: int, strength: float) -> np.ndarray:
    """Damping that grows towards the walls."""
    depth = strength * np.clip(np.abs(np.linspace(-3.0, 3.0, n)) - 2.0, 0.0, None)
    return np.maximum(np.maximum(depth[:, None, None], depth[None, :, None]), depth[None, None, :])


def main() -> None:
    n, steps = 16, 60
    start, guess = bump(n), np.full((n, n, n), 0.12)
    medium = np.full((n, n, n), 0.1)
    medium[n // 2 :] = 0.15
    # Steps are undone on the way back; without `fallback=False`, some states are kept where the start is lost.
    value_and_slope = tl.jit(tl.value_and_grad(misfit, method="reversible"), fallback=False)
    along, step = np.random.default_rng(0).normal(size=guess.shape), 1e-6
    for title, strength in (("a closed box", 0.0), ("a gentle layer", 0.1)):
        damping = layer(n, strength)
        seen = final_wave(medium, damping, start, steps)
        _, slope = value_and_slope(guess, damping, start, seen, steps)
        ends = [value_and_slope(guess + sign * step * along, damping, start, seen, steps)[0] for sign in (1.0, -1.0)]
        error = abs((ends[0] - ends[1]) / (2.0 * step) / np.sum(slope * along) - 1.0)
        print(f"{title}: the wave is {np.abs(seen).max():.0%} as high; gradient and differences agree to {error:.1e}")
        assert error < 1e-6
    try:
        value_and_slope(guess, layer(n, 0.9), start, start, steps)
    except tl.InvertibilityError as error:
        print(f"a layer that swallows too much to find the start again:\n  {str(error).splitlines()[0]}")


if __name__ == "__main__":
    main()
