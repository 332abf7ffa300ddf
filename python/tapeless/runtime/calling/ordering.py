"""Calls with arrays whose elements do not lie in order: the kernel gets copies that do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeless.abi import Abi
from tapeless.runtime.calling.arguments import NUMPY_DTYPES
from tapeless.runtime.calling.views import view_of

Call = Callable[..., Any]

NO_MATCH = object()
"""What a call gives whose arguments are not those of the version it was tried with."""


def no_match(*_arguments: Any) -> Any:
    """The call that takes nothing."""
    return NO_MATCH


def with_arrays_in_order(abi: Abi, make: Callable[[Call, Call], Call], fallback: Call) -> Call:
    """A call for arguments that a fast call does not take: again with copies of arrays, if these fit but for their
    order.

    `make` gives a fast call from what takes the arrays that do not fit, and the numbers; it is asked when first needed.
    """
    kinds = [(NUMPY_DTYPES[each.dtype], len(each.dims)) for each in abi.parameters]
    made: list[Call] = []

    def call(*arguments: Any) -> Any:
        copies = [_in_order(*pair) for pair in zip(arguments, kinds, strict=True)]
        if all(copy is argument for copy, argument in zip(copies, arguments, strict=True)):
            return fallback(*arguments)
        if not made:
            made.append(make(no_match, no_match))
        result = made[0](*copies)
        return fallback(*arguments) if result is NO_MATCH else result

    return call


def _in_order(value: Any, kind: tuple[np.dtype, int]) -> Any:
    """A copy of an array of the right dtype and rank whose elements are out of order; any other value as it is."""
    if not kind[1] or isinstance(value, (int, float, np.generic)):
        return value
    array = value if type(value) is np.ndarray else _view(value)
    if array is None or array.flags.c_contiguous or (array.dtype, array.ndim) != kind:
        return value
    return np.ascontiguousarray(array)


def _view(value: Any) -> np.ndarray | None:
    """An array of another library; subclasses of numpy's arrays may be something else."""
    return None if isinstance(value, np.ndarray) or value is None else view_of(value)
