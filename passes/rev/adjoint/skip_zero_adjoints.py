"""`rev-skip-zero-adjoints`: shadows that are 0 are not computed with."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.search import ops_named
from tapeless.passes.rev.blocks import procedures
from tapeless.passes.rev.inversion.inverse import BOTH, LEG

ON_SHADOWS = ("rev.accum", "rev.scale", "rev.stretch", "rev.swap", "rev.neg", "rev.hadamard", "rev.rot")


@dataclass(frozen=True)
class SkipZeroAdjoints:
    """Removes updates of zero adjoints: those of the first leg of compute blocks whose targets are fresh ancillas.

    ```mlir
    "rev.accum"(%z) ({                                             "rev.accum"(%z) ({
      ...                                                            ...
    }) {kind = "add"} : (memref<f64>) -> ()                        }) {kind = "add"} : (memref<f64>) -> ()
    "rev.accum"(%x_bar) ({
      ...
    }) {kind = "sub", leg = "first"} : (memref<f64>) -> ()
    ```
    The shadows of fresh ancillas are 0, so nothing comes of it. `rev-adjoint` marks both legs, and inverting exchanges
    the marks: what is the last leg in one direction is the first in the other.
    """

    name: ClassVar[str] = "rev-skip-zero-adjoints"

    def run(self, module: ir.Module) -> None:
        for procedure in procedures(module):
            for op in ops_named(procedure, *ON_SHADOWS):
                if LEG in op.attributes and op.attributes[LEG].value in ("first", BOTH):
                    op.operation.erase()
