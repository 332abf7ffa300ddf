"""Loops that carry sums, products, minima or maxima: each lane keeps a partial result."""

from __future__ import annotations

import math

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import any_order, number
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.scopes import is_used_once
from tapeless.passes.lower.vectorise.lanes import NotVectorisable
from tapeless.passes.lower.vectorise.walking import body_of, op_name

# op: (the kind that vector.reduction calls it, its neutral element)
COMBINERS: dict[str, tuple[str, float]] = {
    "arith.addf": ("add", 0.0),
    "arith.mulf": ("mul", 1.0),
    "arith.maximumf": ("maximumf", -math.inf),
    "arith.minimumf": ("minimumf", math.inf),
    "arith.addi": ("add", 0),
    "arith.muli": ("mul", 1),
}
ORDER_FREE = ("arith.maximumf", "arith.minimumf", "arith.addi", "arith.muli")


@dataclass(frozen=True)
class Reduction:
    """A carried value and the op that combines it with each iteration's contribution."""

    combine: ir.Operation
    carried_operand: int

    @property
    def kind(self) -> str:
        """The name of the combining kind in the vector dialect."""
        return COMBINERS[op_name(self.combine)][0]

    def neutral(self, type_: ir.Type) -> ir.Value:
        """The constant that changes nothing when combined."""
        return number(type_, COMBINERS[op_name(self.combine)][1])


def carried_reductions(loop: ir.Operation) -> list[Reduction]:
    """One reduction per carried value of the loop, or a refusal."""
    block = body_of(loop)
    yielded = list(block.operations)[-1].operation.operands
    return [
        _reduction(argument, value, loop)
        for argument, value in zip(arguments_of(loop, "carried"), yielded, strict=True)
    ]


def _reduction(carried: ir.Value, yielded: ir.Value, loop: ir.Operation) -> Reduction:
    combine = yielded.owner
    uses = list(carried.uses)
    if isinstance(combine, ir.Block) or len(uses) != 1 or uses[0].owner.operation != combine.operation:
        raise NotVectorisable("a carried value is more than a plain reduction")
    if combine.operation.parent.operation != loop.operation or op_name(combine) not in COMBINERS:
        raise NotVectorisable("a carried value is combined by something else than + * min max")
    if op_name(combine) not in ORDER_FREE and not is_free_in_order(combine):
        raise NotVectorisable("a carried sum may not be reordered")
    if not is_used_once(yielded):
        raise NotVectorisable("a partial result is used inside the loop")
    return Reduction(combine, uses[0].operand_number)


def is_free_in_order(op: ir.Operation) -> bool:
    """Whether an operation combines in any order because its reduction says so.

    Sums of adjoints are free in their order too, but a loop that carries one may hold maps that threads share, and
    how it sums up must not depend on that.
    """
    flags = op.operation.attributes["fastmath"]
    return "reassoc" in str(flags) and flags != any_order()
