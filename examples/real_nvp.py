"""A flow that also stretches, trained with its log-determinant: its layers are undone, so no activations are stored."""

from __future__ import annotations

import numpy as np

import tapeless as tl

LAYERS, WIDTH, POINTS, EPOCHS, RATE = 6, 8, 200, 60, 0.02


@tl.function
def flow(x: tl.f64[:], y: tl.f64[:], w: tl.f64[:, 4, :]) -> tuple[tl.f64[:], tl.f64[:], tl.f64[:]]:
    """Each coordinate is stretched and moved by functions of the other, in turns; volumes grow, by their logarithm."""
    log_volume = tl.zeros_like(x)
    for layer in range(len(w)):
        hidden = tl.tanh(tl.outer(x, w[layer, 0]) + w[layer, 1])
        stretch = tl.tanh(hidden @ w[layer, 2])
        y = tl.exp(stretch) * y + hidden @ w[layer, 3]
        log_volume = log_volume + stretch
        x, y = y, x
    return x, y, log_volume


@tl.function
def surprise(x: tl.f64[:], y: tl.f64[:], w: tl.f64[:, 4, :]) -> tl.f64:
    """How unlikely the points are when the flow maps them to a normal distribution."""
    x, y, log_volume = flow(x, y, w)
    return tl.sum(0.5 * (x * x + y * y) - log_volume) / len(x)


def back(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The points that the flow maps to these: draws from a normal distribution become draws like the data."""
    for moved_by, shifted_by, stretched_by, added in w[::-1]:
        x, y = y, x
        hidden = np.tanh(np.outer(x, moved_by) + shifted_by)
        y = (y - hidden @ added) / np.exp(np.tanh(hidden @ stretched_by))
    return x, y


def points() -> tuple[np.ndarray, np.ndarray]:
    """A bent cloud."""
    random = np.random.default_rng(0)
    x = random.normal(size=POINTS)
    return x, 0.3 * random.normal(size=POINTS) + np.sin(2.0 * x)


def log_determinant(x: float, y: float, w: np.ndarray, step: float = 1e-5) -> float:
    """Of the flow's derivative at a point, by differences."""
    xs, ys = x + step * np.array([1.0, -1.0, 0.0, 0.0]), y + step * np.array([0.0, 0.0, 1.0, -1.0])
    ends = np.array(flow(xs, ys, w)[:2], np.float64)
    return float(np.linalg.slogdet((ends[:, ::2] - ends[:, 1::2]) / (2.0 * step))[1])


def main() -> None:
    x, y = points()
    w = 0.3 * np.random.default_rng(1).normal(size=(LAYERS, 4, WIDTH))
    step = tl.jit(tl.value_and_grad(surprise, argnums="w", method="reversible"), fallback=False)
    first, _ = step(x, y, w)
    loss = first
    for _ in range(EPOCHS):
        loss, w_bar = step(x, y, w)
        w = w - RATE * w_bar
    print(f"surprise before training {first:.4f}, after {loss:.4f}")
    assert loss < first

    u, v, log_volume = flow(x, y, w)
    error = np.abs(np.array(back(u, v, w)) - [x, y]).max()
    print(f"points to the normal distribution and back: off by {error:.1e}")
    difference = abs(log_determinant(x[0], y[0], w) - log_volume[0])
    print(f"the logarithm of the volume and ln |det J|: {difference:.1e} apart")
    assert error < 1e-12
    assert difference < 1e-8


if __name__ == "__main__":
    main()
