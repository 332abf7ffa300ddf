"""Arrays whose states are all stored, which live in the rows of their histories."""

from __future__ import annotations

from tapeless._mlir import arith, ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.costs import is_check
from tapeless.passes.ir.places.places import Place, is_read
from tapeless.passes.ir.places.slices import slice_offsets, slice_sizes
from tapeless.passes.ir.rebuild import keep_arguments, recreate, retarget_terminator
from tapeless.passes.ir.regions.structure import arguments_of, operands_of
from tapeless.passes.ir.rows import slice_of, with_slice
from tapeless.passes.ir.scopes import is_defined_outside, is_used_once
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.shapes import is_checked_size, size_of
from tapeless.passes.ir.sizes.sizes import as_value, constant_int

LOWEST = -(2**63)


def checkpoints_in_place(root: ir.OpView) -> None:
    """Updates loop-carried arrays directly in their checkpoint arrays instead of copying every state there.

    ```
    x = start; for i: h[i] = x; x = f(x)        becomes        h[0] = start; for i: h[i + 1] = f(h[i])
    ```
    with room for one more row; at the end `x` is its last row. Inner loops come first.
    """
    for loop in ops_named(root, "scf.for"):
        _carry_all(loop)


@dataclass(frozen=True)
class History:
    """A carried array and the carried array of its states, by their numbers; the write of a state, and its sizes."""

    state: int
    states: int
    write: ir.OpView
    sizes: list[ir.Value | int]


def _carry_all(loop: ir.OpView) -> None:
    """Rewrites one loop for every array whose states it stores.

    When nothing else is wanted of it, the last iteration makes only states that nobody reads, and is left out.
    """
    count, is_end_wanted = 0, False
    while (history := _find(loop)) is not None:
        is_end_wanted |= bool(list(loop.results[history.state].uses))
        loop = _rewrite(loop, history)
        count += 1
    if count and count == len(loop.results) and not is_end_wanted and not is_check(loop):
        with ir.InsertionPoint(loop), loop.location:
            loop.operation.operands[1] = _one_less(loop.operands[1])


def _one_less(bound: ir.Value) -> ir.Value:
    """A bound minus one; the lowest integer stays where it is, so that the loop stays empty."""
    if constant_int(bound) is None:
        bound = arith.maxsi(bound, _index(LOWEST + 1))
    return arith.subi(bound, _index(1))


def _find(loop: ir.OpView) -> History | None:
    arguments = arguments_of(loop, "carried")
    for states, argument in enumerate(arguments):
        uses = list(argument.uses)
        if len(uses) == 1 and uses[0].owner.operation.name == "tensor.insert_slice" and uses[0].operand_number == 1:
            write = uses[0].owner
            if write.operands[0] in arguments:
                history = History(arguments.index(write.operands[0]), states, write, slice_sizes(write)[1:])
                if _stores_rows(loop, history) and _is_only_read(loop, history):
                    return history
    return None


def _stores_rows(loop: ir.OpView, history: History) -> bool:
    """Whether iteration k writes row k, which is all of the state, and the next state has the same sizes."""
    block, write = loop.regions[0].blocks[0], history.write
    following = block.operations[len(block.operations) - 1].operands[history.state]
    place, axes = Place.of(write), range(1, len(slice_sizes(write)))
    known = [size for size in history.sizes if isinstance(size, ir.Value)]
    return (
        write.operation.block == block
        and write.operands[0].type.rank == len(axes)
        and constant_int(loop.operands[2]) == 1
        and _counts_from_zero(loop, slice_offsets(write)[0])
        and all(place.is_whole_along(axis) for axis in axes)
        and all(is_defined_outside(size, loop.operation) for size in known)
        and all(_has_size(following, axis, size, block) for axis, size in enumerate(history.sizes))
    )


def _has_size(array: ir.Value, axis: int, size: ir.Value | int, block: ir.Block) -> bool:
    """Whether an array has this size at the end of a block, which checks in it or before it may say."""
    return size_of(array, axis) == size if isinstance(size, int) else is_checked_size(array, axis, size, block)


def _counts_from_zero(loop: ir.OpView, index: ir.Value | int) -> bool:
    """Whether an index is 0 in the first iteration of a loop with step 1, and one more in each that follows."""
    variable, low = loop.regions[0].blocks[0].arguments[0], loop.operands[0]
    if index == variable:
        return constant_int(low) == 0
    if isinstance(index, int | ir.BlockArgument) or index.owner.operation.name != "arith.subi":
        return False
    return list(index.owner.operands) == [variable, low]


