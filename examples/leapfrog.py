"""Planets there and back: a symplectic integrator whose gradient holds no states, however many steps it takes."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from tapeless.runtime import counters

Bodies = tuple[np.ndarray, np.ndarray, np.ndarray]


@tl.function
def attraction(q: tl.f64[:, :], mass: tl.f64[:]) -> tl.f64[:, :]:
    """What every body is accelerated by."""

    def on(at: tl.f64[:]) -> tl.f64[:]:
        away = q - at
        squared = tl.sum(away * away, axis=1) + 1e-2
        return (mass / (squared * tl.sqrt(squared))) @ away

    return tl.map(on, q)


@tl.reversible
def leapfrog(q: tl.f64[:, :], p: tl.f64[:, :], mass: tl.In[tl.f64[:]], dt: tl.In[tl.f64], steps: tl.In[tl.i64]) -> None:
    for _ in range(steps):
        p += dt * attraction(q, mass)
        q += dt * p


@tl.function
def distance(q: tl.f64[:, :], p: tl.f64[:, :], mass: tl.f64[:], dt: tl.f64, steps: tl.i64) -> tl.f64:
    """The same as an ordinary function: how far the bodies are from the origin at the end."""
    for _ in range(steps):
        p = p + dt * attraction(q, mass)
        q = q + dt * p
    return tl.sum(q * q)


def bodies(n: int) -> Bodies:
    random = np.random.default_rng(0)
    return random.normal(size=(n, 3)), 0.3 * random.normal(size=(n, 3)), random.uniform(0.5, 1.5, n) / n


def peak(gradient: tl.Kernel, *arguments: object) -> int:
    counters.reset_peak()
    gradient(*arguments)
    return counters.peak_bytes()


def main() -> None:
    q, p, mass = bodies(5)
    there = leapfrog(q, p, mass, 1e-3, 10_000)
    back = (~leapfrog)(*there)
    error = max(np.abs(back[0] - q).max(), np.abs(back[1] - p).max())
    print(f"10,000 steps there and back: off by {error:.1e}")
    assert error < 1e-11

    arguments = (q, p, mass, 1e-3)
    gradients = {
        "redundant": tl.compile(tl.grad(distance), (*arguments, 10), checks="off"),
        # Without `fallback=False` there would be code to keep some states, too, should the bodies not find back.
        "reversible": tl.compile(
            tl.grad(distance, method="reversible"), (*arguments, 10), checks="off", fallback=False
        ),
    }
    expected = gradients["redundant"](*arguments, 1_000)
    np.testing.assert_allclose(gradients["reversible"](*arguments, 1_000), expected, rtol=1e-9, atol=1e-12)
    print("bytes a gradient holds:      1,000 steps   10,000 steps")
    for method, gradient in gradients.items():
        held = [peak(gradient, *arguments, steps) for steps in (1_000, 10_000)]
        print(f"  {method:12}{held[0]:28,}{held[1]:15,}")


if __name__ == "__main__":
    main()
