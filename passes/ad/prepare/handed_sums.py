"""Maps in loops hand out the long sums of their iterations, so that the loop can store them for the way back."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.array_types import array_type
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ir.build import element_type, is_array
from tapeless.passes.ir.costs import adds_up
from tapeless.passes.ir.rebuild import recreate, retarget_terminator
from tapeless.passes.ir.scopes import terminator
from tapeless.passes.ir.sizes.shapes import is_sized_before

LOOPS = frozenset({"scf.for", "scf.while"})


def hand_out_sums(function: ir.OpView) -> None:
    """Gives the maps of a function that stand in loops their long sums as further results.

    ```mlir
    %u = "soac.map"(%n, %m) ({ %s = sum; 1.0 / %s })    %u, %s = "soac.map"(%n, %m) ({ %s = sum; 1.0 / %s, %s })
    ```
    Written over arrays, the sums are a map of their own, and a value of the loop as it is.
    """
    for region in function.regions:
        for block in region.blocks:
            for op in list(block.operations):
                hand_out_sums(op)
                if op.operation.name == "soac.map" and function.operation.name in LOOPS:
                    _hand_out(op)


def _hand_out(op: ir.OpView) -> ir.OpView:
    """A map with the long sums of an iteration as further results, also those of the maps in it."""
    block = op.regions[0].blocks[0]
    for inner in list(block.operations):
        if inner.operation.name == "soac.map" and adds_up(inner):
            _hand_out(inner)
    yielded = list(terminator(block).operands)
    sums = [value for each in block.operations if adds_up(each) for value in each.operation.results]
    sums = [value for value in sums if value not in yielded and is_float(value.type) and is_sized_before(value, op)]
    if len(op.accs) or not sums:
        return op
    retarget_terminator(block, [*yielded, *sums])
    width = op.results[0].type.shape[0]
    types = [array_type([width, *_shape(value)], element_type(value.type)) for value in sums]
    made = recreate(op, [[op.width], list(op.inputs), list(op.accs)], [*(result.type for result in op.results), *types])
    for old, new in zip(op.results, made.results, strict=False):
        old.replace_all_uses_with(new)
    op.operation.erase()
    return made


def _shape(value: ir.Value) -> list[int]:
    return list(value.type.shape) if is_array(value) else []
