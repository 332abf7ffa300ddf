"""`while tl.cond(pre, post):`, a `rev.while`: `post` tells the inverse where to stop."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.frontend.reversible import regions
from tapeless.frontend.reversible.blocks import attach, body
from tapeless.frontend.reversible.statements.branches import conditions
from tapeless.frontend.reversible.statements.loops import check_repeated

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator


def execute(t: ProcedureTranslator, loop: ast.While) -> None:
    """A loop with both conditions."""
    pre, post = conditions(t, loop.test)
    if post is None:
        raise t.refusal(
            loop.test,
            "the inverse of this loop does not know where to stop",
            "write 'while tl.cond(pre, post):', where post is false before the first iteration and true after each",
        )
    with t.watched() as inside:
        before = regions.condition(t, pre)[0]
        after = regions.condition(t, post)[0]
        with body(t) as block:
            t.run(loop.body)
    check_repeated(t, inside)
    attach(t, t.builder.operation("rev.while", [], [], regions=3), before, after, block)
