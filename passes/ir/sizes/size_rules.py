"""Shape inference rules, one for each operation: the sizes of its results and of its region arguments."""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import ir
from tapeless.dialects.array_types import DYNAMIC
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.places.slices import remaining_axes, slice_sizes
from tapeless.passes.ir.regions.structure import arguments_of, operands_of
from tapeless.passes.ir.sizes.expressions import LONGEST, Dim, length
from tapeless.passes.ir.sizes.size_search import Asking, Axis, Carried, Checked, Equal, Place, Step, Width
from tapeless.passes.ir.sizes.sizes import can_write, total
from tapeless.passes.ir.trips import surely_runs
from tapeless.passes.marks import SIZES

SizeRule = Callable[[ir.OpView, int, int], Step]


def _rows(width: ir.Value, row: ir.Value, axis: int) -> Step:
    return Width(width) if axis == 0 else Axis(row, axis - 1)


def _map_result(op: ir.OpView, number: int, axis: int) -> Step:
    row = terminator(op.body).operands[number]
    return Width(op.width) if axis == 0 else _seen_from_outside(op, op.body.blocks[0], Axis(row, axis - 1))


def _seen_from_outside(op: ir.OpView, block: ir.Block, asked: Axis) -> Asking:
    """The size of an array that a block makes; where only the block knows it, one that its checks make equal to it."""
    size = yield asked
    at = ir.InsertionPoint(op)
    if can_write(size, at):
        return size
    known = yield Equal(block)
    return next((other for other in known.equal_to(size) if can_write(other, at)), size)


def _fused_result(op: ir.OpView, number: int, axis: int) -> Step:
    if number < len(op.reduce_neutral):
        return Axis(op.reduce_neutral[number], axis)
    return _rows(op.width, terminator(op.lift).operands[number], axis)


def _with_acc_result(op: ir.OpView, number: int, axis: int) -> Step:
    if number < len(op.dests):
        return Axis(op.dests[number], axis)
    return Axis(terminator(op.body).operands[number], axis)


def _slice_result(op: ir.OpView, number: int, axis: int) -> Step:
    size = slice_sizes(op)[remaining_axes(op)[axis]]
    return size if isinstance(size, int) else Width(size)


def _filled_result(first_size: int) -> SizeRule:
    def rule(op: ir.OpView, number: int, axis: int) -> Step:
        before = sum(size == DYNAMIC for size in op.results[0].type.shape[:axis])
        return Width(op.operands[first_size + before])

    return rule


def _concat_result(op: ir.OpView, number: int, axis: int) -> Step:
    joined = axis == op.attributes["dim"].value
    return _sum_of_operands(op, axis) if joined else Axis(op.operands[0], axis)


def _sum_of_operands(op: ir.OpView, axis: int) -> Asking:
    parts = []
    for operand in op.operands:
        parts.append((yield Axis(operand, axis)))
    size = total(parts)
    if length(size) <= LONGEST:
        return size
    # The arrays are there where the operation is, whatever their sizes are made of.
    pairs = zip(parts, op.operands, strict=True)
    opaque = [part if isinstance(part, int) else Dim(operand, axis) for part, operand in pairs]
    return total(opaque)


def _reshape_result(op: ir.OpView, number: int, axis: int) -> Step:
    """Sizes are given one by one, or as a constant where upstream folding knows all of them."""
    shape = op.operands[1]
    if isinstance(shape, ir.BlockArgument):
        return Dim(op.results[0], axis)
    if shape.owner.operation.name == "arith.constant":
        return ir.DenseIntElementsAttr(shape.owner.attributes["value"])[axis]
    if shape.owner.operation.name != "tensor.from_elements":
        return Dim(op.results[0], axis)
    return Width(shape.owner.operands[axis])


def _like_operand(position: int) -> SizeRule:
    return lambda op, number, axis: Axis(op.operands[position], axis)


def _agreeing(value: ir.Value, axis: int, candidates: list[tuple[ir.Value, Place]]) -> Asking:
    """The size that all candidates have, each at its place, or the opaque size of the value itself."""
    sizes = []
    for candidate, _ in candidates:
        sizes.append((yield Axis(candidate, axis)))
    for wanted in dict.fromkeys(sizes):
        others = [where for size, where in zip(sizes, candidates, strict=True) if size != wanted]
        found = []
        for candidate, place in others:
            found.append((yield Checked(Axis(candidate, axis), wanted, place)))
        if all(size == wanted for size in found):
            return wanted
    return Dim(value, axis)


def _select_result(op: ir.OpView, number: int, axis: int) -> Step:
    return _agreeing(op.results[0], axis, [(candidate, op.results[0]) for candidate in list(op.operands)[1:]])


def _if_result(op: ir.OpView, number: int, axis: int) -> Step:
    branches = [(terminator(region).operands[number], region.blocks[0]) for region in op.regions]
    return _agreeing(op.results[number], axis, branches)


def _carried(argument: ir.Value, init: ir.Value, again: ir.Value, end: ir.Block, axis: int) -> Asking:
    """The size of a loop-carried array: that of its start when one iteration, up to its end, provably keeps it."""
    size = yield Axis(init, axis)
    return (yield Carried(Axis(argument, axis), Checked(Axis(again, axis), size, end)))


