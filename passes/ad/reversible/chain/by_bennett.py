"""Chains run by Bennett's scheme, as loops: forward, leaving the last state, or visited backwards."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.dialects import soac
from tapeless.dialects.array_types import DYNAMIC, stack_type
from tapeless.passes.ad.retrace import Step, Values, Visit
from tapeless.passes.ad.reversible.chain.stretches import (
    EQUAL,
    FIRST,
    FIRST_BETWEEN,
    LAST,
    MAKE,
    VISIT,
    Stretch,
    Stretches,
    depth_of,
)
from tapeless.passes.ad.reversible.chain.whole_numbers import LESS, minus, plus
from tapeless.passes.ir.build import dim, element_type, elementwise, filled, index, is_array, number, sum_all
from tapeless.passes.ir.rows import insert_row, row_at

LEFT = "a step of a chain that is undone leaves something behind; its states must be finite"


def forward(steps: ir.Value, parts: int, states: Sequence[ir.Value], step: Step) -> Values:
    """The states after so many steps; all states in between have been made and undone."""
    machine = _Machine(steps, parts, step, None)
    rows, _ = machine.run(MAKE, states, [])
    last = arith.SelectOp(arith.CmpIOp(LESS, index(0), steps).result, index(LAST), index(FIRST)).result
    return [row_at(array, last) for array in rows]


def backward(
    steps: ir.Value, parts: int, states: Sequence[ir.Value], carried: Sequence[ir.Value], step: Step, visit: Visit
) -> Values:
    """The carried values after the visits of all steps, the last one first."""
    return _Machine(steps, parts, step, visit).run(VISIT, states, carried)[1]


class _Machine:
    """Goes through a chain stretch by stretch; `step` and `visit` emit the actions."""

    def __init__(self, steps: ir.Value, parts: int, step: Step, visit: Visit | None) -> None:
        # More parts than there are steps would be room that nothing uses.
        self.parts = arith.MaxSIOp(arith.MinSIOp(steps, index(parts)).result, index(2)).result
        self.steps, self.step, self.visit = steps, step, visit

    def run(self, mode: int, states: Sequence[ir.Value], carried: Sequence[ir.Value]) -> tuple[Values, Values]:
        """The rows of all states and the carried values, at the end."""
        depth = depth_of(self.steps, self.parts)
        stack = Stretches.whole(self.steps, self.parts, mode, plus(depth, index(2)))
        between = arith.MulIOp(depth, minus(self.parts, index(1))).result
        count = plus(between, index(FIRST_BETWEEN))
        rows = [insert_row(_zero_rows(count, state), index(FIRST), state) for state in states]
        start = [*stack.values, *rows, *carried]
        types = [value.type for value in start]
        loop = scf.WhileOp(types, start)
        here = [ir.Location.current] * len(types)
        with ir.InsertionPoint(before := ir.Block.create_at_start(loop.before, types, here)):
            scf.ConditionOp(arith.CmpIOp(LESS, index(-1), before.arguments[0]).result, list(before.arguments))
        with ir.InsertionPoint(after := ir.Block.create_at_start(loop.after, types, here)):
            values = list(after.arguments)
            inner, held = stack.carried(values[: len(stack.values)]), values[len(stack.values) :]
            held = self._work(inner.innermost(), held, len(rows))
            scf.YieldOp([*inner.proceed().values, *held])
        results = list(loop.results)[len(stack.values) :]
        return results[: len(rows)], results[len(rows) :]

    def _work(self, stretch: Stretch, held: Values, states: int) -> Values:
        """Does the step that a stretch is, if it is one."""
        rows, carried = held[:states], held[states:]
        branch = _if(stretch.is_step(), held)
        with ir.InsertionPoint(branch.then_block):
            scf.YieldOp(self._visited(stretch, rows, carried) if self.visit else self._made(stretch, rows))
        with ir.InsertionPoint(branch.else_block):
            scf.YieldOp(held)
        return list(branch.results)

    def _visited(self, stretch: Stretch, rows: Values, carried: Values) -> Values:
        """A visit, after which the state behind the step is gone; or a step that makes or undoes that state."""
        assert self.visit is not None
        branch = _if(arith.CmpIOp(EQUAL, stretch.mode, index(VISIT)).result, [*rows, *carried])
        with ir.InsertionPoint(branch.then_block):
            before = [row_at(array, stretch.start) for array in rows]
            passed = self.visit(stretch.position, before, carried)
            zeros = [_zero_like(state) for state in before]
            cleared = [insert_row(array, stretch.end, zero) for array, zero in zip(rows, zeros, strict=True)]
            scf.YieldOp([*cleared, *passed])
        with ir.InsertionPoint(branch.else_block):
            scf.YieldOp([*self._made(stretch, rows), *carried])
        return list(branch.results)

    def _made(self, stretch: Stretch, rows: Values) -> Values:
        """The state behind a step made out of zeros, or taken away again, which must leave zeros."""
        following = self.step(stretch.position, [row_at(array, stretch.start) for array in rows])
        is_made = arith.CmpIOp(EQUAL, stretch.mode, index(MAKE)).result
        made: Values = []
        for array, value in zip(rows, following, strict=True):
            there = row_at(array, stretch.end)
            new = elementwise(lambda old, f: _added(is_made, old, f), there, value)
            _require_nothing_left(is_made, new)
            made.append(insert_row(array, stretch.end, new))
        return made


def _if(condition: ir.Value, values: Values) -> scf.IfOp:
    return scf.IfOp(condition, [value.type for value in values], has_else=True)


def _added(is_made: ir.Value, old: ir.Value, value: ir.Value) -> ir.Value:
    """The old value plus another, or minus; truth values are exchanged."""
    if isinstance(value.type, ir.F64Type | ir.F32Type):
        plus_, minus_ = arith.AddFOp(old, value).result, arith.SubFOp(old, value).result
    elif isinstance(value.type, ir.IntegerType) and value.type.width == 1:
        return arith.XOrIOp(old, value).result
    else:
        plus_, minus_ = arith.AddIOp(old, value).result, arith.SubIOp(old, value).result
    return arith.SelectOp(is_made, plus_, minus_).result


def _require_nothing_left(is_made: ir.Value, new: ir.Value) -> None:
    """Raises when a float that should be gone is not zero: an infinity minus itself is no number."""
    type_ = element_type(new.type)
    if not isinstance(type_, ir.F64Type | ir.F32Type):
        return
    squares = sum_all(elementwise(lambda x: arith.MulFOp(x, x).result, new))
    is_gone = arith.CmpFOp(arith.CmpFPredicate.OEQ, squares, number(type_, 0.0)).result
    fine = arith.OrIOp(is_made, is_gone).result
    soac.AssertOp(fine, [], kind=ir.StringAttr.get("InvertibilityError"), message=ir.StringAttr.get(LEFT))


def _zero_like(state: ir.Value) -> ir.Value:
    zero = number(element_type(state.type), 0)
    if not is_array(state):
        return zero
    return filled(state.type, [dim(state, axis) for axis in range(state.type.rank)], zero)


def _zero_rows(count: ir.Value, state: ir.Value) -> ir.Value:
    """So many rows of zeros like a state."""
    sizes = [dim(state, axis) for axis in range(state.type.rank)] if is_array(state) else []
    return filled(stack_type(DYNAMIC, state.type), [count, *sizes], number(element_type(state.type), 0))
