"""Forward rules of branches and loops: tangents travel beside the values."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.dialects import soac
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ad.forward.push import Moving, Push
from tapeless.passes.ir.build import cast_to, dim, is_array
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.sizes.expressions import Dim
from tapeless.passes.ir.sizes.shapes import remembered_sizes, size_of

OTHER_SIZE = "a tangent has size {} along an axis of size {} of its value"


def if_forward(push: Push, op: ir.OpView) -> None:
    """Both branches give values and tangents."""
    results = list(op.operation.results)
    active = push.active(results)
    types = [result.type for result in [*results, *(results[k] for _, k in active)]]
    choice = scf.IfOp(push.primal(op.operation.operands[0]), types, has_else=True)
    for region, block in zip(op.operation.regions, (choice.then_block, choice.else_block), strict=True):
        with ir.InsertionPoint(block):
            yielded = push.run(region.blocks[0])
            scf.YieldOp(_pairs(push, yielded, active, types))
    _give(push, results, active, list(choice.results))


def for_forward(push: Push, op: ir.OpView) -> None:
    """The loop carries values and the tangents of the active ones."""
    lower, upper, step, *initial = op.operation.operands
    block = op.operation.regions[0].blocks[0]
    carried = arguments_of(op, "carried")
    active = push.active(carried)
    types = [value.type for value in [*carried, *(carried[k] for _, k in active)]]
    loop = scf.ForOp(*push.primals([lower, upper, step]), _pairs(push, initial, active, types))
    for name in op.operation.attributes:
        loop.operation.attributes[name] = op.operation.attributes[name]
    with ir.InsertionPoint(loop.body):
        push.bind([block.arguments[0]], [loop.induction_variable])
        _give(push, carried, active, list(loop.inner_iter_args))
        scf.YieldOp(_pairs(push, push.run(block), active, types))
    _give(push, list(op.operation.results), active, list(loop.results))


def while_forward(push: Push, op: ir.OpView) -> None:
    """The loop carries values and tangents; the condition reads values only."""
    before, after = (region.blocks[0] for region in op.operation.regions)
    carried, passed, results = list(before.arguments), list(after.arguments), list(op.operation.results)
    active = push.active(carried)
    active_passed = sorted({*push.active(passed), *push.active(results)})
    state = [value.type for value in [*carried, *(carried[k] for _, k in active)]]
    types = [value.type for value in [*passed, *(passed[k] for _, k in active_passed)]]
    loop = scf.WhileOp(types, _pairs(push, list(op.operation.operands), active, state))
    for name in op.operation.attributes:
        loop.operation.attributes[name] = op.operation.attributes[name]
    first = ir.Block.create_at_start(loop.before, state, [ir.Location.current] * len(state))
    with ir.InsertionPoint(first):
        _give(push, carried, active, list(first.arguments))
        condition, *values = push.run(before)
        scf.ConditionOp(push.primal(condition), _pairs(push, values, active_passed, types))
    second = ir.Block.create_at_start(loop.after, types, [ir.Location.current] * len(types))
    with ir.InsertionPoint(second):
        _give(push, passed, active_passed, list(second.arguments))
        scf.YieldOp(_pairs(push, push.run(after), active, state))
    _give(push, results, active_passed, list(loop.results))


def _pairs(
    push: Push, values: Sequence[ir.Value], active: Sequence[Moving], types: Sequence[ir.Type]
) -> list[ir.Value]:
    """The values, then the tangents of the active ones, in the types of the carrier."""
    everything = [*push.primals(values), *push.tangents_of(values, active)]
    return [cast_to(type_, value) for type_, value in zip(types, everything, strict=True)]


def _give(push: Push, names: Sequence[ir.Value], active: Sequence[Moving], values: Sequence[ir.Value]) -> None:
    """Binds names to the values and the active ones to the tangents that follow."""
    push.bind(names, values[: len(names)])
    push.bind_tangents(names, active, values[len(names) :])
    with remembered_sizes():
        resized = {k: axes for _, k in active if (axes := _unknown_sizes(names[k]))}
    for (_, k), tangent in zip(active, values[len(names) :], strict=True):
        for axis in resized.get(k, ()):
            _check_size(values[k], tangent, axis)


def _unknown_sizes(value: ir.Value) -> list[int]:
    """The axes of an array whose sizes nothing tells but the array itself."""
    if not is_array(value):
        return []
    return [a for a, size in enumerate(value.type.shape) if size == DYNAMIC and size_of(value, a) == Dim(value, a)]


def _check_size(value: ir.Value, tangent: ir.Value, axis: int) -> None:
    """Asserts an invariant: loops and branches that change the size of a value do so with its tangent."""
    sizes = dim(tangent, axis), dim(value, axis)
    same = arith.CmpIOp(arith.CmpIPredicate.eq, *sizes).result
    kind, message = ir.StringAttr.get("ShapeMismatch"), ir.StringAttr.get(OTHER_SIZE)
    soac.AssertOp(same, list(sizes), kind=kind, message=message)
