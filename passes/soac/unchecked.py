"""The pass `soac-unchecked`: programs without checks of element indices, conversions, matrices and reversibility."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass

OPTIONAL_KINDS = frozenset({"IndexOutOfRange", "ConversionError", "InvertibilityError", "LinAlgError"})


@dataclass(frozen=True)
class Unchecked:
    """Removes checks of indices, conversions, matrices and reversibility when `checks` is off.

    Those of sizes and promises stay.

    ```mlir
    "soac.assert"(%inside, %i, %n) {kind = "IndexOutOfRange", message = "..."} : (i1, index, index) -> ()
    ```
    It comes first, so that the loops it frees of checks can be moved and merged.
    """

    name: ClassVar[str] = "soac-unchecked"
    checks: bool = False

    @property
    def is_idle(self) -> bool:
        """Whether all checks are wanted."""
        return self.checks

    def run(self, module: ir.Module) -> None:
        """Removes the checks of the whole module."""
        found: list[ir.Operation] = []

        def visit(op: ir.Operation) -> ir.WalkResult:
            if op.name == "soac.assert" and ir.StringAttr(op.attributes["kind"]).value in OPTIONAL_KINDS:
                found.append(op)
            return ir.WalkResult.ADVANCE

        module.operation.walk(visit)
        for op in found:
            op.erase()
