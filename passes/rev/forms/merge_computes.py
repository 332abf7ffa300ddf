"""The pass `rev-merge-computes` removes an uncomputation that is followed by the same computation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import rev
from tapeless.passes.rev.blocks import body_blocks, procedures

Renamed = dict[ir.Value, ir.Value]
# Computations that give the same wherever they stand: they read no cell.
PLACELESS = ("arith.", "math.", "memref.dim")


@dataclass(frozen=True)
class MergeComputes:
    """Joins compute blocks that follow each other and compute the same.

    ```mlir
    "rev.compute"() ({C}, {A}) : () -> ()
    "rev.compute"() ({C}, {B}) : () -> ()             "rev.compute"() ({C}, {A B}) : () -> ()
    ```
    Taking C back and computing it again would leave all as it is: neither A nor B changes what C reads or changes.
    Blocks must be normal (`rev-normalise`).
    """

    name: ClassVar[str] = "rev-merge-computes"

    def run(self, module: ir.Module) -> None:
        for procedure in procedures(module):
            merge_below(procedure)


def merge_below(op: ir.OpView) -> None:
    """Joins the compute blocks of an operation and below, outer ones first."""
    for block in list(body_blocks(op)):
        last: ir.OpView | None = None
        for each in list(block.operations):
            is_compute = isinstance(each, rev.ComputeOp)
            if is_compute and last is not None and _same_region(last.compute, each.compute, {}):
                for inner in list(each.use.blocks[0].operations):
                    last.use.blocks[0].append(inner.operation)
                each.operation.erase()
            else:
                last = each if is_compute else None
        for each in block.operations:
            merge_below(each)


def _same_region(a: ir.Region, b: ir.Region, renamed: Renamed) -> bool:
    """Whether two regions do the same; `renamed` maps values of one to those of the other."""
    if len(a.blocks) != len(b.blocks):
        return False
    for left, right in zip(a.blocks, b.blocks, strict=True):
        pairs = list(zip(left.arguments, right.arguments, strict=False))
        if len(left.arguments) != len(right.arguments) or len(left.operations) != len(right.operations):
            return False
        renamed.update(pairs)
        if any(x.type != y.type for x, y in pairs):
            return False
        if not all(_same(x, y, renamed) for x, y in zip(left.operations, right.operations, strict=True)):
            return False
    return True


def _same(a: ir.OpView, b: ir.OpView, renamed: Renamed) -> bool:
    """Whether two operations do the same; if so, their results are taken note of."""
    x, y = a.operation, b.operation
    if not _look_alike(x, y) or not _same_values(x.operands, y.operands, renamed):
        return False
    if not all(_same_region(left, right, renamed) for left, right in zip(x.regions, y.regions, strict=True)):
        return False
    renamed.update(zip(x.results, y.results, strict=True))
    return True


def _look_alike(a: ir.Operation, b: ir.Operation) -> bool:
    """Whether operations agree in all that is not a value."""
    if a.name != b.name or [each.type for each in a.results] != [each.type for each in b.results]:
        return False
    names = {*a.attributes, *b.attributes}
    is_same = all(name in a.attributes and name in b.attributes for name in names)
    return is_same and all(a.attributes[name] == b.attributes[name] for name in names)


def _same_values(a: Sequence[ir.Value], b: Sequence[ir.Value], renamed: Renamed) -> bool:
    return len(a) == len(b) and all(_same_value(x, y, renamed) for x, y in zip(a, b, strict=True))


def _same_value(a: ir.Value, b: ir.Value, renamed: Renamed) -> bool:
    """Whether values are called after each other, are one, or are computed in the same way from such."""
    if a in renamed:
        return renamed[a] == b
    if a == b:
        return True
    if isinstance(a.owner, ir.Block) or isinstance(b.owner, ir.Block) or not a.owner.name.startswith(PLACELESS):
        return False
    is_alike = _look_alike(a.owner, b.owner) and not len(a.owner.regions)
    numbers = [ir.OpResult(value).result_number for value in (a, b)]
    return is_alike and numbers[0] == numbers[1] and _same_values(a.owner.operands, b.owner.operands, renamed)
