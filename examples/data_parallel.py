"""Training on a Dask cluster: workers hold shards of the data, and their gradients are summed.

The kernel is compiled once, here, and pickled to the workers, which need no compiler for it. Needs `distributed`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from distributed import Client, LocalCluster

import tapeless as tl

ROWS, COLUMNS, SHARDS, WORKERS, STEPS = 4000, 8, 4, 2, 60
RATE = 4.0 / ROWS

Shard = tuple[np.ndarray, np.ndarray]
Part = tuple[float, np.ndarray]


@tl.function
def loss(w: tl.f64[:], x: tl.f64[:, :], y: tl.f64[:]) -> tl.f64:
    """The logistic loss of weights w for rows of x with labels -1 and 1."""
    total = 0.0
    for i in range(x.shape[0]):
        total += tl.log1p(tl.exp(-y[i] * tl.sum(x[i] * w)))
    return total


def call(kernel: tl.Kernel, w: np.ndarray, shard: Shard) -> Part:
    """What a worker does in each step."""
    value, gradient = kernel(w, *shard)
    return value, gradient


def added(parts: Sequence[Part]) -> Part:
    """The sum of values, and that of gradients."""
    return sum(value for value, _ in parts), np.sum([gradient for _, gradient in parts], axis=0)


def train(client: Client, kernel: tl.Kernel, shards: list[Shard]) -> tuple[np.ndarray, list[float]]:
    """Gradient descent in which only weights and sums travel: the kernel and the shards are sent once."""
    there, placed = client.scatter(kernel, broadcast=True), client.scatter(shards)
    w, history = np.zeros(COLUMNS), []
    for _ in range(STEPS):
        parts = [client.submit(call, there, w, shard, pure=False) for shard in placed]
        value, gradient = client.submit(added, parts, pure=False).result()
        w = w - RATE * gradient
        history.append(value / ROWS)
    return w, history


def train_alone(kernel: tl.Kernel, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The same on all rows in this process."""
    w = np.zeros(COLUMNS)
    for _ in range(STEPS):
        w = w - RATE * kernel(w, x, y)[1]
    return w


def data() -> Shard:
    """Points and noisy labels of a half-space."""
    random = np.random.default_rng(0)
    x = random.normal(size=(ROWS, COLUMNS))
    return x, np.where(x @ np.linspace(-2.0, 2.0, COLUMNS) + 0.5 * random.normal(size=ROWS) > 0.0, 1.0, -1.0)


def main() -> None:
    x, y = data()
    shards = list(zip(np.array_split(x, SHARDS), np.array_split(y, SHARDS), strict=True))
    kernel = tl.compile(tl.value_and_grad(loss), checks="off")
    with (
        LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        w, history = train(client, kernel, shards)
    print(f"{SHARDS} shards on {WORKERS} workers: loss {history[0]:.4f} -> {history[-1]:.4f}")
    print(f"largest difference to training in one process: {np.abs(w - train_alone(kernel, x, y)).max():.1e}")
    print(f"right on {np.mean(np.sign(x @ w) == y):.1%} of the rows")


if __name__ == "__main__":
    main()
