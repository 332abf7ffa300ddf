"""The pass `soac-accumulators-to-histograms` makes histograms of scatter-adds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.dialects.soac.marks import IN_BOUNDS
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import LOOPS
from tapeless.passes.ir.costs import CHEAP, FREE
from tapeless.passes.ir.places.places import is_data
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.sizes.shapes import size_of
from tapeless.passes.soac.simplify.prune import prune
from tapeless.passes.soac.sums.contributions import Contribution, contributions_to

READ = "tensor.extract"
UPDATE = "soac.update"
# Operations whose regions may hold a histogram that is not part of another loop over arrays.
SEQUENTIAL = frozenset({"builtin.module", "func.func", "scf.for", "scf.while", "scf.if"})
MOST_OPERATIONS = 16
MOST_READS = 4


@dataclass(frozen=True)
class AccumulatorsToHistograms:
    """Converts accumulators into histograms, where all that a map does is a scatter-add of numbers.

    ```mlir
    %out = "soac.with_acc"(%zeros) ({                     %out = "soac.fused_hist"(%n, %keys, %ws, %zeros, %zero) ({
    ^bb0(%acc):                                           ^bb0(%i, %key, %w):
      map over %key of %keys and %w of %ws:                 "soac.yield"(%key, %w)
        "soac.update"(%acc, %key, %w)                     }, { sum of two numbers })
    ```
    Keys and values are computed in the loop that counts them, as before, so they must be simple: histograms count one
    value after the other, whereas costly functions are better computed for many elements at once. With `of_stored`,
    which is for programs whose loops are still to be merged, only where no loop beside computes what is added.
    """

    name: ClassVar[str] = "soac-accumulators-to-histograms"
    skips_numbers: ClassVar[bool] = True
    of_stored: bool = False

    def run(self, module: ir.Module) -> None:
        """Rewrites the accumulators of the module; dead code goes at once, or when loops are fused."""
        root = module.operation.opview
        if count_by_keys(root, of_stored=self.of_stored) and not self.of_stored:
            prune(root)


def count_by_keys(root: ir.OpView, *, of_stored: bool) -> bool:
    """Rewrites the accumulators that allow it and are in no operator; says whether there were any.

    With `of_stored`, only where no loop beside computes what is added: that loop should be merged first.
    """
    changed = False
    for block in (block for region in root.regions for block in region.blocks):
        for op in list(block.operations):
            if op.operation.name == "soac.with_acc":
                changed |= _rewrite(op, of_stored=of_stored)
            elif op.operation.name in SEQUENTIAL:
                changed |= count_by_keys(op, of_stored=of_stored)
    return changed


def _rewrite(accumulation: ir.OpView, *, of_stored: bool) -> bool:
    found = _only_updates(accumulation)
    if found is None or not _is_simple(found[0].loops[0]) or (of_stored and _reads_beside(accumulation, found)):
        return False
    map_ = found[0].loops[0]
    for op in list(accumulation.body.blocks[0].operations)[:-1]:
        if op.operation != map_.operation:
            op.operation.move_before(accumulation.operation)
    sums: dict[ir.Value, ir.Value] = {}
    with ir.InsertionPoint(accumulation), accumulation.location:
        for histogram in _histograms(accumulation, found):
            sums.update(zip(histogram.results, histogram.write(map_), strict=True))
    replace_op(accumulation, [sums[result] for result in accumulation.results])
    return True


def _only_updates(accumulation: ir.OpView) -> list[Contribution] | None:
    """One update per accumulator, of a number at one place that is data, in a map that makes nothing else."""
    found: list[Contribution] = []
    for number in range(len(accumulation.operands)):
        contributions = contributions_to(accumulation, number)
        if contributions is None or len(contributions) != 1:
            return None
        found += contributions
    count = len(accumulation.results)
    if not found or len(found) != count or any(len(each.loops) != 1 for each in found):
        return None
    map_ = found[0].loops[0]
    is_alone = map_.operation.block == accumulation.body.blocks[0] and len(map_.results) == count
    others = [op for op in accumulation.body.blocks[0].operations if op.operation != map_.operation]
    if not is_alone or any(len(op.regions) for op in others):
        return None
    return found if all(_is_keyed(each, map_) for each in found) else None


def _is_keyed(contribution: Contribution, map_: ir.OpView) -> bool:
    update, places = contribution.update, contribution.places
    if contribution.loops[0].operation != map_.operation or update.operation.block != map_.body.blocks[0]:
        return False
    return len(places) == 1 and not build.is_array(contribution.value) and is_data(places[0])


def _is_simple(map_: ir.OpView) -> bool:
    """Whether a body is a few operations on numbers, besides the updates."""
    names = [op.operation.name for op in map_.body.blocks[0].operations]
    others = [name for name in names if name not in FREE and name != UPDATE]
    counted = [name for name in others if name in CHEAP]
    reads = others.count(READ)
    return len(counted) + reads == len(others) and len(counted) <= MOST_OPERATIONS and reads <= MOST_READS


def _reads_beside(accumulation: ir.OpView, found: Sequence[Contribution]) -> bool:
    """Whether a loop in the same block makes an array of which the map takes elements."""
    made = [array.owner.operation for array in found[0].loops[0].inputs if not isinstance(array, ir.BlockArgument)]
    return any(op.name in LOOPS and op.block == accumulation.operation.block for op in made)


@dataclass(frozen=True)
class Histogram:
    """The sums of values that have a key in common: places in arrays of the same size."""

    key: ir.Value
    dests: list[ir.Value]
    results: list[ir.Value]
    updates: list[Contribution]

    def write(self, map_: ir.OpView) -> list[ir.Value]:
        """The operator, with a copy of the map's body."""
        zeros = [build.number(dest.type.element_type, 0) for dest in self.dests]
        types = [dest.type for dest in self.dests]
        made = soac.FusedHistOp(map_.width, list(map_.inputs), self.dests, zeros, types)
        _copy_body(map_, made.lift, [self.key, *(update.value for update in self.updates)])
        soac.fill(made.combine, [zero.type for zero in zeros] * 2, build.operator(_sums))
        if all(IN_BOUNDS in update.update.attributes for update in self.updates):
            made.operation.attributes[IN_BOUNDS] = ir.UnitAttr.get()
        return list(made.operation.results)


