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
_CONVERTED = {"f64": _FLOATS, "f32": _FLOATS, "i64": _INTEGERS, "i32": _INTEGERS, "i1": _BOOLS}
_OF_TYPE: dict[str, tuple[type, ...]] = {
    "f64": (float, np.float64),
    "f32": (np.float32,),
    "i64": (int, np.int64),
    "i32": (np.int32,),
    "i1": (bool, np.bool_),
}


class Taken(NamedTuple):
    """The type of Python numbers that a parameter takes as they are, or None, and the types that it converts."""

    usual: type | None
    others: frozenset[type]


def taken_by(dtype: str, is_by_type: bool) -> Taken:
    """What a scalar parameter takes."""
    python = PYTHON_TYPES[dtype]
    types = frozenset(_OF_TYPE[dtype]) if is_by_type else _CONVERTED[dtype]
    return Taken(python if python in types else None, types - {python})


def from_array(value: Any, others: frozenset[type]) -> float | int | None:
    """The number in a numpy array without axes, if it has one of the types that a parameter converts."""
    if type(value) is not np.ndarray or value.ndim:
        return None
    number = value[()]
    return number.item() if type(number) in others else None
