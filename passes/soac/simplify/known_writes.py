"""Chains of writes into one array: the write that made each array and where it writes, found once per sweep of rules.

Programs with many writes are long chains, and every read or write is compared with those before it. What a sweep has
found of a write is kept by the array that it makes. A rule that takes a write out of a chain says so, since the
next array may be made in the same memory, and so do rules that replace what a chain starts from; after a change that
may concern the place of a write everything is found again. Which operations of a block check is kept, too, and so are
sizes, until anything changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field
from threading import local

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.costs import is_check
from tapeless.passes.ir.places.places import Place, is_write
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.sizes.shapes import lasting_search, remembered_sizes
from tapeless.passes.ir.sizes.size_search import Search
from tapeless.passes.soac.simplify.write_chains import Chain, KnownWrite

# How many writes before it a read or a write is compared with.
LONGEST_CHAIN = 96


@dataclass
class Memory:
    """Facts of one sweep: the writes by the arrays they make, the arrays that chains start from, whether two chains
    share writes, the run-time checks of each block, in their order, and the sizes asked for since the last change."""

    writes: dict[ir.Value, KnownWrite] = field(default_factory=dict)
    starts: set[ir.Value] = field(default_factory=set)
    is_branched: bool = False
    checks: dict[ir.Block, list[ir.Operation]] = field(default_factory=dict)
    sizes: Search | None = None

    def clear(self) -> None:
        """Forgets all writes."""
        self.writes.clear()
        self.starts.clear()
        self.is_branched = False


class _Current(local):
    """The memory of the sweep that this thread is in, if any."""

    memory: Memory | None = None


_current = _Current()


@contextmanager
def remembered_writes() -> Iterator[Memory]:
    """Facts about writes are kept during the `with` statement; one inside another shares its memory."""
    outer = _current.memory
    memory = _current.memory = outer or Memory()
    try:
        yield memory
    finally:
        _current.memory = outer


@contextmanager
def kept_sizes() -> Iterator[None]:
    """Sizes asked for in the `with` statement, in which nothing may change, are found once between two changes."""
    memory = _current.memory
    search = lasting_search() if memory is None or memory.sizes is None else memory.sizes
    if memory is not None:
        memory.sizes = search
    with remembered_sizes(search):
        yield


def forget_sizes() -> None:
    """With any change: sizes are kept as expressions of values, which may go."""
    if _current.memory is not None:
        _current.memory.sizes = None


def write_of(array: ir.Value) -> ir.OpView | None:
    """The write that made an array."""
    if isinstance(array, ir.BlockArgument) or not is_write(array.owner):
        return None
    return array.owner


def known_write(array: ir.Value) -> KnownWrite | None:
    """The write that made an array, with its place."""
    memory = _current.memory or Memory()
    return memory.writes.get(array) or _found(array, memory)


def writes_meeting(place: Place, chain: Chain, last: int) -> Iterator[tuple[int, KnownWrite]]:
    """The writes of a chain from a position back that may meet a place, latest first, as many as looked at."""
    return chain.meeting(place, last, LONGEST_CHAIN)


def writes_within(place: Place, chain: Chain, last: int) -> Iterator[tuple[int, KnownWrite]]:
    """The writes of a chain from a position back that may lie within a place, latest first, as many as looked at."""
    return chain.within(place, last, LONGEST_CHAIN)


def _found(array: ir.Value, memory: Memory) -> KnownWrite | None:
    """Finds the writes of a chain up to the first known one, and keeps them."""
    new: list[ir.OpView] = []
    start = array
    while start not in memory.writes and (write := write_of(start)) is not None:
        new.append(write)
        start = write.operands[1]
    if not new:
        return None
    if (known := memory.writes.get(start)) is None:
        chain = Chain(start)
    else:
        chain = known.chain.continued(known.position, LONGEST_CHAIN)
        memory.is_branched |= chain is not known.chain
    memory.starts.add(chain.start)
    for write in reversed(new):
        memory.writes[write.results[0]] = chain.append(write)
    return memory.writes[array]


def leave_out(write: ir.OpView) -> None:
    """Takes a write out of its chain."""
    forget_sizes()
    memory = _current.memory
    if memory is not None and (known := memory.writes.pop(write.results[0], None)) is not None:
        if memory.is_branched:
            memory.clear()
        else:
            known.chain.writes[known.position] = None
    replace_op(write, [write.operands[1]])


def replace_read(op: ir.OpView, value: ir.Value) -> None:
    """Replaces a read; numbers that are read may be indices of places, and a part that is read the start of a chain."""
    forget_sizes()
    memory, result = _current.memory, op.results[0]
    if memory is not None and (result in memory.starts or not _is_float(result.type)):
        memory.clear()
    replace_op(op, [value])


def forget_starts(arrays: Iterable[ir.Value]) -> None:
    """After arrays were replaced by others, or computed in another way."""
    memory = _current.memory
    if memory is not None and any(array in memory.starts for array in arrays):
        memory.clear()


def checks_of(block: ir.Block) -> list[ir.Operation]:
    """The operations of a block that check something, or that hold one that does, in order."""
    memory = _current.memory
    if memory is not None and block in memory.checks:
        return memory.checks[block]
    found = [op.operation for op in block.operations if is_check(op)]
    if memory is not None:
        memory.checks[block] = found
    return found


def drop_check(op: ir.OpView) -> None:
    """Erases a check."""
    forget_sizes()
    if _current.memory is not None and (known := _current.memory.checks.get(op.operation.block)):
        known.remove(op.operation)
    op.operation.erase()


def forget_checks() -> None:
    """After a change that moves checks, or makes an operation anew that holds one."""
    if _current.memory is not None:
        _current.memory.checks.clear()


def forget_writes() -> None:
    """After a change that may concern the places of writes, or the memory of their arrays."""
    forget_sizes()
    if _current.memory is not None:
        _current.memory.clear()


def _is_float(type_: ir.Type) -> bool:
    element = type_.element_type if isinstance(type_, ir.RankedTensorType) else type_
    return isinstance(element, ir.FloatType)
