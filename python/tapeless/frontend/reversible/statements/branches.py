"""`if`: a `rev.if`, whose condition must be known again afterwards."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless import lang
from tapeless._mlir import ir
from tapeless.errors import ArgumentError
from tapeless.frontend.reversible import regions, temporaries
from tapeless.frontend.reversible.blocks import attach, body
from tapeless.frontend.reversible.cells.cells import Effects
from tapeless.frontend.reversible.cells.overlaps import Overlap, overlap, text
from tapeless.frontend.reversible.operators import called_operator
from tapeless.frontend.values.builder import Scope
from tapeless.frontend.values.value import Scalar

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator


def execute(t: ProcedureTranslator, statement: ast.If) -> None:
    """`if c:`, where the branches leave c alone, or `if tl.cond(pre, post):`."""
    pre, post = conditions(t, statement.test)
    known = temporaries.tried(t, pre) if post is None else None
    if isinstance(known, Scalar) and known.literal is not None:
        t.run(statement.body if known.literal else statement.orelse)
        return
    facts = known if isinstance(known, Scalar) else None
    before, asked = regions.condition(t, pre)
    with t.watched() as inside:
        begin = len(t.changes)
        then = _branch(t, statement.body, Scope(facts=list(facts.implies) if facts else []))
        changed, t.changes = t.changes[begin:], t.changes[:begin]
        otherwise = _branch(t, statement.orelse, Scope(facts=list(facts.denies) if facts else []))
        t.changes += changed
    if post is None and _check_condition(t, statement, asked, inside):
        post = pre
    after = regions.condition(t, post)[0] if post is not None else None
    attach(t, t.builder.operation("rev.if", [], [], regions=4), before, after, then, otherwise)


def conditions(t: ProcedureTranslator, test: ast.expr) -> tuple[ast.expr, ast.expr | None]:
    """The condition before and the one after, which `tl.cond` gives."""
    if called_operator(t, test) is not lang.cond:
        return test, None
    given = dict(zip(("pre", "post"), test.args, strict=False))
    given.update({keyword.arg: keyword.value for keyword in test.keywords})
    if given.keys() != {"pre", "post"} or len(test.args) > 2:
        raise t.source.error(
            test, "tl.cond takes the condition before and the one after", "write tl.cond(pre, post)", ArgumentError
        )
    return given["pre"], given["post"]


def _branch(t: ProcedureTranslator, statements: list[ast.stmt], scope: Scope) -> ir.Block | None:
    if not statements:
        return None
    with body(t, scope=scope) as block:
        t.run(statements)
    return block


def _check_condition(t: ProcedureTranslator, statement: ast.If, asked: Effects, inside: Effects) -> bool:
    """Refuses branches that change the condition; whether they may, which is then checked when running."""
    may_change = False
    for write in inside.writes:
        for read in asked.reads:
            if write.place.cell is read.place.cell:
                may_change = True
                if overlap(t.builder, write.place, read.place) is Overlap.ALWAYS:
                    raise t.refusal(
                        statement.test,
                        f"the condition reads '{text(read.node)}', which line {write.node.lineno} changes; afterwards "
                        "it does not say which branch was taken",
                        "write 'if tl.cond(pre, post):' with what holds after the branch, and only then",
                    )
    return may_change
