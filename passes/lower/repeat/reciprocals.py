"""Divisions by roots in derivatives that are looked at: products with reciprocal roots, which need neither.

Processors take as long for a root and a division as for dozens of products. A reciprocal root by products alone is not
finite where its argument is no normal number; that shows, and the loop runs again.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, math
from tapeless.passes.ir.build import flags
from tapeless.passes.lower.repeat.guards import Guards
from tapeless.passes.lower.vectorise.walking import op_name
from tapeless.passes.marks import NORMAL

ROOT = "math.sqrt"
# Longer loops have other work to do beside roots.
MOST_OPERATIONS = 96


def take_reciprocals(body: ir.Block, branches: Sequence[ir.Operation]) -> list[ir.Value]:
    """Replaces the roots that only first ways of guarded branches divide by; gives what the branches do not test.

    ```mlir
    %r = math.sqrt %x : f64             %i = math.rsqrt %x {tapeless.normal} : f64
    %q = arith.divf %a, %r : f64        %q = arith.mulf %a, %i : f64
    ```
    """
    guards = Guards(body, branches)
    if guards.usual_length() > MOST_OPERATIONS:
        return []
    unseen: list[ir.Value] = []
    for op in [each.operation for each in body.operations if op_name(each) == ROOT]:
        divisions = guards.divisions(op)
        if not divisions:
            continue
        with ir.InsertionPoint(op), op.location:
            made = math.RsqrtOp(op.operands[0], fastmath=flags())
            made.operation.attributes[NORMAL] = ir.UnitAttr.get()
        for division in divisions:
            with ir.InsertionPoint(division), division.location:
                division.results[0].replace_all_uses_with(_product(division, made.result))
            division.erase()
        op.results[0].replace_all_uses_with(made.result)  # in second ways, which go
        op.erase()
        if not guards.see(made.result):
            unseen.append(made.result)
    return unseen


def _product(division: ir.Operation, reciprocal: ir.Value) -> ir.Value:
    dividend = division.operands[0]
    is_constant = not isinstance(dividend, ir.BlockArgument) and op_name(dividend.owner) == "arith.constant"
    if is_constant and ir.FloatAttr(dividend.owner.attributes["value"]).value == 1.0:
        return reciprocal
    return arith.MulFOp(dividend, reciprocal, fastmath=division.attributes["fastmath"]).result
