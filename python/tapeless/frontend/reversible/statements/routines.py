"""`with tl.routine() as r:` ... `~r`: what is computed for the statements in between, and undone after them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from tapeless import lang
from tapeless.frontend.reversible.blocks import attach, body
from tapeless.frontend.reversible.cells.cells import Effects
from tapeless.frontend.reversible.cells.naming import check_new
from tapeless.frontend.reversible.cells.overlaps import Overlap, overlap, text
from tapeless.frontend.reversible.operators import called_operator
from tapeless.frontend.values.value import Opaque

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator


class Routine(ast.stmt):
    """A routine with the statements that use it, up to `~r`."""

    _fields = ("name", "compute", "use")

    def __init__(self, at: ast.With, name: ast.Name, use: list[ast.stmt]) -> None:
        super().__init__()
        ast.copy_location(self, at)
        self.name, self.compute, self.use = name, at.body, use


def grouped(t: ProcedureTranslator, statements: list[ast.stmt]) -> list[ast.stmt]:
    """Statements with each routine and its uses up to its `~r` made one."""
    result: list[ast.stmt] = []
    left = list(statements)
    while left:
        statement = left.pop(0)
        name = _routine_name(t, statement)
        if name is None:
            result.append(statement)
            continue
        end = next((at for at, each in enumerate(left) if undone(each) == name.id), None)
        if end is None:
            raise t.refusal(
                statement,
                f"the routine '{name.id}' is never undone",
                f"write '~{name.id}' after the statements that use it, in the same block",
            )
        result.append(Routine(statement, name, left[:end]))
        left = left[end + 1 :]
    return result


def undone(statement: ast.stmt) -> str | None:
    """The name that a statement `~r` undoes."""
    node = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert) and isinstance(node.operand, ast.Name):
        return node.operand.id
    return None


def _routine_name(t: ProcedureTranslator, statement: ast.stmt) -> ast.Name | None:
    if not isinstance(statement, ast.With) or len(statement.items) != 1:
        return None
    [item] = statement.items
    if called_operator(t, item.context_expr) is not lang.routine:
        return None
    if not isinstance(item.optional_vars, ast.Name):
        raise t.refusal(statement, "a routine needs a name, to be undone", "write 'with tl.routine() as r:'")
    return item.optional_vars


def execute(t: ProcedureTranslator, statement: Routine) -> None:
    """A routine, in the statements that use it and undone behind them."""
    check_new(t, statement.name, "a routine")

    def use() -> None:
        t.home.names[statement.name.id] = Opaque(statement)
        t.run(statement.use)

    compute(t, lambda: t.run(statement.compute), use)


def compute(t: ProcedureTranslator, first: Callable[[], None], use: Callable[[], None]) -> None:
    """A `rev.compute` of statements and of those that use them."""
    begin = len(t.changes)
    with t.watched() as computed, body(t) as computing:
        first()
    end = len(t.changes)
    with t.watched() as used, body(t) as using:
        use()
    del t.changes[begin:end]  # they are undone
    _check_untouched(t, computed, used)
    attach(t, t.builder.operation("rev.compute", [], [], regions=2), computing, using)


def _check_untouched(t: ProcedureTranslator, computed: Effects, used: Effects) -> None:
    """Refuses uses that change cells that the routine reads or changes; other elements are checked when running."""
    for write in used.writes:
        for needed in (*computed.reads, *computed.writes):
            if overlap(t.builder, write.place, needed.place) is Overlap.ALWAYS:
                raise t.refusal(
                    write.node,
                    f"'{text(write.node)}' is changed before the routine that needs it (line {needed.node.lineno}) is "
                    "undone",
                    "change it after '~r', or let the routine work on a copy in an ancilla",
                )
