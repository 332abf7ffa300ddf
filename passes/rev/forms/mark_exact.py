"""`rev-mark-exact`: ancillas that come back to 0 exactly."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import rev
from tapeless.dialects.regions import terminator
from tapeless.dialects.rev.cells import base, operations_in
from tapeless.dialects.rev.iterations import changes
from tapeless.passes.ir.constants import is_zero
from tapeless.passes.rev.blocks import procedures

EXACT = "exact"
LOOPS = frozenset({"rev.for", "rev.while"})


@dataclass(frozen=True)
class MarkExact:
    """Marks ancillas that hold nothing but one sum of a routine as `exact`: 0 + e - e is 0, whatever e is.

    ```mlir
    "rev.ancilla"() ({ 0.0 }, {}, {
    ^bb0(%z: memref<f64>):
      "rev.compute"() ({ "rev.accum"(%z) ({ e }) {kind = "add"} }, { ... })
    }) {exact}
    ```
    How large they were on the way says nothing about what may be left in them, and is not kept. Inverses and adjoints
    of the ancillas have the mark, too.
    """

    name: ClassVar[str] = "rev-mark-exact"

    def run(self, module: ir.Module) -> None:
        for procedure in procedures(module):
            for op in operations_in(procedure.body):
                if isinstance(op, rev.AncillaOp) and _comes_back(op):
                    op.operation.attributes[EXACT] = ir.UnitAttr.get(op.context)


def _comes_back(ancilla: ir.OpView) -> bool:
    """Whether the ancilla is 0, then a sum is added to it by a routine, and the routine takes the same sum away."""
    cell = ancilla.body.blocks[0].arguments[0]
    writes = [op for op in operations_in(ancilla.body) if _writes(op, cell)]
    if len(writes) != 1 or not isinstance(writes[0], rev.AccumOp) or not _starts_at_zero(ancilla):
        return False
    around = writes[0].operation.parent.operation
    while around.name != "rev.compute":
        if around == ancilla.operation or around.name in LOOPS:
            return False
        if around.name == "rev.parallel":
            region = around.regions[0]
            if cell not in changes(list(region.blocks[0].arguments), region).own:
                return False
        around = around.parent.operation
    return True


def _writes(op: ir.OpView, cell: ir.Value) -> bool:
    return isinstance(op, rev.Operation) and any(base(each) == cell for each in op.written_cells())


def _starts_at_zero(ancilla: ir.OpView) -> bool:
    (first,) = terminator(ancilla.init).operands
    return is_zero(first)
