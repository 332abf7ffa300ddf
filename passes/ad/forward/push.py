"""Pushing tangents through one function: the state that the forward rules share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tapeless._mlir import ir
from tapeless.errors import NoRuleError
from tapeless.passes.ad.activity import Activity
from tapeless.passes.ad.copying import Values, copy_op, repeat_op
from tapeless.passes.ad.refusals import refusal
from tapeless.passes.soac.build import zeros_like

Rule = Callable[["Push", ir.OpView], None]


@dataclass
class Push:
    """Primal values and tangents of a function under differentiation; a value without tangent has tangent zero.

    `repeats` tells that the function has run before, so that its checks need not be repeated.
    """

    rules: Mapping[str, Rule]
    activity: Activity
    values: Values
    tangents: dict[ir.Value, ir.Value] = field(default_factory=dict)
    repeats: bool = False

    def primal(self, value: ir.Value) -> ir.Value:
        """The executed copy of a primal value."""
        return self.values.get(value, value)

    def primals(self, values: Iterable[ir.Value]) -> list[ir.Value]:
        """The executed copies of primal values."""
        return [self.primal(value) for value in values]

    def tangent(self, value: ir.Value) -> ir.Value | None:
        """The tangent of a value, or nothing when it is zero."""
        return self.tangents.get(value)

    def tangent_or_zeros(self, value: ir.Value) -> ir.Value:
        """The tangent of a value, zeros made when it has none."""
        tangent = self.tangents.get(value)
        return zeros_like(self.primal(value)) if tangent is None else tangent

    def bind(self, names: Iterable[ir.Value], values: Iterable[ir.Value]) -> None:
        """Lets the primal values `names` mean `values`."""
        self.values.update(zip(names, values, strict=True))

    def bind_tangents(self, names: Iterable[ir.Value], tangents: Iterable[ir.Value]) -> None:
        """Gives tangents to primal values."""
        self.tangents.update(zip(names, tangents, strict=True))

    def active(self, values: Sequence[ir.Value]) -> list[int]:
        """The positions of the active values."""
        return [k for k, value in enumerate(values) if value in self.activity]

    def run(self, block: ir.Block) -> list[ir.Value]:
        """Emits a block's statements and their tangents; gives the block's results."""
        *statements, last = block.operations
        for op in statements:
            with op.location:
                self._emit(op)
        return list(last.operation.operands)

    def _emit(self, op: ir.OpView) -> None:
        if not self.activity.any(op.operation.results):
            (repeat_op if self.repeats else copy_op)(op, self.values)
            return
        name = op.operation.name
        if name not in self.rules:
            raise refusal(NoRuleError, op, "has no derivative rule; give one with custom_jvp")
        self.rules[name](self, op)
