"""What a program of the collection is: a function of the language, what it must compute, and arguments for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Arguments = tuple[Any, ...]


@dataclass(frozen=True)
class Program:
    """One small program.

    `function` is plain Python, to be decorated with `tl.function`; `reference` computes the same with numpy or plain
    Python. Without the tag `f64`, the program also makes sense with every float argument in single precision.
    """

    name: str
    function: Callable[..., Any]
    reference: Callable[..., Any]
    arguments: Callable[[np.random.Generator], Arguments]
    tolerance: float = 1e-12
    tags: frozenset[str] = frozenset()


def program(
    function: Callable[..., Any],
    reference: Callable[..., Any],
    arguments: Callable[[np.random.Generator], Arguments],
    *tags: str,
    tolerance: float = 1e-12,
) -> Program:
    """A program named after its function."""
    return Program(function.__name__, function, reference, arguments, tolerance, frozenset(tags))
