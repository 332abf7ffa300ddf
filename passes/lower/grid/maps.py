"""Maps as launches: a thread for each iteration."""

from __future__ import annotations

from tapeless.dialects.soac.schedules import Launch
from tapeless.passes.lower.blocks.launching import mark_launch
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.maps import Map
from tapeless.passes.marks import EACH_THREAD


def launch_map(opened: Map, _: Launch) -> None:
    """A launch over all iterations of a map without accumulators."""
    loop = opened.begin(0, opened.width, [], private=True)
    mark_launch(opened.emitter, loop, end_region(opened.emitter), EACH_THREAD)
