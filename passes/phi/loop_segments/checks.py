"""Checks in loops whose condition no step changes: made once, before the loop, if it does a step at all.

Loops that carry arrays keep theirs: such loops are no segments, and checks in them tell the sizes of what they carry.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.passes.ir.build import is_array, number
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.scopes import outer_values
from tapeless.passes.ir.search import ops_named

LOOPS = ("scf.for", "scf.while")


def take_checks_out(function: ir.OpView) -> bool:
    """Moves checks out of loops, from inner ones through all that they stand in; whether there was any."""
    found = False
    while any([_taken_out(loop) for loop in ops_named(function, *LOOPS)]):
        found = True
    return found


def _taken_out(loop: ir.OpView) -> bool:
    if any(map(is_array, loop.operation.results)):
        return False
    outside = set(outer_values(loop))
    block = loop.operation.regions[-1].blocks[0]
    checks = [
        op
        for op in block.operations
        if op.operation.name == "soac.assert" and all(value in outside for value in op.operation.operands)
    ]
    if not checks:
        return False
    with ir.InsertionPoint(loop), loop.location:
        idle = arith.XOrIOp(_runs(loop), _true()).result
        for check in checks:
            condition, *shown = check.operation.operands
            passed = arith.OrIOp(condition, idle).result
            check.operation.clone(ip=ir.InsertionPoint(loop)).operands[0] = passed
            assert len(shown) + 1 == len(check.operation.operands)
    for check in checks:
        check.operation.erase()
    return True


def _runs(loop: ir.OpView) -> ir.Value:
    """Whether a loop does a step."""
    operands = list(loop.operation.operands)
    if loop.operation.name == "scf.for":
        return arith.CmpIOp(arith.CmpIPredicate.slt, operands[0], operands[1]).result
    before = loop.operation.regions[0].blocks[0]
    values: Values = dict(zip(before.arguments, operands, strict=True))
    *body, last = before.operations
    for op in body:
        copy_op(op, values)
    condition = last.operation.operands[0]
    return values.get(condition, condition)


def _true() -> ir.Value:
    return number(ir.IntegerType.get_signless(1), 1)
