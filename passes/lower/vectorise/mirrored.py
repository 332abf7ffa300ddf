"""Places that a loop counts down: `upper - 1 - k`, as the way back through the iterations of another loop does.

Where lanes have upper bounds of their own, such places differ between them, but no more if all lanes leave the loop
together, and begin later the fewer iterations they have.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.vectorise.walking import body_of, counts_by_one, op_name


@dataclass(frozen=True)
class Mirrored:
    """A place in a loop that is `distance` below the upper bound in the first iteration, and then counts down."""

    loop: ir.Operation
    place: ir.Value
    distance: int


def mirrored_places(loop: ir.Operation) -> dict[ir.Operation, Mirrored]:
    """The operations that compute places of a loop which uses its index for these alone; none for any other loop."""
    lower, upper, _ = list(loop.operation.operands)[:3]
    if constant_int(lower) != 0 or not counts_by_one(loop):
        return {}
    found: dict[ir.Operation, Mirrored] = {}
    for use in body_of(loop).arguments[0].uses:
        op = use.owner.operation
        distance = _below(op.operands[0], upper) if op_name(op) == "arith.subi" and use.operand_number == 1 else None
        if distance is None:
            return {}
        found[op] = Mirrored(loop.operation, op.results[0], distance)
    return found


def _below(value: ir.Value, upper: ir.Value) -> int | None:
    """How far a value is known to be below the upper bound."""
    if value == upper:
        return 0
    if isinstance(value.owner, ir.Block) or op_name(value.owner) != "arith.subi":
        return None
    first, second = value.owner.operation.operands
    return constant_int(second) if first == upper else None
