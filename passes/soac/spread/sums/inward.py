"""Rows that iterations make and add to arrays, added element by element by the loops that make them."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, tensor
from tapeless.dialects import soac
from tapeless.dialects.regions import terminator
from tapeless.dialects.soac.marks import IN_BOUNDS
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.search import ops_named


def add_elements(accumulation: ir.OpView) -> bool:
    """Has the maps that make rows for `soac.update` add their elements; says whether there were any.

    ```mlir
    %row = map over j: f(%j)                          map over j: update(%acc, %k, %j, f(%j))
    update(%acc, %k, %row)
    ```
    No thread needs memory for a row then, and elements of a row may be added by threads side by side. Rows of equal
    elements (`tensor.splat`) are added by a map, too.
    """
    changed = False
    pending = _updates_by_rows(accumulation)
    while pending:
        update = pending.pop()
        if _adds_equal_elements(update):
            pending += [op for op in [_each_equal_element(update)] if build.is_array(op.value)]
            changed = True
            continue
        updates = _all_updates(update)
        if updates is None:
            continue
        _move_inside(update.value.owner, updates)
        # The map may have held updates itself, which are others now.
        pending = _updates_by_rows(accumulation)
        changed = True
    return changed


def _updates_by_rows(accumulation: ir.OpView) -> list[ir.OpView]:
    return [op for op in ops_named(accumulation, "soac.update") if build.is_array(op.value)]


def _adds_equal_elements(update: ir.OpView) -> bool:
    """Whether an update adds an array whose elements are one number."""
    if isinstance(update.value, ir.BlockArgument) or update.value.owner.name != "tensor.splat":
        return False
    return len(update.acc.type.tensor.shape) == len(update.indices) + update.value.type.rank


def _each_equal_element(update: ir.OpView) -> ir.OpView:
    """Replaces such an update by a map over the first axis of its addend; gives the update in there."""
    element, *sizes = update.value.owner.operands
    type_ = ir.RankedTensorType(update.value.type)
    made: list[ir.OpView] = []

    def body(index: ir.Value, _: build.Rows, own: build.Rows) -> tuple[list[ir.Value], list[ir.Value]]:
        value = element
        if type_.rank > 1:
            rest = ir.RankedTensorType.get(type_.shape[1:], type_.element_type)
            value = tensor.splat(rest, element, sizes[1:] if type_.is_dynamic_dim(0) else sizes)
        new = soac.UpdateOp(own[0], [*update.indices, index], value, update.acc.type)
        if IN_BOUNDS in update.attributes:
            new.operation.attributes[IN_BOUNDS] = ir.UnitAttr.get()
        made.append(new)
        return [], [new.operation.results[0]]

    with update.location, ir.InsertionPoint(update):
        width = sizes[0] if type_.is_dynamic_dim(0) else arith.constant(ir.IndexType.get(), type_.shape[0])
        (acc,) = build.map_(width, [], [update.acc], body)[1]
    update.operation.results[0].replace_all_uses_with(acc)
    update.operation.erase()
    return made[0]


def _all_updates(update: ir.OpView) -> list[ir.OpView] | None:
    """The updates that add the results of a map, in order, if nothing else uses them and they can
    be made at one place.
    """
    maker = None if isinstance(update.value, ir.BlockArgument) else update.value.owner
    if maker is None or maker.operation.name != "soac.map":
        return None
    if maker.operation.block != update.operation.block:
        return None
    uses = [list(result.uses) for result in maker.results if build.is_array(result)]
    users = [use[0].owner for use in uses if len(use) == 1]
    if len(users) < len(uses) or not all(_is_update_of(user, maker) for user in users):
        return None
    block = list(update.operation.block.operations)
    order = {number: op for number, op in enumerate(block) if any(op.operation == user.operation for user in users)}
    last = max(order)
    updates = [order[number] for number in sorted(order)]
    between = [op for op in block[block.index(maker) + 1 : last] if op not in updates]
    made = {result for op in [maker, *updates] for result in op.results}
    return None if any(_reads(op, made) for op in between) else updates


def _is_update_of(user: ir.OpView, maker: ir.OpView) -> bool:
    """Whether an operation beside a map adds the results of the map to an array."""
    if user.operation.name != "soac.update" or user.operation.block != maker.operation.block:
        return False
    return len(user.acc.type.tensor.shape) == len(user.indices) + user.value.type.rank


def _reads(op: ir.OpView, values: set[ir.Value]) -> bool:
    """Whether an operation, or one in it, uses some values."""
    if any(value in values for value in op.operands):
        return True
    return any(_reads(inner, values) for region in op.regions for block in region.blocks for inner in block.operations)


def _move_inside(maker: ir.OpView, updates: Sequence[ir.OpView]) -> None:
    """Replaces a map and the updates with its results by a map that updates."""
    loop = Loop.seen_as(maker)
    kept = [value for value in maker.results if not build.is_array(value)]
    results = [*kept, *(op.results[0] for op in updates)]
    added = [op.acc for op in updates if op.acc not in results]

    def body(index: ir.Value, elements: build.Rows, own: build.Rows) -> tuple[list[ir.Value], list[ir.Value]]:
        values: Values = {loop.body.arguments[0]: index}
        values.update(zip(loop.elements, [*elements, *own[: len(kept)]], strict=True))
        for op in list(loop.body.operations)[:-1]:
            copy_op(op, values)
        lifted = {
            result: values.get(value, value)
            for result, value in zip(maker.results, terminator(maker.regions[0]).operands, strict=True)
        }
        current: Values = {**lifted, **dict(zip(added, own[len(kept) :], strict=True))}
        for op in updates:
            new = soac.UpdateOp(current[op.acc], [*op.indices, index], lifted[op.value], op.acc.type)
            if IN_BOUNDS in op.attributes:
                new.operation.attributes[IN_BOUNDS] = ir.UnitAttr.get()
            current[op.results[0]] = new.operation.results[0]
        return [], [current[value] for value in ends]

    ends = _ends([*kept, *added], updates)
    with updates[-1].location, ir.InsertionPoint(updates[-1]):
        new = build.map_(loop.width, loop.inputs, [*loop.accs, *added], body)[1]
    for old, value in zip(ends, new, strict=True):
        old.replace_all_uses_with(value)
    for op in reversed(updates):
        op.operation.erase()
    maker.operation.erase()


def _ends(accs: Sequence[ir.Value], updates: Sequence[ir.OpView]) -> list[ir.Value]:
    """The value of each accumulator after all updates."""
    ends = []
    for value in accs:
        for op in updates:
            if op.acc == value:
                value = op.results[0]
        ends.append(value)
    return ends
