"""Whole arrays seen otherwise: `soac.transpose`, `soac.reverse`, `soac.widen`, `soac.argsort`."""

from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.array_types import DYNAMIC, leading_sizes_agree, sizes_agree
from tapeless.dialects.effects import NoEffect
from tapeless.dialects.soac.checks import array_problems
from tapeless.dialects.soac.dialect import Operation
from tapeless.dialects.verification import Problems

SORTABLE = ("f64", "f32", "i64", "i32")


class TransposeOp(Operation, name="transpose", traits=[ext.Pure]):
    """Permutes axes: result axis k is operand axis `permutation[k]`.

    ```mlir
    %t = "soac.transpose"(%m) {permutation = [1, 0]} : (tensor<?x3xf64>) -> tensor<3x?xf64>
    ```
    """

    operand: ext.Operand[Any]
    out: ext.Result[Any]
    permutation: ir.ArrayAttr

    def problems(self) -> Problems:
        operand, out = self.operand.type, self.out.type
        yield from array_problems("an operand", [operand])
        yield from array_problems("a result", [out])
        if not all(isinstance(axis, ir.IntegerAttr) for axis in self.permutation):
            yield f"has permutation = {self.permutation}; give an array of integers"
        axes = [axis.value for axis in self.permutation]
        if sorted(axes) != list(range(operand.rank)):
            yield f"has permutation = {axes} for {operand}; give each axis from 0 to {operand.rank - 1} once"
        moved = [operand.shape[axis] for axis in axes]
        if out.element_type != operand.element_type or out.rank != operand.rank:
            yield f"has result {out} for operand {operand}; keep the element type and the rank"
        if not all(map(sizes_agree, zip(moved, out.shape, strict=True))):
            yield f"has result {out} for operand {operand}; permute the sizes as the axes"


class ReverseOp(Operation, name="reverse", traits=[ext.Pure]):
    """Reverses one axis.

    ```mlir
    %backwards = "soac.reverse"(%xs) {axis = 0 : i64} : (tensor<?xf64>) -> tensor<?xf64>
    ```
    """

    operand: ext.Operand[Any]
    out: ext.Result[Any]
    axis: ir.IntegerAttr

    def problems(self) -> Problems:
        operand = self.operand.type
        yield from array_problems("an operand", [operand])
        if not 0 <= self.axis.value < operand.rank:
            yield f"has axis = {self.axis.value} for {operand}; give one from 0 to {operand.rank - 1}"
        if self.out.type != operand:
            yield f"has result {self.out.type}; make it the type of the operand {operand}"


class WidenOp(Operation, name="widen", traits=[ext.Pure]):
    """The same array with sizes forgotten by its type: the initial value of a loop that changes them.

    Upstream passes fold `tensor.cast` into loops and so take the size an array starts with for its size in every
    iteration; they leave this operation alone.

    ```mlir
    %start = "soac.widen"(%m) : (tensor<?x3xf64>) -> tensor<?x?xf64>
    ```
    """

    operand: ext.Operand[Any]
    out: ext.Result[Any]

    def problems(self) -> Problems:
        operand, out = self.operand.type, self.out.type
        yield from array_problems("an operand", [operand])
        yield from array_problems("a result", [out])
        if out.element_type != operand.element_type or out.rank != operand.rank:
            yield f"has result {out} for operand {operand}; keep the element type and the rank"
        if not all(after in (before, DYNAMIC) for before, after in zip(operand.shape, out.shape, strict=True)):
            yield f"has result {out} for operand {operand}; keep each size or make it `?`"


class ArgsortOp(Operation, name="argsort", traits=[NoEffect]):
    """The stable sorting permutation of a rank-1 array, NaN last.

    ```mlir
    %order = "soac.argsort"(%xs) : (tensor<?xf64>) -> tensor<?xi64>
    ```
    """

    operand: ext.Operand[Any]
    out: ext.Result[Any]

    def problems(self) -> Problems:
        operand, out = self.operand.type, self.out.type
        yield from array_problems("an operand", [operand])
        yield from array_problems("a result", [out])
        if operand.rank != 1 or str(operand.element_type) not in SORTABLE:
            yield f"sorts {operand}; give a rank-1 tensor of {', '.join(SORTABLE)}"
        if out.rank != 1 or str(out.element_type) != "i64" or not leading_sizes_agree((operand, out)):
            yield f"has result {out} for operand {operand}; make it a rank-1 tensor of i64 of the same size"
