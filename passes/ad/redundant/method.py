"""The method `redundant`: scopes are executed again instead of being stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.dialects.ad.derivatives import IDENTITY, SEED_SIZE
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.copying import inline_block
from tapeless.passes.ad.custom import body_of
from tapeless.passes.ad.forward.elements import separate_elements, stacked
from tapeless.passes.ad.forward.function import emit_jvp
from tapeless.passes.ad.methods import Method
from tapeless.passes.ad.prepare.prepare import prepared_copy
from tapeless.passes.ad.redundant.function import execute
from tapeless.passes.ad.seeds import is_zero
from tapeless.passes.ad.sharing.marks import SEEDS
from tapeless.passes.ir.build import dim, map_


def _wrt(op: ir.OpView) -> list[int]:
    return [ir.IntegerAttr(position).value for position in op.wrt]


def _rows(op: ir.OpView, seeds: Sequence[ir.Value], emit: Callable[[list[ir.Value]], list[ir.Value]]) -> list[ir.Value]:
    """What `emit` makes of the seeds: once, or for each row when there is a seed axis."""
    if SEED_SIZE not in op.operation.attributes:
        return emit(list(seeds))
    arrays, _ = map_(dim(op.seeds[0], 0), list(seeds), [], lambda _, rows, __: (emit(list(rows)), []))
    for array in arrays[:1]:
        array.owner.operation.attributes[SEEDS] = ir.UnitAttr.get()
    return arrays


def vjp(op: ir.OpView, function: ir.OpView) -> list[ir.Value]:
    """The function runs forward once, and back for every row of seeds."""
    results = list(body_of(function).operations)[-1].operation.operands
    given = iter(op.seeds)
    seeds = [next(given) if is_float(result.type) else None for result in results]
    seeded = [seed is not None and not is_zero(seed) for seed in seeds]
    executed = execute(function, list(op.primals), seeded, _wrt(op))

    def pull(rows: list[ir.Value]) -> list[ir.Value]:
        remaining = iter(rows)
        return executed.pull([next(remaining) if has_seed else None for has_seed in seeded])

    values = executed.results
    moving = [seed for seed, has_seed in zip(seeds, seeded, strict=True) if has_seed]
    return [*values, *_rows(op, moving, pull)]


def jvp(op: ir.OpView, function: ir.OpView) -> list[ir.Value]:
    """Values and tangents run together; for a map over seeds the function runs for itself first, with its checks."""
    arguments, primals = list(body_of(function).arguments), list(op.primals)
    names = [arguments[position] for position, seed in zip(_wrt(op), op.seeds, strict=True) if not is_zero(seed)]
    seeds = [seed for seed in op.seeds if not is_zero(seed)]
    if SEED_SIZE not in op.operation.attributes:
        values, (tangents,) = emit_jvp(function, primals, [dict(zip(names, seeds, strict=True))])
        return [*values, *tangents]
    elements = separate_elements(function, names[0]) if IDENTITY in op.operation.attributes else None
    if elements is not None:
        values, columns = emit_jvp(function, primals, elements)
        return [*values, *(stacked(column) for column in zip(*columns, strict=True))]
    values = inline_block(body_of(function), primals)

    def push(rows: list[ir.Value]) -> list[ir.Value]:
        return emit_jvp(function, primals, [dict(zip(names, rows, strict=True))], repeats=True)[1][0]

    return [*values, *_rows(op, seeds, push)]


METHOD = Method(prepared_copy, vjp, jvp)
