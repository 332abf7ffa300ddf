"""`keepdims=True` of reductions: axes that were reduced stay, with size 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tapeless.frontend.arrays import array_arguments
from tapeless.frontend.indexing.extraction import with_new_axes
from tapeless.frontend.values.value import Number, Scalar, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

Reduction = Callable[..., Number]


def keeping(reduction: Reduction) -> Reduction:
    """The reduction with the keyword `keepdims`."""

    def reduced(t: Translator, x: Value, *others: Value, keepdims: Value, **named: Value) -> Number:
        result = reduction(t, x, *others, **named)
        number = t.number(x)
        if isinstance(number, Scalar) or not t.flag(keepdims, "keepdims"):
            return result
        along = array_arguments.optional_axis(t, named["axis"] if named else others[0], number.rank)
        return with_new_axes(t, result, range(number.rank) if along is None else [along])

    return reduced
