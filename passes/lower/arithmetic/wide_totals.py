"""Totals of wide vectors take in products before the terms beside them.

```mlir
%p = arith.mulf %a, %b {tapeless.fused} : vector<16xf64>        %p = arith.mulf %a, %b : vector<16xf64>
%v = arith.addf %p, %c : vector<16xf64>                         %s = arith.addf %t, %p : vector<16xf64>
%r = arith.addf %t, %v fastmath<reassoc,nsz,contract>           %r = arith.addf %s, %c : vector<16xf64>
```
A fused product is summed up in the register of the total then, where `%v` would need another. The two sums wait for
each other, which costs nothing with so many registers that others are at work meanwhile.
"""

from __future__ import annotations

import math

from tapeless._mlir import arith, ir
from tapeless.passes.ir.scopes import is_used_once
from tapeless.passes.marks import ATOMIC, FUSED

FREE = "#arith.fastmath<reassoc,nsz,contract>"
# As many registers make up for the latency of two sums in a row.
MANY_REGISTERS = 8


def reorder_wide_totals(module: ir.Module, vector_bits: int) -> None:
    """Rewrites every total of vectors that are wide for registers of this size."""
    free = ir.Attribute.parse(FREE)
    found: list[ir.Operation] = []

    def collect(op: ir.Operation) -> ir.WalkResult:
        if op.name == "arith.addf" and _is_wide(op.results[0].type, vector_bits) and _is_total(op, free):
            found.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(collect)
    for total in found:
        _reorder(total)


def _is_wide(type_: ir.Type, vector_bits: int) -> bool:
    if not isinstance(type_, ir.VectorType):
        return False
    return math.prod(type_.shape) * type_.element_type.width >= MANY_REGISTERS * vector_bits


def _is_total(op: ir.Operation, free: ir.Attribute) -> bool:
    return op.attributes["fastmath"] == free and ATOMIC not in op.attributes


def _reorder(total: ir.Operation) -> None:
    for old, operand in zip(reversed(list(total.operands)), total.operands, strict=True):
        term = _own_producer(operand, "arith.addf", total.block)
        if term is not None and _sum_up(total, old, term):
            return


def _own_producer(value: ir.Value, name: str, block: ir.Block) -> ir.Operation | None:
    """The operation of this name and block that makes a value for one use only."""
    op = value.owner.operation if isinstance(value, ir.OpResult) else None
    if op is None or op.name != name or op.block != block:
        return None
    return op if is_used_once(value) else None


def _sum_up(total: ir.Operation, old: ir.Value, term: ir.Operation) -> bool:
    """Makes the total two sums, that of the product first, if the term has one; it is now the product of a free sum."""
    for beside, value in zip(reversed(list(term.operands)), term.operands, strict=True):
        product = _own_producer(value, "arith.mulf", total.block)
        if product is not None and FUSED in product.attributes:
            del product.attributes[FUSED]
            flags = total.attributes["fastmath"]
            with ir.InsertionPoint(total), total.location:
                first = arith.AddFOp(old, value, fastmath=flags).result
                total.results[0].replace_all_uses_with(arith.AddFOp(first, beside, fastmath=flags).result)
            total.erase()
            term.erase()
            return True
    return False
