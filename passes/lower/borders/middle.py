"""Threads of the interior: their elements are the values of the inner nest, without boundary updates."""

from __future__ import annotations

import math

from tapeless.passes.lower.borders.boxes import Box
from tapeless.passes.lower.borders.slots import Layer, Slot
from tapeless.passes.lower.borders.wholes import Whole

# Of layers that a slot has on average: few are chosen by as many instructions as a branch takes.
FEW_LAYERS = 2
LEAST_SHARE = 0.5


def middle_of(whole: Whole, starts: tuple[int, ...]) -> Box | None:
    """The threads none of whose elements is in a layer, if they are most and layers many.

    A thread's element of a slot is where the thread is, moved by the slot's offsets less the `starts`.
    """
    sizes = whole.slots[0].sizes
    if sum(len(slot.layers) for slot in whole.slots) <= FEW_LAYERS * len(whole.slots):
        return None
    box: Box = tuple(
        range(values.start + start, values.stop + start) for values, start in zip(whole.box, starts, strict=True)
    )
    for slot in whole.slots:
        moved = tuple(offset - start for offset, start in zip(slot.offsets, starts, strict=True))
        box = tuple(_common(at, range(-by, size - by)) for at, by, size in zip(box, moved, sizes, strict=True))
        for layer in slot.layers:
            box = _without(box, layer, slot, moved)
    return box if math.prod(map(len, box)) >= LEAST_SHARE * math.prod(sizes) else None


def _without(box: Box, layer: Layer, slot: Slot, moved: tuple[int, ...]) -> Box:
    """The most that is left of a box of threads without those that have an element in a layer."""
    found: list[Box] = []
    for axis, (values, size, by) in enumerate(zip(layer.box, slot.sizes, moved, strict=True)):
        for side in (range(-by, values.start - by), range(values.stop - by, size - by)):
            found.append((*box[:axis], _common(box[axis], side), *box[axis + 1 :]))
    return max(found, key=lambda left: math.prod(map(len, left)))


def _common(left: range, right: range) -> range:
    start = max(left.start, right.start)
    return range(start, max(start, min(left.stop, right.stop)))
