"""Batches normalised by mean and variance of each feature, as StableHLO defines it."""

from __future__ import annotations

import math

from tapeless._mlir import ir
from tapeless.passes.imports.emit import reductions, scalars
from tapeless.passes.imports.emit.elementwise import elementwise
from tapeless.passes.imports.emit.lazy import Value, element_of, in_memory, shape_of
from tapeless.passes.imports.emit.shapes import broadcast
from tapeless.passes.ir.build import number

_ADD, _SUBTRACT, _MULTIPLY, _DIVIDE, _SQRT = (
    scalars.FUNCTIONS[name] for name in ("add", "subtract", "multiply", "divide", "sqrt")
)


class Batch:
    """An array with one axis of features."""

    def __init__(self, array: Value, axis: int, epsilon: float) -> None:
        self.array = array
        self.shape = shape_of(array)
        self.element = element_of(array)
        self.axis = axis
        self.epsilon = epsilon
        self.others = [k for k in range(len(self.shape)) if k != axis]
        self.count = math.prod(self.shape[k] for k in self.others)

    def along(self, features: Value) -> Value:
        """Numbers of features beside every element."""
        return broadcast(features, self.shape, [self.axis])

    def total(self, array: Value) -> ir.Value:
        """The sum of each feature."""
        return reductions.by_operator(in_memory(array), self.others, "add")

    def deviation(self, variance: ir.Value) -> ir.Value:
        return _SQRT(_ADD(variance, number(self.element, self.epsilon)))

    def normalised(self, scale: Value, offset: Value, mean: Value, variance: Value) -> Value:
        """Elements less the mean, by the deviation, scaled and moved."""

        def emit(x: ir.Value, s: ir.Value, o: ir.Value, m: ir.Value, v: ir.Value) -> ir.Value:
            return _ADD(_MULTIPLY(_DIVIDE(_SUBTRACT(x, m), self.deviation(v)), s), o)

        features = [self.along(each) for each in (scale, offset, mean, variance)]
        return elementwise(emit, self.element, self.array, *features)

    def moments(self) -> tuple[Value, Value]:
        """Mean and variance of each feature."""
        mean = self._mean(self.total(self.array))

        def square(x: ir.Value, m: ir.Value) -> ir.Value:
            centred = _SUBTRACT(x, m)
            return _MULTIPLY(centred, centred)

        squares = elementwise(square, self.element, self.array, self.along(mean))
        return mean, self._mean(self.total(squares))

    def _mean(self, total: ir.Value) -> ir.Value:
        return in_memory(elementwise(lambda each: _DIVIDE(each, number(self.element, self.count)), self.element, total))

    def gradients(self, scale: Value, mean: Value, variance: Value, given: Value) -> list[Value]:
        """Adjoints of the array, the scale and the offset."""
        element = self.element
        centred = in_memory(elementwise(_SUBTRACT, element, self.array, self.along(mean)))
        offset_bar = self.total(given)
        weighted = self.total(elementwise(_MULTIPLY, element, given, centred))
        scale_bar = elementwise(lambda w, v: _DIVIDE(w, self.deviation(v)), element, weighted, variance)

        def emit(*each: ir.Value) -> ir.Value:
            g, c, s, v, total, moment = each
            count = number(element, self.count)
            spread = _DIVIDE(_MULTIPLY(moment, c), _ADD(v, number(element, self.epsilon)))
            rest = _SUBTRACT(_SUBTRACT(_MULTIPLY(g, count), total), spread)
            return _MULTIPLY(_DIVIDE(_DIVIDE(s, self.deviation(v)), count), rest)

        features = [self.along(each) for each in (scale, variance, offset_bar, weighted)]
        return [elementwise(emit, element, given, centred, *features), scale_bar, offset_bar]
