"""Programs as users of JAX write them: losses of parameters and data, which are trained a few steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Program(NamedTuple):
    """A loss `loss(parameters, *data)`, parameters to start from, data, and a rate of learning."""

    loss: Callable[..., Any]
    parameters: Any
    data: tuple[Any, ...] = ()
    rate: float = 0.01


def normal(*shape: int, seed: int = 0, scale: float = 1.0) -> np.ndarray:
    """Random numbers that are the same in every run."""
    return scale * np.random.default_rng((seed, *shape)).standard_normal(shape)


def uniform(*shape: int, seed: int = 0, low: float = 0.1, high: float = 1.0) -> np.ndarray:
    """Random positive numbers that are the same in every run."""
    return np.random.default_rng((seed, *shape, 7)).uniform(low, high, shape)


def labels(count: int, classes: int, seed: int = 0) -> np.ndarray:
    """Random classes that are the same in every run."""
    return np.random.default_rng((seed, count, classes)).integers(0, classes, count)
