"""The dialect `phi` itself, its attributes, and the terminator of its regions."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects import operation
from tapeless.dialects.array_types import DYNAMIC

LARGEST_CARRIED = 16


class Phi(ext.Dialect, name="phi"):
    """Symbolic expressions with branch merges and loop recurrences, as a graph of values.

    Values mean real numbers; which rewrites are allowed is said by the attribute `fm` of the segment around them, a
    `#phi.fm`. Operations may carry `fact`, a `#phi.fact` on their result.
    """


class Operation(operation.Operation, dialect=Phi):
    """Base class of the operations of `phi`."""


class RatAttr(Phi.Attribute, name="rat"):
    """An exact rational number: `#phi.rat<1 : i64, 3 : i64>` is one third."""

    numerator: ir.IntegerAttr
    denominator: ir.IntegerAttr


class FmAttr(Phi.Attribute, name="fm"):
    """Allowed rewrites: `#phi.fm<"reassoc,contract">`.

    Flags: nnan, ninf, nsz, arcp, contract, afn, reassoc as in `arith.fastmath`; cancel (may remove singular points) and
    stable (may replace by a more accurate form).
    """

    flags: ir.StringAttr


class FactAttr(Phi.Attribute, name="fact"):
    """Something known about a value: `#phi.fact<"pos">`. Facts: pos, nonneg, nonzero, int."""

    fact: ir.StringAttr


class YieldOp(Operation, name="yield", traits=[ir.IsTerminatorTrait, ext.Pure]):
    """Ends a region and gives its values to the operation around it.

    ```mlir
    %s = "phi.sum"(%lo, %n) ({
    ^bb0(%k: index):
      "phi.yield"(%a) : (f64) -> ()
    }) : (index, index) -> f64
    ```
    """

    values: Sequence[ext.Operand[Any]]


def is_symbol(type_: ir.Type) -> bool:
    """Whether values of a type are symbols: floats, integers, or static arrays of at most 16 of them."""
    if isinstance(type_, ir.VectorType | ir.RankedTensorType):
        size = 1
        for extent in type_.shape:
            size *= LARGEST_CARRIED + 1 if extent == DYNAMIC else extent
        return size <= LARGEST_CARRIED
    return isinstance(type_, ir.F64Type | ir.F32Type | ir.IntegerType | ir.IndexType)
