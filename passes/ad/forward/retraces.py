"""The forward rule of `rev.retrace`: states and carried values travel with their tangents."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.ad.forward.push import Moving, Push
from tapeless.passes.ad.retrace import Keeping, retrace
from tapeless.passes.ir.build import cast_to
from tapeless.passes.ir.regions.structure import arguments_of, operands_of

Values = list[ir.Value]


def retrace_forward(push: Push, op: ir.OpView) -> None:
    """A chain of values and tangents, visited by code with its tangents."""
    stepping, visiting = (region.blocks[0] for region in op.operation.regions)
    states, carried = operands_of(op, "states"), operands_of(op, "carried")
    moving = _active(push, arguments_of(op, "states"), arguments_of(op, "states", region=1))
    moving_carried = _active(push, arguments_of(op, "carried", region=1), list(op.operation.results))

    def step(i: ir.Value, values: Values) -> Values:
        _give(push, arguments_of(op, "states"), moving, values)
        push.bind([stepping.arguments[0]], [i])
        return _pairs(push, push.run(stepping), moving)

    def visit(i: ir.Value, values: Values, bars: Values) -> Values:
        _give(push, arguments_of(op, "states", region=1), moving, values)
        _give(push, arguments_of(op, "carried", region=1), moving_carried, bars)
        push.bind([visiting.arguments[0]], [i])
        return _pairs(push, push.run(visiting), moving_carried)

    results = retrace(
        push.primals(list(op.operation.operands)[:3]),
        _typed(op, "states", 0, moving, _pairs(push, states, moving)),
        _typed(op, "carried", 1, moving_carried, _pairs(push, carried, moving_carried)),
        Keeping(ir.IntegerAttr(op.budget).value, op.strategy.value),
        step,
        visit,
    )
    _give(push, list(op.operation.results), moving_carried, results)


def _active(push: Push, here: Sequence[ir.Value], there: Sequence[ir.Value]) -> list[Moving]:
    """The pairs (direction, position) of active values in one region or in the other."""
    return sorted({*push.active(here), *push.active(there)})


def _pairs(push: Push, values: Sequence[ir.Value], moving: Sequence[Moving]) -> Values:
    """The values, then the tangents of the moving ones."""
    return [*push.primals(values), *push.tangents_of(values, moving)]


def _typed(op: ir.OpView, family: str, region: int, moving: Sequence[Moving], values: Values) -> Values:
    """Values and tangents in the types of the family they start."""
    types = [value.type for value in arguments_of(op, family, region)]
    types += [types[k] for _, k in moving]
    return [cast_to(type_, value) for type_, value in zip(types, values, strict=True)]


def _give(push: Push, names: Sequence[ir.Value], moving: Sequence[Moving], values: Values) -> None:
    """Binds names to the values and the moving ones to the tangents that follow."""
    push.bind(names, values[: len(names)])
    push.bind_tangents(names, moving, values[len(names) :])
