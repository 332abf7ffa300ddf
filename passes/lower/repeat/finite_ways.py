"""Branches that ask whether what their first way gives is finite, which guards of the loop ask as well."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tapeless._mlir import ir
from tapeless.passes.lower.repeat.guards import Guards
from tapeless.passes.lower.vectorise.walking import op_name

# `olt`, as the predicate of a comparison of floats.
LESS = 4


def finite_ways(body: ir.Block, branches: Sequence[ir.Operation]) -> list[ir.Operation]:
    """Such branches: where one of them would take its second way, guarded branches do, too, and the loop runs again.

    ```mlir
    %size = math.absf %x : f64
    %finite = arith.cmpf olt, %size, %inf : f64
    %y = scf.if %finite -> (f64) { scf.yield %x } else { ... }
    %nothing = arith.mulf %y, %zero : f64          // what a guarded branch tests
    ```
    """
    guards = Guards(body, branches)
    others = [op.operation for op in body.operations if op_name(op) == "scf.if" and op.operation not in branches]
    return [op for op in others if len(op.results) and _is_seen(op, guards)]


def _is_seen(branch: ir.Operation, guards: Guards) -> bool:
    first = list(branch.regions[0].blocks[0].operations)
    tested = _finite_if(branch.operands[0])
    if tested is None or len(first) != 1:
        return False
    given = list(first[0].operation.operands)
    return all(value in given and guards.see(branch.results[given.index(value)]) for value in tested)


def _finite_if(condition: ir.Value) -> list[ir.Value] | None:
    """The numbers that are finite if and only if a condition holds; None if it says anything else."""
    found: list[ir.Value] = []
    for part in _parts(condition):
        if isinstance(part, ir.BlockArgument) or op_name(part.owner) != "arith.cmpf":
            return None
        test = part.owner.operation
        size, limit = test.operands
        if not _is_less(test) or not _is_infinity(limit) or isinstance(size, ir.BlockArgument):
            return None
        if op_name(size.owner) != "math.absf":
            return None
        found.append(size.owner.operands[0])
    return found


def _parts(condition: ir.Value) -> Iterator[ir.Value]:
    if not isinstance(condition, ir.BlockArgument) and op_name(condition.owner) == "arith.andi":
        for operand in condition.owner.operands:
            yield from _parts(operand)
    else:
        yield condition


def _is_less(test: ir.Operation) -> bool:
    return ir.IntegerAttr(test.attributes["predicate"]).value == LESS


def _is_infinity(value: ir.Value) -> bool:
    if isinstance(value, ir.BlockArgument) or op_name(value.owner) != "arith.constant":
        return False
    return ir.FloatAttr(value.owner.attributes["value"]).value == math.inf
