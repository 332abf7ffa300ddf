"""Values of the reference: copies, new arrays and conversions in one mode."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
LARGEST = 1e20
NOISE_OF_DOUBLES = 1e-10  # single precision has more
DTYPES = {"f64": np.float64, "f32": np.float64, "i64": np.int64, "bool_": np.bool_}


class TooLarge(Exception):
    """Something that is computed on the way is so large that products of it in derivatives overflow."""


@dataclass(frozen=True)
class Values:
    """Single precision is computed in double; comparisons allow for it."""

    is_complex: bool
    noise: float
    rng: np.random.Generator

    def own(self, value: Any) -> Any:
        """A copy that nothing else shares, as an assignment makes it."""
        if isinstance(value, tuple):
            return tuple(self.own(part) for part in value)
        if callable(value):
            return value
        copied = np.array(value)
        if copied.dtype.kind in "fc":
            is_complex = self.is_complex or copied.dtype.kind == "c"
            copied = self._shaken(copied.astype(np.complex128 if is_complex else np.float64))
            if np.any(np.abs(copied) > LARGEST):
                raise TooLarge
        return copied[()] if copied.ndim == 0 else copied

    def noisy(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function with a relative error."""
        if not self.noise:
            return function
        return lambda *arguments, **named: self._shaken(function(*arguments, **named))

    def _shaken(self, value: Any) -> Any:
        if not self.noise or np.asarray(value).dtype.kind not in "fc":
            return value
        shaken = value * (1.0 + self.noise * self.rng.uniform(-1.0, 1.0, np.shape(value)))
        return np.where(np.abs(shaken) < self._tiny, 0.0, shaken)[()]

    @property
    def _tiny(self) -> float:
        """What a noisy run takes for zero: how soon products underflow depends on their order."""
        return 1e-36 if self.noise > NOISE_OF_DOUBLES else 1e-290

    def _typed(self, value: Array, dtype: str) -> Array:
        is_complex = self.is_complex or np.iscomplexobj(value)
        return value.astype(np.complex128 if is_complex and dtype in ("f64", "f32") else DTYPES[dtype])

    def zeros(self, shape: Any, dtype: str = "f64") -> Array:
        return self._typed(np.zeros(shape), dtype)

    def ones(self, shape: Any, dtype: str = "f64") -> Array:
        return self._typed(np.ones(shape), dtype)

    def full(self, shape: Any, value: Any, dtype: str = "f64") -> Array:
        return self._typed(np.full(shape, value), dtype)

    def linspace(self, start: float, stop: float, count: int) -> Array:
        return self._typed(np.linspace(start, stop, count), "f64")

    def zeros_like(self, x: Array) -> Array:
        return np.zeros_like(x)

    def ones_like(self, x: Array) -> Array:
        return np.ones_like(x)

    def astype(self, x: Any, dtype: str) -> Any:
        return self._typed(np.asarray(x), dtype)[()]
