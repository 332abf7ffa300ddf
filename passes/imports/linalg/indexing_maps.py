"""Indexing maps: the index along each axis of an operand as a sum of multiples of dimensions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.imports.stablehlo.translator import refuse
from tapeless.passes.ir.build import index


@dataclass(frozen=True)
class Linear:
    """A constant, and by how much each dimension is multiplied."""

    terms: Mapping[int, int] = field(default_factory=dict)
    constant: int = 0

    @property
    def dimension(self) -> int | None:
        """The dimension that this is, if it is one alone."""
        if self.constant == 0 and list(self.terms.values()) == [1]:
            return next(iter(self.terms))
        return None

    def plus(self, other: Linear) -> Linear:
        """The sum."""
        dims = dict.fromkeys([*self.terms, *other.terms])
        terms = {each: self.terms.get(each, 0) + other.terms.get(each, 0) for each in dims}
        return Linear({each: by for each, by in terms.items() if by}, self.constant + other.constant)

    def times(self, factor: int) -> Linear:
        """A multiple."""
        terms = {each: by * factor for each, by in self.terms.items() if factor}
        return Linear(terms, self.constant * factor)

    def value(self, indices: Mapping[int, ir.Value]) -> ir.Value:
        """The index for indices of dimensions."""
        total = None if self.constant or not self.terms else ()
        found: ir.Value | None = index(self.constant) if total is None else None
        for each, by in self.terms.items():
            term = indices[each] if by == 1 else arith.MulIOp(indices[each], index(by)).result
            found = term if found is None else arith.AddIOp(found, term).result
        assert found is not None
        return found


def maps_of(op: ir.Operation) -> list[list[Linear]]:
    """The maps of an operation, one list for each operand; others than sums of multiples are refused."""
    return [[_linear(op, each) for each in attribute.value.results] for attribute in op.attributes["indexing_maps"]]


def _linear(op: ir.Operation, expression: ir.AffineExpr) -> Linear:
    found = _sum(expression)
    if found is None:
        refuse(op, f"has the index {expression} in a map; give sums of multiples of dimensions")
    return found


def _sum(expression: ir.AffineExpr) -> Linear | None:
    if isinstance(expression, ir.AffineDimExpr):
        return Linear({expression.position: 1})
    if isinstance(expression, ir.AffineConstantExpr):
        return Linear({}, expression.value)
    if not isinstance(expression, (ir.AffineAddExpr, ir.AffineMulExpr)):
        return None
    left, right = _sum(expression.lhs), _sum(expression.rhs)
    if left is None or right is None:
        return None
    if isinstance(expression, ir.AffineAddExpr):
        return left.plus(right)
    factor, other = (left, right) if not left.terms else (right, left)
    return other.times(factor.constant) if not factor.terms else None


def used(map_: Sequence[Linear]) -> list[int]:
    """The dimensions of a map in order."""
    return sorted({each for expression in map_ for each in expression.terms})
