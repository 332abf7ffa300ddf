"""What a search reads of columns, made before: their halves in the order of products, and half their squared norms."""

from __future__ import annotations

from tapeless._mlir import arith, ir, memref, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.lower.tiles.index_arithmetic import add, is_below, mul, number, rounded_up
from tapeless.passes.lower.tiles.scopes import Scope
from tapeless.passes.lower.tiles.staging import scope_at
from tapeless.passes.marks import EACH_THREAD, LAUNCH, PARALLEL
from tapeless.passes.recipes.nearest.found import PRODUCTS, STEPS, Nearest
from tapeless.passes.recipes.nearest.halves import halves

# A block takes so many columns at a time.
COLUMNS = 128
PLACES = STEPS * PRODUCTS
# The score of columns after the last one.
FAR = 3.0e38


@dataclass(frozen=True)
class ColumnTable:
    """Halves of columns, the sign changed, and half their squared norms, for a whole number of tiles."""

    factors: ir.Value
    norms: ir.Value
    tiles: ir.Value

    @staticmethod
    def made(nearest: Nearest) -> ColumnTable:
        """Memory for the table, and the launch that fills it, at the insertion point."""
        f32 = ir.F32Type.get()
        contraction = nearest.fold.contraction
        count = contraction.count(len(contraction.loops) - 1)
        tiles = rounded_up(count, COLUMNS)
        total = mul(tiles, COLUMNS)
        factors = memref.alloc(ir.MemRefType.get([DYNAMIC, PLACES], f32), [total], [])
        norms = memref.alloc(ir.MemRefType.get([DYNAMIC], f32), [total], [])
        launch = scf.ForOp(number(0), total, number(1))
        launch.operation.attributes[LAUNCH] = ir.StringAttr.get(EACH_THREAD)
        launch.operation.attributes[PARALLEL] = ir.UnitAttr.get()
        with ir.InsertionPoint(launch.body):
            _fill(nearest, factors, norms, launch.induction_variable, count)
            scf.YieldOp([])
        return ColumnTable(factors, norms, tiles)

    def free(self) -> None:
        memref.dealloc(self.factors)
        memref.dealloc(self.norms)


def _fill(nearest: Nearest, factors: ir.Value, norms: ir.Value, column: ir.Value, count: ir.Value) -> None:
    """What is kept of one column; zeros, and a score that is far off, for one that is not there."""
    contraction = nearest.fold.contraction
    steps = contraction.reduction.operands[1]
    f32 = ir.F32Type.get()
    zero = arith.constant(f32, 0.0)
    for place in range(PLACES):
        memref.store(zero, factors, [column, number(place)])
    at = scope_at(contraction, contraction.columns, column, Scope(contraction.values))
    is_there = is_below(column, count)
    loop = scf.ForOp(number(0), steps, number(1), [zero])
    with ir.InsertionPoint(loop.body):
        step = loop.induction_variable
        value = Scope(contraction.values, [at], {contraction.step: step}).value(nearest.column)
        own = [arith.select(is_there, arith.negf(half), zero) for half in halves(value)]
        for half, part in ((own[0], 0), (own[1], 1), (own[0], 2)):
            memref.store(half, factors, [column, add(step, mul(steps, part))])
        scf.YieldOp([arith.addf(loop.inner_iter_args[0], arith.mulf(value, value))])
    norm = arith.mulf(loop.results[0], arith.constant(f32, 0.5))
    memref.store(arith.select(is_there, norm, arith.constant(f32, FAR)), norms, [column])
