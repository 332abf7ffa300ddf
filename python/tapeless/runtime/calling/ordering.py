"""Calls with numpy arrays whose elements do not lie in order: the kernel gets copies that do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tapeless.abi import Abi
from tapeless.runtime.calling.arguments import NUMPY_DTYPES

Call = Callable[..., Any]

NO_MATCH = object()
"""What a call gives whose arguments are not those of the version it was tried with."""


def no_match(*_arguments: Any) -> Any:
    """The call that takes nothing."""
    return NO_MATCH


def with_arrays_in_order(abi: Abi, make: Callable[[Call, Call], Call], fallback: Call) -> Call:
    """A call for what a fast call does not take: again with copies of arrays, if these fit but for their order.

    `make` gives a fast call from what takes the arrays that do not fit, and the numbers; it is asked when first needed.
    """
    kinds = [(NUMPY_DTYPES[each.dtype], len(each.dims)) for each in abi.parameters]
    made: list[Call] = []

    def call(*arguments: Any) -> Any:
        if not _differ_in_order(arguments, kinds):
            return fallback(*arguments)
        if not made:
            made.append(make(no_match, no_match))
        copies = (np.ascontiguousarray(each) if _is_out_of_order(each) else each for each in arguments)
        result = made[0](*copies)
        return fallback(*arguments) if result is NO_MATCH else result

    return call


def _differ_in_order(arguments: Sequence[Any], kinds: Sequence[tuple[np.dtype, int]]) -> bool:
    """Whether there are arrays out of order, and all of them are of the right dtype and rank."""
    found = [(each, kind) for each, kind in zip(arguments, kinds, strict=True) if _is_out_of_order(each)]
    return bool(found) and all((each.dtype, each.ndim) == kind for each, kind in found)


def _is_out_of_order(value: Any) -> bool:
    return type(value) is np.ndarray and not value.flags.c_contiguous
