"""Pure temporaries, `t = x * y`: names for expressions that are computed again wherever they are used."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.frontend.reversible.cells.cells import Access, Temporary
from tapeless.frontend.reversible.cells.overlaps import Overlap, overlap
from tapeless.frontend.values.value import Tuple, Value

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator


def define(t: ProcedureTranslator, target: ast.Name, node: ast.expr, item: int | None = None) -> None:
    """Binds a name to an expression: to its value where nothing can change it, else as a temporary."""
    with t.unwatched() as effects:
        tried(t, node)
    if all(_is_fixed(read) for read in effects.reads):
        t.frame.names[target.id] = t.held(_evaluated(t, node, item))
    else:
        reads = {read.place: read for read in effects.reads}
        t.named[target.id] = Temporary(target.id, node, item, list(reads.values()), len(t.changes))


def tried(t: ProcedureTranslator, node: ast.expr) -> Value:
    """The value of an expression in a region that is thrown away: only its static facts count."""
    with t.unwatched() as effects:
        with t.pure() as block:
            found = t.held(t.evaluate(node))
        t.builder.discard(block)
    t.effects.reads += effects.reads
    return found


def _is_fixed(read: Access) -> bool:
    """Whether a read gives the same number all along, and one without a derivative."""
    return read.place.cell.is_read_only and not read.place.cell.dtype.is_float


def value(t: ProcedureTranslator, temporary: Temporary, node: ast.AST) -> Value:
    """The value of a temporary, computed again once per pure region."""
    check_alive(t, temporary, t.changes[temporary.since :], node)
    t.effects.used.append((temporary, node))
    if temporary in t.recomputed:
        t.effects.reads += [Access(read.place, t.recomputing or node) for read in temporary.reads]
        return t.recomputed[temporary]
    saved, t.recomputing = t.recomputing, t.recomputing or node
    try:
        found = t.held(_evaluated(t, temporary.node, temporary.item))
    finally:
        t.recomputing = saved
    if t.pure_block is not None and not t.is_inside_operator:
        t.recomputed[temporary] = found
    return found


def check_alive(t: ProcedureTranslator, temporary: Temporary, changes: list[Access], node: ast.AST) -> None:
    """Refuses the use of a temporary when something it reads has changed, or may have."""
    for change in changes:
        if any(overlap(t.builder, change.place, read.place) is not Overlap.NEVER for read in temporary.reads):
            raise t.refusal(
                node,
                f"'{temporary.name}' reads '{change.place.cell.name}', which line {change.node.lineno} changes",
                f"use '{temporary.name}' before that line, or give the expression a new name after it",
            )


def _evaluated(t: ProcedureTranslator, node: ast.expr, item: int | None) -> Value:
    """The value of an expression in the frame of the procedure, or an item of it."""
    saved, t.frame = t.frame, t.home
    try:
        found = t.evaluate(node)
    finally:
        t.frame = saved
    if item is None:
        return found
    assert isinstance(found, Tuple)
    return found.items[item]
