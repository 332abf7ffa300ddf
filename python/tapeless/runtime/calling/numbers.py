"""Which numbers scalar parameters take in a fast call, by their type.

The parameters of a function that is compiled once take whatever converts. Where a version was chosen by the type of a
number, only numbers of that type are its own: 0.1 is not for the version that `np.float32(0.1)` chose, nor, since
Python's numbers are weak, for that of `np.float64(0.1)`, unless it makes no difference to the code.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from tapeless.runtime.calling.producers import note_types
from tapeless.runtime.calling.views import number_in

PYTHON_TYPES: dict[str, type] = {"f64": float, "f32": float, "i64": int, "i32": int, "u32": int, "i1": bool}

_BOOLS = frozenset({bool, np.bool_})
_INTEGERS = _BOOLS | {int, *(np.dtype(f"{sign}{size}").type for sign in "iu" for size in (1, 2, 4, 8))}
_FLOATS = _INTEGERS | {float, np.float16, np.float32, np.float64}
# What converts, and the types whose values have exactly this type.
_CONVERTED: dict[str, frozenset[type]] = {
    "f64": _FLOATS,
    "f32": _FLOATS,
    "i64": _INTEGERS,
    "i32": _INTEGERS,
    "u32": _INTEGERS,
    "i1": _BOOLS,
}
_OF_TYPE: dict[str, frozenset[type]] = {
    "f64": frozenset({float, np.float64}),
    "f32": frozenset({np.float32, np.float16}),
    "i64": frozenset({int, np.int64}),
    "i32": frozenset({np.int32}),
    "u32": frozenset({np.uint32}),
    "i1": _BOOLS,
}
_OF_PYTHON = frozenset({int, float, *_BOOLS})


class Origin(Enum):
    """Whose numbers chose the type of a parameter."""

    PYTHON = "Python"
    NUMPY = "numpy"
    EITHER = "either"


# The places of scalar parameters among the flat ones whose types were chosen by arguments.
Origins = Mapping[int, Origin]
NO_ORIGINS: Origins = {}


class Taken(NamedTuple):
    """The types of numbers that a parameter takes, and the type of Python numbers that they become."""

    types: frozenset[type]
    python: type


def taken_by(dtype: str, origin: Origin | None) -> Taken:
    """The types that a scalar parameter takes: numbers of its own type from where its type came from, or all that
    convert.
    """
    if origin is None:
        return Taken(_CONVERTED[dtype], PYTHON_TYPES[dtype])
    own = _OF_TYPE[dtype]
    if origin is Origin.PYTHON:
        own &= _OF_PYTHON
    elif origin is Origin.NUMPY:
        own -= _OF_PYTHON - _BOOLS
    return Taken(own, PYTHON_TYPES[dtype])


def converted(value: Any, taken: Taken) -> float | int | None:
    """The Python number of a number, also of one in an array without axes; None if the parameter takes no such."""
    kind = type(value)
    if kind is np.ndarray and not value.ndim:
        value = value[()]
        kind = type(value)
    elif kind not in taken.types:
        value = _handed_over(value)
        kind = type(value)
    return taken.python(value) if kind in taken.types else None


def _handed_over(value: Any) -> Any:
    """The number in an array without axes of another library; None where there is none, or it is not handed over."""
    if isinstance(value, (np.generic, np.ndarray)):
        return None
    try:
        has_axes = value.ndim
    except Exception:  # whatever a library raises; the general call tells why
        return None
    found = None if has_axes else number_in(value)
    if found is not None:
        note_types((value,))  # the runtime reads the next one itself
    return found
