"""The launch of a symmetric sum of products: a warp for each triangle or rectangle of a batch, and part of steps."""

from __future__ import annotations

from functools import partial

from tapeless._mlir import arith, ir, scf
from tapeless.passes.lower.tiles.blocks import Parts
from tapeless.passes.lower.tiles.index_arithmetic import (
    add,
    is_below,
    mul,
    number,
    positions,
    quotient,
    rounded_up,
    smaller,
)
from tapeless.passes.lower.tiles.matrices import WARP
from tapeless.passes.lower.tiles.parts import launch_with_table
from tapeless.passes.lower.tiles.scopes import Scope
from tapeless.passes.marks import EACH_BLOCK, LAUNCH, RESIDENT, THREADS
from tapeless.passes.recipes.symmetric.found import Symmetric
from tapeless.passes.recipes.symmetric.shapes import WARPS, Form, parts_for, warps_for
from tapeless.passes.recipes.symmetric.warps import SymmetricWarp

EQUAL = arith.CmpIPredicate.eq


def launch_symmetric(symmetric: Symmetric, form: Form) -> None:
    """Launches that do what the nest does, at the insertion point."""
    count, length = parts_for(symmetric, form)
    launch_with_table(symmetric.contraction, count, length, partial(_launch_parts, symmetric, form))


def _launch_parts(symmetric: Symmetric, form: Form, parts: Parts) -> None:
    total = arith.muli(warps_for(symmetric, form), parts.count)
    launch = scf.ForOp(number(0), rounded_up(total, WARPS), number(1))
    launch.operation.attributes[LAUNCH] = ir.StringAttr.get(EACH_BLOCK)
    launch.operation.attributes[RESIDENT] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), form.blocks_at_once)
    with ir.InsertionPoint(launch.body):
        threads = scf.ForOp(number(0), number(WARPS * WARP), number(1))
        threads.operation.attributes[THREADS] = ir.UnitAttr.get()
        with ir.InsertionPoint(threads.body):
            warp = add(mul(launch.induction_variable, WARPS), quotient(threads.induction_variable, WARP))
            branch = scf.IfOp(is_below(warp, total))
            with ir.InsertionPoint(branch.then_block):
                _run_warp(symmetric, form, parts, warp, threads.induction_variable)
                scf.YieldOp([])
            scf.YieldOp([])
        scf.YieldOp([])


def _run_warp(symmetric: Symmetric, form: Form, parts: Parts, warp: ir.Value, thread: ir.Value) -> None:
    """The batch runs fastest; of two triangles, the warp of both in either order has half of what is between them."""
    contraction = symmetric.contraction
    counts = [contraction.count(each) for each in contraction.batch]
    tiles = rounded_up(contraction.count(contraction.rows.loops[0]), form.extent)
    batches = quotient(warps_for(symmetric, form), arith.muli(tiles, tiles))
    part, one, other, batch = positions(warp, [number(1), tiles, tiles, batches])
    variables = [contraction.variable(each) for each in contraction.batch]
    block = Scope(contraction.values, (), dict(zip(variables, positions(batch, counts), strict=True)))
    own = SymmetricWarp(symmetric, form, block, thread)
    low = mul(part, parts.length)
    high = smaller(add(low, parts.length), contraction.reduction.operands[1])
    if not form.has_more:
        own.triangle(number(0), low, high).leave(parts, part, batch)
        return
    branch = scf.IfOp(arith.cmpi(EQUAL, one, other), has_else=True)
    with ir.InsertionPoint(branch.then_block):
        own.triangle(one, low, high).leave(parts, part, batch)
        scf.YieldOp([])
    with ir.InsertionPoint(branch.else_block):
        half = arith.select(is_below(one, other), number(1), number(0))
        own.rectangle(smaller(one, other), arith.maxsi(one, other), half, low, high).leave(parts, part, batch)
        scf.YieldOp([])
