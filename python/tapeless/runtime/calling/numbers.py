"""Which numbers scalar parameters take in a fast call, by their type.

The parameters of a function that is compiled once take whatever converts. Where a version was chosen by the type of a
number, only numbers of that type are its own: 0.1 is not for the version that `np.float32(0.1)` chose.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

PYTHON_TYPES: dict[str, type] = {"f64": float, "f32": float, "i64": int, "i32": int, "i1": bool}

_BOOLS = frozenset({bool, np.bool_})
_INTEGERS = _BOOLS | {int, *(np.dtype(f"{sign}{size}").type for sign in "iu" for size in (1, 2, 4, 8))}
_FLOATS = _INTEGERS | {float, np.float16, np.float32, np.float64}
# What converts, and the types whose values have exactly this type.
_CONVERTED: dict[str, frozenset[type]] = {
    "f64": _FLOATS,
    "f32": _FLOATS,
    "i64": _INTEGERS,
    "i32": _INTEGERS,
    "i1": _BOOLS,
}
_OF_TYPE: dict[str, frozenset[type]] = {
    "f64": frozenset({float, np.float64}),
    "f32": frozenset({np.float32}),
    "i64": frozenset({int, np.int64}),
    "i32": frozenset({np.int32}),
    "i1": _BOOLS,
}


class Taken(NamedTuple):
    """The types of numbers that a parameter takes, and the type of Python numbers that they become."""

    types: frozenset[type]
    python: type


def taken_by(dtype: str, is_by_type: bool) -> Taken:
    """What a scalar parameter takes."""
    return Taken((_OF_TYPE if is_by_type else _CONVERTED)[dtype], PYTHON_TYPES[dtype])


def converted(value: Any, taken: Taken) -> float | int | None:
    """The Python number of a number, also of one in a numpy array without axes; None if the parameter takes no such."""
    kind = type(value)
    if kind is np.ndarray and not value.ndim:
        value = value[()]
        kind = type(value)
    return taken.python(value) if kind in taken.types else None