def _histograms(accumulation: ir.OpView, found: Sequence[Contribution]) -> list[Histogram]:
    """One histogram per key and size."""
    groups: dict[tuple, Histogram] = {}
    for number, update in enumerate(found):
        dest, key = accumulation.operands[number], update.places[0]
        group = groups.setdefault((key, size_of(dest, 0)), Histogram(key, [], [], []))
        group.dests.append(dest)
        group.results.append(accumulation.results[number])
        group.updates.append(update)
    return list(groups.values())


def _copy_body(map_: ir.OpView, region: ir.Region, wanted: Sequence[ir.Value]) -> None:
    """Writes the statements of a map's body but for the updates, and yields some of its values."""
    body = map_.body.blocks[0]
    kept = list(body.arguments)[: 1 + len(map_.inputs)]
    block = region.blocks.append(*(value.type for value in kept), arg_locs=[map_.location] * len(kept))
    copies = dict(zip(kept, block.arguments, strict=True))
    with ir.InsertionPoint(block):
        for op in list(body.operations)[:-1]:
            if op.operation.name != UPDATE:
                copy = op.operation.clone()
                for number, operand in enumerate(op.operands):
                    copy.operands[number] = copies.get(operand, operand)
                copies.update(zip(op.results, copy.results, strict=True))
        soac.YieldOp([copies.get(value, value) for value in wanted])


def _sums(left: build.Rows, right: build.Rows) -> list[ir.Value]:
    """The sums of two tuples of numbers."""
    return [_sum(a, b) for a, b in zip(left, right, strict=True)]


def _sum(left: ir.Value, right: ir.Value) -> ir.Value:
    if isinstance(left.type, ir.F64Type | ir.F32Type):
        return build.add(left, right)
    return arith.AddIOp(left, right).result
