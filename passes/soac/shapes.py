"""What is axis k of this value: the one place that follows producers to find sizes.

`dim_of` gives a size as a Python integer or as an `index` value that is available where it is asked for, copying pure
index arithmetic out of regions when it must, and `None` when the size depends on the iteration or on data.
"""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import ir

from .sizes import INDEX_ARITHMETIC, Dim, Size, can_write, computed, constant_int, total, write
from .slices import DYNAMIC, kept_axes, slice_sizes

LONGEST = 100
Assumed = dict[tuple[ir.Value, int], Size]
SizeRule = Callable[[ir.OpView, int, int, Assumed], Size]


def dim_of(value: ir.Value, axis: int, at: ir.InsertionPoint) -> ir.Value | int | None:
    """The size of an axis, computed at the insertion point; `None` when that is impossible there."""
    size = size_of(value, axis)
    return write(size, at) if can_write(size, at) else None


def same_size(left: tuple[ir.Value, int], right: tuple[ir.Value, int]) -> bool:
    """Whether two axes, each given as (array, axis), provably have the same size."""
    return size_of(*left) == size_of(*right)


def same_width(left: ir.Value, right: ir.Value) -> bool:
    """Whether two `index` values are provably equal."""
    return left == right or scalar_size(left) == scalar_size(right)


def size_of(value: ir.Value, axis: int, assumed: Assumed | None = None) -> Size:
    """The size of an axis as an expression of values that need not be available anywhere in particular."""
    fixed = value.type.shape[axis]
    if fixed != DYNAMIC:
        return fixed
    assumed = {} if assumed is None else assumed
    if (value, axis) in assumed:
        return assumed[value, axis]
    if isinstance(value, ir.BlockArgument):
        holder = value.owner.owner
        rule = ARGUMENTS.get(holder.operation.name)
        return rule(value, holder, axis, assumed) if rule else Dim(value, axis)
    op = value.owner
    rule = RESULTS.get(op.operation.name)
    return rule(op, value.result_number, axis, assumed) if rule else Dim(value, axis)


def scalar_size(value: ir.Value, assumed: Assumed | None = None) -> Size:
    """An `index` value as a size expression; long arithmetic is left as the value it computes."""
    return value if _is_long(value) else _scalar_size(value, {} if assumed is None else assumed)


def _is_long(value: ir.Value) -> bool:
    """Whether the arithmetic behind a value, written as a tree, has too many operations to be compared."""
    pending, count = [value], 0
    while pending and count <= LONGEST:
        count += 1
        value = pending.pop()
        if not isinstance(value, ir.BlockArgument) and value.owner.operation.name in INDEX_ARITHMETIC:
            pending.extend(value.owner.operands)
    return count > LONGEST


def _scalar_size(value: ir.Value, assumed: Assumed) -> Size:
    if isinstance(value, ir.BlockArgument):
        return value
    if (known := constant_int(value)) is not None:
        return known
    op = value.owner
    if op.operation.name == "tensor.dim" and (axis := constant_int(op.operands[1])) is not None:
        return size_of(op.operands[0], axis, assumed)
    if op.operation.name in INDEX_ARITHMETIC:
        return computed(value, tuple(_scalar_size(operand, assumed) for operand in op.operands))
    return value


def terminator(region: ir.Region) -> ir.OpView:
    """The last operation of a region's only block."""
    operations = region.blocks[0].operations
    return operations[len(operations) - 1]


def _rows(width: ir.Value, row: ir.Value, axis: int, assumed: Assumed) -> Size:
    return scalar_size(width, assumed) if axis == 0 else size_of(row, axis - 1, assumed)


def _map_result(op: ir.OpView, number: int, axis: int, assumed: Assumed) -> Size:
    return _rows(op.width, terminator(op.body).operands[number], axis, assumed)


def _fused_result(op: ir.OpView, number: int, axis: int, assumed: Assumed) -> Size:
    if number < len(op.reduce_neutral):
        return size_of(op.reduce_neutral[number], axis, assumed)
    return _rows(op.width, terminator(op.lift).operands[number], axis, assumed)


def _with_acc_result(op: ir.OpView, number: int, axis: int, assumed: Assumed) -> Size:
    if number < len(op.dests):
        return size_of(op.dests[number], axis, assumed)
    return size_of(terminator(op.body).operands[number], axis, assumed)


def _slice_result(op: ir.OpView, number: int, axis: int, assumed: Assumed) -> Size:
    size = slice_sizes(op)[kept_axes(op)[axis]]
    return size if isinstance(size, int) else scalar_size(size, assumed)


def _filled_result(first_size: int) -> SizeRule:
    def rule(op: ir.OpView, number: int, axis: int, assumed: Assumed) -> Size:
        before = sum(size == DYNAMIC for size in op.results[0].type.shape[:axis])
        return scalar_size(op.operands[first_size + before], assumed)

    return rule


def _concat_result(op: ir.OpView, number: int, axis: int, assumed: Assumed) -> Size:
    if axis != op.attributes["dim"].value:
        return size_of(op.operands[0], axis, assumed)
    return total([size_of(operand, axis, assumed) for operand in op.operands])


