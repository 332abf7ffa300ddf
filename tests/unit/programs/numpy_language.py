"""The part of the language that generated programs use, meant by plain numpy: an independent interpreter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

sin, cos, tanh, exp, sqrt, abs, where = np.sin, np.cos, np.tanh, np.exp, np.sqrt, np.abs, np.where
minimum, maximum, sum, cumsum, zeros = np.minimum, np.maximum, np.sum, np.cumsum, np.zeros
outer, iota, copy = np.outer, np.arange, np.copy


def concat(parts: tuple[np.ndarray, ...]) -> np.ndarray:
    """Joined along the first axis."""
    return np.concatenate(parts)


def reverse(x: np.ndarray) -> np.ndarray:
    """The first axis backwards."""
    return x[::-1].copy()


def map(f: Callable[..., Any], *arrays: np.ndarray) -> np.ndarray:
    """One call per element of the first axis; of no elements, an array shaped like the first input."""
    if len(arrays[0]) == 0:
        return np.zeros(0)
    return np.array([f(*elements) for elements in zip(*arrays, strict=True)])


def reduce(op: Callable[[Any, Any], Any], neutral: float, x: np.ndarray) -> Any:
    """From the left."""
    for element in x:
        neutral = op(neutral, element)
    return neutral


def scan(op: Callable[[Any, Any], Any], neutral: float, x: np.ndarray) -> np.ndarray:
    """Inclusive prefixes from the left."""
    prefixes = []
    for element in x:
        neutral = op(neutral, element)
        prefixes.append(neutral)
    return np.array(prefixes, dtype=float)


def hist(
    op: Callable[[Any, Any], Any], neutral: float, dest: np.ndarray, keys: np.ndarray, values: np.ndarray
) -> np.ndarray:
    """Values combined by key, in order; keys outside are ignored."""
    result = dest.copy()
    for key, value in zip(keys, values, strict=True):
        if 0 <= key < len(dest):
            result[key] = op(result[key], value)
    return result
