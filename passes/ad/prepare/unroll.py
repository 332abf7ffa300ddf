"""The pass `ad-unroll`: loops marked `ad.unroll` with a constant number of iterations become straight code.

Short loops that change the sizes of arrays are treated as if they were marked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import ClassVar

from tapeless._mlir import ir, passmanager
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.ad.marks import UNROLL
from tapeless.errors import FrontendError
from tapeless.passes.ad.copying import inline_block
from tapeless.passes.ad.refusals import refusal
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.build import number
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.regions.structure import operands_of
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int

FOLD = "func.func(canonicalize)"
# Iterations written out per function: what is differentiated after that grows with every one of them.
LIMIT = 1024
# Iterations of loops that are written out though nobody asked for it.
FEW = 4
REASON = "is marked unroll=True, but its bounds are no constants; give numbers, or use stripmine instead of unroll"
NO_STEP = "is marked unroll=True, but its step is {step}; give a step of at least 1"
TOO_MANY = (
    "is marked unroll=True and brings the iterations that are written out to {count}; the limit is {limit} per "
    "function; leave out unroll=True, or use stripmine instead of unroll"
)


@dataclass(frozen=True)
class Unroll(FunctionPass):
    """Unrolls loops marked `ad.unroll`, so that the reverse sweep stores none of their states.

    ```mlir
    scf.for %i = 0 to 2 step 1 { body(%i) } {ad.unroll}      body(0); body(1)
    ```
    Functions with more than `limit` iterations to be written out, those of inner loops included, are refused. Loops of
    at most `FEW` iterations that change the sizes of arrays they carry are written out without a mark: the sizes of
    straight code are known, while such a loop would have to run once more to find how large its states become.
    """

    name: ClassVar[str] = "ad-unroll"
    limit: int = LIMIT

    def run_on(self, function: ir.OpView) -> bool:
        """Unrolls every marked loop of the function; whether there was any."""
        return unroll_loops(function, self.limit)


def unroll_loops(function: ir.OpView, limit: int = LIMIT) -> bool:
    """Unrolls the marked loops of a function, if any; bounds of inner ones may depend on the indices of outer ones."""
    for op in ops_named(function, "scf.for"):
        if _changes_sizes(op) and _trips(op) <= FEW:
            op.operation.attributes[UNROLL] = ir.UnitAttr.get(function.context)
    is_marked = any(True for _ in _outermost(function))
    count = 0
    while marked := list(_outermost(function)):
        for op in marked:
            indices = _indices(op)
            count += len(indices)
            if count > limit:
                raise refusal(FrontendError, op, TOO_MANY.format(count=count, limit=limit))
            with ir.InsertionPoint(op), op.location:
                replace_op(op, _unrolled(op, indices))
        if any(True for _ in _outermost(function)):
            passmanager.PassManager.parse(FOLD, function.context).run(function.operation)
    return is_marked


def _changes_sizes(op: ir.OpView) -> bool:
    """Whether a loop without hints carries an array that iterations leave with another size than it began with."""
    starts = [value for value in operands_of(op, "carried") if isinstance(value, ir.OpResult)]
    return not len(op.operation.attributes) and any(value.owner.operation.name == "soac.widen" for value in starts)


def _trips(op: ir.OpView) -> float:
    """How many iterations a loop has, if its bounds are constants."""
    low, high, step = (constant_int(value) for value in list(op.operation.operands)[:3])
    return math.inf if low is None or high is None or not step or step < 1 else len(range(low, high, step))


def _outermost(op: ir.OpView) -> Iterator[ir.OpView]:
    for region in op.operation.regions:
        for block in region.blocks:
            for inner in block.operations:
                if UNROLL in inner.operation.attributes:
                    yield inner
                else:
                    yield from _outermost(inner)


def _indices(op: ir.OpView) -> range:
    """The values of the loop's variable."""
    lower, upper, step = (_constant(value, op) for value in list(op.operation.operands)[:3])
    if step < 1:
        raise refusal(FrontendError, op, NO_STEP.format(step=step))
    return range(lower, upper, step)


def _unrolled(op: ir.OpView, indices: range) -> list[ir.Value]:
    state = operands_of(op, "carried")
    block = op.operation.regions[0].blocks[0]
    for i in indices:
        state = inline_block(block, [number(block.arguments[0].type, i), *state])
    return state


def _constant(value: ir.Value, op: ir.OpView) -> int:
    """A bound of the loop `op`."""
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.operation.name != "arith.constant":
        raise refusal(FrontendError, op, REASON)
    return ir.IntegerAttr(owner.operation.attributes["value"]).value
