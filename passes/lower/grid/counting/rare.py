"""Histograms of smallest or largest integers to which few iterations have anything to add: claims, above all.

Every thread looks whether what it has is better than what is in its bin, and only then updates it. What it sees may be
old, and so too bad, never too good: a bin only gets better.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.dialects.soac.schedules import Rare
from tapeless.passes.lower.blocks.counting import lifted
from tapeless.passes.lower.blocks.histograms import Histogram
from tapeless.passes.lower.blocks.launching import mark_launch
from tapeless.passes.lower.loops.builder import Builder
from tapeless.passes.lower.loops.bulk import end_region, scalars
from tapeless.passes.lower.loops.updates import begin_if_inside
from tapeless.passes.lower.loops.views import element_indices, load
from tapeless.passes.marks import EACH_THREAD

# How an operator is an atomic update, and when a value is better than that of a bin.
EXTREMES = {
    "arith.minsi": (arith.AtomicRMWKind.mins, arith.CmpIPredicate.slt),
    "arith.maxsi": (arith.AtomicRMWKind.maxs, arith.CmpIPredicate.sgt),
}


def update_rarely(opened: Histogram, _: Rare) -> None:
    """A launch with a thread for each iteration."""
    emitter, node, builder = opened.emitter, opened.node, opened.emitter.builder
    makers = {inner.results[0]: inner.name for inner in node.regions[-1][:-1]}
    extremes = [EXTREMES[makers[value]] for value in node.regions[-1][-1].operands]
    loop = builder.begin_for(0, opened.width, private=True)
    key, values = lifted(emitter, node, loop.variable)
    offers = list(zip(opened.targets, scalars(values), extremes, _nothing(opened), strict=True))
    for target, value, (kind, is_better), neutral in offers:
        _begin_if(builder, is_better, value, neutral)
        begin_if_inside(builder, [key], target.sizes)
        _begin_if(builder, is_better, value, load(builder, target, [key]))
        place = [builder.as_value(index) for index in element_indices(builder, target, [key])]
        attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), kind.value)
        builder.value("memref.atomic_rmw", value.type, [value, target.base, *place], kind=attribute)
        for _branch in range(3):
            end_region(emitter)
    mark_launch(emitter, loop, end_region(emitter), EACH_THREAD)


def _nothing(opened: Histogram) -> list[ir.Value]:
    """The value of threads that have none."""
    return [opened.emitter.scalar(value) for value in opened.node.op.neutral]


def _begin_if(builder: Builder, predicate: arith.CmpIPredicate, left: ir.Value, right: ir.Value) -> None:
    attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate.value)
    condition = builder.value("arith.cmpi", ir.IntegerType.get_signless(1), [left, right], predicate=attribute)
    branch = builder.create("scf.if", [], [condition], regions=2)
    builder.push(branch, 0, [], is_branch=True)
