"""Rows of the table, and the arguments that their programs are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

SHAPE = (3, 4)
DTYPES: dict[str, Any] = {
    "bool": np.bool_,
    "i32": np.int32,
    "i64": np.int64,
    "u32": np.uint32,
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
}
HALVES = ("f16", "bf16")
"""Floats of 16 bits, for which rows of `f32` are taken."""
FLOATS = ("f32", "f64")
SIGNED = ("i32", "i64")
INTEGERS = (*SIGNED, "u32")
NUMBERS = (*INTEGERS, *FLOATS)
BITS = ("bool", *INTEGERS)
ALL = ("bool", *NUMBERS)


NONE: Mapping[str, str] = MappingProxyType({})


class Row(NamedTuple):
    """A program of two arrays of the same dtype; `smooth` ones have derivatives, which are compared.

    `inside` says where floats lie: (low, high). `refused` says what a refusal mentions, for dtypes that have one. A
    `twin` does the same in a way that JAX differentiates. Rows without `halves` are none that JAX has for 16 bits.
    """

    name: str
    program: Callable[..., Any]
    dtypes: tuple[str, ...]
    smooth: bool = True
    inside: tuple[float, float] = (0.2, 0.9)
    refused: Mapping[str, str] = NONE
    twin: Callable[..., Any] | None = None
    halves: bool = True

    def translated(self, dtype: str) -> bool:
        """Whether the row has a translation for a dtype."""
        if dtype in HALVES and not self.halves:
            return False
        return ("f32" if dtype in HALVES else dtype) in self.dtypes and dtype not in self.refused


def arguments(rows: list[Row], dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Two arrays with a matrix for each row; floats differ from each other, and lie where the row says."""
    pairs = [_pair(row, dtype) for row in rows]
    return np.stack([x for x, _ in pairs]), np.stack([y for _, y in pairs])


def _pair(row: Row, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(sum(map(ord, row.name)))
    if dtype == "bool":
        return rng.random(SHAPE) < 0.5, rng.random(SHAPE) < 0.5
    if dtype in (*FLOATS, *HALVES):
        low, high = row.inside
        count = 2 * SHAPE[0] * SHAPE[1]
        steps = low + (high - low) * (np.arange(count) + 0.5 * rng.random(count)) / count
        x, y = rng.permutation(steps).reshape(2, *SHAPE).astype(DTYPES[dtype])
        return x, y
    low = 0 if dtype == "u32" else -9
    x, y = rng.integers(low, 10, SHAPE), rng.integers(low, 10, SHAPE)
    x[0, 0] = 2**32 - 5 if dtype == "u32" else -(2**31)
    return x.astype(DTYPES[dtype]), y.astype(DTYPES[dtype])


def tables(rows_of: dict[str, list[Row]], longest: int = 12) -> dict[str, list[Row]]:
    """Tables cut into parts of so many rows at most, so that a part is soon compiled."""
    return {
        f"{name}-{first // longest}": rows[first : first + longest]
        for name, rows in rows_of.items()
        for first in range(0, len(rows), longest)
    }
