"""`soac-core-only`: operations of dialects that core IR has not are refused before a program is looked at."""

from __future__ import annotations

from typing import ClassVar, NoReturn

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.base import OpRefused

CORE = frozenset({"ad", "arith", "builtin", "func", "math", "phi", "rev", "scf", "soac", "tensor"})
"""The dialects of core IR, and those that passes bring to it."""

STABLEHLO, LINALG = "stablehlo-to-core", "linalg-to-core"
IMPORTED = {
    "stablehlo": STABLEHLO,
    "chlo": STABLEHLO,
    "linalg": LINALG,
    "cf": LINALG,
    "affine": LINALG,
}
"""Dialects that a pass brings to core IR."""

OF_OTHERS = frozenset({"tensor.collapse_shape", "tensor.expand_shape", "tensor.generate", "tensor.pad"})
"""Operations of a dialect of core IR that are none of it: `linalg-to-core` brings them to it."""


@dataclass(frozen=True)
class CoreOnly:
    """Refuses operations of dialects that core IR has not, at their place in the source.

    ```mlir
    %0 = stablehlo.tanh %x : tensor<4xf32>
    ```
    is refused: `'stablehlo.tanh' op is not core IR; run stablehlo-to-core first`. Nothing is changed.
    """

    name: ClassVar[str] = "soac-core-only"
    after: ClassVar[dict[str, str]] = {
        "rev-lower": "it makes core IR of procedures",
    }

    def run(self, module: ir.Module) -> None:
        """Looks at every operation once, and refuses the first that is no core IR."""
        found: list[ir.Operation] = []

        def visit(op: ir.Operation) -> ir.WalkResult:
            if op.name.partition(".")[0] in CORE and op.name not in OF_OTHERS:
                return ir.WalkResult.ADVANCE
            found.append(op)
            return ir.WalkResult.INTERRUPT

        module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
        if found:
            _refuse(found[0])


def _refuse(op: ir.Operation) -> NoReturn:
    dialect = op.name.partition(".")[0]
    if dialect in IMPORTED or op.name in OF_OTHERS:
        raise OpRefused(op, f"is not core IR; run {IMPORTED.get(dialect, LINALG)} first")
    raise OpRefused(op, f"is not core IR; write it with operations of {', '.join(sorted(CORE - {'builtin'}))}")
