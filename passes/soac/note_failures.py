"""The pass `soac-note-failures`: programs that go on when a check of reversibility fails."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.marks import NEEDED, NOTED

KIND = "InvertibilityError"


@dataclass(frozen=True)
class NoteFailures:
    """Lets calls go on after failed checks of reversibility, which their caller can ask for, when `status` is on.

    ```mlir
    "soac.assert"(%ok) {kind = "InvertibilityError", message = "..."} : (i1) -> ()
    "soac.assert"(%ok) {kind = "InvertibilityError", message = "...", tapeless.noted} : (i1) -> ()
    ```
    Checks of indices and sizes still end the call, and so do those that memory depends on (`tapeless.needed`).
    """

    name: ClassVar[str] = "soac-note-failures"
    status: bool = True

    @property
    def is_idle(self) -> bool:
        """Whether failed checks are to end the call."""
        return not self.status

    def run(self, module: ir.Module) -> None:
        """Marks the checks of the whole module."""

        def visit(op: ir.Operation) -> ir.WalkResult:
            is_check = op.name == "soac.assert" and ir.StringAttr(op.attributes["kind"]).value == KIND
            if is_check and NEEDED not in op.attributes:
                op.attributes[NOTED] = ir.UnitAttr.get(op.context)
            return ir.WalkResult.ADVANCE

        module.operation.walk(visit)