def _for_argument(argument: ir.Value, op: ir.OpView, axis: int) -> Step:
    number, block = argument.arg_number - 1, op.regions[0].blocks[0]
    if is_unfinished(block):
        return Dim(argument, axis)
    return _carried(
        argument, operands_of(op, "carried")[number], terminator(op.regions[0]).operands[number], block, axis
    )


def is_unfinished(block: ir.Block) -> bool:
    """Whether a loop is being written, so that its yielded values are unknown yet."""
    return not len(block.operations) or block.operations[len(block.operations) - 1].operation.name != "scf.yield"


def _for_result(op: ir.OpView, number: int, axis: int) -> Asking:
    """The size that the loop starts with, if it keeps it; else the one each iteration leaves, if one surely runs."""
    argument, block = arguments_of(op, "carried")[number], op.regions[0].blocks[0]
    size = yield Axis(argument, axis)
    if size != Dim(argument, axis):
        return size
    if not is_unfinished(block) and surely_runs(op):
        left = yield from _seen_from_outside(op, block, Axis(terminator(op.regions[0]).operands[number], axis))
        if can_write(left, ir.InsertionPoint(op)):
            return left
    return Dim(op.results[number], axis)


def _retrace_argument(argument: ir.Value, op: ir.OpView, axis: int) -> Step:
    """States and carried values keep their sizes."""
    return Axis(op.operands[2 + argument.arg_number], axis)


def _while_argument(argument: ir.Value, op: ir.OpView, axis: int) -> Step:
    before, after = op.regions
    number = argument.arg_number
    if argument.owner == after.blocks[0]:
        return Axis(terminator(before).operands[1 + number], axis)
    if is_unfinished(after.blocks[0]):
        return Dim(argument, axis)
    return _carried(argument, op.operands[number], terminator(after).operands[number], after.blocks[0], axis)


def _while_result(op: ir.OpView, number: int, axis: int) -> Step:
    return Axis(terminator(op.regions[0]).operands[1 + number], axis)


def _element_argument(argument: ir.Value, op: ir.OpView, axis: int) -> Step:
    return Axis(op.inputs[argument.arg_number - 1], axis + 1)


def _operator_argument(argument: ir.Value, op: ir.OpView, axis: int) -> Step:
    return Axis(op.neutral[argument.arg_number % len(op.neutral)], axis)


def _fused_argument(argument: ir.Value, op: ir.OpView, axis: int) -> Step:
    if argument.owner.region == op.lift:
        return _element_argument(argument, op, axis)
    neutral = op.reduce_neutral if argument.owner.region == op.reduce else op.scan_neutral
    return Axis(neutral[argument.arg_number % len(neutral)], axis)


def _fused_hist_argument(argument: ir.Value, op: ir.OpView, axis: int) -> Step:
    if argument.owner.region == op.lift:
        return _element_argument(argument, op, axis)
    return _operator_argument(argument, op, axis)


def _call_result(op: ir.OpView, number: int, axis: int) -> Step:
    """The size of the argument that the function promises, if any."""
    promised = ir.DenseI64ArrayAttr(op.attributes[SIZES])[number] if SIZES in op.attributes else -1
    return Axis(op.operands[promised], axis) if promised >= 0 else Dim(op.results[number], axis)


ARGUMENTS: dict[str, Callable[[ir.Value, ir.OpView, int], Step]] = {
    "soac.map": _element_argument,
    "soac.fused": _fused_argument,
    "soac.reduce": _operator_argument,
    "soac.scan": _operator_argument,
    "soac.hist": _operator_argument,
    "soac.fused_hist": _fused_hist_argument,
    "scf.for": _for_argument,
    "scf.while": _while_argument,
    "rev.retrace": _retrace_argument,
}

RESULTS: dict[str, SizeRule] = {
    "soac.map": _map_result,
    "soac.reduce": lambda op, number, axis: Axis(op.neutral[number], axis),
    "soac.scan": lambda op, number, axis: _rows(op.width, op.neutral[number], axis),
    "soac.fused": _fused_result,
    "soac.hist": lambda op, number, axis: Axis(op.dests[number], axis),
    "soac.fused_hist": lambda op, number, axis: Axis(op.dests[number], axis),
    "soac.scatter": lambda op, number, axis: Axis(op.dest, axis),
    "soac.with_acc": _with_acc_result,
    "soac.transpose": lambda op, number, axis: Axis(op.operands[0], op.attributes["permutation"][axis].value),
    "soac.reverse": _like_operand(0),
    "soac.argsort": _like_operand(0),
    "soac.arg_hist": _like_operand(3),
    "soac.widen": _like_operand(0),
    "tensor.cast": _like_operand(0),
    "tensor.extract_slice": _slice_result,
    "tensor.insert_slice": _like_operand(1),
    "tensor.insert": _like_operand(1),
    "tensor.splat": _filled_result(1),
    "tensor.empty": _filled_result(0),
    "tensor.concat": _concat_result,
    "tensor.reshape": _reshape_result,
    "ad.stop_gradient": _like_operand(0),
    "ad.promise": _like_operand(0),
    "arith.select": _select_result,
    "ad.checkpoint": lambda op, number, axis: Axis(terminator(op.regions[0]).operands[number], axis),
    "func.call": _call_result,
    "scf.if": _if_result,
    "scf.for": _for_result,
    "scf.while": _while_result,
    "rev.retrace": lambda op, number, axis: Axis(op.operands[len(op.operands) - len(op.results) + number], axis),
}
