"""Petersen's graph put into space so that links are of one length: gradient and Hessian of a reversible loss."""

# pyright: reportUnusedExpression=false
# `~r` is a statement of procedures.

from __future__ import annotations

import numpy as np

import tapeless as tl

DIMENSIONS = 5
OUTER = [(i, (i + 1) % 5) for i in range(5)]
SPOKES = [(i, i + 5) for i in range(5)]
INNER = [(i + 5, (i + 2) % 5 + 5) for i in range(5)]
LINKS = np.array(OUTER + SPOKES + INNER)
LINKED = {(min(pair), max(pair)) for pair in OUTER + SPOKES + INNER}
OTHERS = np.array([(i, j) for j in range(10) for i in range(j) if (i, j) not in LINKED])


@tl.reversible
def spread(variance: tl.f64, mean: tl.f64, x: tl.In[tl.f64[:, :]], pairs: tl.In[tl.i64[:, :]]) -> None:
    """Mean and variance of the distances of some pairs of points."""
    with tl.ancilla(tl.zeros(len(pairs))) as distances, tl.ancilla(0.0) as total:
        with tl.routine() as r:
            for k in range(len(pairs)):
                away = x[pairs[k, 0]] - x[pairs[k, 1]]
                distances[k] += tl.sqrt(tl.sum(away * away))
                total += distances[k]
        mean += total / len(pairs)
        for k in range(len(pairs)):
            variance += (distances[k] - total / len(pairs)) ** 2 / (len(pairs) - 1)
        ~r


@tl.function
def loss(x: tl.f64[:, :], links: tl.i64[:, :], others: tl.i64[:, :]) -> tl.f64:
    """Linked pairs want one distance, other pairs another that is larger."""
    linked = spread(0.0, 0.0, x, links)
    apart = spread(0.0, 0.0, x, others)
    return linked[0] + apart[0] + tl.exp(linked[1] - apart[1] + 0.1)


def main() -> None:
    x = np.random.default_rng(0).normal(size=(10, DIMENSIONS))
    value_and_gradient = tl.jit(tl.value_and_grad(loss), checks="off")
    hessian = tl.jit(tl.hessian(loss), checks="off")
    for step in range(41):
        value, gradient = value_and_gradient(x, LINKS, OTHERS)
        if step % 20 == 0:
            print(f"loss after {step:2} steps {value:.6f}")
        x = x - 0.5 * gradient
    second = hessian(x, LINKS, OTHERS).reshape(x.size, x.size)
    width, direction = 1e-5, np.random.default_rng(1).normal(size=x.shape)
    ends = [value_and_gradient(x + sign * width * direction, LINKS, OTHERS)[1] for sign in (1.0, -1.0)]
    error = np.abs(second @ direction.ravel() - (ends[0] - ends[1]).ravel() / (2 * width)).max()
    print(
        f"the Hessian is symmetric to {np.abs(second - second.T).max():.1e} and agrees with differences to {error:.1e}"
    )
    assert error < 1e-6


if __name__ == "__main__":
    main()
