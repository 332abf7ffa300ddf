"""Directions for derivatives: random tangents and cotangents shaped like arguments and results, and their products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Values = tuple[Any, ...]


def is_float(value: Any) -> bool:
    return np.asarray(value).dtype.kind == "f"


def converted(value: Any, dtype: type) -> Any:
    """Floats in this precision; everything else as it is."""
    if not is_float(value):
        return value
    return value.astype(dtype) if isinstance(value, np.ndarray) else dtype(value)


def zero_like(value: Any) -> Any:
    """A zero of the value's type and shape."""
    return np.zeros_like(value) if isinstance(value, np.ndarray) else type(value)(0)


def random_like(value: Any, rng: np.random.Generator) -> Any:
    """A random direction for floats, zero for everything else."""
    return (
        converted(shaped(rng.normal(size=np.shape(value))), np.asarray(value).dtype.type)
        if is_float(value)
        else zero_like(value)
    )


def shaped(value: np.ndarray | float) -> Any:
    """Rank 0 as a scalar."""
    return value if np.ndim(value) else float(value)


def leaves(value: Any) -> list[Any]:
    """The parts of nested tuples."""
    return [leaf for part in value for leaf in leaves(part)] if isinstance(value, tuple) else [value]


def like_structure(value: Any, make: Callable[[Any], Any]) -> Any:
    """A value of the same structure with every part replaced."""
    return tuple(like_structure(part, make) for part in value) if isinstance(value, tuple) else make(value)


def product(left: Any, right: Any) -> float:
    """The inner product over all float parts."""
    return sum(float(np.sum(a * b)) for a, b in zip(leaves(left), leaves(right), strict=True) if is_float(a))


def moved(arguments: Values, v: Values, step: float) -> Values:
    """The arguments after a step along v; what is no float stays."""
    return tuple(shaped(a + step * b) if is_float(a) else a for a, b in zip(arguments, v, strict=True))
