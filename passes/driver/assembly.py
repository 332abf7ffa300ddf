"""IR as text or bytecode."""

from __future__ import annotations

import io

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass


@dataclass(frozen=True)
class AssemblyStyle:
    """How IR is written as text."""

    debug_info: bool = False
    pretty_debug_info: bool = False
    generic: bool = False
    local_scope: bool = False
    elide_above: int | None = None

    def text(self, op: ir.Operation) -> str:
        """The operation as text that ends in a newline; IR that does not verify is written in generic form."""
        text = op.get_asm(
            enable_debug_info=self.debug_info or self.pretty_debug_info,
            pretty_debug_info=self.pretty_debug_info,
            print_generic_op_form=self.generic,
            use_local_scope=self.local_scope,
            large_elements_limit=self.elide_above,
        )
        return text if text.endswith("\n") else f"{text}\n"


PLAIN = AssemblyStyle()


def bytecode(op: ir.Operation) -> bytes:
    """The operation as MLIR bytecode."""
    buffer = io.BytesIO()
    op.write_bytecode(buffer)
    return buffer.getvalue()
