"""The pass `ad-promises` moves a user's promises about carried arrays from positions to the values themselves."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import ad
from tapeless.dialects.ad.marks import TRUE_DEP
from tapeless.passes.ir.build import is_array
from tapeless.passes.ir.regions.structure import arguments_of


@dataclass(frozen=True)
class Promises:
    """Turns `ad.true_dep` on loops into `ad.promise` on the arrays, which later passes cannot misplace.

    ```mlir
    scf.for ... iter_args(%a = %x) { body(%a) } {ad.true_dep = array<i64: 0>}
    scf.for ... iter_args(%a = %x) { %b = "ad.promise"(%a); body(%b) }
    ```
    It comes first: passes that drop carried values would leave the positions wrong.
    """

    name: ClassVar[str] = "ad-promises"

    def run(self, module: ir.Module) -> None:
        """Rewrites every loop of the module that carries the attribute."""
        module.operation.walk(_visit)


def _visit(op: ir.Operation) -> ir.WalkResult:
    if TRUE_DEP in op.attributes:
        positions = list(ir.DenseI64ArrayAttr(op.attributes[TRUE_DEP]))
        del op.attributes[TRUE_DEP]
        arrays = arguments_of(op, "carried") if op.name == "scf.for" else arguments_of(op, "passed", region=1)
        for position in positions:
            _promise(arrays[position])
    return ir.WalkResult.ADVANCE


def _promise(array: ir.Value) -> None:
    if not is_array(array):
        return
    uses = list(array.uses)
    with ir.InsertionPoint.at_block_begin(array.owner), array.owner.owner.location:
        promised = ad.PromiseOp(array, array.type).out
    for use in uses:
        use.owner.operation.operands[use.operand_number] = promised
