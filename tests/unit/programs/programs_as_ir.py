"""Programs of the collection as core IR: with their derivatives, and with arguments for both."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from programs.program import Program
from tapeless.methods import DEFAULT

sys.path.append(str(Path(__file__).parents[1] / "ad"))

import derivatives

# Hints that only the frontend can follow for a function that is called.
NOT_DIFFERENTIATED = {"hinted_loops"}


def values(program: Program) -> tuple[str, list[Any]]:
    """The text of a program and arguments for it."""
    arguments = program.arguments(np.random.default_rng(7))
    return derivatives.from_python(program.function, *arguments).text, list(arguments)


def values_and_adjoints(program: Program, method: str = DEFAULT) -> tuple[str, list[Any]]:
    """The text of a function that also pulls back ones from all results; the plain one where nothing has adjoints."""
    arguments = program.arguments(np.random.default_rng(7))
    plain = derivatives.from_python(program.function, *arguments)
    floats = [kind for kind in plain.results if derivatives.is_float(kind)]
    if not plain.active or not floats or program.name in NOT_DIFFERENTIATED:
        return plain.text, list(arguments)
    pulled = derivatives.vjp(plain, method=method).text
    text = pulled.replace(f"func.func @{plain.name}(", f"func.func private @{plain.name}(")
    return text, [*arguments, *_ones(plain, program.reference(*arguments))]


def _ones(plain: derivatives.Program, results: Any) -> list[Any]:
    pairs = zip(_flattened(results), plain.results, strict=True)
    return [_ones_like(value, kind) for value, kind in pairs if derivatives.is_float(kind)]


def _flattened(results: Any) -> list[Any]:
    return [part for result in results for part in _flattened(result)] if isinstance(results, tuple) else [results]


def _ones_like(value: Any, kind: str) -> Any:
    dtype = np.float32 if kind.rstrip(">").endswith("f32") else np.float64
    return np.ones(np.shape(value), dtype) if np.ndim(value) else 1.0
