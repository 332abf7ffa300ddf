"""`soac-arg-histograms`: where the extremes of histograms were found, as histograms."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import arith, ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.dialects.array_types import DYNAMIC
from tapeless.dialects.regions import terminator
from tapeless.dialects.soac.marks import FIRST
from tapeless.passes.ir import build
from tapeless.passes.ir.rebuild import Values, copy_op, replace_op
from tapeless.passes.ir.rows import row_at
from tapeless.passes.ir.search import ops_named
from tapeless.passes.soac.cascade.places import is_outside_operators

EXTREMES = {"arith.minimumf": "min", "arith.maximumf": "max"}
# What a bin holds that no value claims, and a value that does not claim its bin.
NOBODY, NONE = -1, (1 << 63) - 1


@dataclass(frozen=True)
class ArgHistograms:
    """Lowers argmin histograms to histograms of positions, or of extremes and positions together.

    ```mlir
    %best = "soac.hist"(%n, %keys, %dest, %values, %inf) ...      %best = ...
    %first = "soac.arg_hist"(%keys, %values, %dest, %best)        %first = "soac.fused_hist"(%n, %keys, %values, ...)
    ```
    With `joined`, values of 32 bits, which fit into one word with their position, are looked at once: both are results
    of one `soac.fused_hist` with the attribute `soac.first`.
    """

    name: ClassVar[str] = "soac-arg-histograms"
    after: ClassVar[dict[str, str]] = {
        "ad-expand": "derivatives of histograms ask for positions",
    }
    skips_numbers: ClassVar[bool] = True
    joined: bool = False

    def run(self, module: ir.Module) -> None:
        """Lowers every such operation."""
        for op in ops_named(module.operation.opview, "soac.arg_hist"):
            extremes = _extremes(op) if self.joined else None
            with ir.InsertionPoint(op), op.location:
                if extremes is None:
                    replace_op(op, [_positions(op)])
                else:
                    _join(extremes, op)


def _extremes(op: ir.OpView) -> ir.OpView | None:
    """The histogram that found the extremes, if one sweep can find their positions as well."""
    made = op.best.owner
    if isinstance(made, ir.Block) or made.operation.name != "soac.hist" or made.operation.block != op.operation.block:
        return None
    old = made.operation.opview
    is_same = [old.keys, *old.values, *old.dests] == [op.keys, op.values, op.dest]
    names = [inner.operation.name for inner in old.combine.blocks[0].operations]
    is_extreme = names[0] in EXTREMES and len(names) == 2
    is_small = isinstance(op.values.type.element_type, ir.F32Type)
    return old if is_same and is_extreme and is_small and is_outside_operators(op) else None


def _positions(op: ir.OpView) -> ir.Value:
    """For each bin that the destination does not claim, the smallest position of values that equal its extreme."""
    keys, values, best = op.keys, op.values, op.best
    whole, bins, width = ir.IntegerType.get_signless(64), build.dim(best, 0), build.dim(values, 0)
    claimed = build.elementwise(_same, op.dest, best)
    none = build.number(whole, NONE)

    def position(i: ir.Value, key: ir.Value, value: ir.Value) -> list[ir.Value]:
        key = arith.IndexCastOp(ir.IndexType.get(), key).result
        inside = arith.CmpIOp(arith.CmpIPredicate.ult, key, bins).result
        choice = scf.IfOp(inside, [whole], has_else=True)
        with ir.InsertionPoint(choice.then_block):
            equal, taken = _same(value, row_at(best, key)), row_at(claimed, key)
            found = arith.SelectOp(equal, arith.IndexCastOp(whole, i).result, none).result
            scf.YieldOp([arith.SelectOp(taken, none, found).result])
        with ir.InsertionPoint(choice.else_block):
            scf.YieldOp([none])
        return [key, choice.results[0]]

    nobody = build.filled(ir.RankedTensorType.get([DYNAMIC], whole), [bins], none)
    first = soac.FusedHistOp(width, [keys, values], [nobody], [none], [nobody.type])
    soac.fill(first.lift, [ir.IndexType.get(), keys.type.element_type, values.type.element_type], position)
    soac.fill(first.combine, [whole, whole], lambda a, b: [arith.MinSIOp(a, b).result])
    return first.operation.results[0]


def _same(a: ir.Value, b: ir.Value) -> ir.Value:
    return arith.CmpFOp(arith.CmpFPredicate.OEQ, a, b).result


def _join(old: ir.OpView, op: ir.OpView) -> None:
    """Replaces a histogram of extremes and that of their positions by one."""
    whole, (dest,), (neutral,) = ir.IntegerType.get_signless(64), old.dests, old.neutral
    types = [neutral.type, whole]

    def lift(own: ir.Value, key: ir.Value, value: ir.Value) -> list[ir.Value]:
        return [arith.index_cast(ir.IndexType.get(), key), value, arith.index_cast(whole, own)]

    def combine(left: ir.Value, left_place: ir.Value, right: ir.Value, right_place: ir.Value) -> list[ir.Value]:
        block = old.combine.blocks[0]
        copied: Values = dict(zip(block.arguments, [left, right], strict=True))
        copy_op(block.operations[0], copied)
        best = copied[terminator(old.combine).operands[0]]
        is_left, is_right = (_same(each, best) for each in (left, right))
        of_both = arith.select(is_right, arith.minsi(left_place, right_place), left_place)
        nobody = build.number(whole, NOBODY)
        return [best, arith.select(is_left, of_both, arith.select(is_right, right_place, nobody))]

    with ir.InsertionPoint(old), old.location:
        nobody, none = (build.number(whole, value) for value in (NOBODY, NONE))
        places = build.filled(op.out.type, [build.dim(dest, 0)], nobody)
        kinds = [old.operation.results[0].type, places.type]
        made = soac.FusedHistOp(old.width, [op.keys, op.values], [dest, places], [neutral, none], kinds)
        soac.fill(made.lift, [ir.IndexType.get(), op.keys.type.element_type, neutral.type], lift)
        soac.fill(made.combine, [*types, *types], combine)
    for name in set(old.attributes) - set(made.attributes):
        made.attributes[name] = old.attributes[name]
    kind = EXTREMES[old.combine.blocks[0].operations[0].operation.name]
    made.attributes[FIRST] = ir.StringAttr.get(kind, old.context)
    replace_op(op, [made.operation.results[1]])
    replace_op(old, [made.operation.results[0]])
