"""Arguments of a program: the same for the same seed, whichever parameters are left."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from fuzz.program import Parameter, Program
from fuzz.types import Type

NUMPY = {"f64": np.float64, "f32": np.float32, "i64": np.int64, "bool_": np.bool_}


def generator(program: Program, word: str) -> np.random.Generator:
    return np.random.default_rng([program.seed, zlib.crc32(word.encode())])


def arguments(program: Program, which: int) -> tuple[Any, ...]:
    """The arguments of one of the sets."""
    return tuple(_argument(program, each, which) for each in program.parameters)


def _argument(program: Program, parameter: Parameter, which: int) -> Any:
    rng, type_ = generator(program, f"{parameter.name} {which}"), parameter.type
    shape = tuple(size[which] for size in type_.sizes)
    return plain(np.asarray(_values(rng, type_, shape, which)).astype(NUMPY[type_.dtype]))


def plain(value: np.ndarray[Any, Any]) -> Any:
    """Scalars as numbers of Python, singles as numpy has them."""
    if value.ndim:
        return value
    return value[()] if value.dtype == np.float32 else value.item()


def _values(rng: np.random.Generator, type_: Type, shape: tuple[int, ...], which: int) -> Any:
    if type_.is_float:
        return rng.uniform(-1.4, 1.4, shape)
    if type_.dtype == "bool_":
        return rng.random(shape) < 0.5
    if type_.bound is None:
        return rng.integers(-1, 9, shape)
    return rng.integers(0, max(type_.bound[which], 1), shape)


def direction(program: Program, word: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """A random direction: as the values are for floats, zero of their type for everything else."""
    rng = generator(program, word)
    return tuple(_along(rng, value) for value in values)


def _along(rng: np.random.Generator, value: Any) -> Any:
    array = np.asarray(value)
    if array.dtype.kind == "f":
        return plain(rng.uniform(-1.0, 1.0, array.shape).astype(array.dtype))
    return np.zeros_like(array) if array.ndim else type(value)(0)
