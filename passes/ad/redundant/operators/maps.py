"""The return rule of `soac.map`.

```
xs = map (a -> body) as      as_bar += map (a, x_bar -> body; adjoint of body) as xs_bar
```
A free scalar's contributions are extra results, summed afterwards. A free array's contributions go to an accumulator
that all iterations add to; so do those of an input whose adjoint already is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.passes.ad.redundant.scope.bars import Single, update_inside
from tapeless.passes.ad.redundant.scope.keeping import costly_values, long_values
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ad.segmented import behind
from tapeless.passes.ir.build import Rows, cast_to, index, is_array, map_, number, op_around, sum_rows
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.rows import row_at
from tapeless.passes.ir.scopes import terminator
from tapeless.passes.ir.sizes.shapes import is_sized_before


@dataclass(frozen=True)
class _Parts:
    """The contributions to each adjoint in one return map."""

    inputs: list[int]
    scalars: list[ir.Value]
    arrays: list[ir.Value]
    seeds: list[int]


def map_forward(sweep: Sweep, op: ir.OpView) -> None:
    """Runs the map; inside a scope that is run again, values that are dear to recompute are stored."""
    block = op.body.blocks[0]
    kept = [value for value in costly_values(block) if is_sized_before(value, op)] if sweep.repeats else []
    if not kept:
        sweep.copy(op)
        return

    def body(i: ir.Value, elements: Rows, _: Rows) -> tuple[Rows, Rows]:
        sweep.bind(block.arguments, [i, *elements])
        for statement in list(block.operations)[:-1]:
            sweep.copy(statement)
        return sweep.primals([*terminator(block).operands, *kept]), []

    arrays, _ = map_(sweep.primal(op.width), sweep.primals(op.inputs), [], body)
    count = len(op.operation.results)
    results = [cast_to(r.type, value) for r, value in zip(op.operation.results, arrays, strict=False)]
    sweep.bind(op.operation.results, results)
    sweep.save(op, dict(zip(kept, arrays[count:], strict=True)))


def map_back(sweep: Sweep, op: ir.OpView) -> None:
    """Adds the adjoints of a map's inputs and free values."""
    if (one := _only_seed(sweep, op)) is not None:
        single_back(sweep, op, *one)
        return
    parts = _parts(sweep, op)
    if not (parts.inputs or parts.scalars or parts.arrays):
        return
    with_accumulators(sweep, parts.arrays, lambda inner: _return_map(inner, op, parts))


def _only_seed(sweep: Sweep, op: ir.OpView) -> tuple[int, Single] | None:
    """The only result with an adjoint, when that is a single element."""
    seeded = [k for k, result in enumerate(op.operation.results) if sweep.bars.has(result)]
    one = sweep.bars.single(op.operation.results[seeded[0]]) if len(seeded) == 1 else None
    return None if one is None else (seeded[0], one)


def _parts(sweep: Sweep, op: ir.OpView) -> _Parts:
    results = list(op.operation.results)
    free = sweep.free_active(op)
    summed = [value for value in dict.fromkeys(op.inputs) if sweep.bars.is_accumulator(value)]
    arrays = list(dict.fromkeys([*(value for value in free if is_array(value)), *summed]))
    return _Parts(
        inputs=[k for k, value in enumerate(op.inputs) if value in sweep.activity],
        scalars=[value for value in free if not is_array(value)],
        arrays=arrays,
        seeds=[k for k, result in enumerate(results) if is_array(result) and sweep.bars.get(result) is not None],
    )


def _return_map(sweep: Sweep, op: ir.OpView, parts: _Parts) -> None:
    block = op.body.blocks[0]
    seeds = [sweep.bars.of(op.operation.results[k]) for k in parts.seeds]
    kept = _kept(sweep, op)
    accs = [sweep.bars.of(value) for value in parts.arrays]
    outputs: list[tuple[ir.Value, bool]] = []

    def body(i: ir.Value, elements: Rows, inner_accs: Rows) -> tuple[Rows, Rows]:
        scope = sweep.scope()
        arguments = list(block.arguments)
        scope.bind(arguments, [i, *elements[: len(op.inputs)]])
        for value, acc in zip(parts.arrays, inner_accs, strict=True):
            scope.bars.set(value, acc)
        given = elements[len(op.inputs) + len(seeds) :]
        scope.given = dict(zip(kept, given, strict=True))
        scope.differentiate(block, _row_seeds(op, parts, elements[len(op.inputs) : len(op.inputs) + len(seeds)]))
        rows = _rows(scope, op, parts, i, outputs)
        return rows, [scope.bars.of(value) for value in parts.arrays]

    width = sweep.primal(op.width)
    arrays, outer_accs = map_(width, [*sweep.primals(op.inputs), *seeds, *kept.values()], accs, body)
    for value, acc in zip(parts.arrays, outer_accs, strict=True):
        sweep.bars.set(value, acc)
    for (value, is_input), array in zip(outputs, arrays, strict=True):
        if is_input:
            sweep.bars.add(value, array)
        else:
            sweep.bars.add_total(value, sum_rows(width, array, number(value.type, 0.0)))


