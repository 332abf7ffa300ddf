"""The parts of a problem of GradBench: for each of its functions a program, and its conversion from and to JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tapeless.dataclasses_on_use import dataclass


@dataclass(frozen=True)
class Task:
    """One function of a problem.

    Only calls of the program are timed: they compute all of the answer from the arguments.
    """

    program: Callable[..., Any]
    arguments: Callable[[Any], tuple[Any, ...]]
    output: Callable[[Any], Any] = lambda result: result


Problem = Mapping[str, Task]


def floats(values: Any, *shape: int) -> np.ndarray:
    """Numbers of JSON as a contiguous array; the shape matters where there are none."""
    array = np.array(values, dtype=np.float64)
    return array.reshape(shape) if shape else array


def integers(values: Any) -> np.ndarray:
    """Whole numbers of JSON as a contiguous array."""
    return np.array(values, dtype=np.int64)


def as_lists(result: np.ndarray) -> Any:
    """An array as JSON has it."""
    return result.tolist()
