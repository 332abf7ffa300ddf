"""Common subexpression elimination of operators in one body: two fused loops bring duplicates together."""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir
from tapeless.dialects import soac
from tapeless.passes.ir.costs import is_check
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.soac.fuse.congruence import Numbers

VALUES = frozenset({"arith", "math", "tensor"})
OPERATORS = frozenset(
    {"soac.map", "soac.reduce", "soac.scan", "soac.fused", "soac.transpose", "soac.reverse", "soac.fn"}
)


def share_equal(op: ir.OpView) -> None:
    """Replaces duplicates of an operation of the same body.

    Upstream elimination of common subexpressions would do the same after all loops below have been merged: by then,
    each copy may have become a part of another loop.
    """
    for region in op.regions:
        for block in region.blocks:
            _share_in(block)


def _share_in(block: ir.Block) -> None:
    numbers = Numbers()
    first: dict[int, ir.OpView] = {}
    for op in list(_values(block)):
        kept = first.setdefault(numbers.enter(op), op)
        if kept is not op:
            replace_op(op, kept.results)


def _values(block: ir.Block) -> Iterator[ir.OpView]:
    """The operations that do nothing but compute arrays and numbers."""
    for op in block.operations:
        name = op.operation.name
        is_value = name.split(".")[0] in VALUES or (name in OPERATORS and not is_check(op))
        if is_value and len(op.results) and not any(isinstance(value.type, soac.AccType) for value in op.operands):
            yield op
