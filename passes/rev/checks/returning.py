"""Cells that statements of a procedure may take back to where they were: additions that are subtracted again."""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir
from tapeless.dialects import rev
from tapeless.dialects.rev.cells import base, operations_in
from tapeless.dialects.rev.procedures import find_procedure

SUMS = frozenset({"add", "sub"})
FACTORS = frozenset({"rev.neg", "rev.scale", "rev.stretch"})
Kinds = dict[ir.Value, set[str]]


def returning(procedure: ir.OpView) -> set[ir.Value]:
    """The cells that are changed in two ways that may cancel each other, so that no end shows how large they were.

    Sums of one sign are not: no program takes back that way what it has made. Factors alone leave 0 as it is.
    """
    found = _kinds(procedure, ())
    return {cell for cell, kinds in found.items() if not kinds <= FACTORS and kinds not in ({"add"}, {"sub"})}


def _kinds(procedure: ir.OpView, callers: tuple[str, ...]) -> Kinds:
    """How each cell is changed; a procedure that is being looked at already may do anything."""
    found: Kinds = {}
    callers = (*callers, procedure.procedure_name)
    for op in operations_in(procedure.body):
        for cell, kinds in _changes(op, callers):
            found.setdefault(base(cell), set()).update(SUMS if _is_undone(op) else kinds)
    return found


def _changes(op: ir.OpView, callers: tuple[str, ...]) -> Iterator[tuple[ir.Value, set[str]]]:
    if not isinstance(op, rev.Operation):
        return
    callee = find_procedure(op) if isinstance(op, rev.CallOp) else None
    if isinstance(callee, rev.FuncOp) and callee.procedure_name not in callers and not op.inv.value:
        kinds = _kinds(callee, callers)
        for cell, parameter in zip(op.arguments, callee.body.blocks[0].arguments, strict=True):
            if parameter in kinds:
                yield cell, kinds[parameter]
        return
    kind = op.kind.value if isinstance(op, rev.AccumOp) else op.operation.name
    for cell in op.written_cells():
        yield cell, {kind}


def _is_undone(op: ir.OpView) -> bool:
    """Whether an operation stands in a routine, which is run backwards after its use."""
    inner, around = op.operation, op.operation.parent.operation
    while around.name.startswith("rev."):
        if around.name == "rev.compute" and inner.block.region == around.regions[0]:
            return True
        inner, around = around, around.parent.operation
    return False