def _reshape_result(op: ir.OpView, number: int, axis: int, assumed: Assumed) -> Size:
    shape = op.operands[1]
    if isinstance(shape, ir.BlockArgument) or shape.owner.operation.name != "tensor.from_elements":
        return Dim(op.results[0], axis)
    return scalar_size(shape.owner.operands[axis], assumed)


def _like_operand(position: int) -> SizeRule:
    return lambda op, number, axis, assumed: size_of(op.operands[position], axis, assumed)


def _agreeing(value: ir.Value, axis: int, candidates: list[ir.Value], assumed: Assumed) -> Size:
    """The size that all candidates share, or the opaque size of the value itself."""
    sizes = [size_of(candidate, axis, assumed) for candidate in candidates]
    return sizes[0] if all(size == sizes[0] for size in sizes) else Dim(value, axis)


def _select_result(op: ir.OpView, number: int, axis: int, assumed: Assumed) -> Size:
    return _agreeing(op.results[0], axis, list(op.operands)[1:], assumed)


def _if_result(op: ir.OpView, number: int, axis: int, assumed: Assumed) -> Size:
    branches = [terminator(region).operands[number] for region in op.regions]
    return _agreeing(op.results[number], axis, branches, assumed)


def _carried(argument: ir.Value, init: ir.Value, again: ir.Value, axis: int, assumed: Assumed) -> Size:
    """The size of a loop-carried array: that of its start when one iteration provably keeps it."""
    size = size_of(init, axis, assumed)
    kept = size_of(again, axis, {**assumed, (argument, axis): size}) == size
    return size if kept else Dim(argument, axis)


def _for_argument(argument: ir.Value, op: ir.OpView, axis: int, assumed: Assumed) -> Size:
    number = argument.arg_number - 1
    return _carried(argument, op.operands[3 + number], terminator(op.regions[0]).operands[number], axis, assumed)


def _for_result(op: ir.OpView, number: int, axis: int, assumed: Assumed) -> Size:
    argument = op.regions[0].blocks[0].arguments[1 + number]
    size = size_of(argument, axis, assumed)
    return Dim(op.results[number], axis) if size == Dim(argument, axis) else size


def _while_argument(argument: ir.Value, op: ir.OpView, axis: int, assumed: Assumed) -> Size:
    before, after = op.regions
    number = argument.arg_number
    if argument.owner == after.blocks[0]:
        return size_of(terminator(before).operands[1 + number], axis, assumed)
    return _carried(argument, op.operands[number], terminator(after).operands[number], axis, assumed)


def _while_result(op: ir.OpView, number: int, axis: int, assumed: Assumed) -> Size:
    return size_of(terminator(op.regions[0]).operands[1 + number], axis, assumed)


def _element_argument(argument: ir.Value, op: ir.OpView, axis: int, assumed: Assumed) -> Size:
    return size_of(op.inputs[argument.arg_number - 1], axis + 1, assumed)


def _operator_argument(argument: ir.Value, op: ir.OpView, axis: int, assumed: Assumed) -> Size:
    return size_of(op.neutral[argument.arg_number % len(op.neutral)], axis, assumed)


def _fused_argument(argument: ir.Value, op: ir.OpView, axis: int, assumed: Assumed) -> Size:
    if argument.owner.region == op.lift:
        return _element_argument(argument, op, axis, assumed)
    neutral = op.reduce_neutral if argument.owner.region == op.reduce else op.scan_neutral
    return size_of(neutral[argument.arg_number % len(neutral)], axis, assumed)


def _fused_hist_argument(argument: ir.Value, op: ir.OpView, axis: int, assumed: Assumed) -> Size:
    if argument.owner.region == op.lift:
        return _element_argument(argument, op, axis, assumed)
    return _operator_argument(argument, op, axis, assumed)


ARGUMENTS: dict[str, Callable[[ir.Value, ir.OpView, int, Assumed], Size]] = {
    "soac.map": _element_argument,
    "soac.fused": _fused_argument,
    "soac.reduce": _operator_argument,
    "soac.scan": _operator_argument,
    "soac.hist": _operator_argument,
    "soac.fused_hist": _fused_hist_argument,
    "scf.for": _for_argument,
    "scf.while": _while_argument,
}

RESULTS: dict[str, SizeRule] = {
    "soac.map": _map_result,
    "soac.reduce": lambda op, number, axis, assumed: size_of(op.neutral[number], axis, assumed),
    "soac.scan": lambda op, number, axis, assumed: _rows(op.width, op.neutral[number], axis, assumed),
    "soac.fused": _fused_result,
    "soac.hist": lambda op, number, axis, assumed: size_of(op.dests[number], axis, assumed),
    "soac.fused_hist": lambda op, number, axis, assumed: size_of(op.dests[number], axis, assumed),
    "soac.scatter": lambda op, number, axis, assumed: size_of(op.dest, axis, assumed),
    "soac.with_acc": _with_acc_result,
    "soac.transpose": lambda op, number, axis, assumed: size_of(
        op.operands[0], op.attributes["permutation"][axis].value, assumed
    ),
    "soac.reverse": _like_operand(0),
    "soac.argsort": _like_operand(0),
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
    "arith.select": _select_result,
    "ad.checkpoint": lambda op, number, axis, assumed: size_of(
        terminator(op.regions[0]).operands[number], axis, assumed
    ),
    "scf.if": _if_result,
    "scf.for": _for_result,
    "scf.while": _while_result,
}
