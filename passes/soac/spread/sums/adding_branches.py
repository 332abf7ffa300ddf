"""Branches that add or do not: what they add is a number, zero on the other way, and all iterations add."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.dialects.regions import terminator
from tapeless.passes.ir import build
from tapeless.passes.ir.rebuild import Values, copy_op, replace_op
from tapeless.passes.ir.scopes import is_defined_outside, outer_values
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.spread.weights import is_acc


def add_without_branches(accumulation: ir.OpView) -> bool:
    """Takes the updates of an accumulation out of branches with one way that adds; says whether there were any.

    ```mlir
    %a = scf.if %c {                                  %w = scf.if %c { what %f takes } else { 0.0 }
      %w = ...                                        map over k:
      map over k: update(%acc, %k, %f(%w))              %v = scf.if %c { %f(%w) } else { 0.0 }
    } else { %acc }                                     update(%acc, %k, %v)
    ```
    Sums by owner know who adds what then. Nothing runs that did not run before. What is added at places that are data
    stays, since adding zeros there takes as long as adding anything.
    """
    return any([_take_out(branch, accumulation) for branch in ops_named(accumulation, "scf.if")])


def _take_out(branch: ir.OpView, accumulation: ir.OpView) -> bool:
    accs = [k for k, value in enumerate(branch.results) if is_acc(value)]
    if not accs or not len(branch.regions[1].blocks):
        return False
    ends = [list(terminator(region).operands) for region in branch.regions]
    kept = [side for side in (0, 1) if all(is_defined_outside(ends[side][k], branch.operation) for k in accs)]
    if len(kept) != 1:
        return False
    adding = 1 - kept[0]
    statements = list(branch.regions[adding].blocks[0].operations)[:-1]
    adders = [op for op in statements if any(map(is_acc, op.operands))]
    made_here = {value for op in statements if op not in adders for value in op.results}
    if any(map(is_acc, made_here)):
        # An operation with sums of its own adds from inside of its region: it does not leave the branch.
        return False
    needed = list(dict.fromkeys(v for op in adders for v in [*op.operands, *outer_values(op)] if v in made_here))
    if any(map(build.is_array, needed)) or not all(_may_leave(op, made_here) for op in adders):
        return False
    if not all(_is_owned(place, accumulation) for op in adders for each in _updates(op) for place in each.indices):
        return False
    with branch.location, ir.InsertionPoint(branch):
        rest = _without_adders(branch, adding, adders, needed)
        numbers = [k for k in range(len(branch.results)) if k not in accs]
        values: Values = dict(zip(needed, list(rest.results)[len(numbers) :], strict=True))
        is_taken = branch.operands[0]
        if adding:
            is_taken = arith.xori(is_taken, arith.constant(is_taken.type, 1))
        for op in adders:
            _guard(copy_op(op, values).opview, is_taken, list(rest.results))
        after = dict(zip(numbers, rest.results, strict=False))
        after.update((k, values.get(ends[adding][k], ends[adding][k])) for k in accs)
    replace_op(branch, [after[k] for k in range(len(branch.results))])
    return True


def _updates(op: ir.OpView) -> list[ir.OpView]:
    """An update itself, or those in the body of a map."""
    if op.operation.name == "soac.update":
        return [op]
    return [each for each in op.regions[0].blocks[0].operations if each.operation.name == "soac.update"]


def _is_owned(place: ir.Value, accumulation: ir.OpView) -> bool:
    """Whether a place is the index of a map, or the same for all iterations."""
    if isinstance(place, ir.BlockArgument):
        return place.arg_number == 0 and place.owner.owner.operation.name == "soac.map"
    return is_defined_outside(place, accumulation.operation) or constant_int(place) is not None


def _may_leave(op: ir.OpView, made_here: set[ir.Value]) -> bool:
    """Whether an update is at a place from outside of the branch, or a map adds at its own index and makes nothing."""
    if op.operation.name == "soac.update":
        return not build.is_array(op.value) and not any(place in made_here for place in op.indices)
    if op.operation.name != "soac.map" or len(op.results) > len(op.accs) or op.width in made_here:
        return False
    statements, updates = list(op.regions[0].blocks[0].operations)[:-1], _updates(op)
    own = {value for each in statements if each not in updates for value in each.results}
    are_places_known = not any(place in own or place in made_here for each in updates for place in each.indices)
    are_numbers = not any(build.is_array(each.value) for each in updates)
    others = [each for each in statements if each not in updates]
    return are_places_known and are_numbers and not any(is_acc(v) for each in others for v in each.operands)


def _without_adders(
    branch: ir.OpView, adding: int, adders: Sequence[ir.OpView], needed: Sequence[ir.Value]
) -> ir.OpView:
    """The branch without what adds, which gives the numbers for that, too."""
    types = [value.type for value in branch.results if not is_acc(value)]
    made = scf.IfOp(branch.operands[0], [*types, *(value.type for value in needed)], has_else=True)
    for side, block in enumerate((made.then_block, made.else_block)):
        values: Values = {}
        with ir.InsertionPoint(block):
            *statements, end = branch.regions[side].blocks[0].operations
            for op in statements:
                if op not in adders:
                    copy_op(op, values)
            numbers = [values.get(value, value) for value in end.operands if not is_acc(value)]
            others = [values[v] if side == adding else build.number(v.type, 0) for v in needed]
            scf.YieldOp([*numbers, *others])
    return made


def _guard(op: ir.OpView, is_taken: ir.Value, numbers: Sequence[ir.Value]) -> None:
    """Has an update, or those in a map, add zero where the branch is not taken, as its `numbers` are."""
    if op.operation.name == "soac.update":
        last = len(op.operands) - 1
        if op.operands[last] in numbers:
            return
        with op.location, ir.InsertionPoint(op):
            zero = build.number(op.operands[last].type, 0.0)
            op.operation.operands[last] = arith.select(is_taken, op.operands[last], zero)
        return
    statements, updates = list(op.regions[0].blocks[0].operations)[:-1], _updates(op)
    addends = [each.operands[len(each.operands) - 1] for each in updates]
    with op.location, ir.InsertionPoint(updates[0]):
        guarded = scf.IfOp(is_taken, [value.type for value in addends], has_else=True)
        with ir.InsertionPoint(guarded.then_block):
            end = scf.YieldOp(addends)
        for each in statements:
            if each not in updates:
                each.operation.move_before(end.operation)
        with ir.InsertionPoint(guarded.else_block):
            scf.YieldOp([build.number(value.type, 0.0) for value in addends])
    for each, value in zip(updates, guarded.results, strict=True):
        each.operation.operands[len(each.operands) - 1] = value
