"""Reductions and arrays over an index range: `phi.sum`, `phi.prod`, `phi.fold`, `phi.map`, and `phi.elem`."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.array_types import is_array, row_type
from tapeless.dialects.effects import NoEffect
from tapeless.dialects.phi.checks import name_problems, region_problems
from tapeless.dialects.phi.dialect import Operation
from tapeless.dialects.verification import Problems

FOLDS = ("max", "min", "and", "or")
PLACES = ("argmax", "argmin")


class SumOp(Operation, name="sum", traits=[NoEffect]):
    """The sum of a term over lo <= i < hi.

    ```mlir
    %s = "phi.sum"(%lo, %n) ({
    ^bb0(%k: index):
      %x = "phi.elem"(%xs, %k) : (tensor<?xf64>, index) -> f64
      "phi.yield"(%x) : (f64) -> ()
    }) : (index, index) -> f64
    ```
    """

    lower: ext.Operand[ir.IndexType]
    upper: ext.Operand[ir.IndexType]
    out: ext.Result[Any]
    term: ext.Region

    def problems(self) -> Problems:
        return _term_problems(self, self.out.type)


class ProdOp(Operation, name="prod", traits=[NoEffect]):
    """The product of a term over lo <= i < hi.

    ```mlir
    %p = "phi.prod"(%lo, %n) ({
    ^bb0(%k: index):
      "phi.yield"(%a) : (f64) -> ()
    }) : (index, index) -> f64
    ```
    """

    lower: ext.Operand[ir.IndexType]
    upper: ext.Operand[ir.IndexType]
    out: ext.Result[Any]
    term: ext.Region

    def problems(self) -> Problems:
        return _term_problems(self, self.out.type)


class FoldOp(Operation, name="fold", traits=[NoEffect]):
    """The max, min, and, or of a term over lo <= i < hi; or the first index of the largest or smallest one.

    ```mlir
    %m = "phi.fold"(%lo, %n) ({
    ^bb0(%k: index):
      "phi.yield"(%a) : (f64) -> ()
    }) {kind = "max"} : (index, index) -> f64
    ```
    With the kinds argmax and argmin the result is an index, and `lo` where there is no term.
    """

    lower: ext.Operand[ir.IndexType]
    upper: ext.Operand[ir.IndexType]
    out: ext.Result[Any]
    kind: ir.StringAttr
    term: ext.Region

    def problems(self) -> Problems:
        yield from name_problems("kind", self.kind.value, FOLDS + PLACES)
        if self.kind.value not in PLACES:
            yield from _term_problems(self, self.out.type)
        elif str(self.out.type) != "index":
            yield f"has result {self.out.type}; make it index"


class MapOp(Operation, name="map", traits=[NoEffect]):
    """The array of a value over 0 <= i < n.

    ```mlir
    %g = "phi.map"(%n) ({
    ^bb0(%k: index):
      "phi.yield"(%a) : (f64) -> ()
    }) : (index) -> tensor<?xf64>
    ```
    """

    width: ext.Operand[ir.IndexType]
    out: ext.Result[Any]
    term: ext.Region

    def problems(self) -> Problems:
        if not is_array(self.out.type):
            yield f"has result {self.out.type}; make it a ranked tensor of rank 1 or more"
        yield from _term_problems(self, row_type(self.out.type))


class ElemOp(Operation, name="elem", traits=[NoEffect]):
    """An element of an array that is only read, as a symbol.

    ```mlir
    %x = "phi.elem"(%xs, %i) : (tensor<?xf64>, index) -> f64
    ```
    """

    array: ext.Operand[Any]
    indices: Sequence[ext.Operand[ir.IndexType]]
    out: ext.Result[Any]

    def problems(self) -> Problems:
        array = self.array.type
        if not isinstance(array, ir.RankedTensorType | ir.MemRefType):
            yield f"has array of type {array}; give a ranked tensor or a memref"
        if len(self.indices) != array.rank:
            yield f"has {len(self.indices)} indices into {array}; give {array.rank}"
        if self.out.type != array.element_type:
            yield f"has result {self.out.type}; make it {array.element_type}"


def _term_problems(op: SumOp | ProdOp | FoldOp | MapOp, value: ir.Type) -> Problems:
    index = ir.IndexType.get(op.context)
    return region_problems("term", op.term, [index], "the index", [value], "the value at the index")
