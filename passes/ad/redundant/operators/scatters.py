"""The return rule of `soac.scatter`.

Several values may have one key if they are equal, as those of `tl.scatter(y, keys, x[keys])` are. Their adjoints must
not add up: the last of them, whose value and tangent are the ones that stay, has the adjoint of the place.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.dialects import soac
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ad.redundant.operators.histograms import gathered, row_if
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ir.build import Rows, dim, filled, map_, number, zeros_like
from tapeless.passes.ir.rows import row_at


def scatter_back(sweep: Sweep, op: ir.OpView) -> None:
    """The values that stayed gather their adjoints; the destination's is zero where something was written."""
    seed = sweep.bars.of(op.operation.results[0])
    keys, width = sweep.primal(op.keys), sweep.primal(op.width)
    if op.values in sweep.activity:
        sweep.bars.add(op.values, _adjoints_of_values(keys, dim(sweep.primal(op.values), 0), seed))
    if op.dest in sweep.activity:
        zeros = zeros_like(sweep.primal(op.values))
        sweep.bars.add(op.dest, soac.ScatterOp(width, seed, keys, zeros, seed.type).out)


def _adjoints_of_values(keys: ir.Value, width: ir.Value, seed: ir.Value) -> ir.Value:
    if _are_distinct(keys):
        return gathered(keys, width, seed, lambda row, *_: row)
    last = _last_writers(keys, width, dim(seed, 0))

    def kept(row: ir.Value, key: ir.Value, i: ir.Value) -> ir.Value:
        position = arith.IndexCastOp(last.type.element_type, i).result
        return row_if(arith.CmpIOp(arith.CmpIPredicate.eq, row_at(last, key), position).result, seed, lambda: row)

    return gathered(keys, width, seed, kept)


def _are_distinct(keys: ir.Value) -> bool:
    """Whether no two keys are known to be equal: the order of a sort."""
    return not isinstance(keys, ir.BlockArgument) and keys.owner.operation.name == "soac.argsort"


def _last_writers(keys: ir.Value, width: ir.Value, bins: ir.Value) -> ir.Value:
    """For each place the position of the last value that is written there; -1 if none is."""
    whole = ir.IntegerType.get_signless(64)

    def position(i: ir.Value, _: Rows, __: Rows) -> tuple[Rows, Rows]:
        return [arith.IndexCastOp(whole, i).result], []

    [positions], _ = map_(width, [], [], position)
    none = number(whole, -1)
    nowhere = filled(ir.RankedTensorType.get([DYNAMIC], whole), [bins], none)
    later = soac.hist(width, keys, [nowhere], [positions], [none], lambda a, b: [arith.MaxSIOp(a, b).result])
    return later.outs[0]
