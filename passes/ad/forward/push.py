"""Pushing tangents through one function: the state that the forward rules share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import NoRuleError
from tapeless.passes.ad.activity import Activity, edges_of, is_float
from tapeless.passes.ad.copying import Values, copy_op, repeat_op
from tapeless.passes.ad.custom import body_of
from tapeless.passes.ad.refusals import refusal
from tapeless.passes.ir.build import cast_to, zeros_like
from tapeless.passes.ir.scopes import terminator

Rule = Callable[["Push", ir.OpView], None]
Moving = tuple[int, int]


@dataclass
class Push:
    """Primal values of a function and their tangents in one or more directions; one without tangent has tangent zero.

    `activities` tells for every direction which values move along it. `repeats` tells that the function has run before,
    so that its checks need not be repeated.
    """

    rules: Mapping[str, Rule]
    activities: Sequence[Activity]
    values: Values
    tangents: Sequence[dict[ir.Value, ir.Value]]
    repeats: bool = False

    @property
    def directions(self) -> range:
        """The numbers of the directions."""
        return range(len(self.activities))

    def primal(self, value: ir.Value) -> ir.Value:
        """The executed copy of a primal value."""
        return self.values.get(value, value)

    def primals(self, values: Iterable[ir.Value]) -> list[ir.Value]:
        """The executed copies of primal values."""
        return [self.primal(value) for value in values]

    def tangent(self, direction: int, value: ir.Value) -> ir.Value | None:
        """The tangent of a value in a direction, or nothing when it is zero."""
        return self.tangents[direction].get(value)

    def tangent_or_zeros(self, direction: int, value: ir.Value) -> ir.Value:
        """The tangent of a value in a direction, zeros made when it has none."""
        tangent = self.tangents[direction].get(value)
        return zeros_like(self.primal(value)) if tangent is None else tangent

    def bind(self, names: Iterable[ir.Value], values: Iterable[ir.Value]) -> None:
        """Lets the primal values `names` mean `values`."""
        self.values.update(zip(names, values, strict=True))

    def active(self, values: Sequence[ir.Value]) -> list[Moving]:
        """Pairs (direction, position) of the values that may move."""
        return [(d, k) for d in self.directions for k, value in enumerate(values) if value in self.activities[d]]

    def moving(self, values: Sequence[ir.Value]) -> list[Moving]:
        """Pairs (direction, position) of the values that have a tangent."""
        return [(d, k) for d in self.directions for k, value in enumerate(values) if value in self.tangents[d]]

    def tangents_of(self, values: Sequence[ir.Value], moving: Iterable[Moving]) -> list[ir.Value]:
        """The tangents of the values at the pairs (direction, position), zeros made where there is none."""
        return [self.tangent_or_zeros(d, values[k]) for d, k in moving]

    def bind_tangents(self, names: Sequence[ir.Value], moving: Iterable[Moving], tangents: Iterable[ir.Value]) -> None:
        """Gives tangents to the primal values at the pairs (direction, position)."""
        for (d, k), tangent in zip(moving, tangents, strict=True):
            self.tangents[d][names[k]] = tangent

    def run(self, block: ir.Block) -> list[ir.Value]:
        """Emits a block's statements and their tangents; gives the block's results."""
        *statements, last = block.operations
        for op in statements:
            with op.location:
                self._emit(op)
        return list(last.operation.operands)

    def _emit(self, op: ir.OpView) -> None:
        if not any(activity.any(op.operation.results) for activity in self.activities):
            (repeat_op if self.repeats else copy_op)(op, self.values)
            return
        name = op.operation.name
        if name not in self.rules:
            raise refusal(NoRuleError, op, "has no derivative rule; give one with custom_jvp")
        self.rules[name](self, op)


def emit_jvp(
    rules: Mapping[str, Rule],
    function: ir.OpView,
    primals: Sequence[ir.Value],
    directions: Sequence[Mapping[ir.Value, ir.Value]],
    repeats: bool = False,
) -> tuple[list[ir.Value], list[list[ir.Value]]]:
    """The function's results and, for each direction, the tangents of its float results.

    A direction gives tangents to values of the function: to arguments, or to elements read from them. With `repeats`,
    what the function checks has been checked.
    """
    block = body_of(function)
    values = dict(zip(block.arguments, primals, strict=True))
    edges, outputs = edges_of(block), terminator(block).operands
    activities = [Activity(block, direction, outputs, edges) for direction in directions]
    push = Push(rules, activities, values, [dict(direction) for direction in directions], repeats)
    results = push.run(block)
    moving = [value for value in results if is_float(value.type)]
    tangents = [[cast_to(v.type, push.tangent_or_zeros(d, v)) for v in moving] for d in push.directions]
    return push.primals(results), tangents
