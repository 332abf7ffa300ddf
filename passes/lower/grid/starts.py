"""Fills of arrays that sums start from, where launches do not begin with the number."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.lower.loops.copying import fill
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.views import View


def write_starts(emitter: Emitter, sums: Sequence[View]) -> None:
    """Fills the arrays that launches add to which do not know where sums start."""
    for view in sums:
        if view in emitter.starts:
            fill(emitter.builder, emitter.starts[view], view)
