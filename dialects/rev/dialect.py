"""The dialect `rev` itself, its stack type, and the terminator of its pure regions."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects import operation


class Rev(ext.Dialect, name="rev"):
    """Reversible procedures on cells.

    State lives in cells: memrefs, of rank 0 for scalars. Every statement has an inverse. Right-hand sides and
    conditions are pure regions that read cells and end in `rev.yield`; everything that is born dies in a region.
    Statements that check something at run time take the attributes `checks` ("on", "off" or "status"), `atol` and
    `rtol`.
    """


class Operation(operation.Operation, dialect=Rev):
    """Base class of the operations of `rev`."""

    def written_cells(self) -> Sequence[ir.Value]:
        """The cells that this operation itself, not its regions, changes."""
        return ()

    def read_cells(self) -> Sequence[ir.Value]:
        """The cells that this operation itself, not its regions, reads without changing them."""
        return ()


class StackType(Rev.Type, name="stack"):
    """A stack of scalars: `!rev.stack<f64>`."""

    element: ir.TypeAttr

    @property
    def scalar(self) -> ir.Type:
        """The type of the stack's entries."""
        return ir.TypeAttr(self.element).value


class YieldOp(Operation, name="yield", traits=[ir.IsTerminatorTrait, ext.Pure]):
    """Ends a pure region and gives its values to the statement around it.

    ```mlir
    "rev.accum"(%y) ({
      "rev.yield"(%c) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
    ```
    """

    values: Sequence[ext.Operand[Any]]
