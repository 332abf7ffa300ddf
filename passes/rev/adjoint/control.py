"""Adjoints of scopes and control flow: their bodies are done, conditions look at values only."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tapeless._mlir import ir
from tapeless.dialects.regions import terminator
from tapeless.dialects.rev.cells import is_cell
from tapeless.dialects.rev.iterations import changes
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.ir.build import index, zeros_like
from tapeless.passes.rev.adjoint.shadows import Shadows, has_shadow, shadow_type
from tapeless.passes.rev.adjoint.shared_reads import DROPPED, shared_reads, with_own_shadows
from tapeless.passes.rev.adjoint.statements import STATEMENTS
from tapeless.passes.rev.blocks import body_blocks, statements, written_by
from tapeless.passes.rev.inversion.inverse import invert_block

SUFFIX = ".adj"
NOT_DISJOINT = (
    "has shadows = 'disjoint', but iterations read a common element and add to its adjoint; use privatize or atomic"
)


class Fresh(NamedTuple):
    """Ancillas that nothing used before, or that nothing uses behind: their shadows are 0 or of no interest there."""

    before: frozenset[ir.Value] = frozenset()
    behind: frozenset[ir.Value] = frozenset()


def adjoin_block(shadows: Shadows, block: ir.Block, fresh: Fresh | None = None) -> None:
    """Adds the updates of shadows to the statements of a block."""
    fresh = fresh or Fresh()
    found = statements(block)
    for position, op in enumerate(found):
        before = fresh.before if position == 0 else frozenset()
        adjoin(shadows, op, Fresh(before, fresh.behind if position == len(found) - 1 else frozenset()))


def adjoin(shadows: Shadows, op: ir.OpView, fresh: Fresh) -> None:
    """Adds the updates of shadows to a statement."""
    name = op.operation.name
    if name in STATEMENTS:
        STATEMENTS[name](shadows, op)
    elif name in CONTROL:
        CONTROL[name](shadows, op, fresh)
    else:
        raise OpRefused(op, "has no adjoint yet; write it with other statements")


def bodies(shadows: Shadows, op: ir.OpView, fresh: Fresh) -> None:
    """All bodies."""
    for block in list(body_blocks(op)):
        adjoin_block(shadows, block)


def parallel(shadows: Shadows, op: ir.OpView, fresh: Fresh) -> None:
    """The body; iterations add to the shadows of shared cells, which `disjoint` rules out."""
    bodies(shadows, op, fresh)
    block = op.body.blocks[0]
    found = changes(list(block.arguments), op.body)
    if op.shadows.value == "disjoint" and (found.added or found.shared):
        raise OpRefused(op, NOT_DISJOINT)
    if not found.shared:
        return
    with ir.InsertionPoint(op), op.location:
        inner = _loops(op, list(op.upper))
    for argument, variable in zip(block.arguments, inner, strict=True):
        argument.replace_all_uses_with(variable)
    innermost = inner[-1].owner
    for each in list(block.operations):
        innermost.append(each.operation)
    op.operation.erase()


def _loops(op: ir.OpView, bounds: list[ir.Value]) -> list[ir.Value]:
    """Nested loops from 0; their indices."""
    zero, one = index(0), index(1)
    found: list[ir.Value] = []
    where = ir.InsertionPoint(op)
    for bound in bounds:
        with where:
            made = ir.Operation.create(
                "rev.for", operands=[zero, bound, one], attributes={"reversed": ir.BoolAttr.get(False)}, regions=1
            )
        block = ir.Block.create_at_start(made.regions[0], [ir.IndexType.get()], [op.location])
        where = ir.InsertionPoint(block)
        found.append(block.arguments[0])
    return found


def ancilla(shadows: Shadows, op: ir.OpView, fresh: Fresh) -> None:
    """Another ancilla around it for the shadow: it starts at 0, and its final value is dropped."""
    block = op.body.blocks[0]
    cell = block.arguments[0]
    if not has_shadow(cell.type):
        adjoin_block(shadows, block, fresh)
        return
    around = _around(op, shadow_type(cell.type))
    body = around.regions[2].blocks[0]
    if is_cell(cell.type):
        _start_at_zero(around)
    shadows.cells[cell] = body.arguments[0]
    body.append(op.operation)
    adjoin_block(shadows, block, Fresh(fresh.before | {cell}, fresh.behind | {cell}))


def _around(op: ir.OpView, cell: ir.Type) -> ir.Operation:
    """An ancilla of a type in front of another one, with the same first value and an empty body."""
    source = op.operation.clone(ip=ir.InsertionPoint(op))
    attributes = {name: op.attributes[name] for name in op.attributes} | {DROPPED: ir.UnitAttr.get()}
    with ir.InsertionPoint(op), op.location:
        made = ir.Operation.create(op.operation.name, attributes=attributes, regions=3)
    source.regions[0].blocks[0].append_to(made.regions[0])
    ir.Block.create_at_start(made.regions[2], [cell], [op.location])
    source.erase()
    return made


def _start_at_zero(around: ir.Operation) -> None:
    last = terminator(around.regions[0])
    with ir.InsertionPoint(last), last.location:
        last.operation.operands[0] = zeros_like(last.operation.operands[0])


def compute(shadows: Shadows, op: ir.OpView, fresh: Fresh) -> None:
    """The block, its use and the way back, one after the other; with fresh targets, shadows of the first leg are 0."""
    undone = op.operation.clone(ip=ir.InsertionPoint(op)).opview
    invert_block(undone.compute.blocks[0])
    targets = _targets(op)
    with shadows.within("first" if targets <= fresh.before else ""):
        adjoin_block(shadows, op.compute.blocks[0])
    adjoin_block(shadows, op.use.blocks[0])
    with shadows.within("last" if targets <= fresh.behind else ""):
        adjoin_block(shadows, undone.compute.blocks[0])
    for block in (op.compute.blocks[0], op.use.blocks[0], undone.compute.blocks[0]):
        for inner in list(block.operations):
            inner.operation.move_before(op.operation)
    undone.operation.erase()
    op.operation.erase()


def _targets(op: ir.OpView) -> set[ir.Value]:
    """The cells from outside that a compute block changes."""
    found = {cell for inner in statements(op.compute.blocks[0]) for cell in written_by(inner)}
    return {cell for cell in found if not _is_made_in(cell, op)}


def _is_made_in(cell: ir.Value, op: ir.OpView) -> bool:
    around = cell.owner.owner
    while around is not None and around.operation != op.operation:
        around = around.operation.parent
    return around is not None


def call(shadows: Shadows, op: ir.OpView, fresh: Fresh) -> None:
    """A call of the adjoint, with the shadows behind the arguments."""
    attributes = {name: op.attributes[name] for name in op.attributes}
    attributes["callee"] = ir.FlatSymbolRefAttr.get(op.callee.value + SUFFIX)

    def run(given: list[ir.Value]) -> None:
        ir.Operation.create(op.operation.name, operands=[*op.arguments, *given], attributes=attributes)

    with op.location:
        with_own_shadows(shadows, op, shared_reads(op), run)
    op.operation.erase()


CONTROL: dict[str, Callable[[Shadows, ir.OpView, Fresh], None]] = {
    "rev.for": bodies,
    "rev.if": bodies,
    "rev.while": bodies,
    "rev.parallel": parallel,
    "rev.ancilla": ancilla,
    "rev.compute": compute,
    "rev.call": call,
}
