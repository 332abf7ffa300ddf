"""Operations of a nest made again for other indices: what is bound, or was made before, is not made twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tapeless._mlir import ir
from tapeless.passes.lower.tiles.nest_values import NestValues


class Scope:
    """Values of a nest as they are for some of its iterations; looks into the scopes around it first."""

    def __init__(
        self, values: NestValues, around: Sequence[Scope] = (), bound: Mapping[ir.Value, ir.Value] | None = None
    ) -> None:
        self.values, self.around = values, tuple(around)
        self.known: dict[ir.Value, ir.Value] = dict(bound or {})

    def value(self, wanted: ir.Value) -> ir.Value:
        """A value of the nest here; what is not known yet is made at the insertion point."""
        if not self.values.is_inside(wanted):
            return wanted
        found = self.find(wanted)
        if found is None:
            self.clone(self.values.made_by[wanted])
            found = self.known[wanted]
        return found

    def find(self, wanted: ir.Value) -> ir.Value | None:
        if wanted in self.known:
            return self.known[wanted]
        for scope in self.around:
            found = scope.find(wanted)
            if found is not None:
                return found
        return None

    def clone(self, op: ir.Operation) -> None:
        """A copy of an operation on the values of this scope."""
        operands = [self.value(operand) for operand in op.operands]
        copy = op.clone()
        for position, operand in enumerate(operands):
            copy.operands[position] = operand
        self.known.update(zip(op.results, copy.results, strict=True))