def _is_only_read(loop: ir.OpView, history: History) -> bool:
    """Whether the states start empty, are handed on as written, and only parts of them are looked at afterwards."""
    block, start = loop.regions[0].blocks[0], operands_of(loop, "carried")[history.states]
    uses = list(history.write.results[0].uses)
    handed_on = len(uses) == 1 and uses[0].owner.operation == block.operations[len(block.operations) - 1].operation
    if not handed_on or uses[0].operand_number != history.states or isinstance(start, ir.BlockArgument):
        return False
    if start.owner.operation.name != "tensor.empty" or not is_used_once(start):
        return False
    return all(is_read(use.owner) for use in loop.results[history.states].uses)


def _rewrite(loop: ir.OpView, history: History) -> ir.OpView:
    """The loop without the array, which is a row of its states at the start and at the end of every iteration."""
    block = loop.regions[0].blocks[0]
    first = _first_row(loop, history)
    _read_row(loop, history, first.type)
    _write_next(loop, history)
    starts = operands_of(loop, "carried")
    starts[history.states] = first
    del starts[history.state]
    gone = arguments_of(loop, "carried")[history.state]
    keep_arguments(block, [argument != gone for argument in block.arguments])
    numbers = [number for number in range(len(loop.results)) if number != history.state]
    types = [first.type if number == history.states else loop.results[number].type for number in numbers]
    made = recreate(loop, [[*list(loop.operands)[:3], *starts]], types)
    for number, result in zip(numbers, made.results, strict=True):
        loop.results[number].replace_all_uses_with(result)
    _read_last(loop, history, made.results[numbers.index(history.states)])
    empty = operands_of(loop, "carried")[history.states].owner
    for unused in (loop, empty):
        unused.operation.erase()
    return made


def _first_row(loop: ir.OpView, history: History) -> ir.Value:
    """Room for all states, with the initial one in its place."""
    empty = operands_of(loop, "carried")[history.states].owner
    with ir.InsertionPoint(loop), loop.location:
        shape, dynamic = list(empty.results[0].type.shape), list(empty.operands)
        if shape[0] != DYNAMIC:
            count: ir.Value | int = shape[0] + 1
        else:
            count = arith.addi(dynamic.pop(0), _index(1))
        sizes = [dynamic.pop(0) if size == DYNAMIC else size for size in shape[1:]]
        room = tensor.EmptyOp([count, *sizes], empty.results[0].type.element_type).result
        return with_slice(room, operands_of(loop, "carried")[history.state], *_row(history, 0))


def _read_row(loop: ir.OpView, history: History, type_: ir.RankedTensorType) -> None:
    """Reads the state at the start of an iteration."""
    block = loop.regions[0].blocks[0]
    arguments = arguments_of(loop, "carried")
    state, states = arguments[history.state], arguments[history.states]
    states.set_type(type_)
    position = slice_offsets(history.write)[0]
    if isinstance(position, int | ir.BlockArgument):
        at = ir.InsertionPoint.at_block_begin(block)
    else:
        position.owner.operation.move_before(block.operations[0].operation)
        at = ir.InsertionPoint.after(position.owner)
    with at, history.write.location:
        row = slice_of(states, *_row(history, position), state.type)
    state.replace_all_uses_with(row)


def _write_next(loop: ir.OpView, history: History) -> None:
    """Writes the next state instead of the one at the start."""
    block = loop.regions[0].blocks[0]
    last = block.operations[len(block.operations) - 1]
    following = list(last.operands)
    states = arguments_of(loop, "carried")[history.states]
    with ir.InsertionPoint(last), history.write.location:
        position = arith.addi(slice_offsets(history.write)[0], _index(1))
        following[history.states] = with_slice(states, following[history.state], *_row(history, position))
    del following[history.state]
    retarget_terminator(block, following)
    history.write.operation.erase()


def _read_last(loop: ir.OpView, history: History, states: ir.Value) -> None:
    """Reads the state after the last iteration, where anything wants it."""
    end = loop.results[history.state]
    if not list(end.uses):
        return
    with ir.InsertionPoint(loop), loop.location:
        low, high = loop.operands[:2]
        end_of_any = arith.maxsi(high, low)
        trips = end_of_any if constant_int(low) == 0 else arith.subi(end_of_any, low)
        end.replace_all_uses_with(slice_of(states, *_row(history, trips), end.type))


def _row(history: History, position: ir.Value | int) -> tuple[list, list, list]:
    rest = len(history.sizes)
    return [position, *[0] * rest], [1, *history.sizes], [1] * (rest + 1)


def _index(number: int) -> ir.Value:
    return as_value(number, ir.InsertionPoint.current)
