"""Calls that change the caller's arrays: which can be changed, and putting results into them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.signature import Parameter
from tapeless.trees import described, opened

# What finding out exactly whether two arrays share an element may cost; then they count as sharing one.
MOST_WORK = 10_000


def check_changeable(parameters: Sequence[Parameter], values: Sequence[Any]) -> None:
    """Refuses arrays that cannot be changed, two that have elements in common, and structures."""
    for parameter, value in zip(parameters, values, strict=True):
        if opened(value) is not None:
            raise ArgumentError(
                f"inplace=True: the argument '{parameter.name}' is {described(value)}; pass its arrays one by one, or "
                "use what the call gives"
            )
    arrays = [(parameter, value) for parameter, value in zip(parameters, values, strict=True) if _is_array(value)]
    for parameter, value in arrays:
        if not parameter.is_read_only:
            _check_writeable(parameter.name, value)
    for (first, one), (second, other) in combinations(arrays, 2):
        if not (first.is_read_only and second.is_read_only) and _share(one, other):
            raise ArgumentError(
                f"inplace=True: the arguments '{first.name}' and '{second.name}' share memory; pass separate arrays"
            )


def put_back(parameters: Sequence[Parameter], values: Sequence[Any], results: Sequence[Any]) -> tuple[Any, ...]:
    """The results; those of arrays are written into the caller's, which stand for them."""
    given = list(zip(parameters, values, results, strict=True))
    for parameter, value, result in given:
        if _is_array(value) and not parameter.is_read_only:
            value[...] = result
    return tuple(value if _is_array(value) else result for _, value, result in given)


def _is_array(value: Any) -> bool:
    return hasattr(value, "__array__") and np.ndim(value) > 0


def _check_writeable(name: str, value: Any) -> None:
    if not isinstance(value, np.ndarray):
        raise TypeMismatch(
            f"inplace=True: the argument '{name}' is a {type(value).__name__}, which cannot be changed; "
            "pass a numpy array"
        )
    if not value.flags.writeable:
        raise ArgumentError(f"inplace=True: the argument '{name}' is read-only; pass an array that can be changed")


def _share(one: Any, other: Any) -> bool:
    work: Any = MOST_WORK
    try:
        return np.shares_memory(one, other, max_work=work)
    except np.exceptions.TooHardError:
        return True
