"""The kernels that the checks load, and what numpy says of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import tapeless as tl


def scaled(x: tl.f64[:]):
    """Elementwise, into memory that the caller provides."""
    return x * 2.0 + 1.0


def total(x: tl.f64[:]):
    """A number, read from the GPU."""
    return tl.sum(x * x)


def positive(x: tl.f64[:]):
    """An array of a size that is read on the way, in memory that the plan allocates."""
    count = 0
    for value in x:
        if value > 0.0:
            count += 1
    return tl.sort(x)[tl.len(x) - count :]


def mixture(w: tl.f64[:], m: tl.f64[:, :], x: tl.f64[:, :]):
    """Many kernels, with a gradient of recorded launches."""
    return tl.sum(tl.map(lambda row: tl.logsumexp(tl.map(lambda a, c: a - tl.sum((row - c) * (row - c)), w, m)), x))


def make(folder: Path, target: str = "cuda:sm_90") -> None:
    """Compiles them, without a GPU."""
    functions: dict[str, Any] = {
        "scaled": scaled,
        "total": total,
        "positive": positive,
        "mixture": tl.grad(mixture, argnums=(0, 1)),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, function in functions.items():
        tl.compile(function, target=target).save(folder / f"{name}.tlk")
    tl.compile(scaled, target="cuda:sm_100").save(folder / "newer.tlk")
    print(f"{len(functions) + 1} kernels")


def mixture_gradient(w: np.ndarray, m: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What `mixture` gives."""
    apart = x[:, None, :] - m[None]
    scores = w - np.sum(apart * apart, axis=2)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return weights.sum(axis=0), 2.0 * np.einsum("nk,nkd->kd", weights, apart)


EXPECTED: dict[str, Callable[..., Any]] = {
    "scaled": lambda x: x * 2.0 + 1.0,
    "total": lambda x: np.sum(x * x),
    "positive": lambda x: np.sort(x[x > 0.0]),
    "mixture": mixture_gradient,
}
