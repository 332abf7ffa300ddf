"""Maps without sums in parts that threads share."""

from __future__ import annotations

from tapeless.dialects.soac.schedules import Parts
from tapeless.passes.lower.blocks.blocks import emit_by_parts
from tapeless.passes.lower.loops.maps import Map
from tapeless.passes.lower.loops.work import block_size


def map_in_parts(opened: Map, schedule: Parts) -> None:
    """A function over some iterations of a map without accumulators, which threads share."""
    emitter, width = opened.emitter, opened.width
    loop = opened.begin(0, width, [], private=True)
    emit_by_parts(emitter, loop, width, block_size(emitter.builder, width, schedule.smallest))
