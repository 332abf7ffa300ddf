"""Sums that the iterations of a map make for themselves, as sums into one array that all iterations add to."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tapeless._mlir import ir
from tapeless.dialects.regions import terminator
from tapeless.dialects.soac import AccType
from tapeless.dialects.soac.builders import with_acc
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.constants import is_zero_fill
from tapeless.passes.ir.rebuild import Values, copy_op, replace_op
from tapeless.passes.ir.scopes import outer_values
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.shapes import size_of
from tapeless.passes.ir.sizes.sizes import can_write
from tapeless.passes.soac.spread.guard import value_of
from tapeless.passes.soac.spread.weights import depth, is_acc, is_repeatable


def inner_accumulation(op: ir.OpView) -> ir.OpView | None:
    """The accumulation in the body of a map that can be moved out of it.

    Its arrays have sizes that are known before the map, as have those that it reads and that the map makes. It has a
    nest of maps in it, each of whose iterations could be a thread.
    """
    if op.operation.name != "soac.map" or len(op.accs):
        return None
    statements = list(op.regions[0].blocks[0].operations)
    found = [each for each in statements if each.operation.name == "soac.with_acc"]
    if len(found) != 1 or len(list(ops_named(op, "soac.with_acc"))) != 1 or depth(found[0]) < 2:
        return None
    (accumulation,) = found
    before = ir.InsertionPoint(op)
    dests = list(accumulation.operands)
    if len(accumulation.results) != len(dests):
        return None
    arrays = [each for each in (*dests, *_kept(op, accumulation)) if build.is_array(each)]
    sizes = [size_of(array, axis) for array in arrays for axis in range(array.type.rank)]
    return accumulation if all(can_write(size, before) for size in sizes) else None


def move_outward(op: ir.OpView, accumulation: ir.OpView) -> list[ir.Value]:
    """Replaces a map by an accumulation of all its iterations and a map after it; gives the arrays between them.

    ```mlir
    %y = "soac.map"(%n) ({                            %all = "soac.with_acc"(%zeros of all iterations) ({
    ^bb0(%i):                                         ^bb0(%acc):
      %s = "soac.with_acc"(%zeros) ({                   map over i, then over j: update(%acc, %i, %p, %v)
        map over j: update(%acc, %p, %v)              %y = map over i: f(%all[i])
      yield f(%s)
    ```
    """
    loop = Loop.seen_as(op)
    kept = _kept(op, accumulation)
    with op.location, ir.InsertionPoint(op):
        at = ir.InsertionPoint(op)
        begun = [dest for dest in dict.fromkeys(accumulation.operands) if not is_zero_fill(dest)]
        made_before = _made_before(loop, list(dict.fromkeys([*begun, *kept])))
        starts = []
        for dest in accumulation.operands:
            type_ = _stacked(dest.type, loop.width)
            if dest in made_before:
                starts.append(build.cast_to(type_, made_before[dest]))
                continue
            sizes = [loop.width, *(value_of(size_of(dest, axis), at) for axis in range(dest.type.rank))]
            starts.append(build.filled(type_, sizes, build.number(type_.element_type, 0.0)))
        rows = {value: made_before[value] for value in kept}
        arrays = list(with_acc(starts, [], lambda *accs: _all_iterations(loop, accumulation, accs, rows)).results)

        def body(index: ir.Value, elements: build.Rows, _: build.Rows) -> tuple[list[ir.Value], list[ir.Value]]:
            values: Values = {loop.body.arguments[0]: index}
            values.update(zip([*loop.elements, *accumulation.results, *kept], elements, strict=True))
            for inner in list(loop.body.operations)[:-1]:
                if inner.operation != accumulation.operation and not any(value in values for value in inner.results):
                    copy_op(inner, values)
            return [values.get(value, value) for value in terminator(op.regions[0]).operands], []

        made = build.map_(loop.width, [*loop.inputs, *arrays, *rows.values()], [], body)[0]
        results = [build.cast_to(old.type, new) for old, new in zip(op.results, made, strict=True)]
    replace_op(op, results)
    return [*arrays, *made_before.values()]


def _made_before(loop: Loop, wanted: Sequence[ir.Value]) -> dict[ir.Value, ir.Value]:
    """Arrays of what all iterations make for an accumulation: where it starts, and what is not computed again."""
    if not wanted:
        return {}
    needed = _makers(loop.op, wanted)

    def body(index: ir.Value, elements: build.Rows, _: build.Rows) -> tuple[list[ir.Value], list[ir.Value]]:
        values: Values = {loop.body.arguments[0]: index, **dict(zip(loop.elements, elements, strict=True))}
        for op in needed:
            copy_op(op, values)
        return [values.get(value, value) for value in wanted], []

    return dict(zip(wanted, build.map_(loop.width, loop.inputs, [], body)[0], strict=True))


def _all_iterations(
    loop: Loop, accumulation: ir.OpView, accs: Sequence[ir.Value], rows: dict[ir.Value, ir.Value]
) -> list[ir.Value]:
    """The map over all iterations that adds to arrays of all of them; `rows` are arrays of what is not made again."""
    needed = _makers(loop.op, _read(accumulation), stop_at=set(rows))
    region = accumulation.regions[0].blocks[0]

    def body(index: ir.Value, elements: build.Rows, own: build.Rows) -> tuple[list[ir.Value], list[ir.Value]]:
        values: Values = {loop.body.arguments[0]: index}
        values.update(zip([*loop.elements, *rows], elements, strict=True))
        for op in needed:
            copy_op(op, values)
        values.update(zip(region.arguments, own, strict=True))
        for op in list(region.operations)[:-1]:
            _copy(op.operation, values, index, loop.width)
        return [], [values[value] for value in terminator(accumulation.regions[0]).operands]

    return list(build.map_(loop.width, [*loop.inputs, *rows.values()], list(accs), body)[1])


def _read(accumulation: ir.OpView) -> list[ir.Value]:
    """What an accumulation reads beside the arrays that it adds to."""
    starts = set(accumulation.operands)
    return [value for value in dict.fromkeys(outer_values(accumulation)) if value not in starts]


def _kept(op: ir.OpView, accumulation: ir.OpView) -> list[ir.Value]:
    """What an accumulation needs of the body of a map that is not to be made twice."""
    makers = _makers(op, _read(accumulation))
    dear = {each.operation for each in makers if not is_repeatable(each)}
    needed = [*_read(accumulation), *(value for each in makers for value in outer_values(each))]
    return [value for value in dict.fromkeys(needed) if not _is_argument(value) and value.owner.operation in dear]


def _makers(op: ir.OpView, wanted: Sequence[ir.Value], stop_at: Collection[ir.Value] = ()) -> list[ir.OpView]:
    """The operations of a map's body that make values, in order; some values are there already."""
    block = op.regions[0].blocks[0]
    found: set[ir.Operation] = set()
    pending = list(wanted)
    while pending:
        value = pending.pop()
        if value in stop_at or _is_argument(value) or value.owner.operation.block != block:
            continue
        if value.owner.operation not in found:
            found.add(value.owner.operation)
            pending.extend(outer_values(value.owner))
    return [each for each in block.operations if each.operation in found]


