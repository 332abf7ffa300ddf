"""Logistic regression by Newton's method: gradient and Hessian from one function, and a check of both."""

from __future__ import annotations

import numpy as np

import tapeless as tl

STEPS = 8


@tl.function
def loss(w: tl.f64[:], x: tl.f64[:, :], y: tl.f64[:]) -> tl.f64:
    return tl.sum(tl.softplus(-y * (x @ w))) + 0.5 * tl.sum(w * w)


def data(count: int, features: int) -> tuple[np.ndarray, np.ndarray]:
    """Points and noisy labels of a random half-space."""
    random = np.random.default_rng(0)
    x = random.standard_normal((count, features))
    y = np.sign(x @ random.standard_normal(features) + 0.3 * random.standard_normal(count))
    return x, y


def main() -> None:
    x, y = data(200, 4)
    w = np.zeros(4)
    value_and_gradient, hessian = tl.value_and_grad(loss), tl.hessian(loss)
    for step in range(STEPS):
        value, gradient = value_and_gradient(w, x, y)
        print(f"step {step}: loss {value:.6f}, gradient {np.linalg.norm(gradient):.1e}")
        w -= tl.linalg.solve(hessian(w, x, y), gradient)
    tl.check_grads(loss, (w, x, y), methods=("redundant",))
    print("derivatives agree with central differences to second order")


if __name__ == "__main__":
    main()
