"""`rev-normalise`: blocks of statements that can be turned round statement by statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import rev
from tapeless.dialects.rev.accesses import accesses_of
from tapeless.dialects.rev.places import Symbols, are_apart, place
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.ir.rebuild import retarget
from tapeless.passes.rev.blocks import (
    body_blocks,
    ends_pure,
    is_statement,
    parts,
    procedures,
    read_by,
    statements,
    used_by,
    written_by,
)

OUTLIVED = "reads a cell that is changed before {} uses it; compute it again behind the change"
CHANGED = "is used by {}, which changes a cell that it reads; read it from a cell that stays as it is"
# The statements whose first region runs once, before they change anything.
RUN_FIRST = frozenset({"rev.accum", "rev.rot", "rev.stretch", "rev.if", "rev.ancilla"})


@dataclass(frozen=True)
class Normalise:
    """Moves computations to the front of their block, or copies them to the statements that use them.

    ```mlir
    "rev.neg"(%y) : (memref<f64>) -> ()
    %v = memref.load %y[] : memref<f64>
    "rev.accum"(%x) ({
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
    ```
    becomes
    ```mlir
    "rev.neg"(%y) : (memref<f64>) -> ()
    "rev.accum"(%x) ({
      %v = memref.load %y[] : memref<f64>
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
    ```
    In front stands what reads no cell that the block changes. The rest stands in the pure regions that use it, or right
    before its statement where that needs it as an operand or in a body; it may not read what changes on the way there.
    """

    name: ClassVar[str] = "rev-normalise"

    def run(self, module: ir.Module) -> None:
        for op in procedures(module):
            normalise_below(op)


def normalise_below(op: ir.OpView) -> None:
    """Normalises every block of statements of an operation and below."""
    for block in list(body_blocks(op)):
        normalise(block)
        for statement in statements(block):
            normalise_below(statement)


def normalise(block: ir.Block) -> None:
    """Moves loop-invariant operations to the front, and gives each statement copies of the rest that it uses."""
    front, units = parts(block)
    for op in reversed(front):
        _move_to_front(op, block)
    local = [op for unit in units for op in unit if not is_statement(op)]
    for unit in units:
        guards = [op for op in unit if not is_statement(op) and not len(op.operation.results)]
        for guard in guards:
            _keep_guard(guard, unit[-1], local)
        if is_statement(unit[-1]):
            _serve(unit[-1], local)
    for op in reversed(local):
        op.operation.erase()


def _move_to_front(op: ir.OpView, block: ir.Block) -> None:
    first = block.operations[0]
    if first.operation != op.operation:
        op.operation.move_before(first.operation)


def _serve(statement: ir.OpView, local: Sequence[ir.OpView]) -> None:
    """Puts copies of a statement's operands into its pure regions, or before it."""
    for number, region in enumerate(statement.operation.regions):
        if len(region.blocks) and ends_pure(region.blocks[0]):
            block = region.blocks[0]
            needed = _slice(used_in(block), local)
            _refuse_outlived(needed, statement, number == 0 and _has_first_region(statement))
            renamed = _copies(needed, ir.InsertionPoint.at_block_begin(block))
            for inner in block.operations:
                retarget(inner.operation, renamed)
    needed = _slice(used_by(statement), local)
    _refuse_outlived(needed, statement, False)
    retarget(statement.operation, _copies(needed, ir.InsertionPoint(statement)))


def _keep_guard(guard: ir.OpView, statement: ir.OpView, local: Sequence[ir.OpView]) -> None:
    """Copies a run-time check to the front of the statement it guards; one that guards none runs by itself."""
    needed = [*_slice(used_by(guard), local), guard]
    reads = {cell for op in needed for cell in read_by(op)}
    if is_statement(statement) and not reads & written_by(statement):
        _copies(needed, ir.InsertionPoint(statement))
        return
    with ir.InsertionPoint(guard), guard.location:
        made = ir.Operation.create(rev.SafeOp.OPERATION_NAME, regions=1)
        _copies(needed, ir.InsertionPoint(ir.Block.create_at_start(made.regions[0])))


def _slice(values: set[ir.Value], local: Sequence[ir.OpView]) -> list[ir.OpView]:
    """The local computations that values come from, in order."""
    wanted, found = set(values), []
    for op in reversed(local):
        if wanted & set(op.operation.results):
            found.append(op)
            wanted |= used_by(op)
    return found[::-1]


def _has_first_region(statement: ir.OpView) -> bool:
    """Whether the first region sees cells as they were; a branch without a post condition looks at it twice."""
    is_branch = isinstance(statement, rev.IfOp)
    return statement.operation.name in RUN_FIRST and not (is_branch and not len(statement.post.blocks))


def _refuse_outlived(needed: Sequence[ir.OpView], statement: ir.OpView, runs_first: bool) -> None:
    own = set() if runs_first else written_by(statement)
    if runs_first and not list(body_blocks(statement)):
        _refuse_target_reads(needed, statement)
    for op in needed:
        reads = read_by(op)
        if reads & own:
            raise OpRefused(op, CHANGED.format(statement.operation.name))
        if any(written_by(between) & reads for between in _between(op, statement)):
            raise OpRefused(op, OUTLIVED.format(statement.operation.name))


def _refuse_target_reads(needed: Sequence[ir.OpView], statement: ir.OpView) -> None:
    """Refuses a value that is certain to be read from the target, which cannot be copied into the statement; the rest
    is checked there.
    """
    targets = [(cell, getattr(statement, "indices", ())) for cell in statement.written_cells()]
    for op in needed:
        for access in accesses_of(op):
            if any(are_apart(access.place(), place(*target, Symbols())) is False for target in targets):
                raise OpRefused(op, CHANGED.format(statement.operation.name))


def _between(op: ir.OpView, statement: ir.OpView) -> list[ir.OpView]:
    found: list[ir.OpView] = []
    is_behind = False
    for each in op.operation.block.operations:
        if each.operation == statement.operation:
            break
        if is_behind and is_statement(each):
            found.append(each)
        is_behind |= each.operation == op.operation
    return found


def _copies(ops: Sequence[ir.OpView], where: ir.InsertionPoint) -> dict[ir.Value, ir.Value]:
    """Copies of computations that use each other; the map from old to new results."""
    renamed: dict[ir.Value, ir.Value] = {}
    for op in ops:
        made = op.operation.clone(ip=where)
        retarget(made, renamed)
        renamed.update(zip(op.operation.results, made.results, strict=True))
    return renamed


def used_in(block: ir.Block) -> set[ir.Value]:
    """The values that a block uses."""
    return {value for op in block.operations for value in used_by(op)}
