"""Associative operators that the language names, with the numbers that change nothing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tapeless.dataclasses_on_use import dataclass
from tapeless.frontend.elementwise import arithmetic, functions
from tapeless.frontend.elementwise.application import ScalarFunction
from tapeless.frontend.values.value import Scalar, literal
from tapeless.types import ScalarType

if TYPE_CHECKING:
    pass


@dataclass(frozen=True)
class Monoid:
    """An associative operator and the number that changes nothing."""

    function: ScalarFunction
    neutral: float | bool
    needs_elements: bool = False

    def neutral_of(self, dtype: ScalarType) -> Scalar:
        """The neutral number; infinities stand for the largest integers too."""
        if not dtype.is_int or not math.isinf(self.neutral):
            return literal(self.neutral)
        return literal(dtype.limits[self.neutral > 0])


def _monoid(emit: arithmetic.Emit, neutral: float | bool, *, needs_elements: bool = False) -> Monoid:
    return Monoid(ScalarFunction("combine", functions.comparisons, emit), neutral, needs_elements)


SUM = _monoid(arithmetic.add, 0)
PRODUCT = _monoid(arithmetic.multiply, 1)
MINIMUM = _monoid(arithmetic.minimum, math.inf, needs_elements=True)
MAXIMUM = _monoid(arithmetic.maximum, -math.inf, needs_elements=True)
ANY = _monoid(arithmetic.bit_or, False)
ALL = _monoid(arithmetic.bit_and, True)
