"""Where an element of an array comes from: the loops that made it, and the scalar in their bodies."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.build import is_array
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.soac.sums.contributions import index_of
from tapeless.passes.soac.sums.replay import CannotReplay, Replay

MAKERS = frozenset({"soac.map", "soac.fused"})


@dataclass(frozen=True)
class Made:
    """A scalar, and the loops around it, outer ones first, each with the index at which its element is read."""

    element: ir.Value
    loops: list[tuple[ir.OpView, ir.Value]]

    def enter(self, replay: Replay, without: Sequence[ir.Value] = ()) -> None:
        """Binds the iterations that make the element, as far as their indices are known; some may be left out."""
        for loop, place in self.loops:
            if place not in without:
                with contextlib.suppress(CannotReplay):
                    replay.enter(loop, replay.scalar(place))


def made_by(row: ir.Value, index: ir.Value, within: ir.OpView) -> Made | None:
    """The producer of the element of a row at an index, in loops of an operation that lie in each other; None if the
    row comes from elsewhere.
    """
    array, places = row, [index]
    loops: list[tuple[ir.OpView, ir.Value]] = []
    while True:
        if isinstance(array, ir.BlockArgument):
            loop = array.owner.owner.opview
            if loop.operation.name not in MAKERS or array not in arguments_of(loop, "inputs"):
                return None
            number = arguments_of(loop, "inputs").index(array)
            array, places = Loop.seen_as(loop).inputs[number], [index_of(loop), *places]
            continue
        maker = array.owner
        around = loops[-1][0] if loops else within
        if maker.operation.name not in MAKERS or is_defined_outside(array, around.operation):
            return None
        loop = Loop.seen_as(maker)
        if array not in loop.mapped:
            return None
        yielded = loop.lifted()[len(loop.lifted()) - len(loop.mapped) + loop.mapped.index(array)]
        loops.append((maker, places.pop(0)))
        if not places:
            return None if is_array(yielded) or isinstance(yielded, ir.BlockArgument) else Made(yielded, loops)
        array = yielded
