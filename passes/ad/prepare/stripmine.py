"""The pass `ad-stripmine`: long loops become nests, so that fewer states are stored at a time.

n iterations become a nest of depth k whose loops each run about m = ceil(n ** (1/k)) times. Going back, each level
stores m states, k m in all instead of n, and the body runs at most k + 1 times as often. The loops of a nest carry
`ad.lean`: they store nothing but states.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tapeless._mlir import arith, ir, math, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import ad, soac
from tapeless.dialects.ad.marks import BENNETT, BUDGET, LEAN, STRIPMINE
from tapeless.passes.ad.copying import inline_block
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.build import index, number
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.search import ops_named

DEEPEST = 4


@dataclass(frozen=True)
class Stripmine(FunctionPass):
    """Strip-mines loops that carry `ad.stripmine = k` or `ad.budget = states`; those with a budget only if asked.

    ```mlir
    scf.for %i = %a to %b step %s { body } {ad.stripmine = 2}

    scf.for %j = %a to %b step %chunk {
      %end = min(%j + %chunk, %b)
      scf.for %i = %j to %end step %s { body }
    }
    ```
    """

    name: ClassVar[str] = "ad-stripmine"
    budgets: bool = True

    def run_on(self, function: ir.OpView) -> None:
        """Rewrites every marked loop of the function."""
        stripmine_loops(function, (STRIPMINE, BUDGET) if self.budgets else (STRIPMINE,))


def stripmine_loops(function: ir.OpView, marks: Sequence[str]) -> None:
    """Rewrites every loop of a function that has one of the marks, inner ones first."""
    for op in ops_named(function, "scf.for"):
        # For Bennett's scheme a budget is something else.
        if any(mark in op.operation.attributes for mark in marks) and BENNETT not in op.operation.attributes:
            with ir.InsertionPoint(op), op.location:
                sizes = _chunk_sizes(op)
                lower, upper, step, *initial = op.operation.operands
                replace_op(op, _nest(op, lower, upper, step, initial, sizes))


def _chunk_sizes(op: ir.OpView) -> list[ir.Value]:
    """How many iterations one iteration of each outer level stands for, outermost first."""
    from tapeless.passes.ad.redundant.control.loops import trip_count

    lower, upper, step = list(op.operation.operands)[:3]
    count = trip_count(lower, upper, step)
    trips = arith.MaxSIOp(count, index(1)).result
    attributes = op.operation.attributes
    if STRIPMINE in attributes:
        depth = ir.IntegerAttr(attributes[STRIPMINE]).value
        return _powers(ceil_root(trips, depth), depth)
    return _sizes_within(count, trips, ir.IntegerAttr(attributes[BUDGET]).value)


def _powers(base: ir.Value, depth: int) -> list[ir.Value]:
    sizes = [base]
    for _ in range(depth - 2):
        sizes.append(arith.MulIOp(sizes[-1], base).result)
    return sizes[::-1] if depth > 1 else []


def _sizes_within(count: ir.Value, trips: ir.Value, budget: int) -> list[ir.Value]:
    """Chunk sizes of the shallowest nest whose levels together store at most `budget` states.

    Levels that are not needed run once and store one state each; a loop of `count` 0 stores none. `trips` is the count,
    or 1.
    """
    chosen: list[ir.Value] = []
    least: ir.Value | None = None
    for depth in range(DEEPEST, 0, -1):
        base = ceil_root(trips, depth)
        candidate = _powers(base, depth)
        candidate = [trips] * (DEEPEST - 1 - len(candidate)) + candidate
        states = arith.AddIOp(arith.MulIOp(base, index(depth)).result, index(DEEPEST - depth)).result
        fits = arith.CmpIOp(arith.CmpIPredicate.sle, states, index(budget)).result
        least = states if least is None else arith.MinSIOp(least, states).result
        chosen = [
            arith.SelectOp(fits, new, old).result for new, old in zip(candidate, chosen or candidate, strict=True)
        ]
    assert least is not None
    _refuse_small_budget(count, budget, least)
    return chosen


def _refuse_small_budget(count: ir.Value, budget: int, least: ir.Value) -> None:
    """Raises at run time when no nest stores little enough; a loop without iterations stores nothing."""
    is_empty = arith.CmpIOp(arith.CmpIPredicate.slt, count, index(1)).result
    fits = arith.CmpIOp(arith.CmpIPredicate.sle, least, index(budget)).result
    text = f"a budget of {budget} states is too small for a loop of {{}} iterations; give at least {{}}"
    kind, message = ir.StringAttr.get("ArgumentError"), ir.StringAttr.get(text)
    soac.AssertOp(arith.OrIOp(is_empty, fits).result, [count, least], kind=kind, message=message)


def ceil_root(n: ir.Value, k: int) -> ir.Value:
    """The smallest m with m ** k >= n, exactly: a float estimate put right by integer steps."""
    if k == 1:
        return n
    f64, i64 = ir.F64Type.get(), ir.IntegerType.get_signless(64)
    real = arith.SIToFPOp(f64, arith.IndexCastOp(i64, n).result).result
    root = math.PowFOp(real, number(f64, 1.0 / k)).result
    estimate = arith.IndexCastOp(ir.IndexType.get(), arith.FPToSIOp(i64, root).result).result
    m = arith.MaxSIOp(arith.SubIOp(estimate, index(1)).result, index(1)).result
    for _ in range(3):
        too_small = arith.CmpIOp(arith.CmpIPredicate.slt, _power(m, k), n).result
        m = arith.SelectOp(too_small, arith.AddIOp(m, index(1)).result, m).result
    return m


def _power(m: ir.Value, k: int) -> ir.Value:
    result = m
    for _ in range(k - 1):
        result = arith.MulIOp(result, m).result
    return result


def _nest(
    op: ir.OpView,
    lower: ir.Value,
    upper: ir.Value,
    step: ir.Value,
    state: Sequence[ir.Value],
    sizes: Sequence[ir.Value],
) -> list[ir.Value]:
    """The loop from `lower` to `upper` in chunks, the last level being the loop itself."""
    if not sizes:
        return _plain(op, lower, upper, step, state)
    from tapeless.passes.ad.redundant.control.promised import promised

    stride = arith.MulIOp(sizes[0], step).result
    loop = scf.ForOp(lower, upper, stride, list(state))
    loop.operation.attributes[LEAN] = ir.UnitAttr.get()
    with ir.InsertionPoint(loop.body):
        start, positions = loop.induction_variable, promised(op)
        state = [
            ad.PromiseOp(value, value.type).out if k in positions else value
            for k, value in enumerate(loop.inner_iter_args)
        ]
        end = arith.MinSIOp(arith.AddIOp(start, stride).result, upper).result
        scf.YieldOp(_nest(op, start, end, step, state, sizes[1:]))
    return list(loop.results)


def _plain(
    op: ir.OpView, lower: ir.Value, upper: ir.Value, step: ir.Value, state: Sequence[ir.Value]
) -> list[ir.Value]:
    loop = scf.ForOp(lower, upper, step, list(state))
    for name in op.operation.attributes:
        if name not in (STRIPMINE, BUDGET):
            loop.operation.attributes[name] = op.operation.attributes[name]
    loop.operation.attributes[LEAN] = ir.UnitAttr.get()
    block = op.operation.regions[0].blocks[0]
    with ir.InsertionPoint(loop.body):
        scf.YieldOp(inline_block(block, [loop.induction_variable, *loop.inner_iter_args]))
    return list(loop.results)
