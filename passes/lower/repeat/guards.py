"""The guarded branches of a loop's body: what is computed for them alone, and what they see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tapeless._mlir import ir
from tapeless.passes.lower.vectorise.walking import nested, op_name
from tapeless.passes.soac.contract.mark_fma import may_contract

DIVISION = "arith.divf"
SCALAR_CODE = ("arith.", "math.", "soac.fn", "soac.guard")
# What is not finite if an operand is not.
SUMS_AND_PRODUCTS = ("arith.addf", "arith.subf", "arith.mulf", "arith.negf", "math.fma", "arith.extf")


class Guards:
    """The guarded branches of a loop's body: what is computed for them alone."""

    def __init__(self, body: ir.Block, branches: Sequence[ir.Operation]):
        self.firsts = [branch.regions[0].blocks[0] for branch in branches]
        self.seconds = [branch.regions[1].blocks[0] for branch in branches]
        self.conditions = [branch.operands[0].owner.operation for branch in branches]
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
            for op in self._users(value):
                if op in self.conditions:
                    return True
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
