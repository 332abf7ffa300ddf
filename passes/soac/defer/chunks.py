"""A loop in chunks of iterations: the stored rows of a chunk are summed up after it."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir import build
from tapeless.passes.ir.build import index
from tapeless.passes.ir.rebuild import keep_arguments, retarget_terminator, selected
from tapeless.passes.ir.regions.structure import operands_of
from tapeless.passes.ir.rows import slice_of, with_slice
from tapeless.passes.ir.scopes import terminator
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.defer.found import RowSum
from tapeless.passes.soac.defer.positions import UP, index_at
from tapeless.passes.soac.defer.stacks import Factors, Kept, some_rows

Values = dict[ir.Value, ir.Value]


@dataclass(frozen=True)
class Chunk:
    """Some iterations of a loop: the first, the last, the first that is no more one of them, and how many they are."""

    first: ir.Value
    last: ir.Value
    end: ir.Value
    count: ir.Value


def run_in_chunks(loop: ir.OpView, sums: Sequence[RowSum], factors: Factors, most_kept: int) -> None:
    """Replaces a loop by one over chunks of its iterations, after each of which the sums are taken."""
    deferred = {each.number: each for each in sums}
    with ir.InsertionPoint(loop), loop.location:
        trips = _trips(loop)
        steps = _steps(trips, list(factors.kept.values()), most_kept)
        whole = {part: stored.rows() for part, stored in factors.stored.items()}
        outer = scf.ForOp(index(0), arith.ceildivsi(trips, steps), index(1), operands_of(loop, "carried"))
    carried = list(outer.inner_iter_args)
    with ir.InsertionPoint(outer.body), loop.location:
        chunk = _chunk(loop, outer.induction_variable, steps, trips)
        is_deferred = [number in deferred for number in range(len(carried))]
        inner = _inner_loop(loop, chunk, is_deferred, factors, steps, carried)
        rows = {part: _stored_rows(part, factors, inner, chunk, whole[part]) for part in whole}
        stacks = list(inner.results)[len(inner.results) - len(factors.kept) :]
        for kept, stack in zip(factors.kept.values(), stacks, strict=True):
            rows[kept.part] = _kept_rows(kept, chunk, stack)
        others = iter(inner.results)
        following = [value if number in deferred else next(others) for number, value in enumerate(carried)]
        end = scf.YieldOp(following)
    for number, each in deferred.items():
        with ir.InsertionPoint(end), each.op.location:
            end.operation.operands[number] = _summed(each, carried[number], rows, chunk, end)
    for old, new in zip(loop.results, outer.results, strict=True):
        old.replace_all_uses_with(new)
    loop.operation.erase()


def _trips(loop: ir.OpView) -> ir.Value:
    """How many iterations there are; written as the maximum with zero, by which checks know idle loops."""
    low, high = loop.operands[:2]
    length = high if constant_int(low) == 0 else arith.subi(high, low)
    is_maximum = isinstance(length, ir.OpResult) and length.owner.operation.name == "arith.maxsi"
    if is_maximum and any(constant_int(operand) == 0 for operand in length.owner.operands):
        return length
    return arith.maxsi(length, index(0))


def _steps(trips: ir.Value, kept: Sequence[Kept], most_kept: int) -> ir.Value:
    """How many iterations a chunk has."""
    if not kept:
        return arith.maxsi(trips, index(1))
    size = kept[0].bytes()
    for each in kept[1:]:
        size = arith.addi(size, each.bytes())
    fitting = arith.divsi(index(most_kept), arith.maxsi(size, index(1)))
    return arith.maxsi(arith.minsi(fitting, trips), index(1))


def _chunk(loop: ir.OpView, number: ir.Value, steps: ir.Value, trips: ir.Value) -> Chunk:
    before = arith.muli(number, steps)
    count = arith.minsi(steps, arith.subi(trips, before))
    low = loop.operands[0]
    first = before if constant_int(low) == 0 else arith.addi(low, before)
    end = arith.addi(first, count)
    return Chunk(first, arith.subi(end, index(1)), end, count)


def _inner_loop(
    loop: ir.OpView, chunk: Chunk, deferred: Sequence[bool], factors: Factors, steps: ir.Value, carried: list[ir.Value]
) -> ir.OpView:
    """The iterations of a chunk, which leave stacks instead of sums."""
    rooms = [kept.room(steps) for kept in factors.kept.values()]
    starts = [*selected(carried, [not gone for gone in deferred]), *rooms]
    operands = [chunk.first, chunk.end, loop.operands[2], *starts]
    attributes = {name: loop.attributes[name] for name in loop.attributes}
    made = ir.Operation.create(
        "scf.for", results=[start.type for start in starts], operands=operands, attributes=attributes, regions=1
    )
    block = loop.regions[0].blocks[0]
    for argument, outer in zip(list(block.arguments)[1:], carried, strict=True):
        if deferred[argument.arg_number - 1]:
            argument.replace_all_uses_with(outer)
    keep_arguments(block, [True, *(not gone for gone in deferred)])
    stacks = [block.add_argument(room.type, loop.location) for room in rooms]
    with ir.InsertionPoint.at_block_begin(block):
        first_rows = _first_rows(block.arguments[0], chunk, factors)
    last = terminator(block)
    with ir.InsertionPoint(last):
        kept = zip(factors.kept.values(), stacks, first_rows, strict=True)
        written = [each.written(stack, row) for each, stack, row in kept]
    retarget_terminator(block, [*selected(last.operands, [not gone for gone in deferred]), *written])
    block.append_to(made.regions[0])
    return made.opview


def _first_rows(iteration: ir.Value, chunk: Chunk, factors: Factors) -> list[ir.Value]:
    """Where in each stack the rows of an iteration begin."""
    is_up = factors.direction == UP
    number = arith.subi(iteration, chunk.first) if is_up else arith.subi(chunk.last, iteration)
    return [arith.muli(number, kept.height()) for kept in factors.kept.values()]


def _stored_rows(part: ir.Value, factors: Factors, inner: ir.OpView, chunk: Chunk, whole: ir.Value) -> ir.Value:
    """The rows of a chunk in an array from before."""
    stored = factors.stored[part]
    first = index_at(stored.position, inner, chunk.first if stored.direction == UP else chunk.last)
    height = build.dim(stored.source, 1)
    return some_rows(whole, arith.muli(first, height), arith.muli(chunk.count, height), stored.below())


def _kept_rows(kept: Kept, chunk: Chunk, stack: ir.Value) -> ir.Value:
    """The rows of a chunk in the stored arrays; the last chunk may be shorter than the others."""
    return some_rows(stack, 0, arith.muli(chunk.count, kept.height()), kept.sizes[1:])


def _summed(sum_: RowSum, total: ir.Value, rows: Values, chunk: Chunk, end: ir.OpView) -> ir.Value:
    """The array with the sum of all rows of a chunk added to it."""
    count = arith.muli(chunk.count, sum_.width)
    if sum_.fused is None:
        return _with_columns(sum_, total, rows[sum_.rows[0]], count)
    operands = sum_.fused.operation.operands
    for place, operand in enumerate(operands):
        if place and operand in rows:
            operands[place] = rows[operand]
    operands[0] = count
    sum_.op.operation.move_before(end.operation)
    return sum_.op.results[0]


def _with_columns(sum_: RowSum, total: ir.Value, rows: ir.Value, count: ir.Value) -> ir.Value:
    """The array with the sums of columns added to its first elements; nothing is left of the accumulation."""
    assert sum_.columns is not None
    columns, type_ = sum_.columns, total.type.element_type

    def sum_of(left: ir.Value, right: ir.Value) -> ir.Value:
        return arith.AddFOp(left, right, fastmath=build.flags()).result

    def added(left: ir.Value, right: ir.Value) -> ir.Value:
        return build.mapped(columns, [left, right], sum_of)

    zeros = build.filled(ir.RankedTensorType.get([rows.type.shape[1]], type_), [columns], build.number(type_, 0.0))
    (sums,) = build.reduce_(count, [rows], [zeros], lambda left, right: [added(left[0], right[0])])
    part = slice_of(total, [0], [columns], [1], sums.type)
    made = with_slice(total, added(part, sums), [0], [columns], [1])
    sum_.op.operation.erase()
    return made
