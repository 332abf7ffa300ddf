"""Maps that are one constant but at places which a table holds: the constant everywhere, then the body at these places.

```mlir
%y = map over i: c if table[key[i]] != i, else v        fill %y with c
                                                        for b in table: i = table[b]; %y[i] = body(i), if i is a place
```
No other iteration has anything else to say, and who is named twice says the same twice. So what most iterations would
read is not read.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.lower.blocks.alternatives import few_or_many
from tapeless.passes.lower.grid.launching import mark_launch
from tapeless.passes.lower.grid.maps import launch_map
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.copying import fill
from tapeless.passes.lower.loops.maps import Map
from tapeless.passes.lower.loops.updates import begin_if_inside
from tapeless.passes.lower.loops.views import load
from tapeless.passes.lower.schedule.forms import LAUNCH, Picked
from tapeless.passes.marks import EACH_THREAD

# So many iterations there are at least for each place.
ITERATIONS_PER_PLACE = 4


def map_at_places(opened: Map, schedule: Picked) -> None:
    """At these places alone if they are few, which sizes tell; everywhere if the map writes over what it reads."""
    emitter, builder = opened.emitter, opened.emitter.builder
    (target,) = opened.targets
    table = emitter.view(schedule.table)
    if any(emitter.view(array).base == target.base for array in schedule.arrays):
        launch_map(opened, LAUNCH)
        return
    few_or_many(
        emitter,
        builder.mul(table.sizes[0], ITERATIONS_PER_PLACE),
        opened.width,
        lambda: _at_places(opened, schedule),
        lambda: launch_map(opened, LAUNCH),
        both_emit=opened.node,
    )


def _at_places(opened: Map, schedule: Picked) -> None:
    emitter, builder = opened.emitter, opened.emitter.builder
    (target,) = opened.targets
    fill(builder, emitter.scalar(schedule.otherwise), target)
    table = emitter.view(schedule.table)
    loop = builder.begin_for(0, table.sizes[0], private=True)
    held = load(builder, table, [loop.variable])
    place = held if isinstance(held.type, ir.IndexType) else builder.value("arith.index_cast", builder.index, [held])
    begin_if_inside(builder, [place], [opened.width])
    opened.run(place, [])
    end_region(emitter)
    mark_launch(emitter, loop, end_region(emitter), EACH_THREAD)
