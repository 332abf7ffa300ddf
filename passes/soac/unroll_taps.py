"""`soac-unroll-taps`: short loops that add up whole arrays, element by element, as straight code that fusion joins."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.regions import terminator
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.build import index
from tapeless.passes.ir.rebuild import Values, copy_op, replace_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.gather.columns import columns_for_rows

# Iterations of a loop, and operations of its straight form: guesses that filters of three by three fit in.
MOST_TRIPS = 5
MOST_OPERATIONS = 600


@dataclass(frozen=True)
class UnrollTaps(FunctionPass):
    """Unrolls loops of few, constant trips whose iterations map the elements of arrays that they carry.

    ```mlir
    %y = scf.for %k = 0 to 3 iter_args(%s = %zeros) {     %a = "soac.map"(%n, %zeros, %slice0) ...
      %slice = tensor.extract_slice %x[%k] [%n] [1]       %b = "soac.map"(%n, %a, %slice1) ...
      %t = "soac.map"(%n, %s, %slice) ({ addf, mulf })    %y = "soac.map"(%n, %b, %slice2) ...
      scf.yield %t
    }
    ```
    Each element goes through the iterations by itself, as in filters and stencils that are written as sums of shifted
    arrays. The maps of straight code become one; those of a loop would each read and write the whole array.

    Operators over the rows of stacked columns take the columns (`gather/columns.py`).
    """

    name: ClassVar[str] = "soac-unroll-taps"
    skips_numbers: ClassVar[bool] = True

    def run_on(self, function: ir.OpView) -> bool:
        """Unrolls every such loop of the function, inner ones first; whether there was any."""
        changed = False
        for loop in ops_named(function, "scf.for"):
            if (trips := _trips(loop)) and _maps_elements(loop) and _operations(loop) * len(trips) <= MOST_OPERATIONS:
                _unroll(loop, trips)
                changed = True
        for op in ops_named(function, "soac.map", "soac.fused"):
            changed |= columns_for_rows(op) is not op
        return changed


def _trips(loop: ir.OpView) -> range:
    """The values of the counter of a loop without hints, if they are known and few; else none."""
    low, high, step = map(constant_int, list(loop.operands)[:3])
    if len(loop.operation.attributes) or low is None or high is None or not step or step < 1:
        return range(0)
    trips = range(low, high, step)
    return trips if len(trips) <= MOST_TRIPS else range(0)


def _maps_elements(loop: ir.OpView) -> bool:
    """Whether all that a loop carries are arrays that maps in its body take element by element, and hand on."""
    arguments = list(loop.regions[0].blocks[0].arguments)[1:]
    yielded = list(terminator(loop.regions[0]).operands)
    return bool(arguments) and all(map(_is_mapped, arguments, yielded))


def _is_mapped(start: ir.Value, value: ir.Value) -> bool:
    """Whether a value is made by maps, one after the other, of which the first takes an array apart."""
    if not isinstance(start.type, ir.RankedTensorType):
        return False
    pending, is_map = [value], False
    while pending:
        value = pending.pop()
        if value == start:
            return is_map
        if isinstance(value, ir.OpResult) and value.owner.operation.name == "soac.map" and not len(value.owner.accs):
            is_map = True
            pending += [each for each in value.owner.inputs if each.type == value.type]
    return False


def _operations(op: ir.OpView) -> int:
    blocks = [block for region in op.regions for block in region.blocks]
    return sum(1 + _operations(inner) for block in blocks for inner in block.operations)


def _unroll(loop: ir.OpView, trips: range) -> None:
    block = loop.regions[0].blocks[0]
    carried = list(loop.operands)[3:]
    with ir.InsertionPoint(loop), loop.location:
        for trip in trips:
            values: Values = dict(zip(block.arguments, [index(trip), *carried], strict=True))
            for op in list(block.operations)[:-1]:
                copy_op(op, values)
            carried = [values.get(value, value) for value in terminator(loop.regions[0]).operands]
    replace_op(loop, carried)