def _kept(sweep: Sweep, op: ir.OpView) -> dict[ir.Value, ir.Value]:
    """Values of the body that exist as arrays: those that the forward map stored, and results that cost much."""
    kept = dict(sweep.saved.get(op.operation.results[0], {}))
    block = op.body.blocks[0]
    costly = set(long_values(block))
    for value, result in zip(terminator(block).operands, op.operation.results, strict=True):
        inner = behind(value)
        if inner in costly and inner not in kept:
            kept[inner] = sweep.primal(result)
    return kept


def _row_seeds(op: ir.OpView, parts: _Parts, rows: Rows) -> list[ir.Value | None]:
    given = dict(zip(parts.seeds, rows, strict=True))
    return [given.get(k) for k in range(len(op.operation.results))]


def _rows(
    scope: Sweep, op: ir.OpView, parts: _Parts, i: ir.Value, outputs: list[tuple[ir.Value, bool]]
) -> list[ir.Value]:
    """The results of one iteration: the adjoints of its elements and of free scalars, as far as they are not zero."""
    rows = []
    elements = arguments_of(op, "inputs")
    for k in parts.inputs:
        bar = scope.bars.get(elements[k])
        if bar is None:
            continue
        if op.inputs[k] in parts.arrays:
            acc = scope.bars.get(op.inputs[k])
            scope.bars.set(op.inputs[k], update_inside(acc, [i], bar))
        else:
            rows.append(bar)
            outputs.append((op.inputs[k], True))
    for value in parts.scalars:
        bar = scope.bars.get(value)
        if bar is not None:
            rows.append(bar)
            outputs.append((value, False))
    return rows


def single_back(sweep: Sweep, op: ir.OpView, k: int, one: Single) -> None:
    """Adds the adjoints of the body's operands at one index, when there is any iteration at all."""
    inputs = [value for value in dict.fromkeys(op.inputs) if value in sweep.activity]
    targets = list(dict.fromkeys([*inputs, *sweep.free_active(op)]))
    if not targets:
        return
    before = [sweep.bars.or_zeros(value, sweep.primal(value)) for value in targets]
    width = sweep.primal(op.width)
    some = arith.CmpIOp(arith.CmpIPredicate.sgt, width, index(0)).result
    choice = scf.IfOp(some, [bar.type for bar in before], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scope = sweep.scope()
        for value, bar in zip(targets, before, strict=True):
            scope.bars.set(value, bar)
        _run_at(scope, op, k, one, width)
        bars = [cast_to(bar.type, scope.bars.of(value)) for value, bar in zip(targets, before, strict=True)]
        scf.YieldOp(bars)
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp(before)
    for value, bar in zip(targets, choice.results, strict=True):
        sweep.bars.set(value, bar)


def _run_at(scope: Sweep, op: ir.OpView, k: int, one: Single, width: ir.Value) -> None:
    """The body at the index, with adjoint zero when the index is outside."""
    block = op.body.blocks[0]
    inside = arith.CmpIOp(arith.CmpIPredicate.ult, one.index, width).result
    seed = arith.SelectOp(inside, one.value, number(one.value.type, 0.0)).result
    i = arith.MinUIOp(one.index, arith.SubIOp(width, index(1)).result).result
    arrays = scope.primals(op.inputs)
    scope.bind(block.arguments, [i, *(row_at(array, i) for array in arrays)])
    scope.differentiate(block, [seed if position == k else None for position in range(len(op.operation.results))])
    for value, array, argument in zip(op.inputs, arrays, arguments_of(op, "inputs"), strict=True):
        bar = scope.bars.get(argument)
        if bar is not None and value in scope.activity:
            scope.bars.add_row(value, i, bar, array)


def with_accumulators(sweep: Sweep, arrays: Sequence[ir.Value], emit: Callable[[Sweep], None]) -> None:
    """Runs `emit` with the adjoints of `arrays` as accumulators.

    Arrays whose adjoint is one already keep it. For the others the code is wrapped in a `soac.with_acc`; adjoints that
    it adds to other values leave through extra results.
    """
    fresh = [value for value in arrays if not sweep.bars.is_accumulator(value)]
    if not fresh:
        emit(sweep)
        return
    dense = [sweep.bars.or_zeros(value, sweep.primal(value)) for value in fresh]
    inner = sweep.scope()
    inner.bars.copy_from(sweep.bars)
    changed: list[ir.Value] = []

    def body(accs: list[ir.Value]) -> tuple[list[ir.Value], list[ir.Type]]:
        for value, acc in zip(fresh, accs, strict=True):
            inner.bars.set(value, acc)
        emit(inner)
        changed.extend(value for value in inner.bars.changed_since(sweep.bars) if value not in fresh)
        extra = [inner.bars.of(value) for value in changed]
        summed = [inner.bars.of(value) for value in fresh]
        return [*summed, *extra], [*(bar.type for bar in dense), *(value.type for value in extra)]

    types = [soac.AccType.get(bar.type) for bar in dense]
    results = op_around("soac.with_acc", [dense], types, body)
    for value, result in zip([*fresh, *changed], results, strict=True):
        sweep.bars.set(value, result)
