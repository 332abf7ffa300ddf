"""Divisions by roots in derivatives that are looked at: products with reciprocal roots, which need neither.

Processors take as long for a root and a division as for dozens of products. A reciprocal root by products alone is not
finite where its argument is no normal number; that shows, and the loop runs again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tapeless._mlir import arith, ir, math
from tapeless.passes.ir.build import flags
from tapeless.passes.ir.guards import number_tested
from tapeless.passes.lower.vectorise.walking import nested, op_name
from tapeless.passes.marks import GUARDED
from tapeless.passes.soac.contract.contract import may_contract

ROOT, DIVISION = "math.sqrt", "arith.divf"
# Longer loops have other work to do beside roots.
MOST_OPERATIONS = 96
SCALAR_CODE = ("arith.", "math.", "soac.fn")
# What is not finite if an operand is not.
SUMS_AND_PRODUCTS = ("arith.addf", "arith.subf", "arith.mulf", "arith.negf", "math.fma", "arith.extf")


def take_reciprocals(body: ir.Block, branches: Sequence[ir.Operation]) -> list[ir.Value]:
    """Replaces the roots that only first ways of guarded branches divide by; gives what the branches do not test.

    ```mlir
    %r = math.sqrt %x : f64             %i = math.rsqrt %x {tapeless.guarded} : f64
    %q = arith.divf %a, %r : f64        %q = arith.mulf %a, %i : f64
    ```
    """
    guards = _Guards(body, branches)
    if guards.usual_length() > MOST_OPERATIONS:
        return []
    unseen: list[ir.Value] = []
    for op in [each.operation for each in body.operations if op_name(each) == ROOT]:
        divisions = guards.divisions(op)
        if not divisions:
            continue
        with ir.InsertionPoint(op), op.location:
            made = math.RsqrtOp(op.operands[0], fastmath=flags())
            made.operation.attributes[GUARDED] = ir.UnitAttr.get()
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


class _Guards:
    """The guarded branches of a loop's body: what is computed for them alone."""

    def __init__(self, body: ir.Block, branches: Sequence[ir.Operation]):
        self.firsts = [branch.regions[0].blocks[0] for branch in branches]
        self.seconds = [branch.regions[1].blocks[0] for branch in branches]
        self.conditions = [branch.operands[0].owner.operation for branch in branches]
        self.tested = [number_tested(branch) for branch in branches]
        self.places = [body, *self.firsts]

    def usual_length(self) -> int:
        """How many operations an iteration has where first ways are taken."""
        body, *_ = self.places
        return len(list(nested(body))) - sum(len(list(nested(block))) for block in self.seconds)

    def divisions(self, root: ir.Operation) -> list[ir.Operation]:
        """The divisions by a root, if nothing else but second ways needs it, and they are for first ways alone."""
        users = list(self._users(root.results[0]))
        are_divisions = all(
            op_name(op) == DIVISION and op.operands[0] != root.results[0] and may_contract(op) for op in users
        )
        return users if are_divisions and all(self._is_derivative(op) for op in users) else []

    def see(self, value: ir.Value) -> bool:
        """Whether what the branches test is not finite if a value is not."""
        left, known = [value], {value}
        while left:
            value = left.pop()
            if value in self.tested:
                return True
            for op in self._users(value):
                passes_on = op_name(op) in SUMS_AND_PRODUCTS or (op_name(op) == DIVISION and op.operands[1] != value)
                if passes_on and op.results[0] not in known:
                    known.add(op.results[0])
                    left.append(op.results[0])
        return False

    def _is_derivative(self, op: ir.Operation) -> bool:
        """Whether what an operation computes ends in tests and first ways."""
        left, known = [op], {op}
        while left:
            op = left.pop()
            if op in self.conditions or (op_name(op) == "scf.yield" and op.block in self.firsts):
                continue
            if op.block not in self.places or not op_name(op).startswith(SCALAR_CODE):
                return False
            more = [user for result in op.results for user in self._users(result) if user not in known]
            known.update(more)
            left += more
        return True

    def _users(self, value: ir.Value) -> Iterator[ir.Operation]:
        """The operations that use a value, but for those of second ways."""
        for use in value.uses:
            op = use.owner.operation
            if not any(_is_within(op, block) for block in self.seconds):
                yield op


def _is_within(op: ir.Operation, block: ir.Block) -> bool:
    while op is not None and op_name(op) != "func.func":
        if op.block == block:
            return True
        op = op.parent.operation
    return False
