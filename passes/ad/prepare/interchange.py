"""The pass `ad-interchange`: an operator on whole rows becomes a map of the scalar operator over columns.

`reduce (map2 op) es A` is `map (reduce op) (transpose A) es`; scans and histograms likewise. Products, minima and
maxima then have their own rules, and no operator on arrays is left where a scalar one will do. Sums of rows have a rule
already.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.passes.ad.operators import component_kinds, directions, is_vectorised
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.build import cast_to, dim, flags, is_array, mapped, operator, reduce_, scan_
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.search import ops_named

PLAIN: dict[str, type] = {
    "add": arith.AddFOp,
    "mul": arith.MulFOp,
    "max": arith.MaximumFOp,
    "min": arith.MinimumFOp,
}


@dataclass(frozen=True)
class Interchange(FunctionPass):
    """Interchanges reductions, scans and histograms of row operators with maps: maps of scalar ones.

    ```mlir
    %r = "soac.reduce"(%n, %A, %es) ({ map of mulf })     %t = "soac.transpose"(%A)
                                                          %r = "soac.map"(%m, %t, %es) ({ reduce with mulf })
    ```
    """

    name: ClassVar[str] = "ad-interchange"

    def run_on(self, function: ir.OpView) -> None:
        """Rewrites every vectorised operator of the function."""
        interchange_operators(function)


def interchange_operators(function: ir.OpView) -> None:
    """Rewrites the vectorised operators of a function that have no rule on rows."""
    for op in ops_named(function, *INTERCHANGES):
        if is_vectorised(op.combine) and any(kind != "add" for kind in component_kinds(op.combine)):
            with ir.InsertionPoint(op), op.location:
                made = [
                    INTERCHANGES[op.operation.name](op, k, kind) for k, kind in enumerate(component_kinds(op.combine))
                ]
                typed = [cast_to(result.type, value) for result, value in zip(op.operation.results, made, strict=True)]
                replace_op(op, typed)


def _plain(kind: str) -> Callable[[Sequence[ir.Value], Sequence[ir.Value]], list[ir.Value]]:
    return lambda left, right: [PLAIN[kind](left[0], right[0], fastmath=flags()).result]


def _reduce(op: ir.OpView, k: int, kind: str) -> ir.Value:
    def columns(array: ir.Value, neutral: ir.Value) -> ir.Value:
        if not is_array(neutral):
            return reduce_(op.width, [array], [neutral], _plain(kind))[0]
        return mapped(dim(neutral, 0), [transposed(array), neutral], columns)

    return columns(op.inputs[k], op.neutral[k])


def _scan(op: ir.OpView, k: int, kind: str) -> ir.Value:
    exclusive, reverse = directions(op)

    def columns(array: ir.Value, neutral: ir.Value) -> ir.Value:
        if not is_array(neutral):
            return scan_(op.width, [array], [neutral], _plain(kind), exclusive=exclusive, reverse=reverse)[0]
        return transposed(mapped(dim(neutral, 0), [transposed(array), neutral], columns))

    return columns(op.inputs[k], op.neutral[k])


def _hist(op: ir.OpView, k: int, kind: str) -> ir.Value:
    def columns(dest: ir.Value, values: ir.Value, neutral: ir.Value) -> ir.Value:
        if is_array(neutral):
            return transposed(mapped(dim(neutral, 0), [transposed(dest), transposed(values), neutral], columns))
        made = soac.hist(op.width, op.keys, [dest], [values], [neutral], operator(_plain(kind)))
        return made.operation.results[0]

    return columns(op.dests[k], op.values[k], op.neutral[k])


def transposed(array: ir.Value) -> ir.Value:
    """The array with its first two axes exchanged."""
    shape = array.type.shape
    type_ = ir.RankedTensorType.get([shape[1], shape[0], *shape[2:]], array.type.element_type)
    i64 = ir.IntegerType.get_signless(64)
    order = [1, 0, *range(2, len(shape))]
    permutation = ir.ArrayAttr.get([ir.IntegerAttr.get(i64, axis) for axis in order])
    return soac.TransposeOp(array, type_, permutation=permutation).out


INTERCHANGES = {"soac.reduce": _reduce, "soac.scan": _scan, "soac.hist": _hist}
