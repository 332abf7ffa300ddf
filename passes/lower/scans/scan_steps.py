"""One step of a scan: takes in an element and stores a prefix."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.bulk import Lowered, combine, element, store_prefixes
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.storage.tree import Node

BETTER = {"arith.minimumf": arith.CmpFPredicate.OLT, "arith.maximumf": arith.CmpFPredicate.OGT}
UNORDERED = arith.CmpFPredicate.UNO


@dataclass(frozen=True)
class Scan:
    """What all steps of a scan need: the arrays, the direction, and whether a prefix includes its own element.

    A result that nothing reads has no target; `running` is what the first step starts from.
    """

    emitter: Emitter
    node: Node
    inputs: list[View]
    targets: list[View | None]
    width: Index
    running: list[Lowered]
    exclusive: bool
    backwards: bool

    def close(self, results: Sequence[ir.Value]) -> None:
        """The prefixes are where they belong."""

    @property
    def extreme(self) -> str | None:
        """The name of the operator when it is a minimum or maximum of floats."""
        operator, *others = self.node.regions[0]
        is_extreme = operator.name in BETTER and len(others) == 1
        return operator.name if is_extreme and set(operator.operands) == set(self.node.arguments()) else None

    def position(self, step: Index) -> Index:
        """The array index that a step of the scan is about."""
        builder = self.emitter.builder
        return builder.sub(builder.sub(self.width, 1), step) if self.backwards else step

    def join(self, running: Sequence[Lowered], values: Sequence[Lowered], place: Sequence[Lowered]) -> list[Lowered]:
        """The operator on operands in array order."""
        left, right = (values, running) if self.backwards else (running, values)
        if self.extreme is not None:
            return [extreme_or_first(self.emitter.builder, self.extreme, left[0], right[0])]
        return combine(self.emitter, self.node, 0, left, right, place)

    def elements(self, step: Index) -> list[Lowered]:
        return [element(self.emitter.builder, view, self.position(step)) for view in self.inputs]

    def advance(self, running: Sequence[Lowered], step: Index, place: Sequence[Lowered]) -> list[Lowered]:
        """One step: takes in an element and stores the prefix."""
        index = self.position(step)
        values = self.elements(step)
        if self.exclusive:
            store_prefixes(self.emitter, running, self.targets, index)
        following = self.join(running, values, place)
        if not self.exclusive:
            store_prefixes(self.emitter, following, self.targets, index)
        return following


def extreme_or_first(builder: Builder, name: str, first: ir.Value, second: ir.Value) -> ir.Value:
    """`arith.minimumf` or `arith.maximumf` of scalars or vectors, with the first of two equal zeros."""
    better = compare(builder, BETTER[name], second, first)
    chosen = builder.value("arith.select", first.type, [better, second, first])
    is_nan = compare(builder, UNORDERED, second, second)
    return builder.value("arith.select", first.type, [is_nan, second, chosen])


def compare(builder: Builder, predicate: arith.CmpFPredicate, left: ir.Value, right: ir.Value) -> ir.Value:
    """A comparison of floats or, lane by lane, of vectors of them."""
    bit = ir.IntegerType.get_signless(1)
    is_vector = isinstance(left.type, ir.VectorType)
    type_ = ir.VectorType.get(ir.VectorType(left.type).shape, bit) if is_vector else bit
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate.value)
    return builder.value("arith.cmpf", type_, [left, right], predicate=number)
