"""A normalising flow trained without stored activations: its layers run backwards instead."""

from __future__ import annotations

import numpy as np

import tapeless as tl

LAYERS, WIDTH, POINTS, EPOCHS, RATE = 4, 8, 200, 60, 0.02


@tl.reversible
def flow(x: tl.f64[:], y: tl.f64[:], w: tl.In[tl.f64[:, :, 2]], v: tl.In[tl.f64[:]]) -> None:
    """Coupling layers: each coordinate is moved by a function of the other, in turns."""
    for layer in range(w.shape[0]):
        y += v[layer] * tl.sum(tl.tanh(w[layer, :, :1] * x + w[layer, :, 1:]), axis=0)
        x, y = y, x


@tl.function
def surprise(x: tl.f64[:], y: tl.f64[:], w: tl.f64[:, :, 2], v: tl.f64[:]) -> tl.f64:
    """How unlikely the points are when the flow maps them to a normal distribution; it keeps volumes."""
    x, y, _, _ = flow(x, y, w, v)
    return 0.5 * tl.sum(x * x + y * y) / len(x)


def points() -> tuple[np.ndarray, np.ndarray]:
    """A bent cloud."""
    random = np.random.default_rng(0)
    x = random.normal(size=POINTS)
    return x, 0.3 * random.normal(size=POINTS) + np.sin(2.0 * x)


def main() -> None:
    x, y = points()
    random = np.random.default_rng(1)
    w, v = random.normal(size=(LAYERS, WIDTH, 2)), 0.1 * random.normal(size=LAYERS)
    step = tl.value_and_grad(surprise, argnums=("w", "v"))
    first, _ = step(x, y, w, v)
    loss = first
    for _ in range(EPOCHS):
        loss, (w_bar, v_bar) = step(x, y, w, v)
        w, v = w - RATE * w_bar, v - RATE * v_bar
    print(f"surprise before training {first:.4f}, after {loss:.4f}")
    assert loss < first

    there = flow(x, y, w, v)
    back = (~flow)(*there)
    print(f"points to the normal distribution and back: off by {np.abs(np.array(back[:2]) - [x, y]).max():.1e}")


if __name__ == "__main__":
    main()
