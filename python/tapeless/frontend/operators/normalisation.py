"""Normalisation: `logsumexp`, `softmax`, `norm`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapeless.frontend.arrays import array_arguments, whole_arrays
from tapeless.frontend.elementwise import arithmetic, functions
from tapeless.frontend.elementwise.application import ScalarFunction, apply, force
from tapeless.frontend.elementwise.functions import FUNCTIONS
from tapeless.frontend.elementwise.stopped import stopped
from tapeless.frontend.operators import mapping
from tapeless.frontend.operators.folds import reduce_all
from tapeless.frontend.operators.monoids import MAXIMUM, SUM
from tapeless.frontend.operators.reductions import check_elements, reduced
from tapeless.frontend.values import promotion
from tapeless.frontend.values.value import Array, Number, Opaque, Value, literal

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

_SUBTRACT = ScalarFunction("-", functions.numbers, arithmetic.subtract)
_MULTIPLY = ScalarFunction("*", functions.numbers, arithmetic.multiply)
_ADD = ScalarFunction("+", functions.numbers, arithmetic.add)
_DIVIDE = ScalarFunction("/", functions.floats, arithmetic.divide)


def _float_array(t: Translator, x: Value) -> Array:
    number = t.number(x)
    return t.array(whole_arrays.converted(t, number, promotion.floating(number.dtype)))


def logsumexp(t: Translator, x: Value, axis: Value) -> Number:
    array = _float_array(t, x)
    along = array_arguments.optional_axis(t, axis, array.rank)
    if along is None:
        return _logsumexp(t, array)
    return mapping.along_axis(t, array, along, lambda line: _logsumexp(t, line))


def _logsumexp(t: Translator, array: Array) -> Number:
    """Shifted by the largest element, when that is finite; of nothing, the logarithm of 0.

    No derivative depends on the shift, so that none is taken of it.
    """
    largest = reduce_all(t, array, MAXIMUM)
    shift = stopped(t, apply(t, FUNCTIONS["where"], apply(t, FUNCTIONS["isfinite"], largest), largest, literal(0.0)))
    powers = force(t, apply(t, FUNCTIONS["exp"], apply(t, _SUBTRACT, array, shift)))
    return apply(t, _ADD, apply(t, FUNCTIONS["log"], reduce_all(t, powers, SUM)), shift)


def softmax(t: Translator, x: Value, axis: Value) -> Array:
    array = _float_array(t, x)
    if isinstance(axis, Opaque) and axis.value is None:
        return _softmax(t, array)
    along = array_arguments.axis(t, axis, array.rank)
    check_elements(t, [array.dims[along]])
    return mapping.back_to_axis(t, mapping.along_axis(t, array, along, lambda line: _softmax(t, line)), along)


def _softmax(t: Translator, array: Array) -> Array:
    """Shifted by the largest element, on which no derivative depends."""
    largest = stopped(t, reduce_all(t, array, MAXIMUM))
    powers = force(t, apply(t, FUNCTIONS["exp"], apply(t, _SUBTRACT, array, largest)))
    return force(t, apply(t, _DIVIDE, powers, reduce_all(t, powers, SUM)))


def norm(t: Translator, x: Value, axis: Value) -> Number:
    array = _float_array(t, x)
    squares = apply(t, _MULTIPLY, array, array)
    return apply(t, FUNCTIONS["sqrt"], reduced(t, squares, axis, SUM))
