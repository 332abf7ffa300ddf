"""The record of a program of this benchmark: its spellings, the same in other libraries, sizes and data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

SIZES = ("small", "middle", "large")
QUANTITIES = ("gradient", "value", "jacobian", "hvp")
DTYPES = {"f64": np.float64, "f32": np.float32}
SEED = 7


class FromJax:
    """A spelling that is read from the program's function of JAX, for the sizes of its arguments."""


FROM_JAX = FromJax()


@dataclass(frozen=True)
class Program:
    """One program of one field.

    `data(size, dtype, rng)` gives the arguments: arrays, floats and ints; ints are compiled into the programs of JAX.
    `spellings` are undecorated functions over names of `tl` and `np`, without dtypes, for f32 and f64 alike, or
    `FROM_JAX`.
    `jax(jnp)` and `torch(torch)` give the same function, `numpy(*arguments)` the whole quantity, derived by hand.
    With the quantity `hvp`, the last of the data is the direction, which only the argument `wrt` has.

    Tests run every program with the size `tiny`, or `small` where there is none: sizes at which calls take less than
    a millisecond. `refused` has, for spellings that Tapeless does not accept, a part of the message; tests expect it.
    `in_f32` says of spellings and peers, by name, why f32 cannot hold their result to three digits, whoever computes
    it; a test shows each of these by other means than Tapeless.
    """

    name: str
    field: str
    sizes: Mapping[str, Any]
    data: Callable[[Any, type, np.random.Generator], tuple[Any, ...]]
    spellings: Mapping[str, Callable[..., Any] | FromJax]
    jax: Callable[[Any], Callable[..., Any]]
    torch: Callable[[Any], Callable[..., Any]] | None = None
    numpy: Callable[..., Any] | None = None
    wrt: tuple[int, ...] = (0,)
    quantity: str = "gradient"
    dtypes: tuple[str, ...] = ("f64", "f32")
    tiny: Any = None
    jacobian: str = "reverse"
    refused: Mapping[str, str] = field(default_factory=dict)
    in_f32: Mapping[str, str] = field(default_factory=dict)

    def arguments(self, size: str, dtype: str) -> tuple[Any, ...]:
        """The data of a size, the same each time."""
        given = self.sizes["small"] if self.tiny is None else self.tiny
        return self.data(given if size == "tiny" else self.sizes[size], DTYPES[dtype], np.random.default_rng(SEED))
