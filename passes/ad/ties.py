"""The pass `ad-ties`: larger and smaller of two operands are made choices, where passes would forget what derivatives
read.
"""

from __future__ import annotations

import math
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.ad.marks import TIES
from tapeless.passes.ir.build import number
from tapeless.passes.ir.constants import constant_of

# Which comparison of the second operand with the first chooses it, for operations that MLIR takes as commutative.
STRICTLY_BETTER = {"arith.maximumf": 2, "arith.minimumf": 4}
UNORDERED, UNORDERED_OR = 14, 7
REQUESTS = frozenset({"ad.vjp", "ad.jvp"})
# What has no numbers but those of its operands.
MOVES = frozenset(
    {
        "tensor.splat",
        "tensor.cast",
        "tensor.extract",
        "tensor.extract_slice",
        "tensor.reshape",
        "soac.transpose",
        "soac.reverse",
    }
)


@dataclass(frozen=True)
class Ties:
    """Keeps the operand order of extremes, whose first operand has the derivative on ties, against constant folding.

    ```mlir
    %y = arith.maximumf %zero, %x
    ```
    becomes
    ```mlir
    %better = arith.cmpf ugt, %x, %zero
    %y = arith.select %better, %x, %zero
    ```
    `canonicalize` moves constants to the right, and `cse` takes `max(a, b)` for `max(b, a)`: so where the first operand
    comes from constants alone, and where both orders are in a function. Programs without derivatives stay as they are.

    With the mark `ad.ties`, which importers set, equal operands share the derivative, as in JAX and PyTorch:
    ```mlir
    %y = arith.maximumf %a, %b {ad.ties}
    ```
    becomes `%a` where that is larger, `%b` where that is, and else half of each.
    """

    name: ClassVar[str] = "ad-ties"

    def run(self, module: ir.Module) -> bool:
        """Rewrites the operations of a module that asks for derivatives; whether there were any."""
        found: list[ir.Operation] = []
        names: set[str] = set()

        def visit(op: ir.Operation) -> ir.WalkResult:
            names.add(op.name)
            if op.name in STRICTLY_BETTER:
                found.append(op)
            return ir.WalkResult.ADVANCE

        module.operation.walk(visit)
        if not names & REQUESTS:
            return False
        shared = [op for op in found if TIES in op.attributes]
        lost = _forgetful([op for op in found if TIES not in op.attributes])
        for op in shared:
            _share(op)
        for op in lost:
            _choose(op)
        return bool(shared or lost)


def _forgetful(extremes: list[ir.Operation]) -> list[ir.Operation]:
    """Those whose order of operands would be lost."""
    seen: set[tuple[str, ir.Value, ir.Value]] = set()
    lost = []
    for op in extremes:
        first, second = op.operands
        is_exchanged = first != second and (op.name, second, first) in seen
        if is_exchanged or (_is_constant(first) and not _is_constant(second)):
            lost.append(op)
        else:
            seen.add((op.name, first, second))
    return lost


def _is_constant(value: ir.Value) -> bool:
    """Whether a number, or all of an array, comes from constants alone."""
    pending = [value]
    while pending:
        value = pending.pop()
        if isinstance(value.owner, ir.Block):
            owner = value.owner.owner.operation
            number = ir.BlockArgument(value).arg_number
            if owner.name != "soac.map" or number == 0:
                return False
            pending.append(owner.operands[number])
        elif (op := value.owner.operation).name in MOVES:
            pending.append(op.operands[0])
        elif op.name.startswith(("arith.", "math.")):
            pending += op.operands
        else:
            return False
    return True


def _choose(op: ir.Operation) -> None:
    """`second` where it is strictly better or not a number, else `first`, which stays if it is not a number."""
    first, second = op.operands
    with ir.InsertionPoint(op), op.location:
        strict = STRICTLY_BETTER[op.name]
        known = constant_of(first)
        if isinstance(known, ir.FloatAttr) and not math.isnan(known.value):
            better = _compare(strict + UNORDERED_OR, second, first)
        else:
            tests = [_compare(strict, second, first), _compare(UNORDERED, second, second)]
            better = ir.Operation.create("arith.ori", [tests[0].type], tests).result
        chosen = _select(better, second, first)
    op.result.replace_all_uses_with(chosen)
    op.erase()


def _share(op: ir.Operation) -> None:
    """The operand that is strictly better, else half of each, which is both of them, or not a number if one is not."""
    first, second = op.operands
    with ir.InsertionPoint(op), op.location:
        strict, half = STRICTLY_BETTER[op.name], number(op.result.type, 0.5)
        halves = [ir.Operation.create("arith.mulf", [each.type], [each, half]).result for each in (first, second)]
        middle = ir.Operation.create("arith.addf", [op.result.type], halves).result
        otherwise = _select(_compare(strict, second, first), second, middle)
        chosen = _select(_compare(strict, first, second), first, otherwise)
    op.result.replace_all_uses_with(chosen)
    op.erase()


def _compare(predicate: int, left: ir.Value, right: ir.Value) -> ir.Value:
    i1, i64 = ir.IntegerType.get_signless(1), ir.IntegerType.get_signless(64)
    attributes = {"predicate": ir.IntegerAttr.get(i64, predicate)}
    return ir.Operation.create("arith.cmpf", [i1], [left, right], attributes).result


def _select(condition: ir.Value, left: ir.Value, right: ir.Value) -> ir.Value:
    return ir.Operation.create("arith.select", [left.type], [condition, left, right]).result
