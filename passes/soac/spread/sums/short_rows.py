"""Maps of few iterations that add at their own indices, written out: each adds at a place that is fixed."""

from __future__ import annotations

from tapeless._mlir import ir, tensor
from tapeless.dialects.regions import terminator
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.rebuild import Values, copy_op, replace_op
from tapeless.passes.ir.rows import row_at
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.spread.sums.fixed import MOST_PLACES


def write_out_short_rows(accumulation: ir.OpView) -> bool:
    """Writes out the maps in maps of which each iteration adds to an element of its own; says whether there was any.

    ```mlir
    map over n:                                       map over n:
      map over 2 of %row:                               update(%p, 0, f(%row[0]))
        update(%p, %k, f(%e))                           update(%p, 1, f(%row[1]))
    ```
    Threads have numbers to sum then (`sums/fixed.py`) instead of arrays.
    """
    maps = [op for op in ops_named(accumulation, "soac.map") if op.operation.parent != accumulation.operation]
    found = [op for op in maps if len(op.accs) and _adds_to_own(op, accumulation)]
    for op in found:
        _write_out(Loop.seen_as(op))
    return bool(found)


def _adds_to_own(op: ir.OpView, accumulation: ir.OpView) -> bool:
    """Whether all updates in a map of few iterations are at its index, and at nothing else that changes."""
    loop = Loop.seen_as(op)
    width, own = constant_int(loop.width), loop.body.arguments[0]
    statements = list(loop.body.operations)[:-1]
    updates = [each for each in statements if each.operation.name == "soac.update"]
    if width is None or not 0 < width * len(updates) <= MOST_PLACES or any(len(each.regions) for each in statements):
        return False
    if any(build.is_array(value) for value in loop.lifted()[: len(loop.mapped)]):
        return False
    return all(
        own in list(each.indices)
        and all(place == own or is_defined_outside(place, accumulation.operation) for place in each.indices)
        for each in updates
    )


def _write_out(loop: Loop) -> None:
    op, accs = loop.op, list(loop.accs)
    made: list[list[ir.Value]] = [[] for _ in loop.mapped]
    with op.location, ir.InsertionPoint(op):
        for number in range(constant_int(loop.width) or 0):
            place = build.index(number)
            rows = [row_at(array, place) for array in loop.inputs]
            values: Values = dict(zip(loop.body.arguments, [place, *rows, *accs], strict=True))
            for each in list(loop.body.operations)[:-1]:
                copy_op(each, values)
            ends = [values.get(value, value) for value in terminator(op.regions[0]).operands]
            for array, element in zip(made, ends, strict=False):
                array.append(element)
            accs = ends[len(made) :]
        arrays = [
            build.cast_to(old.type, tensor.from_elements(ir.RankedTensorType.get([len(new)], new[0].type), new))
            for old, new in zip(loop.mapped, made, strict=True)
        ]
    replace_op(op, [*arrays, *accs])
