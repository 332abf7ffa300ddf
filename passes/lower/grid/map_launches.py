"""Maps as launches: a thread for each iteration, or for each place that a table holds."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.soac.schedules import LAUNCH, Launch, Picked
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.blocks.alternatives import few_or_many
from tapeless.passes.lower.blocks.launching import mark_launch
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.copying import fill
from tapeless.passes.lower.loops.maps import Map
from tapeless.passes.lower.loops.updates import begin_if_inside
from tapeless.passes.lower.loops.views import View, load
from tapeless.passes.marks import EACH_THREAD, TABLE


def launch_map(opened: Map, _: Launch) -> None:
    """A launch over all iterations of a map without accumulators."""
    loop = opened.begin(0, opened.width, [], private=True)
    mark_launch(opened.emitter, loop, end_region(opened.emitter), EACH_THREAD)


def map_at_places(opened: Map, schedule: Picked) -> None:
    """At these places alone if they are few, which sizes tell; everywhere if the map overwrites its operands."""
    emitter, builder = opened.emitter, opened.emitter.builder
    (target,) = opened.targets
    reads = [op for op in ops_named(opened.node.op, "tensor.extract") if op.operands[0] in emitter.env]
    (table,) = (emitter.view(op.operands[0]) for op in reads if TABLE in op.attributes)
    arrays = (*opened.node.op.inputs, *(op.operands[0] for op in reads))
    if any(emitter.view(array).base == target.base for array in arrays):
        launch_map(opened, LAUNCH)
        return
    few_or_many(
        emitter,
        builder.mul(table.sizes[0], schedule.iterations_per_place),
        opened.width,
        lambda: _at_places(opened, schedule, table),
        lambda: launch_map(opened, LAUNCH),
        both_emit=opened.node,
    )


def _at_places(opened: Map, schedule: Picked, table: View) -> None:
    emitter, builder = opened.emitter, opened.emitter.builder
    (target,) = opened.targets
    fill(builder, builder.constant(schedule.otherwise.type, schedule.otherwise), target)
    loop = builder.begin_for(0, table.sizes[0], private=True)
    held = load(builder, table, [loop.variable])
    place = held if isinstance(held.type, ir.IndexType) else builder.value("arith.index_cast", builder.index, [held])
    begin_if_inside(builder, [place], [opened.width])
    opened.run(place, [])
    end_region(emitter)
    mark_launch(emitter, loop, end_region(emitter), EACH_THREAD)
