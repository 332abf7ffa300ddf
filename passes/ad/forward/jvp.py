"""The expansion of `ad.jvp`, for every method: values and tangents run together."""

from __future__ import annotations

from collections.abc import Mapping

from tapeless._mlir import ir
from tapeless.dialects.ad.derivatives import IDENTITY
from tapeless.passes.ad.copying import inline_block
from tapeless.passes.ad.custom import body_of
from tapeless.passes.ad.forward.elements import separate_elements, stacked
from tapeless.passes.ad.forward.push import Rule, emit_jvp
from tapeless.passes.ad.redundant.elements.scalars import TABLE
from tapeless.passes.ad.seed_axis import for_each_seed, has_seed_axis, wrt_of
from tapeless.passes.driver.pass_table import ImportTable
from tapeless.passes.ir.constants import is_zero

# Operations that act on tangents as they do on values.
LINEAR = (
    "ad.promise",
    "arith.extf",
    "arith.truncf",
    "arith.negf",
    "tensor.extract",
    "tensor.insert",
    "tensor.extract_slice",
    "tensor.insert_slice",
    "tensor.splat",
    "tensor.from_elements",
    "tensor.concat",
    "tensor.reshape",
    "tensor.cast",
    "tensor.empty",
    "soac.transpose",
    "soac.reverse",
    "soac.widen",
    "soac.scatter",
)
RULES: ImportTable[str, Rule] = ImportTable(
    "ad.forward",
    {
        **dict.fromkeys(TABLE, "scalars.by_partials"),
        **dict.fromkeys(LINEAR, "scalars.linear"),
        "soac.fn": "scalars.by_partials",
        "arith.select": "scalars.select",
        "scf.if": "control.if_forward",
        "scf.for": "control.for_forward",
        "scf.while": "control.while_forward",
        "soac.map": "arrays.map_forward",
        "soac.reduce": "arrays.reduce_forward",
        "soac.scan": "arrays.scan_forward",
        "soac.hist": "arrays.hist_forward",
        "soac.with_acc": "arrays.with_acc_forward",
        "soac.update": "arrays.update_forward",
        "func.call": "calls.call_forward",
        "ad.checkpoint": "calls.checkpoint_forward",
        "rev.retrace": "retraces.retrace_forward",
    },
)


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
