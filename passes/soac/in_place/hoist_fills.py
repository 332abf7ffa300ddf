"""The pass `soac-hoist-fills` hoists a fill that is overwritten at the same place in every iteration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.passes.ir.constants import filling_of
from tapeless.passes.ir.rebuild import recreate, replace_op, retarget_terminator
from tapeless.passes.ir.regions.structure import operands_of
from tapeless.passes.ir.scopes import is_available, terminator

READS = frozenset({"tensor.extract", "tensor.extract_slice", "tensor.dim", "soac.map", "soac.reduce", "soac.fused"})


@dataclass(frozen=True)
class HoistFills:
    """Hoists the fill of an array out of a loop that writes the same slice of it in every iteration.

    ```
    for i: p = zeros(n); p[1:-1] = f(i); ...    becomes    p = zeros(n); for i: p[1:-1] = f(i); ...
    ```
    What the slice leaves out stays as it was filled. Nothing but reads may look at the array in an iteration.
    """

    name: ClassVar[str] = "soac-hoist-fills"
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Looks at every loop, inner ones first."""
        _carry_below(module.operation.opview)


def _carry_below(op: ir.OpView) -> None:
    for region in op.regions:
        for block in region.blocks:
            for inner in list(block.operations):
                if len(inner.regions):
                    _carry_below(inner)
                if inner.operation.name == "scf.for":
                    _carry_all(inner)


def _carry_all(loop: ir.OpView) -> None:
    body = loop.regions[0].blocks[0]
    writes = [op for op in body.operations if _is_kept(op, loop)]
    if not writes:
        return
    fills = []
    for write in writes:
        fill = write.operands[1].owner.operation
        fills.append(fill.clone(ip=ir.InsertionPoint(loop)).results[0])
    carried = operands_of(loop, "carried")
    bounds = list(loop.operands)[: len(loop.operands) - len(carried)]
    types = [result.type for result in loop.results]
    made = recreate(loop, [bounds, [*carried, *fills]], [*types, *(fill.type for fill in fills)])
    body = made.regions[0].blocks[0]
    for write in writes:
        write.operation.operands[1] = body.add_argument(write.results[0].type, write.location)
    retarget_terminator(body, [*terminator(body).operands, *(write.results[0] for write in writes)])
    replace_op(loop, list(made.results)[: len(types)])


def _is_kept(op: ir.OpView, loop: ir.OpView) -> bool:
    """Whether an operation writes a slice that is known before the loop into a fill that could be made there."""
    if op.operation.name != "tensor.insert_slice" or filling_of(op.operands[1]) is None:
        return False
    before = ir.InsertionPoint(loop)
    outer = [*op.operands[1].owner.operands, *list(op.operands)[2:]]
    body = loop.regions[0].blocks[0]
    return (
        all(is_available(value, before) for value in outer)
        and len(list(op.results[0].uses)) > 0
        and all(use.owner.operation.name in READS for use in op.results[0].uses)
        and op.operation.block == body
    )
