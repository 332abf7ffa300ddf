"""The return rule of `soac.reduce`: special operators one by one, any other by exclusive scans from both ends.

```
y = reduce op e as       l = exclusive scan, r = exclusive scan from the right
                         a_bar[i] += adjoint of a in (l[i] op a) op r[i], seeded with y_bar
```
"""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import arith, ir, scf
from tapeless.errors import NoRuleError
from tapeless.passes.ad.decisions import note
from tapeless.passes.ad.operators import GENERAL, component_kinds
from tapeless.passes.ad.redundant.operators.lambdas import apply, dense, pull_back
from tapeless.passes.ad.redundant.scope.bars import Single
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ad.refusals import refusal
from tapeless.passes.ir.build import Rows, cast_to, map_, mapped, number, reduce_, scan_
from tapeless.passes.ir.guards import BRANCH_FREE, guard
from tapeless.passes.rules.emitted import Emitted

Emit = Callable[[], ir.Value]
PRODUCTS = (
    "by quotients, and by scans where it is zero; on a GPU by scans, whose threads multiply in another order: "
    "partial products near the largest float may overflow there"
)


def reduce_back(sweep: Sweep, op: ir.OpView) -> None:
    """Adds the adjoints of the reduced arrays."""
    refuse_active_neutral(sweep, op)
    kinds = component_kinds(op.combine)
    if GENERAL in kinds:
        _general(sweep, op)
        return
    for k, kind in enumerate(kinds):
        seed = sweep.bars.get(op.operation.results[k])
        if seed is not None and op.inputs[k] in sweep.activity:
            SPECIAL[kind](sweep, op, k, seed)


def refuse_active_neutral(sweep: Sweep, op: ir.OpView) -> None:
    """Refuses an active neutral element: it changes nothing, so it cannot depend on an active value."""
    if sweep.activity.any(op.neutral):
        reason = "has a neutral element that depends on a differentiated value"
        raise refusal(NoRuleError, op, f"{reason}; pass a constant and combine the value with the result")


def _sum(sweep: Sweep, op: ir.OpView, k: int, seed: ir.Value) -> None:
    """Every element gets the adjoint of the sum."""
    bar = mapped(sweep.primal(op.width), [], lambda: seed)
    sweep.bars.add(op.inputs[k], cast_to(op.inputs[k].type, bar))


def _extremum(sweep: Sweep, op: ir.OpView, k: int, seed: ir.Value) -> None:
    """The first element that equals the result gets the whole adjoint."""
    array, result = sweep.primal(op.inputs[k]), sweep.primal(op.operation.results[k])
    width = sweep.primal(op.width)

    def candidate(i: ir.Value, x: ir.Value) -> ir.Value:
        wins = arith.CmpFOp(arith.CmpFPredicate.UEQ, x, result).result
        return arith.SelectOp(wins, i, width).result

    positions, _ = map_(width, [array], [], lambda i, elements, _: ([candidate(i, elements[0])], []))
    first = reduce_(width, positions, [width], lambda a, b: [arith.MinSIOp(a[0], b[0]).result])[0]

    sweep.bars.add_single(op.inputs[k], Single(first, seed, width))


def _product(sweep: Sweep, op: ir.OpView, k: int, seed: ir.Value) -> None:
    """The product of all other elements: the product divided by the element, or in the general way if it is zero."""
    array, width = sweep.primal(op.inputs[k]), sweep.primal(op.width)
    product = sweep.primal(op.operation.results[k])

    def quotients() -> ir.Value:
        whole = Emitted(seed) * Emitted(product)
        return mapped(width, [array], lambda x: (whole / Emitted(x)).value)

    def others() -> ir.Value:
        seeds = [seed if component == k else None for component in range(len(op.inputs))]
        return _general_bars(sweep, op, seeds)[k]

    sweep.bars.add(op.inputs[k], unless_zero(op, product, quotients, others, op.inputs[k].type))


def equals_zero(value: ir.Value) -> ir.Value:
    """The condition that a scalar is zero."""
    return Emitted(value).compare("eq", 0.0)


def unless_zero(op: ir.OpView, product: ir.Value, fast: Emit, exact: Emit, type_: ir.Type) -> ir.Value:
    """The adjoint of factors: fast code that divides by them, and exact code where their product is zero."""
    note("product", op, PRODUCTS)
    is_other = arith.CmpFOp(arith.CmpFPredicate.UNE, product, number(product.type, 0.0)).result
    choice = scf.IfOp(guard([is_other], BRANCH_FREE), [type_], has_else=True)
    for block, emit in ((choice.then_block, fast), (choice.else_block, exact)):
        with ir.InsertionPoint(block):
            scf.YieldOp([cast_to(type_, emit())])
    return choice.results[0]


def _general(sweep: Sweep, op: ir.OpView) -> None:
    bars = _general_bars(sweep, op, [sweep.bars.get(result) for result in op.operation.results])
    for value, bar in zip(op.inputs, bars, strict=True):
        if value in sweep.activity:
            sweep.bars.add(value, bar)


def _general_bars(sweep: Sweep, op: ir.OpView, seeds: list[ir.Value | None]) -> list[ir.Value]:
    """The adjoints of all inputs by scans from both ends."""
    block = op.combine.blocks[0]
    width = sweep.primal(op.width)
    inputs, neutral = sweep.primals(op.inputs), sweep.primals(op.neutral)
    count = len(inputs)

    def combine(left: Rows, right: Rows) -> Rows:
        return apply(sweep, block, [*left, *right])

    before = scan_(width, inputs, neutral, combine, exclusive=True)
    after = scan_(width, inputs, neutral, combine, exclusive=True, reverse=True)

    def body(_: ir.Value, elements: Rows, __: Rows) -> tuple[Rows, Rows]:
        left, here, right = elements[:count], elements[count : 2 * count], elements[2 * count :]
        return middle_bars(sweep, block, left, here, right, seeds), []

    return map_(width, [*before, *inputs, *after], [], body)[0]


def middle_bars(
    sweep: Sweep,
    block: ir.Block,
    left: Rows,
    here: Rows,
    right: Rows,
    seeds: list[ir.Value | None],
) -> list[ir.Value]:
    """The adjoints of `here` in `(left op here) op right`."""
    count = len(here)
    joined = apply(sweep, block, [*left, *here])
    inner = pull_back(sweep, block, [*joined, *right], seeds)[:count]
    return dense(pull_back(sweep, block, [*left, *here], inner)[count:], here)


SPECIAL = {"add": _sum, "mul": _product, "max": _extremum, "min": _extremum}
