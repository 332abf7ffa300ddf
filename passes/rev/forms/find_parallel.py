"""`rev-find-parallel`: loops whose iterations have nothing to do with each other."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import rev
from tapeless.dialects.array_types import DYNAMIC
from tapeless.dialects.rev.iterations import changes, holds_floats_alone
from tapeless.passes.ir.build import index, static_size
from tapeless.passes.ir.calls import recursive_functions
from tapeless.passes.ir.search import ops_named
from tapeless.passes.rev.blocks import body_blocks, procedures, statements

FEWEST = 8
"""Loops known to be shorter are best written out one iteration after the other."""


@dataclass(frozen=True)
class FindParallel:
    """Parallelises loops in which every iteration changes elements of its own.

    ```mlir
    "rev.for"(%one, %n, %two) ({                             %count = ...
    ^bb0(%i: index):                                         "rev.parallel"(%count) ({
      "rev.accum"(%ys, %i) ({                                ^bb0(%k: index):
        ...                                                    %i = 1 + 2 * %k
      }) {kind = "add"} : (memref<?xf64>, index) -> ()         "rev.accum"(%ys, %i) ({ ... }) ...
    }) {reversed = false} : ...                              }) {shadows = "privatize"} : (index) -> ()
    ```
    Every element is computed as before, to the last bit. Integers may be summed by all iterations; sums of floats keep
    their order, in which the inverse takes them back, so a loop with one stays as it is. So do loops with less than
    eight iterations and those that call procedures that call themselves. Blocks must be normal (`rev-normalise`).
    """

    name: ClassVar[str] = "rev-find-parallel"

    def run(self, module: ir.Module) -> None:
        found = procedures(module)
        callees = {op.procedure_name: [call.callee.value for call in _calls(op)] for op in found}
        recursive = recursive_functions(callees)
        for procedure in found:
            _visit(procedure, recursive)


def _calls(op: ir.OpView) -> list[ir.OpView]:
    return ops_named(op, rev.CallOp.OPERATION_NAME)


def _visit(op: ir.OpView, recursive: set[str]) -> None:
    """Turns the loops of an operation, outer ones first."""
    for block in list(body_blocks(op)):
        for statement in statements(block):
            if isinstance(statement, rev.ForOp) and _is_parallel(statement, recursive):
                statement = _turned(statement)
            _visit(statement, recursive)


def _is_parallel(op: ir.OpView, recursive: set[str]) -> bool:
    step = static_size(op.step)
    if step in (0, DYNAMIC) or any(call.callee.value in recursive for call in _calls(op)):
        return False
    ends = static_size(op.lower), static_size(op.upper)
    if DYNAMIC not in ends and -((ends[0] - ends[1]) // step) < FEWEST:
        return False
    found = changes(list(op.body.blocks[0].arguments), op.body)
    return bool(found.own or found.added) and not found.shared and not any(map(holds_floats_alone, found.added))


def _turned(op: ir.OpView) -> ir.OpView:
    """The parallel loop in the place of a loop."""
    block = op.body.blocks[0]
    attributes = {name: op.attributes[name] for name in op.attributes if name != "reversed"}
    with ir.InsertionPoint(op), op.location:
        count, first = _range(op)
        made = ir.Operation.create(
            rev.ParallelOp.OPERATION_NAME,
            operands=[count],
            attributes=attributes | {"shadows": ir.StringAttr.get("privatize")},
            regions=1,
        )
        block.append_to(made.regions[0])
        _count_from(made.regions[0].blocks[0], first, abs(static_size(op.step)))
    op.operation.erase()
    return made.opview


def _range(op: ir.OpView) -> tuple[ir.Value, ir.Value | None]:
    """How many iterations a loop has, and the least of its indices, None for 0."""
    step, lower = static_size(op.step), static_size(op.lower)
    count = op.upper
    if lower != 0 or step != 1:
        count = arith.CeilDivSIOp(arith.SubIOp(op.upper, op.lower).result, op.step).result
    if not (lower == 0 and step == 1 and _is_size(op.upper)):
        count = arith.MaxSIOp(count, index(0)).result
    if step > 0:
        return count, None if lower == 0 else op.lower
    rest = arith.MulIOp(arith.SubIOp(count, index(1)).result, op.step).result
    return count, arith.AddIOp(op.lower, rest).result


def _is_size(value: ir.Value) -> bool:
    is_dim = not isinstance(value.owner, ir.Block) and value.owner.name == "memref.dim"
    return is_dim or static_size(value) >= 0


def _count_from(block: ir.Block, first: ir.Value | None, distance: int) -> None:
    """Gives a block a counter from 0 instead of its index."""
    if first is None and distance == 1:
        return
    old = block.arguments[0]
    position = block.add_argument(old.type, ir.Location.current)
    with ir.InsertionPoint.at_block_begin(block):
        here = position
        if distance != 1:
            here = arith.MulIOp(here, index(distance)).result
        if first is not None:
            here = arith.AddIOp(here, first).result
    old.replace_all_uses_with(here)
    block.erase_argument(0)
