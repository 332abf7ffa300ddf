"""The return rule of `soac.reduce`: special operators one by one, any other by exclusive scans from both ends.

```
y = reduce op e as       l = exclusive scan, r = exclusive scan from the right
                         a_bar[i] += adjoint of a in (l[i] op a) op r[i], seeded with y_bar
```
"""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.errors import NoRuleError
from tapeless.passes.ad.operators import GENERAL, component_kinds
from tapeless.passes.ad.reverse.lambdas import apply, dense, pull_back
from tapeless.passes.ad.reverse.sweep import Sweep
from tapeless.passes.rules.expr import Expr, choose
from tapeless.passes.soac.build import cast_to, flags, index, map_, mapped, number, reduce_, scan_


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
    """A neutral element changes nothing, so it cannot depend on what is differentiated."""
    if sweep.activity.any(op.neutral):
        name = op.operation.name
        raise NoRuleError(
            f"{op.location}: '{name}' op has a neutral element that depends on a differentiated value; "
            "pass a constant and combine the value with the result"
        )


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

    def bar(i: ir.Value) -> ir.Value:
        is_first = arith.CmpIOp(arith.CmpIPredicate.eq, i, first).result
        return arith.SelectOp(is_first, seed, number(seed.type, 0.0)).result

    bars, _ = map_(width, [array], [], lambda i, _, __: ([bar(i)], []))
    sweep.bars.add(op.inputs[k], bars[0])


def _product(sweep: Sweep, op: ir.OpView, k: int, seed: ir.Value) -> None:
    """The product of all other elements, without dividing by a zero."""
    array, width = sweep.primal(op.inputs[k]), sweep.primal(op.width)
    zeros, product = zeros_and_product(width, array)

    def bar(x: ir.Value) -> ir.Value:
        return product_of_others(Expr(x), zeros, Expr(product), Expr(seed)).value

    sweep.bars.add(op.inputs[k], mapped(width, [array], bar))


def zeros_and_product(width: ir.Value, array: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The number of zeros in an array (an index) and the product of its other elements."""
    type_ = array.type.element_type

    def split(x: ir.Value) -> list[ir.Value]:
        is_zero = arith.CmpFOp(arith.CmpFPredicate.OEQ, x, number(type_, 0.0)).result
        return [
            arith.SelectOp(is_zero, index(1), index(0)).result,
            arith.SelectOp(is_zero, number(type_, 1.0), x).result,
        ]

    (counts, factors), _ = map_(width, [array], [], lambda _, elements, __: (split(elements[0]), []))
    zeros = reduce_(width, [counts], [index(0)], lambda a, b: [arith.AddIOp(a[0], b[0]).result])[0]
    return zeros, reduce_(width, [factors], [number(type_, 1.0)], _times)[0]


def _times(left: list[ir.Value], right: list[ir.Value]) -> list[ir.Value]:
    return [arith.MulFOp(left[0], right[0], fastmath=flags()).result]


def product_of_others(x: Expr, zeros: ir.Value, product: Expr, seed: Expr) -> Expr:
    """What a factor's adjoint is, given the number of zeros among the factors and the product of the non-zero ones."""
    is_zero = x.compare("eq", 0.0)
    none = arith.CmpIOp(arith.CmpIPredicate.eq, zeros, index(0)).result
    single = arith.CmpIOp(arith.CmpIPredicate.eq, zeros, index(1)).result
    lone = arith.AndIOp(single, is_zero).result
    quotient = product / choose(is_zero, 1.0, x, x)
    others = choose(none, quotient, choose(lone, product, 0.0, x), x)
    return seed * others


def _general(sweep: Sweep, op: ir.OpView) -> None:
    block = op.combine.blocks[0]
    width = sweep.primal(op.width)
    inputs, neutral = sweep.primals(op.inputs), sweep.primals(op.neutral)
    seeds = [sweep.bars.get(result) for result in op.operation.results]
    count = len(inputs)
    wanted = [k for k in range(count) if op.inputs[k] in sweep.activity]

    def combine(left: list[ir.Value], right: list[ir.Value]) -> list[ir.Value]:
        return apply(sweep, block, [*left, *right])

    before = scan_(width, inputs, neutral, combine, exclusive=True)
    after = scan_(width, inputs, neutral, combine, exclusive=True, reverse=True)

    def body(_: ir.Value, elements: list[ir.Value], __: list[ir.Value]) -> tuple[list[ir.Value], list[ir.Value]]:
        left, here, right = elements[:count], elements[count : 2 * count], elements[2 * count :]
        bars = middle_bars(sweep, block, left, here, right, seeds)
        return [bars[k] for k in wanted], []

    bars, _ = map_(width, [*before, *inputs, *after], [], body)
    for k, bar in zip(wanted, bars, strict=True):
        sweep.bars.add(op.inputs[k], bar)


def middle_bars(
    sweep: Sweep,
    block: ir.Block,
    left: list[ir.Value],
    here: list[ir.Value],
    right: list[ir.Value],
    seeds: list[ir.Value | None],
) -> list[ir.Value]:
    """The adjoints of `here` in `(left op here) op right`."""
    count = len(here)
    joined = apply(sweep, block, [*left, *here])
    inner = pull_back(sweep, block, [*joined, *right], seeds)[:count]
    return dense(pull_back(sweep, block, [*left, *here], inner)[count:], here)


SPECIAL = {"add": _sum, "mul": _product, "max": _extremum, "min": _extremum}
