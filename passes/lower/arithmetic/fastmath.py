"""`lower-fastmath`: sets the fast-math flags of float operations."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass

FLAG_ATTRIBUTE = "fastmath"
# The value of `flags` that leaves every operation with the flags it has.
AS_WRITTEN = ("as-written",)


@dataclass(frozen=True)
class FastMath:
    """Gives every float operation of `arith` and `math` exactly these fast-math flags.

    With `flags=reassoc,contract`, `arith.addf %a, %b fastmath<contract> : f64` becomes
    `arith.addf %a, %b fastmath<reassoc,contract> : f64`. With `flags=as-written` there is nothing to do.
    """

    name: ClassVar[str] = "lower-fastmath"
    flags: tuple[str, ...] = ("contract",)

    @property
    def is_idle(self) -> bool:
        """Whether operations keep the flags they have."""
        return self.flags == AS_WRITTEN

    def run(self, module: ir.Module) -> None:
        with module.context:
            attribute = ir.Attribute.parse(f"#arith.fastmath<{','.join(self.flags) or 'none'}>")

            def set_flags(operation: ir.Operation) -> ir.WalkResult:
                if FLAG_ATTRIBUTE in operation.attributes:
                    operation.attributes[FLAG_ATTRIBUTE] = attribute
                return ir.WalkResult.ADVANCE

            module.operation.walk(set_flags)
