"""What a row of the derivative table is: a function at a point and its derivative there, known by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Derivative:
    """One row.

    `expected` has an entry for each argument in `wrt`: its Jacobian (shape of the result, then of the argument). With a
    `seed` it is the adjoint that this cotangent gives, with a `tangent` of the argument the tangent of the result.
    """

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    expected: tuple[np.ndarray, ...]
    wrt: tuple[int, ...]
    seed: np.ndarray | None
    tangent: np.ndarray | None
    modes: tuple[str, ...]


def derivative(
    name: str,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    *expected: Any,
    wrt: tuple[int, ...] = (0,),
    seed: Any = None,
    tangent: Any = None,
    modes: tuple[str, ...] = ("vjp", "jvp"),
) -> Derivative:
    """A row from plain Python lists."""
    given = tuple(np.array(value, dtype=_dtype(value)) if isinstance(value, list) else value for value in arguments)
    wanted = tuple(np.array(value, dtype=float) for value in expected)
    seed, tangent = (None if value is None else np.array(value, dtype=float) for value in (seed, tangent))
    return Derivative(name, function, given, wanted, wrt, seed, tangent, modes)


def _dtype(value: list[Any]) -> type:
    """Lists of whole numbers are keys and indices."""
    return np.int64 if np.array(value).dtype.kind == "i" else np.float64
