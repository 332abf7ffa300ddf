"""Products that are added to themselves: the cotangent is doubled, not the product.

The adjoint of a square is `g * x + g * x`. The cotangent `g` often depends on less than the factor does, so that
`(g + g) * x` is one product for each element of a sum, and takes one operation together with the addition to it.
Twice a cotangent beyond half of the largest float would be infinite where the product with a small factor is not, and
times zero no number: only those that are known to be smaller are doubled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir
from tapeless.passes.ir.build import any_order
from tapeless.passes.ir.constants import constant_of
from tapeless.passes.ir.search import ops_named

# Half of the largest float is larger than this in every type of floats.
SMALL = 1e38
# How many operations before a cotangent are looked at.
DEPTH = 8


def double_cotangents(root: ir.OpView) -> None:
    """Rewrites such sums where the order of products is free; a product's second operand is its factor."""
    for op in ops_named(root, "arith.addf"):
        product, other = op.operands
        made = product.owner
        if product != other or not isinstance(product, ir.OpResult) or made.operation.name != "arith.mulf":
            continue
        if any(each.operation.attributes["fastmath"] != any_order() for each in (op, made)):
            continue
        cotangent, factor = made.operands
        if not can_be_doubled(cotangent):
            continue
        with op.location, ir.InsertionPoint(op):
            twice = arith.AddFOp(cotangent, cotangent, fastmath=any_order()).result
            found = arith.MulFOp(twice, factor, fastmath=any_order()).result
        op.results[0].replace_all_uses_with(found)
        op.operation.erase()
        if not list(product.uses):
            made.operation.erase()


def can_be_doubled(value: ir.Value, depth: int = DEPTH) -> bool:
    """Whether twice a float is finite if the float is."""
    if not isinstance(value, ir.OpResult) or not depth:
        return False
    op = value.owner
    number = _number(value)
    if number is not None:
        return abs(number) < SMALL
    rule = RULES.get(op.operation.name)
    return rule is not None and rule(list(op.operands), depth - 1)


def _always(operands: Sequence[ir.Value], depth: int) -> bool:
    return True


def _all_floats(operands: Sequence[ir.Value], depth: int) -> bool:
    """Of a choice, both arms; its condition is no float."""
    floats = [operand for operand in operands if isinstance(operand.type, ir.F64Type | ir.F32Type)]
    return all(can_be_doubled(operand, depth) for operand in floats)


def _product(operands: Sequence[ir.Value], depth: int) -> bool:
    """Half of anything, or a number that can be doubled times one at most."""
    for factor, other in (operands, operands[::-1]):
        number = _number(factor)
        if number is not None:
            return abs(number) <= 0.5 or (abs(number) <= 1.0 and can_be_doubled(other, depth))
    return False


def _quotient(operands: Sequence[ir.Value], depth: int) -> bool:
    """By a whole number, which is zero, or one at least, or by a constant that is two at least."""
    dividend, divisor = operands
    number = _number(divisor)
    if number is not None and abs(number) >= 2.0:
        return True
    is_whole = isinstance(divisor, ir.OpResult) and divisor.owner.operation.name in WHOLE
    return (is_whole or (number is not None and abs(number) >= 1.0)) and can_be_doubled(dividend, depth)


WHOLE = ("arith.sitofp", "arith.uitofp")
RULES: dict[str, Callable[[Sequence[ir.Value], int], bool]] = {
    **dict.fromkeys((*WHOLE, "math.sin", "math.cos", "math.tanh", "math.erf"), _always),
    **dict.fromkeys(("arith.negf", "math.absf", "arith.select"), _all_floats),
    "arith.mulf": _product,
    "arith.divf": _quotient,
}


def _number(value: ir.Value) -> float | None:
    """The number of a constant."""
    attribute = constant_of(value)
    return attribute.value if isinstance(attribute, ir.FloatAttr) else None
