"""Writes moved behind the reads of the elements that they overwrite, so that the lowering can do them in place."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cmp_to_key

from tapeless._mlir import ir
from tapeless.passes.ir.places.places import is_write
from tapeless.passes.ir.scopes import ancestor_in
from tapeless.passes.soac.simplify.known_writes import checks_of

VIEWS = frozenset({"tensor.extract_slice", "tensor.cast", "soac.transpose", "soac.reverse", "soac.widen"})


def delay_behind_reads(write: ir.OpView) -> None:
    """Moves a write behind the last read of the elements that it overwrites, where nothing wants it earlier."""
    _move_behind(write, _last_look(write.operands[1], write), None)


def delay_write(write: ir.OpView, read: ir.OpView) -> bool:
    """Moves a write, and the writes and views made from it, behind all that uses `read`; says whether it could.

    Nothing moves unless whatever else looks at the written arrays comes after the uses of `read`.
    """
    here = ancestor_in(write.operation.block, read.operation)
    if here == read.operation and isinstance(read.results[0].type, ir.RankedTensorType):
        here = _last_look(read.results[0], read)
    return _move_behind(write, here, read)


def raise_view(view: ir.OpView) -> None:
    """Moves a view to the first place where its operands are known, so that its readers can move up as well."""
    if view.operation.name in VIEWS and (first := _first_place(view.operation)) is not None:
        view.operation.move_before(first)


def _first_place(here: ir.Operation) -> ir.Operation | None:
    """The first operation of the block from which on neither an operand is made nor anything is checked."""
    last, check = _last_made(here), _last_check(here)
    if last is None or (check is not None and last.is_before_in_block(check)):
        last = check
    first = (
        here.block.operations[0].operation if last is None else ir.InsertionPoint.after(last).ref_operation.operation
    )
    return None if first == here else first


def _last_check(here: ir.Operation) -> ir.Operation | None:
    """The last operation before this one in its block that checks something."""
    checks = checks_of(here.block)
    count = bisect_left(checks, True, key=lambda check: not check.is_before_in_block(here))
    return checks[count - 1] if count else None


def _last_made(op: ir.Operation) -> ir.Operation | None:
    """The last operation of the block that makes an operand."""
    owners = [value.owner.operation for value in op.operands if not isinstance(value, ir.BlockArgument)]
    last: ir.Operation | None = None
    for owner in owners:
        if owner.block == op.block and (last is None or last.is_before_in_block(owner)):
            last = owner
    return last


def _move_behind(write: ir.OpView, last: ir.Operation, read: ir.OpView | None) -> bool:
    """Moves a write and its users behind an operation, unless something but `read` looks at it before.

    A write cannot move behind one that is made from it, as the first write of `a[0], a[1] = a[1], a[0]` would have to.
    """
    block = write.operation.block
    if last == write.operation or last == block.operations[-1].operation:
        return False
    early = _made_before(write, last, read)
    if early is None or last in early:
        return False
    for op in sorted(early, key=cmp_to_key(_later_first)):
        op.move_after(last)
    return True


def _made_before(write: ir.OpView, last: ir.Operation, read: ir.OpView | None) -> list[ir.Operation] | None:
    """The write with the writes and views of its result up to `last`; nothing when something else looks at any of them.

    What comes after `last` is not followed: all that is made from it comes later still.
    """
    block = write.operation.block
    found, pending = {write.results[0]: write.operation}, [write.results[0]]
    while pending:
        for owner, operand in _uses(pending.pop()):
            user = ancestor_in(block, owner.operation)
            if last.is_before_in_block(user) or (read is not None and owner.operation == read.operation):
                continue
            if user != owner.operation or not _hands_on(owner, operand):
                return None
            if owner.results[0] not in found:
                found[owner.results[0]] = user
                pending.append(owner.results[0])
    return list(found.values())


def _last_look(array: ir.Value, start: ir.OpView) -> ir.Operation:
    """The last operation, from `start` on in its block, that looks at an array or at a view of it.

    A write whose destination is the array does not count.
    """
    block, last, pending = start.operation.block, start.operation, [array]
    while pending:
        for owner, operand in _uses(pending.pop()):
            if is_write(owner) and operand == 1:
                continue
            user = ancestor_in(block, owner.operation)
            if user is not None and last.is_before_in_block(user):
                last = user
            if owner.operation.name in VIEWS and owner.operation.block == block:
                pending.append(owner.results[0])
    return last


def viewed_arrays(value: ir.Value) -> Iterator[ir.Value]:
    """An array, and the ones of which it is a view."""
    yield value
    while not isinstance(value, ir.BlockArgument) and value.owner.operation.name in VIEWS:
        value = value.owner.operands[0]
        yield value


def overwritten_arrays(value: ir.Value) -> Iterator[ir.Value]:
    """The arrays that were written into to make this one, or the one of which it is a view."""
    *_, value = viewed_arrays(value)
    while not isinstance(value, ir.BlockArgument) and is_write(value.owner):
        value = value.owner.operands[1]
        yield value


def _hands_on(owner: ir.OpView, operand: int) -> bool:
    """Whether an operation gives (part of) the same array again, looking at no element itself."""
    return (is_write(owner) and operand == 1) or (owner.operation.name in VIEWS and operand == 0)


def _later_first(left: ir.Operation, right: ir.Operation) -> int:
    return 1 if left.is_before_in_block(right) else -1


def _uses(value: ir.Value) -> Iterator[tuple[ir.OpView, int]]:
    for use in value.uses:
        yield use.owner, use.operand_number
