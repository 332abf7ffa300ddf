"""Stable argsort by merging: each element finds its place in the merged run by a search in the run beside its own.

Runs double in length from pass to pass; no pass depends on the order of its iterations, so each is a launch, or a loop
where a thread sorts for itself. NaNs come last, as they do on the CPU. Two passes bring the result back to where it
was.
"""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import arith, ir
from tapeless.passes.lower.blocks.copies import element_type, new_array
from tapeless.passes.lower.blocks.launching import mark_launch
from tapeless.passes.lower.loops.arrays.arrays import call_argsort
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.memory.destinations import destination
from tapeless.passes.lower.loops.views import View, load, store
from tapeless.passes.lower.storage.tree import Node
from tapeless.passes.marks import EACH_THREAD

INTEGERS, FLOATS = arith.CmpIPredicate, arith.CmpFPredicate


def emit_argsort(emitter: Emitter, node: Node) -> None:
    """Launches sort for a device, the runtime for the host."""
    if emitter.options.has_launches:
        argsort_by_merging(emitter, emitter.view(node.operands[0]), destination(emitter, node.results[0]))
    else:
        call_argsort(emitter, node)


def argsort_by_merging(emitter: Emitter, keys: View, target: View) -> None:
    """Writes the places of the sorted elements of `keys` to `target`."""
    builder, size = emitter.builder, keys.sizes[0]
    other = new_array(emitter, [size], element_type(target))
    _each(emitter, size, lambda place: store(builder, _word(builder, target, place), target, [place]))
    loop = builder.create("scf.while", [builder.index], [builder.as_value(1)], regions=2)
    (width,) = builder.push(loop, 0, [builder.index])
    emitter.pool.close()
    goes_on = _compare(builder, INTEGERS.slt, width, builder.as_value(size))
    builder.create("scf.condition", [], [goes_on, width])
    emitter.end_region()
    (width,) = builder.push(loop, 1, [builder.index])
    _merge(emitter, keys, target, other, width)
    _merge(emitter, keys, other, target, builder.mul(width, 2))
    end_region(emitter, [builder.as_value(builder.mul(width, 4))])
    emitter.pool.free_raw(other.base)


def _merge(emitter: Emitter, keys: View, source: View, target: View, width: Index) -> None:
    """Runs of `width` in `source` become runs of twice that in `target`."""
    builder, size = emitter.builder, keys.sizes[0]

    def place_element(at: ir.Value) -> None:
        mine = load(builder, source, [at])
        run = builder.arith("arith.divui", at, width)
        one = builder.as_value(1)
        beside = builder.mul(builder.value("arith.xori", builder.index, [run, one]), width)
        low = builder.arith("arith.minsi", beside, size)
        high = builder.arith("arith.minsi", builder.add(beside, width), size)
        first = builder.mul(builder.mul(builder.arith("arith.divui", run, 2), 2), width)
        before = builder.sub(_search(emitter, keys, source, low, high, mine), low)
        own = builder.sub(at, builder.mul(run, width))
        store(builder, mine, target, [builder.add(first, builder.add(own, before))])

    _each(emitter, size, place_element)


def _search(emitter: Emitter, keys: View, source: View, low: Index, high: Index, mine: ir.Value) -> ir.Value:
    """The first place in a sorted run whose element does not come before this one."""
    builder, index = emitter.builder, emitter.builder.index
    loop = builder.create("scf.while", [index, index], [builder.as_value(low), builder.as_value(high)], regions=2)
    left, right = builder.push(loop, 0, [index, index])
    builder.create("scf.condition", [], [_compare(builder, INTEGERS.slt, left, right), left, right])
    emitter.end_region()
    left, right = builder.push(loop, 1, [index, index])
    middle = builder.arith("arith.divui", builder.add(left, right), 2)
    comes_before = _precedes(builder, keys, load(builder, source, [middle]), mine)
    after = builder.add(middle, 1)
    values = [
        builder.value("arith.select", index, [comes_before, after, left]),
        builder.value("arith.select", index, [comes_before, right, middle]),
    ]
    end_region(emitter, values)
    return loop.results[0]


def _precedes(builder: Builder, keys: View, left: ir.Value, right: ir.Value) -> ir.Value:
    """Whether one of two places comes before the other: by its key, then by its number."""
    places = [builder.value("arith.index_cast", builder.index, [place]) for place in (left, right)]
    one, other = (load(builder, keys, [place]) for place in places)
    bit = ir.IntegerType.get_signless(1)
    is_less, is_more = _is_less(builder, one, other), _is_less(builder, other, one)
    true = builder.constant(bit, ir.IntegerAttr.get(bit, 1))
    is_equal = builder.value("arith.xori", bit, [builder.value("arith.ori", bit, [is_less, is_more]), true])
    is_first = builder.value("arith.andi", bit, [is_equal, _compare(builder, INTEGERS.slt, *places)])
    return builder.value("arith.ori", bit, [is_less, is_first])


def _is_less(builder: Builder, left: ir.Value, right: ir.Value) -> ir.Value:
    """Whether a key is below another one; every number is below NaN."""
    if not isinstance(left.type, (ir.F64Type, ir.F32Type)):
        return _compare(builder, INTEGERS.slt, left, right)
    bit = ir.IntegerType.get_signless(1)
    number = _compare_floats(builder, FLOATS.ORD, left, left)
    nan = _compare_floats(builder, FLOATS.UNO, right, right)
    below_nan = builder.value("arith.andi", bit, [number, nan])
    return builder.value("arith.ori", bit, [_compare_floats(builder, FLOATS.OLT, left, right), below_nan])


def _compare(builder: Builder, predicate: arith.CmpIPredicate, left: ir.Value, right: ir.Value) -> ir.Value:
    attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate.value)
    return builder.value("arith.cmpi", ir.IntegerType.get_signless(1), [left, right], predicate=attribute)


def _compare_floats(builder: Builder, predicate: arith.CmpFPredicate, left: ir.Value, right: ir.Value) -> ir.Value:
    attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate.value)
    return builder.value("arith.cmpf", ir.IntegerType.get_signless(1), [left, right], predicate=attribute)


def _word(builder: Builder, target: View, place: ir.Value) -> ir.Value:
    """A place as an element of the result."""
    return builder.value("arith.index_cast", element_type(target), [place])


def _each(emitter: Emitter, size: Index, body: Callable[[ir.Value], None]) -> None:
    """A launch over all places, or a loop inside of a thread."""
    is_host = not emitter.builder.is_private
    loop = emitter.builder.begin_for(0, size, parallel=True, private=is_host)
    body(loop.variable)
    frame = end_region(emitter)
    if is_host:
        mark_launch(emitter, loop, frame, EACH_THREAD)
