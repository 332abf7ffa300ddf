"""`Lanes`: a float, integer or boolean SSA value, scalar or vector, with operators that emit strict `arith` ops.

The mathematics of this package is written once and works for `f64`, `f32` and vectors of them. No op carries
fast-math flags: error-free transformations and rounding by a large constant do not survive reassociation.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.math.formats import DOUBLE, SINGLE, Format

PREDICATES = {"oeq": 1, "ogt": 2, "oge": 3, "olt": 4, "ole": 5, "une": 13, "uno": 14}
INTEGER_PREDICATES = {"eq": 0, "ne": 1, "slt": 2, "sle": 3, "sgt": 4, "sge": 5, "ult": 6, "ule": 7}


def emit(name: str, result: ir.Type, *operands: ir.Value, **attributes: ir.Attribute) -> Lanes:
    """Creates a one-result op at the current insertion point."""
    return Lanes(ir.Operation.create(name, results=[result], operands=operands, attributes=attributes).result)


@dataclass(frozen=True, eq=False)
class Lanes:
    """One value per lane; a scalar has one lane."""

    value: ir.Value

    @property
    def type(self) -> ir.Type:
        return self.value.type

    @property
    def element(self) -> ir.Type:
        return element_type(self.type)

    @property
    def format(self) -> Format:
        return DOUBLE if self.element.width == 64 else SINGLE

    def constant(self, number: float | int) -> Lanes:
        """A constant of this value's type, in every lane."""
        element = self.element
        attribute = (
            ir.IntegerAttr.get(element, number)
            if isinstance(element, ir.IntegerType)
            else ir.FloatAttr.get(element, number)
        )
        if isinstance(self.type, ir.VectorType):
            attribute = ir.DenseElementsAttr.get_splat(self.type, attribute)
        return emit("arith.constant", self.type, value=attribute)

    def like(self, other: Lanes | float | int) -> Lanes:
        """`other` itself, or a Python number as a constant of this type."""
        return other if isinstance(other, Lanes) else self.constant(other)

    def _binary(self, name: str, other: Lanes | float | int) -> Lanes:
        suffix = "i" if isinstance(self.element, ir.IntegerType) else "f"
        return emit(f"arith.{name}{suffix}", self.type, self.value, self.like(other).value)

    def __add__(self, other: Lanes | float | int) -> Lanes:
        return self._binary("add", other)

    def __sub__(self, other: Lanes | float | int) -> Lanes:
        return self._binary("sub", other)

    def __rsub__(self, other: float | int) -> Lanes:
        return self.like(other) - self

    def __mul__(self, other: Lanes | float | int) -> Lanes:
        return self._binary("mul", other)

    def __truediv__(self, other: Lanes | float) -> Lanes:
        return emit("arith.divf", self.type, self.value, self.like(other).value)

    def __rtruediv__(self, other: float) -> Lanes:
        return self.like(other) / self

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Lanes:
        return emit("arith.negf", self.type, self.value)

    def __and__(self, other: Lanes | int) -> Lanes:
        return self._binary("and", other)

    def __or__(self, other: Lanes | int) -> Lanes:
        return self._binary("or", other)

    def __xor__(self, other: Lanes | int) -> Lanes:
        return self._binary("xor", other)

    def __invert__(self) -> Lanes:
        return self ^ (1 if self.element.width == 1 else -1)

    def __lshift__(self, count: int) -> Lanes:
        return emit("arith.shli", self.type, self.value, self.constant(count).value)

    def __rshift__(self, count: int) -> Lanes:
        """Logical: vector units lack 64-bit arithmetic shifts."""
        return emit("arith.shrui", self.type, self.value, self.constant(count).value)

    def fma(self, factor: Lanes | float, addend: Lanes | float) -> Lanes:
        """self * factor + addend, rounded once."""
        return emit("math.fma", self.type, self.value, self.like(factor).value, self.like(addend).value)

    def compare(self, predicate: str, other: Lanes | float | int) -> Lanes:
        """One boolean per lane."""
        integer = isinstance(self.element, ir.IntegerType)
        number = (INTEGER_PREDICATES if integer else PREDICATES)[predicate]
        attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number)
        result = with_element(self.type, ir.IntegerType.get_signless(1))
        name = "arith.cmpi" if integer else "arith.cmpf"
        return emit(name, result, self.value, self.like(other).value, predicate=attribute)

    def choose(self, yes: Lanes, no: Lanes) -> Lanes:
        """Per lane `yes` where this boolean is true, else `no`."""
        return emit("arith.select", yes.type, self.value, yes.value, no.value)

    def everywhere(self) -> ir.Value:
        """Whether a vector of booleans has only true ones."""
        kind = ir.Attribute.parse("#vector.kind<and>")
        return emit("vector.reduction", self.element, self.value, kind=kind).value

    def replace(self, condition: Lanes, other: Lanes | float | int) -> Lanes:
        """This value, except `other` where the condition holds."""
        return condition.choose(self.like(other), self)

    def at_least(self, bound: float) -> Lanes:
        """max with a constant; NaN stays NaN (one instruction on x86, which `arith.maximumf` is not)."""
        limit = self.constant(bound)
        return limit.compare("ogt", self).choose(limit, self)

    def at_most(self, bound: float) -> Lanes:
        """min with a constant; NaN stays NaN."""
        limit = self.constant(bound)
        return limit.compare("olt", self).choose(limit, self)

    def abs(self) -> Lanes:
        return emit("math.absf", self.type, self.value)

    def with_sign_of(self, other: Lanes) -> Lanes:
        return emit("math.copysign", self.type, self.value, other.value)

    def sqrt(self) -> Lanes:
        return emit("math.sqrt", self.type, self.value)

    def bits(self) -> Lanes:
        """The float's bit pattern as an integer of the same width."""
        integer = ir.IntegerType.get_signless(self.element.width)
        return emit("arith.bitcast", with_element(self.type, integer), self.value)

    def as_float(self) -> Lanes:
        """The integer's bit pattern as a float of the same width."""
        target = ir.F64Type.get() if self.element.width == 64 else ir.F32Type.get()
        return emit("arith.bitcast", with_element(self.type, target), self.value)

    def widened(self) -> Lanes:
        return emit("arith.extf", with_element(self.type, ir.F64Type.get()), self.value)

    def narrowed(self) -> Lanes:
        return emit("arith.truncf", with_element(self.type, ir.F32Type.get()), self.value)


def element_type(lanes: ir.Type) -> ir.Type:
    """The scalar type of one lane."""
    return lanes.element_type if isinstance(lanes, ir.VectorType) else lanes


def with_element(lanes: ir.Type, element: ir.Type) -> ir.Type:
    """The same lanes of another scalar type."""
    return ir.VectorType.get(lanes.shape, element) if isinstance(lanes, ir.VectorType) else element


def horner(x: Lanes, coefficients: Sequence[float]) -> Lanes:
    """The polynomial with these coefficients, lowest first."""
    *rest, result = [x.constant(c) for c in coefficients]
    for coefficient in reversed(rest):
        result = result.fma(x, coefficient)
    return result
