"""Where values are defined, where they can be used, and which of them operations take from outside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass


def identity(op: ir.OpView) -> ir.Value | ir.Block | None:
    """The key of an operation in sets and tables; nothing for one without results and regions.

    The bindings hash operations by their contents, which passes change; values and blocks they hash by address.
    """
    if len(op.results):
        return op.results[0]
    return next((region.blocks[0] for region in op.regions if len(region.blocks)), None)


def owner_block(value: ir.Value) -> ir.Block:
    """The block in which a value is defined."""
    if isinstance(value, ir.BlockArgument):
        return value.owner
    return value.owner.operation.block


def enclosing_op(block: ir.Block) -> ir.Operation:
    """The operation one of whose regions holds the block."""
    return block.owner.operation


def ancestor_in(block: ir.Block, inner: ir.Operation) -> ir.Operation | None:
    """The operation directly in `block` that is `inner` or contains it."""
    while inner is not None and inner.block != block:
        inner = _parent(inner)
    return inner


def is_inside(inner: ir.Operation, outer: ir.Operation) -> bool:
    """Whether `inner` lies in a region of `outer`."""
    parent = _parent(inner)
    while parent is not None and parent != outer:
        parent = _parent(parent)
    return parent is not None


def is_defined_outside(value: ir.Value, op: ir.Operation) -> bool:
    """Whether a value used within `op` is defined outside all regions of `op`."""
    holder = enclosing_op(owner_block(value))
    return holder != op and not is_inside(holder, op)


def outer_values(op: ir.OpView) -> Iterator[ir.Value]:
    """The values from outside that an operation and its regions use (some more than once)."""
    yield from op.operands
    inside: set[ir.Value] = set()
    pending = [op]
    while pending:
        current = pending.pop()
        for region in current.regions:
            for block in region.blocks:
                inside.update(block.arguments)
                for inner in block.operations:
                    inside.update(inner.results)
                    pending.append(inner)
    pending = [inner for region in op.regions for block in region.blocks for inner in block.operations]
    while pending:
        current = pending.pop()
        yield from (operand for operand in current.operands if operand not in inside)
        pending.extend(inner for region in current.regions for block in region.blocks for inner in block.operations)


def is_available(value: ir.Value, at: ir.InsertionPoint) -> bool:
    """Whether the value dominates the insertion point."""
    block = owner_block(value)
    if at.block == block:
        return isinstance(value, ir.BlockArgument) or _precedes(value.owner.operation, at.ref_operation)
    below = ancestor_in(block, enclosing_op(at.block))
    if below is None:
        return False
    return isinstance(value, ir.BlockArgument) or _precedes(value.owner.operation, below)


def _precedes(op: ir.Operation, reference: ir.OpView | ir.Operation | None) -> bool:
    return reference is None or op.is_before_in_block(reference.operation)


def _parent(op: ir.Operation) -> ir.Operation | None:
    """The parent, or nothing for functions and modules, whose regions see no outer value."""
    if op.operation.name in ("func.func", "builtin.module"):
        return None
    return op.parent.operation


def is_used(value: ir.Value) -> bool:
    """Whether anything reads a value."""
    return next(iter(value.uses), None) is not None


def is_used_once(value: ir.Value) -> bool:
    """Whether exactly one operand is this value."""
    return len(list(value.uses)) == 1


def terminator(block: ir.Block) -> ir.Operation:
    """The operation that ends a block."""
    return block.operations[len(block.operations) - 1].operation


@dataclass
class Reads:
    """For every operation with regions the values from outside that these read, from those of the operations inside.

    They stay as they are while operations inside are replaced by others that read the same.
    """

    _inner: dict[ir.Value | ir.Block | None, frozenset[ir.Value]] = field(default_factory=dict)

    @staticmethod
    def below(op: ir.OpView) -> Reads:
        """The values that operations inside of this one read."""
        reads = Reads()
        for region in op.regions:
            for block in region.blocks:
                reads._enter(block)
        return reads

    def of(self, op: ir.OpView) -> Iterable[ir.Value]:
        """The values from outside that an operation and its regions read, some more than once."""
        return (*op.operands, *self._inner[identity(op)]) if len(op.regions) else op.operands

    def _enter(self, block: ir.Block) -> set[ir.Value]:
        """Finds the operands of a block's operations, and those from outside of the block."""
        read: set[ir.Value] = set()
        made = set(block.arguments)
        for op in block.operations:
            read.update(op.operands)
            made.update(op.results)
            if len(op.regions):
                inner = frozenset().union(*(self._enter(each) for region in op.regions for each in region.blocks))
                self._inner[identity(op)] = inner
                read |= inner
        return read - made
