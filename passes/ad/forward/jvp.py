"""The expansion of `ad.jvp`, for every method: values and tangents run together."""

from __future__ import annotations

from collections.abc import Mapping

from tapeless._mlir import ir
from tapeless.dialects.ad.derivatives import IDENTITY
from tapeless.passes.ad.copying import inline_block
from tapeless.passes.ad.custom import body_of
from tapeless.passes.ad.forward.arrays import ARRAYS
from tapeless.passes.ad.forward.calls import CALLS
from tapeless.passes.ad.forward.control import CONTROL
from tapeless.passes.ad.forward.elements import separate_elements, stacked
from tapeless.passes.ad.forward.push import Rule, emit_jvp
from tapeless.passes.ad.forward.retraces import RETRACES
from tapeless.passes.ad.forward.scalars import SCALARS
from tapeless.passes.ad.seed_axis import for_each_seed, has_seed_axis, wrt_of
from tapeless.passes.ir.constants import is_zero

RULES = {**SCALARS, **CONTROL, **ARRAYS, **CALLS, **RETRACES}


def jvp(op: ir.OpView, function: ir.OpView) -> list[ir.Value]:
    """Expands `ad.jvp` by the rules of all operations."""
    return jvp_by(RULES, op, function)


def jvp_by(rules: Mapping[str, Rule], op: ir.OpView, function: ir.OpView) -> list[ir.Value]:
    """Values and tangents run together; for a map over seeds the function runs for itself first, with its checks."""
    arguments, primals = list(body_of(function).arguments), list(op.primals)
    names = [arguments[position] for position, seed in zip(wrt_of(op), op.seeds, strict=True) if not is_zero(seed)]
    seeds = [seed for seed in op.seeds if not is_zero(seed)]
    if not has_seed_axis(op):
        values, (tangents,) = emit_jvp(rules, function, primals, [dict(zip(names, seeds, strict=True))])
        return [*values, *tangents]
    elements = separate_elements(function, names[0]) if IDENTITY in op.operation.attributes else None
    if elements is not None:
        values, columns = emit_jvp(rules, function, primals, elements)
        return [*values, *(stacked(column) for column in zip(*columns, strict=True))]
    values = inline_block(body_of(function), primals)

    def push(rows: list[ir.Value]) -> list[ir.Value]:
        return emit_jvp(rules, function, primals, [dict(zip(names, rows, strict=True))], repeats=True)[1][0]

    return [*values, *for_each_seed(op, seeds, push)]
