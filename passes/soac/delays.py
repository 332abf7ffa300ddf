"""Writes moved behind the reads of what they overwrite, so that they can be done in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tapeless._mlir import ir

from .places import is_write
from .scopes import ancestor_in

VIEWS = frozenset({"tensor.extract_slice", "tensor.cast", "soac.transpose", "soac.reverse"})


def delay_writes(writes: Sequence[ir.OpView], read: ir.OpView) -> bool:
    """Moves writes, the last one first in the list, behind all that uses `read`; says whether that was possible.

    Nothing moves unless everything can: what else reads the written arrays must come after the uses of `read`.
    """
    block = writes[0].operation.block
    here = ancestor_in(block, read.operation)
    if here is None or any(write.operation.block != block for write in writes):
        return False
    users = [here, *_users_in(block, read)]
    last = max(users, key=_Order)
    moved = _chain(writes, read)
    if moved is None:
        return False
    return _move_behind(moved, last, read)
