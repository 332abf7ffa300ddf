"""Statement blocks: operations that change cells, pure operations, and the units that they form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tapeless._mlir import ir
from tapeless.dialects import rev
from tapeless.dialects.rev.cells import base, read, written

# Operations of `rev` that compute or read and change nothing.
PURE = frozenset({"rev.read", "rev.view", "rev.yield"})


class Parts(NamedTuple):
    """The parts of a block in normal form."""

    front: list[ir.OpView]
    """What reads no cell that the block changes; all statements can use it."""
    units: list[list[ir.OpView]]
    """Every statement, behind what is computed for it alone at its place."""


def is_statement(op: ir.OpView) -> bool:
    """Whether an operation is a statement, which has an inverse; the others of a block are pure."""
    return isinstance(op, rev.Operation) and op.operation.name not in PURE


def statements(block: ir.Block) -> list[ir.OpView]:
    """The statements of a block, in order."""
    return [op for op in block.operations if is_statement(op)]


def procedures(module: ir.Module) -> list[ir.OpView]:
    """The procedures of a module."""
    return [op for op in module.body.operations if isinstance(op, rev.FuncOp)]


def body_blocks(op: ir.OpView) -> Iterator[ir.Block]:
    """The blocks of statements inside of a statement or procedure; pure regions are none of them."""
    for region in op.operation.regions:
        for block in region.blocks:
            if not ends_pure(block):
                yield block


def ends_pure(block: ir.Block) -> bool:
    """Whether a block is a pure region: it ends in `rev.yield`."""
    count = len(block.operations)
    return count > 0 and block.operations[count - 1].operation.name == rev.YieldOp.OPERATION_NAME


def parts(block: ir.Block) -> Parts:
    """A block taken apart; the operations behind the last statement are a unit without one."""
    changed = {cell for statement in statements(block) for cell in written_by(statement)}
    moving: set[ir.Value] = set()
    front: list[ir.OpView] = []
    units: list[list[ir.OpView]] = [[]]
    for op in block.operations:
        if is_statement(op):
            units[-1].append(op)
            units.append([])
        elif read_by(op) & changed or moving & used_by(op):
            moving.update(op.operation.results)
            units[-1].append(op)
        else:
            front.append(op)
    return Parts(front, units if units[-1] else units[:-1])


def written_by(op: ir.OpView) -> set[ir.Value]:
    """The cells that an operation or anything in it changes, as bases."""
    inside = {cell for region in op.operation.regions for cell in written(region)}
    return inside | {base(cell) for cell in op.written_cells()} if isinstance(op, rev.Operation) else inside


def read_by(op: ir.OpView) -> set[ir.Value]:
    """The cells that an operation or anything in it reads, as bases."""
    inside = {cell for region in op.operation.regions for cell in read(region)}
    if isinstance(op, rev.Operation):
        return inside | {base(cell) for cell in op.read_cells()}
    return inside | ({base(op.operation.operands[0])} if op.operation.name == "memref.load" else set())


def used_by(op: ir.OpView) -> set[ir.Value]:
    """The values that an operation or anything in it uses."""
    found = set(op.operation.operands)
    for region in op.operation.regions:
        for block in region.blocks:
            found.update(*(used_by(inner) for inner in block.operations))
    return found
