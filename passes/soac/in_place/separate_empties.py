"""`soac-separate-empties`: arrays without contents, made once for every use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.passes.ir.search import ops_named


@dataclass(frozen=True)
class SeparateEmpties:
    """Gives every use of a `tensor.empty` one of its own, so that no loop copies an uninitialised array.

    ```mlir
    %e = tensor.empty() : tensor<8xf64>               %e = tensor.empty()    %f = tensor.empty()
    scf.for ... iter_args(%a = %e, %b = %e)           scf.for ... iter_args(%a = %e, %b = %f)
    ```
    """

    name: ClassVar[str] = "soac-separate-empties"
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Copies every array without contents that has several uses."""
        for empty in ops_named(module.operation.opview, "tensor.empty"):
            places = [(use.owner.operation, use.operand_number) for use in empty.operation.results[0].uses]
            for user, number in places[1:]:
                user.operands[number] = empty.operation.clone(ip=ir.InsertionPoint(empty)).results[0]
