"""Forward rules of maps, reductions, scans, histograms and accumulators."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.dialects import soac
from tapeless.passes.ad.forward.push import Push, Rule
from tapeless.passes.ad.operators import directions
from tapeless.passes.soac.build import cast_to, map_, op_around, reduce_, row_type, scan_

Rows = Sequence[ir.Value]


def map_forward(push: Push, op: ir.OpView) -> None:
    """The body gets elements and tangents and gives results and tangents."""
    block = op.body.blocks[0]
    count = len(op.inputs)
    arguments = list(block.arguments)
    elements, accs = arguments[1 : 1 + count], arguments[1 + count :]
    moving = [k for k in push.active(elements) if push.tangent(op.inputs[k]) is not None]
    moving_accs = [k for k in range(len(accs)) if push.tangent(op.accs[k]) is not None]
    results = list(op.operation.results)
    active = push.active(results[: len(results) - len(accs)])

    def body(i: ir.Value, rows: Rows, states: Rows) -> tuple[list[ir.Value], list[ir.Value]]:
        push.bind(arguments, [i, *rows[:count], *states[: len(accs)]])
        push.bind_tangents([elements[k] for k in moving], rows[count:])
        push.bind_tangents([accs[k] for k in moving_accs], states[len(accs) :])
        yielded = push.run(block)
        arrays, kept = yielded[: len(yielded) - len(accs)], yielded[len(yielded) - len(accs) :]
        types = [row_type(results[k].type) for k in active]
        tangents = [cast_to(t, push.tangent_or_zeros(arrays[k])) for t, k in zip(types, active, strict=True)]
        return [*push.primals(arrays), *tangents], [*push.primals(kept), *(push.tangents[kept[k]] for k in moving_accs)]

    inputs = [*push.primals(op.inputs), *(push.tangents[op.inputs[k]] for k in moving)]
    all_accs = [*push.primals(op.accs), *(push.tangents[op.accs[k]] for k in moving_accs)]
    arrays, kept = map_(push.primal(op.width), inputs, all_accs, body)
    plain = len(results) - len(accs)
    push.bind(results, [*arrays[:plain], *kept[: len(accs)]])
    push.bind_tangents([results[k] for k in active], arrays[plain:])
    push.bind_tangents([results[plain + k] for k in moving_accs], kept[len(accs) :])


def _dual(push: Push, block: ir.Block, active: Sequence[int]) -> Callable[[Rows, Rows], Rows]:
    """The operator on pairs (value, tangent of the active components)."""
    arguments = list(block.arguments)
    count = len(arguments) // 2

    def combine(left: Rows, right: Rows) -> list[ir.Value]:
        push.bind(arguments, [*left[:count], *right[:count]])
        push.bind_tangents([arguments[k] for k in active], left[count:])
        push.bind_tangents([arguments[count + k] for k in active], right[count:])
        yielded = push.run(block)
        types = [arguments[k].type for k in active]
        tangents = [cast_to(t, push.tangent_or_zeros(yielded[k])) for t, k in zip(types, active, strict=True)]
        return [*push.primals(yielded), *tangents]

    return combine


def _active_components(push: Push, op: ir.OpView) -> list[int]:
    """The components whose tangents matter: as results, or inside the operator to other components."""
    arguments = list(op.combine.blocks[0].arguments)
    count = len(arguments) // 2
    triples = zip(op.operation.results, arguments[:count], arguments[count:], strict=True)
    return [k for k, component in enumerate(triples) if push.activity.any(component)]


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
    made = soac.HistOp(width, keys, dests, values, neutral, [dest.type for dest in dests])
    types = [value.type for value in neutral]
    block = ir.Block.create_at_start(made.combine, [*types, *types], [ir.Location.current] * (2 * len(types)))
    with ir.InsertionPoint(block):
        arguments = list(block.arguments)
        combine = _dual(push, op.combine.blocks[0], active)
        soac.YieldOp(combine(arguments[: len(types)], arguments[len(types) :]))
    _give(push, op, active, list(made.operation.results))


def with_acc_forward(push: Push, op: ir.OpView) -> None:
    """Accumulators of tangents beside those of values."""
    block, results = op.body.blocks[0], list(op.operation.results)
    dests = list(op.dests)
    moving = push.active(results[: len(dests)])
    extra = [len(dests) + k for k in push.active(results[len(dests) :])]
    all_dests = _doubled(push, dests, moving)
    arguments = list(block.arguments)

    def body(accs: list[ir.Value]) -> tuple[list[ir.Value], list[ir.Type]]:
        push.bind(arguments, accs[: len(dests)])
        push.bind_tangents([arguments[k] for k in moving], accs[len(dests) :])
        yielded = push.run(block)
        summed = [*push.primals(yielded[: len(dests)]), *(push.tangents[yielded[k]] for k in moving)]
        others = [*push.primals(yielded[len(dests) :]), *(push.tangent_or_zeros(yielded[k]) for k in extra)]
        return [*summed, *others], [*(dest.type for dest in all_dests), *(value.type for value in others)]

    types = [soac.AccType.get(dest.type) for dest in all_dests]
    made = op_around("soac.with_acc", [all_dests], types, body)
    plain = len(results) - len(dests)
    arrays, others = made[: len(all_dests)], made[len(all_dests) :]
    push.bind(results, [*arrays[: len(dests)], *others[:plain]])
    push.bind_tangents([results[k] for k in moving], arrays[len(dests) :])
    push.bind_tangents([results[k] for k in extra], others[plain:])


def update_forward(push: Push, op: ir.OpView) -> None:
    """Adds the value here and its tangent there."""
    indices = push.primals(op.indices)
    acc = push.primal(op.acc)
    push.bind([op.operation.results[0]], [soac.UpdateOp(acc, indices, push.primal(op.value), acc.type).out])
    moving = push.tangent(op.acc)
    if moving is not None:
        tangent = push.tangent(op.value)
        made = moving if tangent is None else soac.UpdateOp(moving, indices, tangent, moving.type).out
        push.tangents[op.operation.results[0]] = made


def _doubled(push: Push, values: Sequence[ir.Value], active: Sequence[int]) -> list[ir.Value]:
    return [*push.primals(values), *(push.tangent_or_zeros(values[k]) for k in active)]


def _give(push: Push, op: ir.OpView, active: Sequence[int], values: Sequence[ir.Value]) -> None:
    results = list(op.operation.results)
    push.bind(results, values[: len(results)])
    push.bind_tangents([results[k] for k in active], values[len(results) :])


ARRAYS: dict[str, Rule] = {
    "soac.map": map_forward,
    "soac.reduce": reduce_forward,
    "soac.scan": scan_forward,
    "soac.hist": hist_forward,
    "soac.with_acc": with_acc_forward,
    "soac.update": update_forward,
}
