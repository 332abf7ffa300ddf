"""Forward rules of maps, reductions, scans, histograms and accumulators."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.dialects import soac
from tapeless.dialects.array_types import row_type
from tapeless.dialects.soac.marks import IN_BOUNDS
from tapeless.passes.ad.forward.push import Moving, Push
from tapeless.passes.ad.operators import directions
from tapeless.passes.ir.build import cast_to, map_, op_around, operator, reduce_, scan_
from tapeless.passes.ir.regions.structure import arguments_of

Rows = Sequence[ir.Value]


def map_forward(push: Push, op: ir.OpView) -> None:
    """The body gets elements and tangents and gives results and tangents."""
    block = op.body.blocks[0]
    inputs, accs, results = list(op.inputs), list(op.accs), list(op.operation.results)
    arguments, plain = list(block.arguments), len(results) - len(accs)
    elements, states = arguments_of(op, "inputs"), arguments_of(op, "accs")
    moving = [pair for pair in push.moving(inputs) if pair in push.active(elements)]
    moving_accs = push.moving(accs)
    active = push.active(results[:plain])

    def body(i: ir.Value, rows: Rows, given: Rows) -> tuple[list[ir.Value], list[ir.Value]]:
        push.bind(arguments, [i, *rows[: len(inputs)], *given[: len(accs)]])
        push.bind_tangents(elements, moving, rows[len(inputs) :])
        push.bind_tangents(states, moving_accs, given[len(accs) :])
        yielded = push.run(block)
        arrays, kept = yielded[:plain], yielded[plain:]
        types = [row_type(results[k].type) for _, k in active]
        tangents = [cast_to(t, v) for t, v in zip(types, push.tangents_of(arrays, active), strict=True)]
        return [*push.primals(arrays), *tangents], [*push.primals(kept), *push.tangents_of(kept, moving_accs)]

    all_inputs = [*push.primals(inputs), *push.tangents_of(inputs, moving)]
    all_accs = [*push.primals(accs), *push.tangents_of(accs, moving_accs)]
    arrays, kept = map_(push.primal(op.width), all_inputs, all_accs, body)
    push.bind(results, [*arrays[:plain], *kept[: len(accs)]])
    push.bind_tangents(results, active, arrays[plain:])
    push.bind_tangents(results[plain:], moving_accs, kept[len(accs) :])


def _dual(push: Push, block: ir.Block, active: Sequence[Moving]) -> Callable[[Rows, Rows], Rows]:
    """The operator on pairs (value, tangents of the active components)."""
    arguments = list(block.arguments)
    count = len(arguments) // 2

    def combine(left: Rows, right: Rows) -> list[ir.Value]:
        push.bind(arguments, [*left[:count], *right[:count]])
        push.bind_tangents(arguments[:count], active, left[count:])
        push.bind_tangents(arguments[count:], active, right[count:])
        yielded = push.run(block)
        types = [arguments[k].type for _, k in active]
        tangents = [cast_to(t, v) for t, v in zip(types, push.tangents_of(yielded, active), strict=True)]
        return [*push.primals(yielded), *tangents]

    return combine


def _active_components(push: Push, op: ir.OpView) -> list[Moving]:
    """The components whose tangents matter: as results, or inside the operator to other components."""
    arguments = list(op.combine.blocks[0].arguments)
    count = len(arguments) // 2
    triples = list(zip(op.operation.results, arguments[:count], arguments[count:], strict=True))
    return [(d, k) for d in push.directions for k, triple in enumerate(triples) if push.activities[d].any(triple)]


def reduce_forward(push: Push, op: ir.OpView) -> None:
    """A reduction of values and tangents with the dual operator."""
    active = _active_components(push, op)
    inputs, neutral = _doubled(push, op.inputs, active), _doubled(push, op.neutral, active)
    combine = _dual(push, op.combine.blocks[0], active)
    _give(push, op, active, reduce_(push.primal(op.width), inputs, neutral, combine))


def scan_forward(push: Push, op: ir.OpView) -> None:
    """A scan of values and tangents with the dual operator."""
    active = _active_components(push, op)
    inputs, neutral = _doubled(push, op.inputs, active), _doubled(push, op.neutral, active)
    combine = _dual(push, op.combine.blocks[0], active)
    exclusive, reverse = directions(op)
    made = scan_(push.primal(op.width), inputs, neutral, combine, exclusive=exclusive, reverse=reverse)
    _give(push, op, active, made)


def hist_forward(push: Push, op: ir.OpView) -> None:
    """A histogram of values and tangents with the dual operator."""
    active = _active_components(push, op)
    dests, values, neutral = (_doubled(push, group, active) for group in (op.dests, op.values, op.neutral))
    width, keys = push.primal(op.width), push.primal(op.keys)
    combine = _dual(push, op.combine.blocks[0], active)
    made = soac.hist(width, keys, dests, values, neutral, operator(combine))
    _give(push, op, active, list(made.operation.results))


def with_acc_forward(push: Push, op: ir.OpView) -> None:
    """Accumulators of tangents beside those of values."""
    block, results = op.body.blocks[0], list(op.operation.results)
    dests = list(op.dests)
    summed, others = results[: len(dests)], results[len(dests) :]
    moving, extra = push.active(summed), push.active(others)
    all_dests = _doubled(push, dests, moving)
    arguments = list(block.arguments)

    def body(accs: list[ir.Value]) -> tuple[list[ir.Value], list[ir.Type]]:
        push.bind(arguments, accs[: len(dests)])
        push.bind_tangents(arguments, moving, accs[len(dests) :])
        yielded = push.run(block)
        kept, given = yielded[: len(dests)], yielded[len(dests) :]
        sums, values = _doubled(push, kept, moving), _doubled(push, given, extra)
        return [*sums, *values], [*(dest.type for dest in all_dests), *(value.type for value in values)]

    types = [soac.AccType.get(dest.type) for dest in all_dests]
    made = op_around("soac.with_acc", [all_dests], types, body)
    arrays, values = made[: len(all_dests)], made[len(all_dests) :]
    push.bind(results, [*arrays[: len(dests)], *values[: len(others)]])
    push.bind_tangents(summed, moving, arrays[len(dests) :])
    push.bind_tangents(others, extra, values[len(others) :])


def update_forward(push: Push, op: ir.OpView) -> None:
    """Adds the value here and its tangents there."""
    indices = push.primals(op.indices)
    acc, (result,) = push.primal(op.acc), op.operation.results
    push.bind([result], [_update_like(op, acc, indices, push.primal(op.value))])
    for direction, _ in push.moving([op.acc]):
        moving, tangent = push.tangents[direction][op.acc], push.tangent(direction, op.value)
        made = moving if tangent is None else _update_like(op, moving, indices, tangent)
        push.tangents[direction][result] = made


def _update_like(op: ir.OpView, acc: ir.Value, indices: Sequence[ir.Value], value: ir.Value) -> ir.Value:
    """An update with the known facts on the indices of `op`."""
    made = soac.UpdateOp(acc, indices, value, acc.type)
    if IN_BOUNDS in op.operation.attributes:
        made.operation.attributes[IN_BOUNDS] = op.operation.attributes[IN_BOUNDS]
    return made.out


def _doubled(push: Push, values: Sequence[ir.Value], active: Sequence[Moving]) -> list[ir.Value]:
    return [*push.primals(values), *push.tangents_of(values, active)]


def _give(push: Push, op: ir.OpView, active: Sequence[Moving], values: Sequence[ir.Value]) -> None:
    results = list(op.operation.results)
    push.bind(results, values[: len(results)])
    push.bind_tangents(results, active, values[len(results) :])
