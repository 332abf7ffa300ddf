"""`for i in range(...)`: a `rev.for`, whose inverse visits the same indices backwards."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.errors import TypeMismatch
from tapeless.frontend.control import ranges
from tapeless.frontend.control.hints import Hints, range_call
from tapeless.frontend.control.ranges import Range
from tapeless.frontend.reversible import temporaries
from tapeless.frontend.reversible.blocks import body
from tapeless.frontend.reversible.cells.cells import Effects
from tapeless.frontend.reversible.cells.naming import check_new
from tapeless.frontend.reversible.cells.overlaps import Overlap, overlap, text
from tapeless.frontend.values import integers
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.builder import Scope

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator


def execute(t: ProcedureTranslator, loop: ast.For) -> None:
    """A counted loop."""
    if not isinstance(loop.target, ast.Name):
        raise t.error("a loop variable must be one name", "loop over range(...) and compute others from it")
    check_new(t, loop.target, "a loop variable")
    with t.watched() as bounds:
        run = _range(t, loop.iter)
    with t.watched() as inside:
        block = _body(t, loop, run)
    check_bounds(t, bounds, inside)
    check_repeated(t, inside)
    operands = [integers.index_value(t.builder, each) for each in (run.lower, run.upper, Affine(run.step))]
    attributes = {"reversed": ir.BoolAttr.get(False)}
    t.builder.attach(t.builder.operation("rev.for", [], operands, attributes, regions=1), block)


def _range(t: ProcedureTranslator, node: ast.expr) -> Range:
    call = range_call(t, node)
    if call is None:
        raise t.source.error(
            node, "a procedure loops over ranges only", "write 'for i in range(len(x)):' and use x[i]", TypeMismatch
        )
    if call.hints != Hints():
        raise t.source.error(node, "hints of tl.range say nothing about a procedure", "write range(...) alone")
    return ranges.over_bounds(t, call)


def _body(t: ProcedureTranslator, loop: ast.For, run: Range) -> ir.Block:
    with body(t, [t.builder.types.index], Scope(facts=[run.upper - run.lower - 1])) as block:
        count = integers.opaque(t.builder, block.arguments[0], lower=(run.lower,), upper=(run.upper - 1,))
        t.home.names[loop.target.id] = run.variable(count)
        t.run(loop.body)
    return block


def check_bounds(t: ProcedureTranslator, bounds: Effects, inside: Effects) -> None:
    """The body must not change the operands of the bounds: the inverse would count differently."""
    for write in inside.writes:
        for read in bounds.reads:
            if overlap(t.builder, write.place, read.place) is not Overlap.NEVER:
                raise t.refusal(
                    write.node,
                    f"'{text(write.node)}' is changed in a loop whose bounds read '{text(read.node)}'",
                    "copy the bound into an ancilla first, or write 'while tl.cond(pre, post):'",
                )


def check_repeated(t: ProcedureTranslator, inside: Effects) -> None:
    """A temporary from before a loop must not read cells that an iteration changes, since the next
    one uses it again.
    """
    for temporary, node in inside.used:
        if t.named.get(temporary.name) is temporary:
            temporaries.check_alive(t, temporary, inside.writes, node)
