"""`soac-separate-fills`: fills made once for every write of them, and stored where they end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.passes.ir.search import ops_named


@dataclass(frozen=True)
class SeparateFills:
    """Gives every `tensor.insert_slice` of a fill a fill of its own, right before it.

    ```mlir
    %f = tensor.splat %zero                           %f = tensor.splat %zero
    ...                                               %w = tensor.insert_slice %f into %x[...]
    %w = tensor.insert_slice %f into %x[...]          %g = tensor.splat %zero
    %v = tensor.insert_slice %f into %w[...]          %v = tensor.insert_slice %g into %w[...]
    ```
    """

    name: ClassVar[str] = "soac-separate-fills"
    after: ClassVar[dict[str, str]] = {
        "soac-sink-writes": "fills go right before writes, whose places are known then",
    }
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Moves or copies the fill of every such write."""
        for write in ops_named(module.operation.opview, "tensor.insert_slice"):
            part = write.operands[0]
            if not isinstance(part, ir.BlockArgument) and part.owner.operation.name == "tensor.splat":
                _give_fill(write, part)


def _give_fill(write: ir.OpView, part: ir.Value) -> None:
    fill = part.owner.operation
    if len(list(part.uses)) > 1:
        write.operation.operands[0] = fill.clone(ip=ir.InsertionPoint(write)).results[0]
    elif fill.block == write.operation.block:
        fill.move_before(write.operation)
