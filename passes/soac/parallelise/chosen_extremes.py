"""Numbers that a loop replaces by smaller or larger ones, as the extremes that they are.

```mlir
%r = scf.for iter_args(%best = 1e30) {                %r = scf.for iter_args(%best = 1e30) {
  %c = arith.cmpf olt, %x, %best                        %y = %x, or infinity where it is not a number
  %n = arith.select %c, %x, %best                       %n = arith.minimumf %best, %y
```
What is not a number is never smaller: it is passed over. Of equal numbers the first stays, which has the derivative.
"""

from __future__ import annotations

import math

from tapeless._mlir import arith, ir
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.build import flags, number
from tapeless.passes.ir.constants import constant_of
from tapeless.passes.ir.scopes import is_defined_outside, is_used_once

LESS, GREATER = arith.CmpFPredicate.OLT, arith.CmpFPredicate.OGT
TURNED = {LESS.value: GREATER.value, GREATER.value: LESS.value}
EXTREMES = {LESS.value: ("arith.minimumf", math.inf), GREATER.value: ("arith.maximumf", -math.inf)}


def name_extremes(loop: ir.OpView) -> bool:
    """Rewrites the choices of a loop between what it carries and something better; says whether there were any."""
    arguments = list(loop.regions[0].blocks[0].arguments)[1:]
    return any([_name(argument, loop, k) for k, argument in enumerate(arguments)])


def _name(best: ir.Value, loop: ir.OpView, number_: int) -> bool:
    start = constant_of(loop.operands[3 + number_])
    if not isinstance(start, ir.FloatAttr) or math.isnan(start.value):
        return False
    chosen = terminator(loop.regions[0]).operands[number_]
    found = _choice(chosen, best)
    if found is None:
        return False
    op, predicate, other = found
    name, neutral = EXTREMES[predicate]
    with op.location, ir.InsertionPoint(op):
        is_number = arith.cmpf(arith.CmpFPredicate.ORD, other, other)
        term = arith.select(is_number, other, number(other.type, neutral))
        made = ir.Operation.create(name, [best.type], [best, term], attributes={"fastmath": flags()})
    comparison = op.operands[0].owner
    chosen.replace_all_uses_with(made.results[0])
    op.operation.erase()
    comparison.operation.erase()
    return True


def _choice(chosen: ir.Value, best: ir.Value) -> tuple[ir.OpView, int, ir.Value] | None:
    """The choice, how its comparison says that the other number is better, and that one."""
    if isinstance(chosen, ir.BlockArgument) or len(list(best.uses)) != 2:
        return None
    op = chosen.owner
    if op.operation.name == "arith.select":
        condition, other, kept = op.operands
    elif op.operation.name == "scf.if" and len(op.results) == 1 and len(op.regions[1].blocks):
        condition, (other,), (kept,) = op.operands[0], *(terminator(region).operands for region in op.regions)
        if not is_defined_outside(other, op.operation):
            return None
    else:
        return None
    if kept != best or not is_used_once(condition) or isinstance(condition, ir.BlockArgument):
        return None
    test = condition.owner
    if test.operation.name != "arith.cmpf" or {*test.operands} != {other, best} or other == best:
        return None
    predicate = ir.IntegerAttr(test.attributes["predicate"]).value
    predicate = predicate if test.operands[0] == other else TURNED.get(predicate, predicate)
    return (op, predicate, other) if predicate in EXTREMES else None