def _is_argument(value: ir.Value) -> bool:
    return isinstance(value, ir.BlockArgument)


def _stacked(array: ir.RankedTensorType, width: ir.Value) -> ir.RankedTensorType:
    return ir.RankedTensorType.get([build.static_size(width), *array.shape], array.element_type)


def _copy(op: ir.Operation, values: Values, index: ir.Value, width: ir.Value) -> None:
    """A copy at the insertion point whose accumulators are of all iterations, of which updates name theirs."""

    def type_of(value: ir.Value) -> ir.Type:
        return AccType.get(_stacked(value.type.tensor, width)) if is_acc(value) else value.type

    operands = [values.get(value, value) for value in op.operands]
    if op.name == "soac.update":
        operands.insert(1, index)
    attributes = {name: op.attributes[name] for name in op.attributes}
    results = [type_of(value) for value in op.results]
    made = ir.Operation.create(op.name, results, operands, attributes, regions=len(op.regions), loc=op.location)
    values.update(zip(op.results, made.results, strict=True))
    for old, new in zip(op.regions, made.regions, strict=True):
        for block in old.blocks:
            types = [type_of(argument) for argument in block.arguments]
            copy = new.blocks.append(*types, arg_locs=[op.location] * len(types))
            values.update(zip(block.arguments, copy.arguments, strict=True))
            with ir.InsertionPoint(copy):
                for inner in block.operations:
                    _copy(inner.operation, values, index, width)
